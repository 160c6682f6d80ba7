"""Home Assistant's own frontend in a real browser, and a newcomer who walks through our flows."""
