"""The home as far as it is exposed to an assistant, and how a model is told of it."""
