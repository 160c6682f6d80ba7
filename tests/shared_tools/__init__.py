"""Our own tools for other agents."""
