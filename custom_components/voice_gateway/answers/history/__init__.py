"""Answers about the home's past, from Home Assistant's recorder."""
