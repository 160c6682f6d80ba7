"""Language understanding: an utterance is parsed once, when a turn begins, and not changed."""
