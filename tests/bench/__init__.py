"""Tests of what measures."""
