"""Tests of turn."""
