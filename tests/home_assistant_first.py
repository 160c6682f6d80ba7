"""Loaded before pytest's Home Assistant helpers, which were made for the release before.

They import `httpx` directly, where this release wants its own alias set first, and reset
something of the logger integration that is called otherwise now.
"""

import homeassistant  # noqa: F401
from homeassistant.components import logger

if not hasattr(logger, "_clear_logger_overwrites"):
    logger._clear_logger_overwrites = lambda hass: None  # type: ignore[attr-defined]
