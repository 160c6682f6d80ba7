"""Tests of what speaks to MCP servers, against real ones."""
