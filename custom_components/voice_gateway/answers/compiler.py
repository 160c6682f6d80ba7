"""Compile the words of a question to a `Query`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
import datetime as dt
from typing import Final

from ..nlu.tokenizer import NOTHING, Text
from .intervals import Interval, future_interval, past_interval
from .query import RECKONED, SINGLE, Query, QueryType
from .token_consumer import TokenConsumer

_UNITS: Final = ("%", "°")
"""Punctuation with a meaning."""
_PRESENT: Final = (
    *(QueryType.WHICH, QueryType.HOW_MANY, QueryType.ROOMS, QueryType.WHO, QueryType.WHERE),
    *(QueryType.STATE, QueryType.PLAYING, QueryType.VALUE, QueryType.WEATHER),
    *(QueryType.LIST, QueryType.LIST_DONE, QueryType.ON_LIST),
)
_PAST: Final = {
    "since_when": QueryType.LAST,
    "how_often": QueryType.HOW_OFTEN,
    "how_long": QueryType.HOW_LONG,
    "when": QueryType.LAST,
}
METERED: Final[Mapping[str, Sequence[str]]] = {
    "energy": ("energy", "electricity"),
    "water": ("water",),
    "gas": ("gas",),
}
"""Lists of words for consumption, by the device class of the meters."""
_LISTED: Final = (QueryType.HOW_MANY, QueryType.WHICH)
_ABOUT_NOTHING: Final = ("did", "has")
_LIMITS: Final = {"at_most": "highest", "at_least": "lowest"}
"""Aggregates that a comparison means without a number: "höchstens"."""


def present_queries(text: Text, *, is_question: bool = True) -> Sequence[Query]:
    """Return the interpretations of a question about the present, the most certain first.

    `is_question`: whether it certainly is one; else it may consist of its subject.
    """
    said = TokenConsumer(text)
    if excepted := said.tokens("forms.except"):
        begin = min(excepted)
        exclusion = said.part(each for each in said.whole - excepted if each > begin)
        rest = _present_queries(TokenConsumer(said.part(range(begin))), is_question=is_question)
        return [replace(each, exclusion=exclusion) for each in rest if exclusion]
    return _present_queries(said, is_question=is_question)


def _present_queries(said: TokenConsumer, *, is_question: bool) -> Sequence[Query]:
    around = said.tokens("around", "exists")
    if not is_question:
        around = around.union(*(shows for shows, _ in said.matches("shows")))
    around |= {each for each in said.marks if said.line.tokens[each].text not in _UNITS}
    if said.whole <= around | said.tokens("idle"):
        return ()
    found: set[Query] = set()
    more = said.tokens("steps.temperature_more", "steps.temperature_less")
    # In "più freddo che in cucina", "che" is no question word, but precedes the object compared.
    than = {each for each in said.tokens("past.than") if more and each > max(more)}
    for type_ in _PRESENT:
        for asking, inside in said.matches(type_):
            if asking <= than:
                continue
            # The words around a question may be part of its form.
            left = said.whole - around - asking
            if type_ is QueryType.ON_LIST:
                left -= inside
            found.add(Query(type_, said.part(left), len(asking), said.part(inside - around)))
    rest = said.part(said.whole - around)
    quantity = said.tokens(
        "percentage", *(f"quantities.{each}" for each in said.names("quantities"))
    )
    if not is_question:
        found.add(Query(QueryType.SHOWN, rest))
    elif all(each.type is QueryType.ON_LIST for each in found):
        whether = Query(QueryType.WHETHER, rest, is_some=bool(said.tokens("exists")))
        found.add(_which_state(said, around) or whether)
    elif any(asking & quantity for asking, _ in said.matches(QueryType.VALUE)):
        # "How much power": the question's form also has the quantity.
        found.add(Query(QueryType.VALUE, rest))
    return sorted(found, key=lambda each: (-each.certainty, each.type, each.words))


def _which_state(said: TokenConsumer, around: set[int]) -> Query | None:
    """Return the query for an alternative question between two states: "is it open or closed"."""
    states = [
        span
        for each in said.names("state_phrases")
        for span, _ in said.matches(f"state_phrases.{each}")
    ]
    for joint in said.tokens("forms.alternatives"):
        before = max((each for each in states if max(each) < joint), key=max, default=None)
        behind = min((each for each in states if min(each) > joint), key=min, default=None)
        if (
            before
            and behind
            and {*range(min(before), max(behind) + 1)} <= before | behind | {joint}
        ):
            words = said.part(said.whole - around - behind - {joint})
            return Query(QueryType.STATE, words, item=said.part(behind))
    return None


def past_query(text: Text, now: dt.datetime) -> Query | None:
    """Return the query for a question about the past; None if it is not certainly one.

    `now`: the time of the question, in the home's time zone.
    """
    said = TokenConsumer(text)
    # "Did I forget to lock the door?" is about the present: it may be locked by now.
    if not text.patterns.past or said.tokens("forgotten"):
        return None
    if compared := _compared(said, now):
        first, other, is_more = compared
        asked = _asked(first, now)
        is_of_use = asked is not None and asked.type is QueryType.USED
        return replace(asked, other=other, is_more=is_more) if asked and is_of_use else None
    # "Which lights were on when we left?"
    for name in ("everybody_left", "somebody_left"):
        for leaving, inside in said.matches(f"past.{name}"):
            asked = _asked(said.part(said.whole - leaving - inside), now)
            is_open = asked is not None and asked.span is None
            return replace(asked, departed=said.part(inside)) if asked and is_open else None
    return _asked(text, now)


def _compared(said: TokenConsumer, now: dt.datetime) -> tuple[Text, Interval, bool] | None:
    """Return a comparison of two times as its text without the second, that time, and "more"."""
    than, more, less = (said.tokens(f"past.{each}") for each in ("than", "more", "less"))
    if not than or bool(more) == bool(less):
        return None
    after = {*range(max(than) + 1, len(said.whole))}
    span, rest = past_interval(said.part(after), now) or (None, NOTHING)
    beside = TokenConsumer(rest)
    beside.says("past.did", "past.has", "past.used")
    if span is None or beside.left:
        return None
    return said.part(said.whole - than - more - less - after), span, bool(more)


def _asked(text: Text, now: dt.datetime) -> Query | None:
    if (found := past_interval(text, now)) is None:
        return None
    span, rest = found
    line = TokenConsumer(rest)
    said = {name: line.tokens(f"past.{name}") for name in line.names("past")}
    names = [name for name in _PAST if said.get(name)]
    # "Since when" contains "when": the longest phrase counts.
    name = max(names, key=lambda each: len(said[each]), default="")
    used = said.get("used", set())
    limits = {how: line.tokens(f"comparatives.{list_}") for list_, how in _LIMITS.items()}
    reckoned = {how for how, tokens in limits.items() if tokens}
    reckoned |= {each for each in RECKONED if line.tokens(each)}
    reckoned |= {how for each, (how, _) in SINGLE.items() if line.tokens(each)}
    is_past = bool(said["did"] or name in ("since_when", "how_often"))
    is_past = is_past or (name == "when" and bool(said["last"]))
    is_past = is_past or bool(span and span.is_past)
    if not is_past and not said["now"]:
        is_past = bool(used or name == "how_long") or _has_happened(line)
    if len(reckoned) > 1 or not is_past:
        return None
    if name == "since_when" and span:
        return None
    type_ = _PAST.get(name, QueryType.WAS)
    if type_ is QueryType.LAST and said["first"]:
        type_ = QueryType.FIRST
    if used and not name:
        type_ = QueryType.USED
    gone = line.marks.union(line.tokens("around"), *limits.values())
    gone = gone.union(*(said[each] for each in (*_ABOUT_NOTHING, "last", "first", *names)))
    if type_ is QueryType.USED:
        # "Stromverbrauch" expresses both the consumption and its quantity.
        lists = {each for own in METERED.values() for each in own}
        metered = (f"{table}.{each}" for table in ("quantities", "past") for each in lists)
        gone |= (used - line.tokens(*metered)) | said["much"]
    words = line.part(line.whole - gone)
    listed = next((each for each in _LISTED if type_ is QueryType.WAS and line.tokens(each)), None)
    item = line.part(line.whole - gone - line.tokens(listed)) if listed else NOTHING
    return Query(
        type_, words, item=item, span=span, reckoned=next(iter(reckoned), ""), listed=listed
    )


def _has_happened(line: TokenConsumer) -> bool:
    """Return True if a word marks the past: "ran", unlike "open" or "closed"."""
    said, present = (
        line.tokens(*(f"{table}.{name}" for name in line.names(table)))
        for table in ("past_event_verbs", "state_phrases")
    )
    return bool(said - present - line.tokens("forms.verbs"))


def query_ahead(text: Text, now: dt.datetime, *, is_question: bool = True) -> Query | None:
    """Return the query for a question about the future or any time; None if that is unclear."""
    if (read := future_interval(text, now)) is None:
        return None
    span, rest = read
    if is_question:
        return Query(QueryType.AHEAD, rest, span=span)
    said = TokenConsumer(rest)
    said.says("shows")
    return Query(QueryType.SHOWN, said.subject, span=span)
