"""Signals between a session and its connection."""

from enum import Enum, auto


class Signal(Enum):
    """An unsolicited event on a connection."""

    CLOSED = auto()
    TOOLS_CHANGED = auto()
    # Nothing has happened for a while.
    IDLE = auto()
    # A failure that may mean its end, or may not: worth a check.
    SUSPECT = auto()
    STOP = auto()
