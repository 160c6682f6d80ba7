"""What a question asks: in which way, of what, of which time."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..nlu.tokenizer import NOTHING, Text
from .intervals import Interval

RECKONED: Final = ("highest", "lowest", "average")
"""What is reckoned of several values, by its lists in `languages/`."""
SINGLE: Final[Mapping[str, tuple[str, str]]] = {
    "warmest": ("highest", "temperature"),
    "coldest": ("lowest", "temperature"),
    "average_temperature": ("average", "temperature"),
}
"""Words that say at once what is reckoned, and of what."""


class QueryType(StrEnum):
    """How something is asked; the values are lists' names in `languages/`."""

    WHETHER = "whether"
    """Whether it is so: "is the door open". Nothing but the order of words says this."""
    WHICH = "which"
    HOW_MANY = "how_many"
    ROOMS = "which_rooms"
    """In which rooms: "which rooms have lights on"."""
    WHO = "who"
    WHERE = "where"
    STATE = "state"
    """In which state something is: "what is the robot doing"."""
    PLAYING = "playing"
    """What is played, and where."""
    SHOWN = "shows"
    """The subject alone, without a question: "the humidity", "show me the weather"."""
    VALUE = "value"
    """What is measured: "what is the temperature"."""
    WEATHER = "weather"
    LIST = "list"
    """What is on a to-do list."""
    LIST_DONE = "list_done"
    """What is done of it."""
    ON_LIST = "on_list"
    """Whether something is on it."""
    AHEAD = "ahead"
    """What is to come: weather, sun, lists, calendars."""

    # Of what is past
    WAS = "did"
    """Whether it was so, or what was measured."""
    LAST = "when"
    """When it was so the last time."""
    FIRST = "first"
    """When it was so the first time."""
    HOW_OFTEN = "how_often"
    HOW_LONG = "how_long"
    USED = "used"
    """How much of something was used."""


@dataclass(frozen=True, slots=True)
class Query:
    """One way to understand a question."""

    type: QueryType
    words: Text
    """The words that say of what, and what of it, as they were spoken."""
    certainty: int = 0
    """How many words say how it is asked: the more, the surer."""
    item: Text = NOTHING
    """The words in the midst of those that say how it is asked: "is milk on"; of two states the second."""
    span: Interval | None = None
    """The time of which it is asked; None where none is said."""
    reckoned: str = ""
    """One of `RECKONED`, where that is asked for of what is past."""
    listed: QueryType | None = None
    """Of what is past, WHICH or HOW_MANY where that is asked; then `item` has the other words."""
    departed: Text | None = None
    """Who left home at the moment of which it is asked, empty where all did; None where nobody says so."""
    other: Interval | None = None
    """A time with which that one is compared."""
    is_more: bool = True
    """Whether it is asked if it was more than in that; else if it was less."""
