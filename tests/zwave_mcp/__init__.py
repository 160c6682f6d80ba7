"""Tests of the Z-Wave MCP server: as a process, through a real client, on a simulated network."""
