"""What is to be done later: when, how that is said, and how it is kept."""
