"""Measurements, each against Home Assistant's own integrations or the bare library."""

# Before Home Assistant's test helpers, which some of these start it with.
import tests.home_assistant_first  # noqa: F401
