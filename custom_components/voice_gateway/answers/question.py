"""What a question asks, by its words alone: "which", "how many", "how warm", and of what."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..nlu.phrase_pattern import PhrasePattern
from ..nlu.phrase_patterns import PhrasePatterns, patterns_of
from ..nlu.tokenizer import NOTHING, Text, TokenSequence


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
    known = patterns_of(text.code)
    line = TokenSequence.of(text, known.numbers)
    around = tokens_in(line, known.questions.get("around", ()))
    around |= {
        index
        for index, token in enumerate(line.tokens)
        if token.is_mark and token.text not in _UNITS
    }
    everything = {*range(len(line.tokens))}
    if everything <= around | tokens_in(line, known.questions.get("idle", ())):
        return ()
    found: set[HomeQuestion] = set()
    than = _than(line, known)
    for form in _OPENED:
        for pattern in known.questions.get(form, ()):
            for asking, inside in _found(line, pattern):
                if asking <= than:
                    continue
                # What is said around a question may be a part of how it is asked.
                left = everything - around - asking
                any_ = line.surface(sorted(inside - around))
                if form is QuestionType.ON_LIST:
                    left -= inside
                found.add(HomeQuestion(form, line.surface(sorted(left)), len(asking), any_))
    if all(each.form is QuestionType.ON_LIST for each in found):
        found.add(HomeQuestion(QuestionType.WHETHER, line.surface(sorted(everything - around)), 0))
    return sorted(found, key=lambda each: (-each.much, each.form, each.words))


def _than(line: TokenSequence, known: PhrasePatterns) -> set[int]:
    """Return the tokens that say with what is compared: "più freddo che in cucina" asks for no "che"."""
    asks = known.questions
    more = tokens_in(line, (*asks.get("is_warmer", ()), *asks.get("is_cooler", ())))
    than = tokens_in(line, asks.get("than_there", ()))
    return {each for each in than if more and each > max(more)}


def tokens_in(line: TokenSequence, patterns: Iterable[PhrasePattern]) -> set[int]:
    """Return the tokens of all places in a line where one of some patterns is."""
    return line.covered(patterns)


def _found(line: TokenSequence, pattern: PhrasePattern) -> Iterator[tuple[set[int], set[int]]]:
    """Yield the tokens of each place where a pattern is, and apart those of its group "any"."""
    insides = line.find(pattern, "any") if pattern.has_group("any") else iter(())
    for span in line.find(pattern):
        inside = {*range(*next(insides, (0, 0)))}
        yield {*range(*span)} - inside, inside
