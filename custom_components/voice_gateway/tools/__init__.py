"""Tools: which there are (manager), and how a call runs (executor)."""
