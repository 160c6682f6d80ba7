"""Tests of heard."""
