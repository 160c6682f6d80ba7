"""Tests of models.text."""
