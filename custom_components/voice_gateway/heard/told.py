"""What is only told beside a command: "the guests arrive in an hour, so start the vacuum".

Its moment is when that happens, and not when the command is to be carried out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .clauses import tells_not
from .mood import beginning
from .news import orders
from .parts import Part
from .said import Kind, Mood
from .tagged import Tagged

_ORDERS = ("verbs", "requests", "wishes", "orders")
_FEW = 2
"""Words of its own that a reason has at least: "long day tomorrow, so ..."."""


def with_told(tagged: Tagged, parts: Sequence[Part]) -> Sequence[Part]:
    """Return the parts of a text, those that only tell something beside a command as statements.

    "I come home at six, turn it on then" says when: there it is left as it is.
    """
    found = [*parts]
    for own in _sentences(parts):
        told = [*_told(tagged, own)]
        if not told or _points_back(tagged, own, told):
            continue
        for place, part in enumerate(found):
            if part in told:
                found[place] = _as_statement(tagged, part)
            elif place and parts[place - 1] in told and part.stretch.joined:
                found[place] = _apart(tagged, part)
    return found


def _sentences(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    own: list[Part] = []
    for part in parts:
        if part.stretch.begins and own:
            yield own
            own = []
        own.append(part)
    if own:
        yield own


def _told(tagged: Tagged, own: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts of a sentence that only tell something, beside a command in it."""
    last = max((place for place, part in enumerate(own) if _follows_from(part)), default=-1)
    for place, part in enumerate(own):
        others = (each for each in own if each is not part)
        if part.is_empty or not any(each.clause.mood is Mood.COMMAND for each in others):
            continue
        if place and _is_ground(tagged, part):
            yield part
            continue
        if any(True for _ in tagged.forms("comes_home", _range(part))):
            continue  # "I'm home at six, so turn on the heating" may be for six
        is_reason = place < last and _is_reason(tagged, part)
        is_told = (
            _tells(tagged, part)
            or _is_past(tagged, part)
            or (place > 0 and _is_own_wish(tagged, part))
        )
        if is_reason or (part.clause.moments and is_told):
            yield part


def _is_ground(tagged: Tagged, part: Part) -> bool:
    """Tell whether a part says what would be so otherwise, or what somebody does not do or want.

    "Otherwise open it" is a command.
    """
    own, start = _range(part), _words(tagged, part)
    if not start or part.clause.mood is Mood.QUESTION:
        return False
    if not part.otherwise:
        return tells_not(tagged, start[0], own)
    behind = start[0] + 1
    said = [index for index in start if index >= tagged.form("otherwise", start[0])]
    told = {i for first, end in tagged.forms("finite", said) for i in range(first, end)}
    orders = {index for form in (*_ORDERS, "states") for index, _ in tagged.forms(form, said)}
    denied = [index for index in range(behind, own.stop) if tagged.denies(index)]
    if len(said) < len(denied) + 2 or any(map(tagged.is_thing, own)):
        return False
    # "Otherwise I can't read": it is the speaker who does.
    is_own = any(tagged.form("own", index) for index in said[:2])
    return orders <= told or (is_own and bool(denied or tagged.form("reports", said[0])))


def _follows_from(part: Part) -> bool:
    return part.stretch.hence and part.clause.mood is Mood.COMMAND


def _is_reason(tagged: Tagged, part: Part) -> bool:
    """Tell whether what a command follows from is no command itself: it names nothing, nor begins as one."""
    start = _words(tagged, part)
    if len(start) < _FEW or part.clause.mood is Mood.QUESTION:
        return False
    if _tells(tagged, part):
        return True
    own = _range(part)
    begins = any(tagged.form(form, start[0]) for form in _ORDERS)
    return not (begins or tagged.denies(start[0]) or any(map(tagged.is_thing, own)))


def _tells(tagged: Tagged, part: Part) -> bool:
    """Tell whether a part says of somebody that they come, go or call, and nothing that is to be done."""
    own = _range(part)
    spans = [*tagged.forms("comings", own)]
    if not spans or any(map(tagged.is_thing, own)) or any(map(tagged.denies, own)):
        return False
    inside = {index for first, end in spans for index in range(first, end)}
    orders = {index for form in _ORDERS for index, _ in tagged.forms(form, own)}
    return orders <= inside and len(_words(tagged, part)) >= _FEW


def _is_own_wish(tagged: Tagged, part: Part) -> bool:
    """Tell whether a part behind a command says what the speaker wants to do: "..., I want to read later".

    It names nothing in the home, nor speaks of it, nor says how anything is to be. A time that is told
    exactly may be the command's: "..., I want to have a bath at eight".
    """
    if any(each.kind is not Kind.UNCLEAR for each in part.clause.moments):
        return False
    own, start = _range(part), _words(tagged, part)
    end = tagged.form("wishes", start[0]) if start else 0
    if not end or part.stretch.joined or part.refers_back or any(map(tagged.is_thing, own)):
        return False
    does = {i for form in ("verbs", "states", "orders") for i, _ in tagged.forms(form, own)}
    return does <= {*range(start[0], end)} and start[-1] >= end


def _is_past(tagged: Tagged, part: Part) -> bool:
    """Tell whether a part says how long something was so that has no name: "we had guests for hours"."""
    if any(each.kind is not Kind.FOR for each in part.clause.moments):
        return False
    own = _range(part)
    was = {
        at for pattern in tagged.known.past.get("did", ()) for at, _ in tagged.line.find(pattern)
    }
    orders = any(True for form in _ORDERS for _ in tagged.forms(form, own))
    return not (orders or was.isdisjoint(own) or any(map(tagged.is_thing, own)))


def _words(tagged: Tagged, part: Part) -> list[int]:
    """Return the tokens of a part that are words of its own, without its moments."""
    own = _range(part)
    left = [index for index in own if not tagged.is_inside(index)]
    fillers = tagged.known.language.fillers
    return [
        index
        for index in beginning(tagged, left)
        if not tagged.line.tokens[index].is_mark and tagged.line.tokens[index].text not in fillers
    ]


def _points_back(tagged: Tagged, own: Sequence[Part], told: Sequence[Part]) -> bool:
    """Tell whether a command is for when that is which is told: "turn it on then"."""
    first, last = own[0].stretch.first, own[-1].stretch.end
    end = next((at for at in range(last, len(tagged)) if tagged.is_stop(at)), len(tagged))
    left = {*range(first, end)}.difference(*map(_range, told))
    begun = {each.stretch.first for each in own if each.stretch.hence}
    return any(
        tagged.form("hence", index) not in begun
        for index, _ in tagged.forms("at_that", sorted(left))
    )


def _apart(tagged: Tagged, part: Part) -> Part:
    """Return a part that is joined to what is told, a command as one: "..., I hear nothing and turn it off"."""
    if not orders(tagged, part.stretch, part.clause.mood):
        return part
    return replace(part, stretch=replace(part.stretch, joined=False))


def _range(part: Part) -> range:
    return range(part.stretch.first, part.stretch.end)


def _as_statement(tagged: Tagged, part: Part) -> Part:
    spoken = tagged.line.spoken(_range(part))
    clause = replace(part.clause, command=spoken, mood=Mood.STATEMENT, negated=False, stays=False)
    return replace(part, clause=clause, otherwise=False)
