"""Requests for tools of our own."""
