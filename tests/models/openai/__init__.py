"""Servers that speak OpenAI's protocol, and what is made of what they send."""
