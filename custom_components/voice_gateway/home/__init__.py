"""The home: the exposed entities, their description for a model, the clock and the sun."""
