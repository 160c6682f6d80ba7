"""Timers and alarms in seven languages: what is said, and what is so afterwards."""
