"""Measurements, each against Home Assistant's own integrations or the bare library."""

# Before Home Assistant's test helpers, which some of these start it with, and before the helpers'
# own folder of custom components comes first in the path.
import custom_components  # noqa: F401
import tests.home_assistant_first  # noqa: F401
