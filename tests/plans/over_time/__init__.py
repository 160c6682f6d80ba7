"""Plans as time goes by, with what is stored in files."""
