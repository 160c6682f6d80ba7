"""Home Assistant's Assist tools: short descriptions, and correction of calls."""
