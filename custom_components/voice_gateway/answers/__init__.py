"""Questions about what is so in the home and what is to come, answered from what is exposed, by code alone."""
