"""What a question asks, by its words alone: "which", "how many", "how warm", and of what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..nlu.tokenizer import NOTHING, Text
from .token_consumer import TokenConsumer


class QuestionType(StrEnum):
    """How something is asked; the values are the lists' names in `languages/`."""

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
    VALUE = "value"
    """What is measured: "what is the temperature"."""
    WEATHER = "weather"
    LIST = "list"
    """What is on a to-do list."""
    LIST_LEFT = "list_left"
    """The same, and it is said that it is what is not done."""
    LIST_DONE = "list_done"
    """What is done of it."""
    ON_LIST = "on_list"
    """Whether something is on it."""


RECKONED: Final = ("highest", "lowest", "average")
"""What is reckoned of several values, by its lists in `languages/`."""
SINGLE: Final[Mapping[str, tuple[str, str]]] = {
    "warmest": ("highest", "temperature"),
    "coldest": ("lowest", "temperature"),
    "most_humid": ("highest", "humidity"),
    "driest": ("lowest", "humidity"),
    "average_temperature": ("average", "temperature"),
}
"""Words that say at once what is reckoned, and of what."""
_UNITS = ("%", "°")
"""Marks that say something."""
_OPENED = tuple(form for form in QuestionType if form is not QuestionType.WHETHER)


@dataclass(frozen=True, slots=True)
class HomeQuestion:
    """One way to understand a question."""

    form: QuestionType
    words: Text
    """The words that say of what, as they were spoken."""
    much: int
    """How many words say how it is asked: the more, the surer."""
    any: Text = NOTHING
    """The words in the midst of those that say how it is asked: "is milk on"."""


def questions(text: Text) -> Sequence[HomeQuestion]:
    """Return the ways to understand a question, the surest first.

    Args:
        text: a sentence that is known to ask something.
    """
    said = TokenConsumer(text)
    around = said.tokens("around")
    around |= {each for each in said.marks if said.line.tokens[each].text not in _UNITS}
    if said.whole <= around | said.tokens("idle"):
        return ()
    found: set[HomeQuestion] = set()
    than = _than(said)
    for form in _OPENED:
        for asking, inside in said.matches(form):
            if asking <= than:
                continue
            # What is said around a question may be a part of how it is asked.
            left = said.whole - around - asking
            if form is QuestionType.ON_LIST:
                left -= inside
            found.add(HomeQuestion(form, said.part(left), len(asking), said.part(inside - around)))
    if all(each.form is QuestionType.ON_LIST for each in found):
        found.add(HomeQuestion(QuestionType.WHETHER, said.part(said.whole - around), 0))
    return sorted(found, key=lambda each: (-each.much, each.form, each.words))


def _than(said: TokenConsumer) -> set[int]:
    """Return the tokens that say with what is compared: "più freddo che in cucina" asks for no "che"."""
    more = said.tokens("is_warmer", "is_cooler")
    return {each for each in said.tokens("than_there") if more and each > max(more)}
