"""What an agent does and does not do, whatever is read, in many languages."""
