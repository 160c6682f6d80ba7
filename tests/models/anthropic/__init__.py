"""Tests of models.anthropic."""
