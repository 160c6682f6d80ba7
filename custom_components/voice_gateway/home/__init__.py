"""The home as far as it is exposed to an assistant, how a model is told of it, and its clock and sun."""
