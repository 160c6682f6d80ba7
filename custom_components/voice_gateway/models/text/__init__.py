"""What models write, made fit to be spoken."""
