"""MCP servers of others, as they are on the package indexes."""
