"""A turn: from a sentence, or an AI task, to its answer."""
