"""The oracle: golden records of how each known sentence is understood, and a comparison with them."""
