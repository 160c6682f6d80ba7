"""Coordination: commands joined to a question: "what's on today, and lock up"."""

from collections.abc import Iterator
from typing import Final

from .annotations import AnnotatedText
from .clause import DialogueAct
from .clause_segmentation import Segment
from .dialogue_acts import content_tokens

_ASKS: Final = ("news", "looks_up")
_DOES: Final = ("requests", "wishes", "persons")
"""What could do what is joined to a question: "what is there to close and to lock"."""
_BEGINS: Final = ("verbs", "fronted", "bids")


def is_coordinated_command(
    annotated: AnnotatedText,
    asked: Segment,
    segment: Segment,
    mood: DialogueAct,
    *,
    refers_back: bool,
) -> bool:
    """Return True if a clause behind a question by "and" is a command, and asks nothing itself.

    Args:
        annotated: the sentence.
        asked: the question.
        segment: the clause behind it, and what it is:
        mood: a command, or what may be one, and
        refers_back: whether it speaks of what was named before it.
    """
    if asked.has_question_mark or not starts_with_imperative(annotated, segment, mood):
        return False
    return (
        _asks_for_news(annotated, asked)
        or (refers_back and _asks_which(annotated, asked))
        or (_is_looked_up(annotated, asked) and _orders_surely(annotated, segment))
    )


def _is_looked_up(annotated: AnnotatedText, asked: Segment) -> bool:
    """Return True if a question is an order to look something up: "find out how long beans boil"."""
    start = content_tokens(annotated, _range(asked))
    return bool(start) and any(annotated.span_end(form, start[0]) for form in ("looks_up", "bids"))


def _orders_surely(annotated: AnnotatedText, segment: Segment) -> bool:
    """Return True if the first word of a clause orders, and can't go on with what is asked."""
    start = content_tokens(annotated, _range(segment))
    return bool(start) and annotated.span_end("bids_surely", start[0]) > 0


def starts_with_imperative(annotated: AnnotatedText, segment: Segment, mood: DialogueAct) -> bool:
    """Return True if a clause is a command by its first word."""
    start = content_tokens(annotated, _range(segment))
    begins = bool(start) and any(annotated.span_end(form, start[0]) for form in _BEGINS)
    return mood is DialogueAct.COMMAND and begins


def _asks_for_news(annotated: AnnotatedText, asked: Segment) -> bool:
    """Return True if a question asks only what there is, of something that can do nothing itself."""
    ends = [end for form in _ASKS for _, end in annotated.spans_among(form, _range(asked))]
    if not ends:
        return False
    after = range(max(ends), asked.end)
    # Right behind a question's word, a verb is that of its subject: "cuándo abre el museo".
    does = any(True for _ in _verbs(annotated, after[1:]))
    return not does and not any(True for form in _DOES for _ in annotated.spans_among(form, after))


def _verbs(annotated: AnnotatedText, among: range) -> Iterator[int]:
    """Yield the verbs of commands, but for words that are a preposition there, or a noun.

    "Qué tiempo da para hoy", "what is in my water".
    """
    fillers = annotated.patterns.language.function_words
    for index, _ in annotated.spans_among("verbs", among):
        before = annotated.sequence.tokens[index - 1].text
        is_pronoun = before in annotated.patterns.language.forms.get("pronouns", ())
        is_noun = (
            before in fillers and not is_pronoun and not annotated.span_end("subjects", index - 1)
        )
        if not is_noun and annotated.sequence.tokens[index].text not in fillers:
            yield index


def _asks_which(annotated: AnnotatedText, asked: Segment) -> bool:
    """Return True if something is to be looked up by its name: "see which lamps are to be on".

    What is joined to that has no "them", and a command for what is found has.
    """
    own = _range(asked)
    ends = {end for _, end in annotated.spans_among("looks_up", own)}
    is_which = any(end in ends for _, end in annotated.spans_among("which", own))
    return is_which and not any(each.opens and each.first in own for each in annotated.time_spans)


def _range(segment: Segment) -> range:
    return range(segment.first, segment.end)
