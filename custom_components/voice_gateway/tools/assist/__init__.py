"""Home Assistant's Assist tools: offered in few words, called as they were meant."""
