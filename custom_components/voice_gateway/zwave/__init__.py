"""Z-Wave as Home Assistant has it: its networks, and what is known of their devices."""
