"""Conditions and events: the state or number of a condition, its subject, and its quantifier."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
import re

from .phrase_patterns import PhrasePatterns, patterns_of
from .tokenizer import NOTHING, Text, TokenSequence
from .tokens import PhrasePattern, fold_punctuation, tokenize

type _Span = tuple[int, int]
type _Phrases = Mapping[str, Iterable[PhrasePattern]]

_SIGN = re.compile(r"(?<!\w)[-\u2212\u2013](?=\d)")
_HALF = 50.0
"""Percent."""
_COUNTS = ("none", "everyone", "some")
_PLACES = ("here", "there", "outside")
_SAYING = ("not", *_COUNTS, *_PLACES, "is")
"""Lists of words that are not part of the subject, the most specific first."""
_HAPPENING = ("becomes", "later")
"""Lists of words for events."""


@dataclass(frozen=True, slots=True)
class StateQuery:
    """One interpretation of a condition: its subject, and the state or number to compare."""

    meaning: str
    """The meaning of the state, or the comparison of a number: a key in `languages/`."""
    limit: float | None = None
    """The number to compare with, if there is one."""
    unit: str = ""
    """"degrees" or "percent", if the condition names one."""
    subject: Text = NOTHING
    """The words for the subject."""
    is_denied: bool = False
    count: str = ""
    """The quantifier: "none", "some", "everyone"; empty without one."""
    place: str = ""
    """"here", "there" or "outside"."""
    is_event: bool = False
    """It is an event ("opens"), not a state ("is open")."""
    quantity: str = ""
    """The set value to compare, a key of `entity_attributes.SET`, if there is one."""


@dataclass(frozen=True, slots=True)
class StatePhrase:
    """A phrase for a state or a comparison, with its span."""

    name: str
    first: int
    end: int
    is_event: bool


def parse_condition(
    words: Text,
    names: frozenset[str],
    *,
    is_exception: bool = False,
    may_happen: bool = False,
    has_happened: bool = False,
) -> Iterator[StateQuery]:
    """Yield the ways to understand the words of a condition.

    Args:
        words: the words behind "if", "when" and the like.
        names: the names of the entities. Words in one of them have no other meaning.
        is_exception: they follow "unless", where a "not" may be expletive.
        may_happen: they may be an event as well as a state.
        has_happened: the event may be past.
    """
    known = patterns_of(words.code)
    if known.state_phrases:
        events = known.past_event_verbs if has_happened else known.event_verbs if may_happen else {}
        words_ = _Words(
            words, known, names, events, is_exception=is_exception, may_happen=may_happen
        )
        yield from words_.ways()


def longest_spans(line: TokenSequence, patterns: Iterable[PhrasePattern]) -> dict[int, int]:
    """Return the first tokens of phrases, and the end of the longest that begins there."""
    found: dict[int, int] = {}
    for pattern in patterns:
        for first, end in line.find(pattern):
            found[first] = max(end, found.get(first, 0))
    return found


def find_state_phrases(
    line: TokenSequence, states: _Phrases, events: _Phrases
) -> list[StatePhrase]:
    """Return the phrases that are not a part of a longer one."""
    found = [
        StatePhrase(name, first, end, is_event)
        for table, is_event in ((states, False), (events, True))
        for name, patterns in table.items()
        for first, end in longest_spans(line, patterns).items()
    ]
    kept: list[StatePhrase] = []
    longest = (0, 0)
    for each in sorted(found, key=lambda each: (each.first, -each.end)):
        if each.end > longest[1]:
            longest = (each.first, each.end)
        if (each.first, each.end) == longest:
            kept.append(each)
    return kept


class _Words:
    """The words of a condition, and the phrases of the language among them."""

    def __init__(
        self,
        words: Text,
        known: PhrasePatterns,
        names: frozenset[str],
        events: _Phrases,
        *,
        is_exception: bool,
        may_happen: bool,
    ) -> None:
        self._language = known.language
        minus = min(self._language.conditions["minus"])
        text = words.alike(_SIGN.sub(f"{minus} ", words)) if _SIGN.search(words) else words
        line = TokenSequence.of(text, known.numbers)
        self._line = line
        saying = (*_SAYING, *_HAPPENING) if may_happen else _SAYING
        self._saying = {
            name: longest_spans(line, known.conditions.get(name, ())) for name in saying
        }
        if is_exception:
            self._saying["is"] |= longest_spans(line, known.conditions.get("expletive", ()))
        self._half = longest_spans(line, known.conditions.get("half", ()))
        self._shown = find_state_phrases(line, known.state_phrases, events)
        self._compared = find_state_phrases(
            line, known.comparatives, known.crossing_verbs if may_happen else {}
        )
        self._named = self._in_names(names, known)
        self._units = {
            " ".join(token.text for token in known.numbers.replace(tokenize(said))): unit
            for unit, listed in (
                ("percent", ("%", *self._language.percent)),
                ("degrees", ("°", *self._language.degrees)),
            )
            for said in listed
        }

    def ways(self) -> Iterator[StateQuery]:
        """Yield all ways to understand them."""
        for each in self._shown:
            if self._named.isdisjoint(range(each.first, each.end)):
                asked = StateQuery(each.name, is_event=each.is_event)
                yield from self._with_rest(asked, each.first, each.end)
        for each in self._compared:
            if number := self._number(each.end):
                limit, unit, after = number
                asked = StateQuery(each.name, limit, unit, is_event=each.is_event)
                yield from self._with_rest(asked, each.first, after)
            elif each.is_event and (before := self._number_before(each.first)):
                limit, unit, first = before
                asked = StateQuery(each.name, limit, unit, is_event=True)
                yield from self._with_rest(asked, first, each.end)

    def _in_names(self, names: frozenset[str], known: PhrasePatterns) -> frozenset[int]:
        """Return the tokens of names with words beyond those phrases."""
        spans: list[_Span] = [each for of in self._saying.values() for each in of.items()]
        spans += [(each.first, each.end) for each in self._shown]
        telling = {*range(len(self._line.tokens))}.difference(*(range(*span) for span in spans))
        texts = [token.text for token in self._line.tokens]
        found: set[int] = set()
        by_beginning = _by_beginning(known.language.code, names)
        for first, text in enumerate(texts):
            for own in by_beginning.get(text, ()):
                place = range(first, first + len(own))
                if texts[first : place.stop] == own and not telling.isdisjoint(place):
                    found.update(place)
        return frozenset(found)

    def _number(self, at: int) -> tuple[float, str, int] | None:
        """Return the number at a token, its unit, and where both end."""
        if (end := self._half.get(at)) and self._ends(end):
            return _HALF, "percent", end
        texts = [token.text for token in self._line.tokens] + [""] * 3
        sign = -1 if texts[at] in self._language.conditions["minus"] else 1
        at += sign < 0
        try:
            number = sign * float(texts[at].replace(",", "."))
        except ValueError:
            return None
        at += 1
        for length in (2, 1):  # "por ciento"
            if unit := self._units.get(" ".join(texts[at : at + length])):
                return number, unit, at + length
        return number, "", at

    def _ends(self, at: int) -> bool:
        """Return True if only a state follows: "more than half open", not "half of them"."""
        tokens = self._line.tokens
        after = next((i for i in range(at, len(tokens)) if not tokens[i].is_mark), None)
        return after is None or any(each.first == after for each in self._shown)

    def _number_before(self, end: int) -> tuple[float, str, int] | None:
        """Return the number that ends before a token, its unit, and where it begins."""
        for first in range(max(0, end - 3), end):
            if (number := self._number(first)) and number[2] == end:
                return number[0], number[1], first
        return None

    def _with_rest(self, asked: StateQuery, first: int, end: int) -> Iterator[StateQuery]:
        """Yield a query completed by the other words, unless these contradict each other."""
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
            subject=self._line.surface(subject),
            is_denied="not" in said,
            count=next(iter(counts), ""),
            place=next(iter(places), ""),
            is_event=asked.is_event or "becomes" in said,
        )

    def _said_at(self, at: int, first: int) -> tuple[str, int]:
        """Return the list of the longest phrase at a token before the state's, and its end."""
        if at in self._named:
            return "", at + 1
        if self._line.tokens[at].text in self._language.universal_quantifiers:
            return "everyone", at + 1
        found = [
            (end, name)
            for name in self._saying
            if (end := self._saying[name].get(at, 0)) and not at < first < end
        ]
        longest = max((end for end, _ in found), default=0)
        return next(((name, end) for end, name in found if end == longest), ("", at + 1))


