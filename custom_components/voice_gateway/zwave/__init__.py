"""Z-Wave as Home Assistant has it: its networks, and its devices' names."""
