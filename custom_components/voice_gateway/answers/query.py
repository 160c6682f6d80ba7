"""Queries: the type, the subject and the time of a question."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..nlu.tokenizer import NOTHING, Text
from .intervals import Interval

RECKONED: Final = ("highest", "lowest", "average")
"""Aggregates of several values, by their lists in `languages/`."""
SINGLE: Final[Mapping[str, tuple[str, str]]] = {
    "warmest": ("highest", "temperature"),
    "coldest": ("lowest", "temperature"),
    "average_temperature": ("average", "temperature"),
}
"""Lists of words that express both an aggregate and its quantity."""


class QueryType(StrEnum):
    """The type of a question; the values are names of lists in `languages/`."""

    WHETHER = "whether"
    """A yes-no question: "is the door open". Only the order of words marks it."""
    WHICH = "which"
    HOW_MANY = "how_many"
    ROOMS = "which_rooms"
    """Rooms where a condition holds: "which rooms have lights on"."""
    WHO = "who"
    WHERE = "where"
    STATE = "state"
    """The state of an entity: "what is the robot doing"."""
    PLAYING = "playing"
    """The media that players play."""
    SHOWN = "shows"
    """The subject alone, without a question: "the humidity", "show me the weather"."""
    VALUE = "value"
    """A value: "what is the temperature"."""
    WEATHER = "weather"
    LIST = "list"
    """The items of a to-do list."""
    LIST_DONE = "list_done"
    """Its completed items."""
    ON_LIST = "on_list"
    """Whether an item is on it."""
    AHEAD = "ahead"
    """The future: weather, sun, lists, calendars."""

    # The past
    WAS = "did"
    """Whether a condition held, or which value was measured."""
    LAST = "when"
    """When a condition held the last time."""
    FIRST = "first"
    """When a condition held the first time."""
    HOW_OFTEN = "how_often"
    HOW_LONG = "how_long"
    USED = "used"
    """The consumption of a resource."""


@dataclass(frozen=True, slots=True)
class Query:
    """An interpretation of a question."""

    type: QueryType
    words: Text
    """The words for the subject and the predicate, as spoken."""
    certainty: int = 0
    """The number of words that express the question's type: the more, the more certain."""
    item: Text = NOTHING
    """The words within the question's form: "milk" in "is milk on"; or the second of two states."""
    exclusion: Text = NOTHING
    """The entities or places that are left out: "which lights are on except in the hall"."""
    span: Interval | None = None
    """The time that the question is about; None without a time expression."""
    reckoned: str = ""
    """One of `RECKONED`, in a question for a past aggregate."""
    listed: QueryType | None = None
    """WHICH or HOW_MANY, in such a question about the past; then `item` has the other words."""
    departed: Text | None = None
    """The person whose departure the question refers to; empty for everybody, None for none."""
    other: Interval | None = None
    """The time to compare with."""
    is_more: bool = True
    """Whether the question asks for more than at the other time; else for less."""
    is_some: bool = False
    """One entity is enough: "are there lights on"."""
