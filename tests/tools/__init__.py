"""Tests of the tools: what an agent can do, and how a call of it runs."""
