"""Language understanding: an utterance is parsed once, at the start of a turn, and only read afterwards."""
