"""Tests of tools.assist."""
