"""MCP servers: one supervised session each, and their tools for every agent of Home Assistant.

`session.py` keeps a server connected, `connection.py` talks with the SDK, `transport.py` carries
the messages; `tool.py` and `api.py` are the agents' side.
"""