@lru_cache(8)
def _by_beginning(code: str, names: frozenset[str]) -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the words of names by their first word: a home has many names, a sentence few."""
    found: dict[str, list[list[str]]] = {}
    for name in names:
        tokens = patterns_of(code).numbers.replace(tokenize(fold_punctuation(name)))
        if own := [token.text for token in tokens]:
            found.setdefault(own[0], []).append(own)
    return found


_OF_THE_SUN = frozenset(("dawn", "dusk", "sunrise", "sunset"))
_EVENT_FORMS = ("becomes", "held", "is", "later", "none", "not", "outside")


class EventDetector:
    """The states and events of a sentence, found once for all of its conditions."""

    def __init__(self, line: TokenSequence, known: PhrasePatterns) -> None:
        """Look for the phrases of a language in a sentence."""
        self._line = line
        self._phrases = defaultdict[int, list[StatePhrase]](list)
        states = {**known.state_phrases, **known.comparatives}
        for each in find_state_phrases(line, states, {**known.event_verbs, **known.crossing_verbs}):
            self._phrases[each.first].append(each)
        self._said = {
            name: longest_spans(line, known.conditions.get(name, ())) for name in _EVENT_FORMS
        }

    def is_event(self, first: int, end: int) -> bool:
        """Return True if some tokens, the words of a condition, describe an event."""
        phrases = [*self._inside(first, end)]
        known = {index for each in phrases for index in range(each.first, each.end)}

        def has(name: str) -> bool:
            said = self._said[name]
            return any(at in said and at not in known for at in range(first, end))

        if has("later") or has("held"):
            return True
        if has("none") or has("not"):
            return False  # "nobody moves" is a state without a moment of change
        return any(each.is_event for each in phrases) or bool(phrases and has("becomes"))

    def sun_event(self, first: int, end: int) -> str:
        """Return the sun event of a condition, if that has no other words."""
        left = {index for index in range(first, end) if not self._line.tokens[index].is_mark}
        for name in ("is", "outside", "later"):
            for start in range(first, end):
                left.difference_update(range(start, self._said[name].get(start, start)))
        return next(
            (
                each.name
                for each in self._inside(first, end)
                if each.name in _OF_THE_SUN and left <= {*range(each.first, each.end)}
            ),
            "",
        )

    def _inside(self, first: int, end: int) -> Iterator[StatePhrase]:
        for at in range(first, end):
            yield from (each for each in self._phrases.get(at, ()) if each.end <= end)
