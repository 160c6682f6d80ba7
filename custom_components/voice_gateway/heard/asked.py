"""What a condition asks, by its words alone: which state or number, of what, and how many of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
import re

from ..languages import Language
from .line import Line, plain, tokens_of, with_numbers
from .templates import Templates, templates

type _Span = tuple[int, int]

_SIGN = re.compile(r"(?<!\w)[-\u2212\u2013](?=\d)")
_COUNTS = ("none", "everyone", "some")
_PLACES = ("here", "there", "outside")
_SAYING = ("not", *_COUNTS, *_PLACES, "is")
"""The lists of words that are not about what is asked about, from the most telling on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One way to understand a condition."""

    meaning: str
    """What the state is to mean, or how a number is compared: as `languages/` names it."""
    limit: float | None = None
    """The number that is compared with, if one is."""
    unit: str = ""
    """"degrees" or "percent", where one of them is said."""
    subject: str = ""
    """The words for what is asked about."""
    is_denied: bool = False
    count: str = ""
    """How many of them: "none", "some", "everyone"; empty where that is not said."""
    place: str = ""
    """"here", "there" or "outside"."""


def asked_by(
    words: str, language: Language, names: Iterable[str], *, is_exception: bool = False
) -> Iterator[Asked]:
    """Yield the ways to understand the words of a condition.

    What stands in one of the names says nothing else. `is_exception`: it follows "unless", after
    which a "not" may say nothing.
    """
    known = templates(language.code)
    if known.shown:
        yield from _Words(words, language, known, names, is_exception).ways()


class _Words:
    """The words of a condition, and where the phrases of its language are among them."""

    def __init__(
        self,
        words: str,
        language: Language,
        known: Templates,
        names: Iterable[str],
        is_exception: bool,
    ) -> None:
        minus = min(language.conditions["minus"])
        text = _SIGN.sub(f"{minus} ", words)
        self._line = Line(text, with_numbers(tokens_of(plain(text)), known.numbers))
        self._language = language
        self._saying = {name: self._spans(known.conditions[name]) for name in _SAYING}
        if is_exception:
            self._saying["is"] |= self._spans(known.conditions.get("expletive", ()))
        self._shown = self._longest(known.shown)
        self._compared = self._longest(known.compared)
        self._named = self._in_names(names, known)

    def ways(self) -> Iterator[Asked]:
        """Yield all ways to understand them."""
        for meaning, first, end in self._shown:
            if self._named.isdisjoint(range(first, end)):
                yield from self._with_rest(Asked(meaning), first, end)
        for meaning, first, end in self._compared:
            if number := self._number(end):
                limit, unit, after = number
                yield from self._with_rest(Asked(meaning, limit, unit), first, after)

    def _spans(self, patterns: Iterable[re.Pattern[str]]) -> dict[int, int]:
        """Return where phrases begin, and where the longest that begins there ends."""
        found: dict[int, int] = {}
        for pattern in patterns:
            for first, end in self._line.find(pattern):
                found[first] = max(end, found.get(first, 0))
        return found

    def _longest(
        self, phrases: Mapping[str, Iterable[re.Pattern[str]]]
    ) -> list[tuple[str, int, int]]:
        """Return where phrases are, but those that are a part of a longer one."""
        found = [
            (name, *span)
            for name, patterns in phrases.items()
            for span in self._spans(patterns).items()
        ]
        return [
            (name, first, end)
            for name, first, end in found
            if not any(
                begin <= first and end <= last and (begin, last) != (first, end)
                for _, begin, last in found
            )
        ]

    def _in_names(self, names: Iterable[str], known: Templates) -> frozenset[int]:
        """Return the tokens of names that say more than the phrases among them."""
        spans: list[_Span] = [each for of in self._saying.values() for each in of.items()]
        spans += [(first, end) for _, first, end in self._shown]
        telling = {*range(len(self._line.tokens))}.difference(*(range(*span) for span in spans))
        texts = [token.text for token in self._line.tokens]
        found: set[int] = set()
        for name in names:
            own = [token.text for token in with_numbers(tokens_of(plain(name)), known.numbers)]
            for first in range(len(texts) - len(own) + 1 if own else 0):
                place = range(first, first + len(own))
                if texts[first : place.stop] == own and not telling.isdisjoint(place):
                    found.update(place)
        return frozenset(found)

    def _number(self, at: int) -> tuple[float, str, int] | None:
        """Return the number at a token, its unit, and where both end."""
        texts = [token.text for token in self._line.tokens] + [""] * 3
        sign = -1 if texts[at] in self._language.conditions["minus"] else 1
        at += sign < 0
        try:
            number = sign * float(texts[at].replace(",", "."))
        except ValueError:
            return None
        unit = texts[at + 1]
        if unit == "%" or unit in self._language.percent:
            return number, "percent", at + 2
        if unit == "°" or unit in self._language.degrees:
            return number, "degrees", at + 2
        return number, "", at + 1

    def _with_rest(self, asked: Asked, first: int, end: int) -> Iterator[Asked]:
        """Yield a way with what its other words say, unless that is too much."""
        said: dict[str, int] = {}
        subject: list[int] = []
        at = 0
        while at < len(self._line.tokens):
            if at == first:
                at = end
                continue
            name, after = self._said_at(at, first)
            if not name:
                subject.append(at)
            said[name] = said.get(name, 0) + 1
            at = after
        counts, places = ([each for each in of if each in said] for of in (_COUNTS, _PLACES))
        if len(counts) > 1 or len(places) > 1 or said.get("not", 0) > 1:
            return
        yield replace(
            asked,
            subject=self._line.spoken(subject),
            is_denied="not" in said,
            count=next(iter(counts), ""),
            place=next(iter(places), ""),
        )

    def _said_at(self, at: int, first: int) -> tuple[str, int]:
        """Return the list of the longest phrase at a token, and its end; before a state's."""
        if at in self._named:
            return "", at + 1
        if self._line.tokens[at].text in self._language.all:
            return "everyone", at + 1
        found = [
            (end, name)
            for name in _SAYING
            if (end := self._saying[name].get(at, 0)) and not at < first < end
        ]
        longest = max((end for end, _ in found), default=0)
        return next(((name, end) for end, name in found if end == longest), ("", at + 1))
