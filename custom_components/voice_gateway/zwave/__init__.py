"""Z-Wave in Home Assistant: its networks, and the data about their devices."""
