"""What can happen to plans, with files as they are."""
