"""Questions about what is so in the home."""
