"""Language models: one client per provider behind one protocol."""
