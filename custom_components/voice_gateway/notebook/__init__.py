"""The notebook: facts that residents asked to remember, stored in the home."""
