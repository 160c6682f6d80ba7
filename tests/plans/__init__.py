"""Tests of what is done later."""
