"""Questions about what is so in the home, answered from what is exposed, by code alone."""
