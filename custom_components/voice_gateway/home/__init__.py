"""The home: what is exposed to an assistant, how a model is told of it, its clock and its sun."""
