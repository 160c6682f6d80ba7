"""What was so in the home, by what Home Assistant's recorder has kept."""
