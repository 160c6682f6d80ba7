"""What was said: read once at the start of a turn, and only read afterwards."""
