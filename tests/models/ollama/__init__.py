"""Tests of models.ollama."""
