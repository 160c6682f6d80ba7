"""MCP servers: one supervised session each, and their tools for every agent of Home Assistant.

`session.py` keeps a server connected, `connection.py` talks with the SDK, `http.py` and
`process.py` carry the messages; `tool.py` and `api.py` are the agents' side.
"""
