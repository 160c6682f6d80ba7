"""Trial of a model for an agent, with sentences about a simulated home."""
