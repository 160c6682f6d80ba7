"""Paraphrases of a command, for Home Assistant's own recognition: with an entity's name in the place of its description.

    Vacuum return to base           return Roborock Downstairs to base
    lock the front door lock        lock Smart Lock
    put milk on my grocery list     put milk on my Groceries

Home Assistant's sentences know what is done with a name in 65 languages, and a name only as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
import re

from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import nearest_word, words
from .entity_linking import EntityLinker
from .tokenizer import Text

_COMMA = re.compile(",")
_ELIDED = re.compile(r"^[^\W\d_]{1,4}['’](?=\w{3})")
_MOST = 14
"""Words of a command; of a longer one nothing is certain."""
_TELLING = 4
"""Words that tell a list."""


def paraphrase_with_name(meant: EntityLinker, devices: Sequence[Exposed]) -> Iterator[str]:
    """Yield a command with the name of the first of the devices that it means, wherever that may stand.

    First in the place of what stood for it. The other words stay, in their order.
    """
    said = meant.text.spoken
    tells = _telling(said, meant, devices)
    if len(said) > _MOST or not any(tells):
        return
    rest = unlinked(meant, devices).split()
    first = tells.index(True)
    name = devices[0].names[0]
    for place in sorted(range(len(rest) + 1), key=lambda place: abs(place - first)):
        yield " ".join((*rest[:place], name, *rest[place:]))


def unlinked(meant: EntityLinker, devices: Sequence[Exposed], *, fillers: bool = False) -> Text:
    """Return a command without the words that tell the devices that it means.

    Without those that say nothing before or between them, or with function words (`fillers`).
    """
    said = meant.without_prepositions.spoken
    tells = _named(said, meant, devices) if fillers else _telling(said, meant, devices)
    left = (word for word, is_told in zip(said, tells, strict=True) if not is_told)
    return meant.text.alike(" ".join(left))


def split_command(meant: EntityLinker, code: str) -> Iterator[Sequence[str]]:
    """Yield a command of some parts as so many commands: each by itself, or about one of some things.

    the lamp on and the fan off             the lamp on         the fan off
    turn the lamp and the fan on            turn the lamp on    turn the fan on
    turn the lamp, the TV and the fan on    turn the lamp on    turn the TV on      turn the fan on
    """
    said = meant.text.spoken
    joints = language_of(code).conjunctions
    places = [place for place, word in enumerate(said) if word.casefold() in joints]
    if len(places) != 1 or len(said) > 2 * _MOST:
        return
    (joint,) = places
    before, after = said[:joint], said[joint + 1 :]
    if not (before and after):
        return
    if "," in meant.text:
        yield _each_of_several(meant, said, joint)
        return
    yield " ".join(before), " ".join(after)
    tells = _telling(said, meant, [*meant.named])
    first, end = joint, joint + 1
    while first and tells[first - 1]:
        first -= 1
    while end < len(said) and tells[end]:
        end += 1
    if first < joint and end > joint + 1:
        one = (*said[:first], *said[first:joint], *said[end:])
        other = (*said[:first], *said[joint + 1 : end], *said[end:])
        yield " ".join(one), " ".join(other)


def _each_of_several(meant: EntityLinker, said: Sequence[str], joint: int) -> Sequence[str]:
    """Return a command for each of some things, which commas tell apart but for the last; else none."""
    tells = _telling(said, meant, [*meant.named])
    told = [place for place, is_told in enumerate(tells) if is_told]
    if not told or not all(tells[place] or place == joint for place in range(told[0], told[-1])):
        return ()
    first, end = told[0], told[-1] + 1
    # A word before which there is a comma, or "and", begins the next thing.
    begins = {
        len(meant.text.alike(meant.text[: found.start()]).spoken)
        for found in _COMMA.finditer(meant.text)
    }
    things: list[list[str]] = [[]]
    for place in range(first, end):
        if place in begins or place == joint:
            things.append([])
        if place != joint:
            things[-1].append(said[place])
    if not all(things) or not begins <= {*range(first + 1, end)}:
        return ()
    return [" ".join((*said[:first], *each, *said[end:])) for each in things]


def _telling(said: Sequence[str], meant: EntityLinker, devices: Sequence[Exposed]) -> list[bool]:
    """Return which words tell the devices, with those that say nothing before or between them."""
    language = language_of(meant.text.code)
    tells = _named(said, meant, devices)
    empty = language.function_words | language.universal_quantifiers
    for place in range(len(said) - 2, -1, -1):
        tells[place] = tells[place] or (said[place].casefold() in empty and tells[place + 1])
    return tells


def _named(said: Sequence[str], meant: EntityLinker, devices: Sequence[Exposed]) -> list[bool]:
    """Return which words tell the devices."""
    telling = meant.words_for(devices)
    # "L'arrosage" is told by what follows its article.
    return [
        telling.issuperset(words(word)) or telling.issuperset(words(_ELIDED.sub("", word)))
        for word in said
    ]


def paraphrase_with_list(text: Text, lists: Sequence[Exposed]) -> Iterator[tuple[str, Exposed]]:
    """Yield a command with the name of the list that it tells by a part of it, and that list.

    Nothing where another list may be meant as well. One word at least is left before or after it.
    """
    said = text.spoken
    if not lists or len(said) > _MOST:
        return
    fillers, general = text.function_words, text.patterns.words_of("any_list")
    spans: dict[tuple[int, int], Mapping[Exposed, int]] = {}
    for start in range(len(said)):
        for end in range(start + 1, min(start + _TELLING, len(said)) + 1):
            if start == 0 or (
                words(said[start - 1])[-1:] and words(said[start - 1])[-1] not in fillers
            ):
                continue
            if told := _told(said[start:end], lists, general):
                spans[start, end] = told
    best = max((max(told.values()) for told in spans.values()), default=-1)
    found = {
        each: span
        for span, told in sorted(spans.items(), key=lambda item: item[0][0] - item[0][1])
        for each, count in told.items()
        if count == best
    }
    if len(found) != 1:
        return
    ((meant, (start, end)),) = found.items()
    if end - start < len(said) - 1:
        yield " ".join((*said[:start], meant.names[0], *said[end:])), meant


def _told(
    span: Sequence[str], lists: Sequence[Exposed], general: frozenset[str]
) -> Mapping[Exposed, int]:
    """Return the lists that some words may tell, with how many words of their names were said."""
    told: dict[Exposed, int] = {}
    for each in lists:
        own = {word for name in each.names for word in words(name)}
        own |= {"".join(pair) for name in each.names for pair in _pairs(words(name))}
        meant = [nearest_word(word, own) for part in span for word in words(part)]
        if not all(word in own or word in general for word in meant):
            continue
        count = len(own.intersection(meant))
        if count or (len(lists) == 1 and meant):
            told[each] = count
    return told


def _pairs(own: Sequence[str]) -> Iterator[Sequence[str]]:
    return (own[place : place + 2] for place in range(len(own) - 1))
