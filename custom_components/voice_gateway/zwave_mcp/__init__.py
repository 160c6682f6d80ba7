"""An MCP server for Z-Wave: a process of its own, for Home Assistant or any other MCP client.

It connects to a Z-Wave JS server's websocket, and uses no part of Home Assistant. See
docs/zwave.md.
"""
