"""What is taken back as soon as it is said: "turn off the lamp. No, leave it"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from .not_needed import not_needed
from .parts import Part
from .reply import Reply, reply
from .said import Mood
from .tagged import Tagged


def without_taken_back(tagged: Tagged, parts: Sequence[Part]) -> Sequence[Part]:
    """Return the parts of a text, those of a sentence that a no follows as not to be done.

    It is a no that says nothing else, up to the end of its own sentence: "no, I mean the fan" corrects
    a part of what was said before.
    """
    found = [*parts]
    for first, end in _refusals(tagged):
        found = [each for each in found if not first <= each.stretch.first < end]
        before = [place for place, each in enumerate(found) if each.stretch.first < first]
        for place in reversed(before):
            if found[place].clause.mood in (Mood.COMMAND, Mood.UNKNOWN):
                found[place] = _denied(found[place])
            if found[place].stretch.begins:
                break
    for place in _replaced(found, tagged.known.language.code):
        found[place] = _denied(found[place])
    return found


def _replaced(parts: Sequence[Part], code: str) -> Iterator[int]:
    """Yield the place of each command that a no and another command follow: "off, no, turn on the fan"."""
    spoken = [place for place, part in enumerate(parts) if not part.is_empty]
    for place, after in pairwise(spoken):
        is_replaced = (
            after - place > 1
            and parts[place].clause.mood is parts[after].clause.mood is Mood.COMMAND
            and not parts[after].clause.negated
        )
        if is_replaced and reply(parts[place + 1].clause.text, code, ()) is Reply.NO:
            yield place


def _denied(part: Part) -> Part:
    """Return a part as one that is not to be done, whenever that was."""
    clause = replace(part.clause, mood=Mood.COMMAND, negated=True, moments=(), stays=False)
    return replace(part, clause=clause, front=(), tail=())


def _refusals(tagged: Tagged) -> Iterator[tuple[int, int]]:
    """Yield where a no begins that follows a mark, and where its sentence ends."""
    all_words = tagged.known.language.all
    tokens, reached = tagged.line.tokens, 0
    for first in range(1, len(tagged)):
        is_stop = tagged.is_stop(first - 1)
        if first < reached or not (is_stop or tagged.is_comma(first - 1)):
            continue
        end = next((at for at in range(first, len(tagged)) if tagged.is_stop(at)), len(tagged))
        said = [each for each in tokens[first:end] if not each.is_mark]
        # "Turn it off, no" may ask for a yes, without its question mark.
        if len(said) < 1 + (not is_stop) or any(each.text in all_words for each in said):
            continue
        if any(tagged.form("states", at) for at in range(first, end)):
            continue  # "turn it on. Leave it on"
        if not is_stop and _explains_a_no(tagged, first):
            continue
        if not_needed(tagged, range(first, end)):
            continue  # "bórralo, ya no hace falta"
        text = tagged.line.said[said[0].start : tokens[min(end, len(tagged) - 1)].end]
        if reply(text, tagged.known.language.code, ()) is Reply.NO:
            yield first, end
            reached = end


def _explains_a_no(tagged: Tagged, first: int) -> bool:
    """Tell whether the speaker gives a reason for the no that begins the sentence.

    "No, turn it off, I changed my mind" takes back what was said before it.
    """
    if not any(tagged.form(form, first) for form in ("own", "reports")):
        return False
    begin = next((at + 1 for at in range(first - 1, -1, -1) if tagged.is_stop(at)), 0)
    comma = next((at for at in range(begin, first - 1) if tagged.is_comma(at)), begin)
    said = tagged.line.spoken(range(begin, comma))
    return bool(said) and reply(said, tagged.known.language.code, ()) is Reply.NO
