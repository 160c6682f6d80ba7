"""Tests of Voice Gateway."""
