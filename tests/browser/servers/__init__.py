"""MCP servers as a household may have them, in processes of their own."""
