"""How a sentence is read, shown to people."""
