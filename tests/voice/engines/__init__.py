"""Speech engines as a household has them: processes that speak the Wyoming protocol.

The protocol: https://github.com/rhasspy/wyoming. Each engine is started as a module, by a Python
that has script/requirements-voice.txt.
"""

ENGLISH = ["en", "en-US"]
"""The languages of the engines."""
