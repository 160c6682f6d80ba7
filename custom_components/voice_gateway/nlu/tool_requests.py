"""Requests for tools of our own, parsed with the table `actions` of each language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.floor_registry import FloorEntry

from ..json_schema import Json
from ..names.inflection import is_case_of
from ..names.matching import words
from .clause import Clause, DialogueAct
from .follow_ups import FullSentenceMatcher
from .gazetteer import has_place_word
from .parser import parse
from .plan_requests import parse_only_times
from .time_resolution import TimeExpression
from .tokenizer import NOTHING, Text
from .utterance import Utterance

_BETWEEN: Final = 12
"""The most tokens of a place and a time before a content."""
_NAME: Final = 3
"""The most words of an unknown place."""

type _Times = tuple[TimeExpression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRequest:
    """A certain request for a tool of ours."""

    tool: str
    arguments: Json
    clause: Clause
    """The whole sentence, with the time of the call."""

    @classmethod
    def of(cls, utterance: Utterance) -> ToolRequest | None:
        """Return the request that the whole sentence certainly is."""
        return _RequestParser(utterance).parse_announcement()


class _RequestParser(FullSentenceMatcher):
    """Parses a sentence that may be a request for a tool of ours."""

    def __init__(self, utterance: Utterance) -> None:
        """Take the utterance."""
        super().__init__(utterance.text)
        self._utterance = utterance

    def parse_announcement(self) -> ToolRequest | None:
        """Return the announcement that the sentence asks for: a text, its places and its time.

        "Say" asks for one only with a place.
        """
        for name in ("announces", "says"):
            for first, end in self._leads(name):
                for at, begin in self._contents(end, is_sure=name == "announces"):
                    if found := self._announcement(name, first, (end, at), begin):
                        return found
        return None

    def _announcement(
        self, name: str, first: int, between: tuple[int, int], begin: int
    ) -> ToolRequest | None:
        """Return the announcement of the words from a token on, with its place `between`."""
        everywhere = [
            span for span in self._spans("everywhere") if between[0] <= span[0] < between[1]
        ]
        front = self._times(0, first)
        place, times = self._parted(between, (*everywhere, *self._spans("particles")))
        message = self._said(begin, self._end)
        if front is None or times is None or not message:
            return None
        places = self._places(place, is_sure=name == "announces")
        if places is None or not (places or everywhere or name == "announces"):
            return None
        arguments: Json = {"message": str(message)}
        if places:
            arguments["places"] = [*places]
        return self._request("announce", arguments, (*front, *times))

    def _contents(self, end: int, *, is_sure: bool) -> Iterator[tuple[int, int]]:
        """Yield where the words before a content end, and where that begins.

        Behind a conjunction or a mark; or without one, behind the lead, or a place with a preposition.
        """
        last = min(self._end, end + _BETWEEN)
        # "Dass das Essen fertig ist" is no sentence without its conjunction.
        keeps = bool(self._line.source.language.actions.get("relays"))
        for at, begin in sorted(self._spans("that")):
            if end <= at <= last:
                yield at, begin - (keeps and not self._line.tokens[begin - 1].is_mark)
        if not is_sure:
            return
        for at in range(min(self._end, end + _NAME + 1), end + 1, -1):
            place = self._said(end, at)
            if place.words[0] in self._prepositions and self._known_places(place):
                yield at, at
        yield end, end

    def _places(self, text: Text, *, is_sure: bool) -> Sequence[str] | None:
        """Return the names of the areas or the floors that words consist of; None for other words.

        A place that the home does not have is returned as spoken, if there is a word for it or, if
        `is_sure`, a preposition.
        """
        if not (bare := _bare(text)):
            return ()
        if (known := self._known_places(text)) or len(bare) > _NAME:
            return known or None
        is_unknown = is_sure and text.words[0] in self._prepositions
        return [_noun(text)] if is_unknown or has_place_word(bare, text.code) else None

    def _known_places(self, text: Text) -> Sequence[str]:
        """Return the names of the home's areas or floors that words consist of."""
        home, linked, bare = self._utterance.home, self._utterance.link(text), _bare(text)
        floors = [each for each in home.floors.values() if _is_called(bare, each, text.code)]
        areas = [each for each in home.empty_areas.values() if _is_called(bare, each, text.code)]
        if linked.areas and linked.place_words.issuperset(bare):
            areas = [home.all_areas[each] for each in sorted(linked.areas)]
        return [each.name for each in floors or areas]

    @property
    def _prepositions(self) -> frozenset[str]:
        return self._known.words_of("where_media")

    # Parts of a request

    def _request(self, tool: str, arguments: Json, times: _Times) -> ToolRequest:
        """Return the request; its clause is the whole sentence without its times."""
        said = {token.start for each in times for token in each.text.tokens}
        left = (at for at in range(self._end) if self._line.tokens[at].start not in said)
        clause = Clause(
            text=self._line.source,
            command=self._line.surface(left),
            act=DialogueAct.COMMAND,
            times=times,
        )
        return ToolRequest(tool=tool, arguments=arguments, clause=clause)

    def _leads(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield the phrases of a list that begin the request: the sentence, or behind its time."""
        for first, end in self._spans(name):
            if first in self._beginnings or self._times(0, first):
                yield first, end

    def _times(self, first: int, end: int) -> _Times | None:
        """Return the times that some tokens consist of; None if they have other words."""
        if first == end or (first in self._beginnings and end in self._beginnings):
            return ()
        return parse_only_times(self._said(first, end))

    def _parted(
        self, span: tuple[int, int], without: Sequence[tuple[int, int]]
    ) -> tuple[Text, _Times | None]:
        """Return the words of a span besides some others and its times, and these.

        None instead of times that are unclear.
        """
        gone = {at for each in without for at in range(*each)}
        text = self._line.surface(at for at in range(*span) if at not in gone)
        match parse(text, ()).clauses:
            case []:
                return NOTHING, ()
            case [Clause(negated=False, exclusion="", command=command, times=times)]:
                return command, times
        return NOTHING, None

    def _spans(self, name: str) -> list[tuple[int, int]]:
        patterns = self._known.actions.get(name, ())
        return [span for each in patterns for span in self._line.find(each)]


def _bare(text: Text) -> Sequence[str]:
    """Return the words of a text besides function words and conjunctions."""
    empty = text.function_words | text.language.conjunctions
    return [each for each in text.words if each not in empty]


def _is_called(said: Sequence[str], place: AreaEntry | FloorEntry, code: str) -> bool:
    """Return True if words are a place's name, in any case."""
    names = (words(each) for each in (place.name, *place.aliases))
    return any(
        len(name) == len(said)
        and all(a == b or is_case_of(a, b, code) for a, b in zip(said, name, strict=True))
        for name in names
    )


def _noun(text: Text) -> str:
    """Return words without the function words before them."""
    kept = list(text.tokens)
    while len(kept) > 1 and kept[0].text in text.function_words:
        del kept[0]
    return text.source[kept[0].start : kept[-1].end]
