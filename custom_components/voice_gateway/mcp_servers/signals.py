"""What a session and its connection tell each other."""

from enum import Enum, auto


class Signal(Enum):
    """What happens to a connection without being asked for."""

    CLOSED = auto()
    TOOLS_CHANGED = auto()
    # Nothing has happened for a while.
    IDLE = auto()
    # Something failed that may mean its end, or may not: worth a question.
    SUSPECT = auto()
    STOP = auto()
