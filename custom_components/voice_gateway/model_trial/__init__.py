"""How good a model is for an agent, tried with sentences about a home that is nobody's."""
