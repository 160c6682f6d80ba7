"""Tools: the registry of all tools (manager), and the execution of calls (executor)."""
