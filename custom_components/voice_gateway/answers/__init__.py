"""Answer questions about the exposed home, its past and its future, without a model."""
