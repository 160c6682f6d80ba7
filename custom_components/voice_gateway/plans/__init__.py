"""What is to be done later: kept, made at its moment, and undone at its end."""
