"""Requests for tools of our own, parsed with the table `actions` of each language."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.floor_registry import FloorEntry

from ..json_schema import Json
from ..names.inflection import is_case_of
from ..names.matching import words
from .anaphora import Anaphora
from .clause import Clause, DialogueAct
from .follow_ups import FullSentenceMatcher
from .gazetteer import has_place_word
from .parser import parse
from .plan_requests import parse_only_times
from .time_expressions import time_parser
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text, TokenSequence
from .utterance import Utterance

_BETWEEN: Final = 12
"""The most tokens of a place and a time before a content."""
_MOST_WORDS: Final = 40
"""The most tokens of a sentence about an event."""
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
    moments: tuple[TimeExpression, ...] = ()
    """The time that is an argument of the call: `start`."""
    is_sure: bool = True
    """Else it is one only if there is such a thing: "move the dentist to Friday"."""

    @classmethod
    def of(cls, utterance: Utterance) -> ToolRequest | None:
        """Return the request that the whole sentence certainly is."""
        parser = _RequestParser(utterance)
        return (
            parser.parse_announcement()
            or parser.parse_message()
            or parser.parse_music()
            or parser.parse_event()
        )


class _RequestParser(FullSentenceMatcher):
    """Parses a sentence that may be a request for a tool of ours."""

    def __init__(self, utterance: Utterance) -> None:
        """Take the utterance."""
        super().__init__(utterance.text)
        self._utterance = utterance
        self._beginnings = self._with_joints

    def parse_announcement(self) -> ToolRequest | None:
        """Return the announcement that the sentence asks for: a text, its places and its time.

        "Say" asks for one only with a place.
        """
        for name in ("announces", "says"):
            for first, end in self._leads(name):
                bidding = self._spans("bidding")
                for at, begin in self._contents(end, is_sure=name == "announces", bidding=bidding):
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
        if front is None or times is None or not message or self._has_command(message):
            return None
        places = self._places(place, is_sure=name == "announces")
        if places is None or not (places or everywhere or name == "announces"):
            return None
        arguments: Json = {"message": str(message)}
        if places:
            arguments["places"] = [*places]
        return self._request("announce", arguments, (*front, *times))

    def _contents(
        self, end: int, *, is_sure: bool, bidding: Sequence[tuple[int, int]] = ()
    ) -> Iterator[tuple[int, int]]:
        """Yield where the words before a content end, and where that begins.

        Behind a conjunction or a mark; or without one, behind the lead, or a place with a preposition.
        """
        last = min(self._end, end + _BETWEEN)
        # "Dass das Essen fertig ist" is no sentence without its conjunction.
        keeps = bool(self._line.source.language.actions.get("relays"))
        for at, begin in sorted((*self._spans("that"), *bidding)):
            if end <= at <= last:
                yield at, begin - (keeps and not self._line.tokens[begin - 1].is_mark)
        if not is_sure:
            return
        for at in range(min(self._end, end + _NAME + 1), end + 1, -1):
            place = self._said(end, at)
            if place.words[0] in self._prepositions and self._known_places(place):
                yield at, at
        # A conjunction begins the content: no place is a part of it.
        if not any(
            end < at <= last and not self._line.tokens[at].is_mark for at, _ in self._spans("that")
        ):
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
        if self._utterance.link(text).categories:
            return None  # "Tell the kitchen lights to turn off"
        is_unknown = is_sure and text.words[0] in self._prepositions
        return [str(_trimmed(text))] if is_unknown or has_place_word(bare, text.code) else None

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

    def parse_message(self) -> ToolRequest | None:
        """Return the message to a phone that the sentence asks for: a text, a recipient, a time.

        Without a noun for a phone, it is one only if the recipient is a person who has a phone.
        """
        for first, end in self._leads("sends"):
            for at, begin in self._contents(end, is_sure=False):
                front = self._times(0, first)
                to, times = self._parted((end, at), self._spans("particles"))
                message = self._said(begin, self._end)
                if front is None or times is None or not (message and to):
                    continue
                if self._has_command(message):
                    return None
                left = to.without("actions.phones", "actions.messages")
                name = " ".join(each for each in left if each not in to.function_words)
                arguments = {"message": str(message), "recipient": name or str(to)}
                request = self._request("send_to_phone", arguments, (*front, *times))
                return replace(request, is_sure=to.says("actions.phones"))
        return None

    def parse_music(self) -> ToolRequest | None:
        """Return the request to let the music go on in a room of the home."""
        instead = self._line.covered(self._known.plans.get("instead", ()))
        leads = [*self._leads("carries"), *(self._leads("puts") if instead else ())]
        for first, end in leads:
            for at, begin in self._spans("carries_to"):
                front = self._times(0, first)
                music, where = (
                    self._line.surface(sorted({*span} - instead))
                    for span in (range(end, at), range(begin, self._last))
                )
                places = self._known_places(where)
                if front is not None and len(places) == 1 and _is_music(music):
                    return self._request("move_music", {"room": places[0]}, front)
        return None

    def parse_event(self) -> ToolRequest | None:
        """Return the request to add, move or delete an event of a calendar.

        Of a longer sentence, the many possible ends of a title cost too much.
        """
        if self._last > _MOST_WORDS:
            return None
        if self._utterance.exact_command or self._line.source.says("plans.reminder_words"):
            return None
        for name, read in (
            ("enters", self._added),
            ("moves", self._moved),
            ("cancels", self._deleted),
        ):
            for first, end in self._leads(name):
                front, calendar = self._times(0, first), self._calendar(end)
                found = read(end, calendar) if front is not None else None
                if found is None:
                    continue
                said = self._said(*calendar)
                own = {*said.without("questions.calendars", "actions.into")} - said.function_words
                arguments = found.arguments | ({"calendar": str(said)} if own else {})
                return replace(found, arguments=arguments, moments=(*(front or ()), *found.moments))
        return None

    def _added(self, end: int, calendar: tuple[int, int]) -> ToolRequest | None:
        """Return a request for a new event: with the noun, or as an appointment with a time."""
        title, times = self._event_parts((end, self._last), calendar)
        is_named = calendar[0] < calendar[1]
        is_booked = any(span[1] == end for span in self._spans("books"))
        is_dated = is_booked and any(
            each.has_day and each.type is TimeType.AT for each in times or ()
        )
        is_appointment = times and (is_dated or self._has_noun(title, "plans.appointment"))
        if not (is_named or (is_appointment and not self._utterance.link(title).has_mention)):
            return None
        return self._event("add_calendar_event", title, times)

    def _moved(self, end: int, calendar: tuple[int, int]) -> ToolRequest | None:
        """Return the request to move an event to the time at the end of the sentence."""
        kept = {span[0] for span in self._spans("same_time") if span[1] == self._last}
        last = min(kept, default=self._last)
        last_at = {token.text: at for at, token in enumerate(self._line.tokens)}

        def order(span: tuple[int, int]) -> tuple[int, int]:
            # "To Monday to nine" is one time; "for Friday to Monday" are two.
            return -last_at[self._line.tokens[span[0]].text], span[0]

        for at, begin in sorted(self._spans("moves_to"), key=order):
            moments = end < at and self._moment(self._said(begin, last))
            title, times = self._event_parts((end, at), calendar)
            if moments and times is not None:
                return self._event("move_calendar_event", title, moments)
        return None

    def _deleted(self, end: int, calendar: tuple[int, int]) -> ToolRequest | None:
        title, times = self._event_parts((end, self._last), calendar)
        return self._event("delete_calendar_event", title, times)

    def _event(self, tool: str, title: Text, times: _Times | None) -> ToolRequest | None:
        """Return a request for an event; None without a title, or for a time that is not parsed.

        "Delete it" and "delete that appointment" have an empty title.
        """
        empty = self._known.words_of("again", "alarms.beside") | self._known.pronouns
        left = {*_bare(title)} - empty
        is_it = tool != "add_calendar_event" and (
            self._known.words_of("questions.appointments").issuperset(left)
            if left
            else Anaphora.of(self._line.source).refers_back
        )
        if times is None or not (title or is_it) or self._tells_more(title):
            return None
        title = NOTHING if is_it else title
        request = self._request(tool, {"title": str(title)}, ())
        return replace(request, moments=times, is_sure=tool == "add_calendar_event")

    def _event_parts(
        self, span: tuple[int, int], calendar: tuple[int, int]
    ) -> tuple[Text, _Times | None]:
        """Return the title of an event and its times, without the words for a calendar."""
        left = [at for at in range(*span) if at not in range(*calendar)]
        surface, lasting = self._line.surface, self._known.pattern("{duration}")
        cuts = [(left[:cut], left[cut:]) for cut in range(1, len(left))]
        # The time is behind the title, before it, or within.
        for title, behind in (*cuts, *((end, begin) for begin, end in reversed(cuts))):
            if moments := self._moment(surface(behind)):
                # "A one hour appointment"
                is_read = not TokenSequence.of(surface(title), self._known.numbers).covered(
                    [lasting]
                )
                return _trimmed(surface(title)), moments if is_read else None
        text, times = self._parted(span, (calendar,))
        return _trimmed(text), times

    def _has_noun(self, title: Text, *lists: str) -> bool:
        """Return True if a title has a noun for an appointment, also in a compound."""
        nouns = _long(self._known.words_of("questions.appointments", *lists))
        return any(word.endswith(nouns) for word in title.words)

    def _moment(self, text: Text) -> _Times:
        """Return the times that words consist of, also without a preposition: "Thursday at three"."""
        found = parse_only_times(text) or ()
        if found and all(each.type is not TimeType.FOR for each in found):
            return found
        line = TokenSequence.of(text, self._known.numbers)
        moment = TimeExpression(type=TimeType.AT, text=text)
        moment = time_parser(self._code).parse(moment, line.normalized(0, len(line.tokens)))
        is_read = (moment.has_time or moment.has_day) and not moment.is_unread
        return (moment,) if is_read else found

    def _calendar(self, first: int) -> tuple[int, int]:
        """Return the span of the words for a calendar: "into the family calendar"; or an empty one."""
        nouns = _long(self._known.words_of("questions.calendars"))
        said = ["".join(words(token.text)) for token in self._line.tokens]
        at = next((at for at in range(first, self._last) if said[at].endswith(nouns)), None)
        if at is None:
            return first, first
        into = self._known.words_of("actions.into")
        empty = self._line.source.function_words | into
        begin, end = at, at + 1
        if begin - 1 > first and said[begin - 1] not in empty and said[begin - 2] in empty:
            begin -= 1
        while begin > first and said[begin - 1] in empty:
            begin -= 1
        if self._line.source.language.head_initial and end < self._last <= end + _NAME:
            # "Nel calendario di famiglia": the name follows.
            end = end if self._times(end, self._last) else self._last
        # "Make a list about the concert schedule" is about no calendar.
        return (first, first) if into.isdisjoint(said[begin:at]) else (begin, end)

    def _tells_more(self, title: Text) -> bool:
        """Return True if words have a part of a time that is not parsed."""
        line = TokenSequence.of(title, self._known.numbers)
        tables = (self._known.values.get(each, {}) for each in ("weekdays", "months"))
        known = frozenset(word for each in tables for word in each)
        return not known.isdisjoint(line.text.split()) or time_parser(self._code).has_unread_time(
            line.text
        )

    @property
    def _last(self) -> int:
        """The end of the sentence without a verb's particle: "trag … ein"."""
        ends = (first for first, end in self._spans("verb_ends") if end == self._polite_end)
        return min(ends, default=self._polite_end)

    # Parts of a request

    def _has_command(self, message: Text) -> bool:
        """Return True if a command for the home follows in a message: "..., and turn off the TV"."""
        _, *others = parse(message, self._utterance.home.names).clauses
        return any(
            each.act is DialogueAct.COMMAND and self._utterance.link(each.command).has_mention
            for each in others
        )

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


def _is_music(text: Text) -> bool:
    said, music = {*_bare(text)}, text.patterns.words_of("music")
    return not music.isdisjoint(said) and (music | text.patterns.pronouns).issuperset(said)


def _long(nouns: Iterable[str]) -> tuple[str, ...]:
    """Return the nouns that may end a compound: "Zahnarzttermin"."""
    return tuple(each for each in nouns if len(each) > _NAME)


def _is_called(said: Sequence[str], place: AreaEntry | FloorEntry, code: str) -> bool:
    """Return True if words are a place's name, in any case."""
    names = (words(each) for each in (place.name, *place.aliases))
    return any(
        len(name) == len(said)
        and all(a == b or is_case_of(a, b, code) for a, b in zip(said, name, strict=True))
        for name in names
    )


def _trimmed(text: Text) -> Text:
    """Return words without the articles and the other function words around them."""
    empty, kept = text.function_words | text.patterns.words_of("alarms.a"), text.split()
    while kept and empty.issuperset(words(kept[0])):
        del kept[0]
    # "Put the hairdresser for Friday into the calendar"
    empty |= text.patterns.words_of("alarms.named")
    while kept and empty.issuperset(words(kept[-1])):
        del kept[-1]
    return text.alike(" ".join(kept))
