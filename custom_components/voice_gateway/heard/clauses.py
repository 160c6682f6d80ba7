"""Where one command of a sentence ends and the next one begins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .corrected import is_correction
from .mood import asks_from
from .not_needed import not_needed
from .tagged import ORDERS, Tagged

_SPLITS_LABEL = ":"
_BEGIN = (*ORDERS, "otherwise", "fronted", "wishes", "requests", "reports", "not", "not_first")
"""Forms with which a clause begins."""
_TELLING = ("verbs", "states")
"""Those that say what is to be done, or how something is to be."""
_COMMAND = ("otherwise", "verbs", "wishes", "requests")
"""Those of a command."""
_SAYING = ("be", "finite", "reports", "persons")
"""Those of which one is in every remark."""
_TOLD = ("be", "finite", "states", "reported")
"""Those by which a condition says what is so."""
_SUBJECT = 8
"""Words before a verb among which those of its condition are."""
_WITH_COMMAS = ("looks_up", "tells_others")
"""Those in which a comma may stand."""
_ASKING = ("asking", "questions", "inverted")
"""Those of a question."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The tokens of a clause, from `first` to before `end`, and how it follows the one before."""

    first: int
    end: int
    begins: bool = False
    """It is the first of a sentence."""
    joined: bool = False
    """It follows by "and", and nothing else."""
    then: bool = False
    """It follows by "then"."""
    asked: bool = False
    """Its sentence ends with a question mark."""
    hence: bool = False
    """It follows by "so": what is before it says why."""
    why: bool = False
    """It only says why: "fan off, it's noisy"."""


def stretches(tagged: Tagged) -> list[Stretch]:
    """Return the clauses of a sentence, in order."""
    found: list[Stretch] = []
    first, begins, joined, then, hence = 0, True, False, False, 0
    at = 0
    while at < len(tagged):
        after, ends = _boundary(tagged, at)
        concludes = 0 if ends or at == first else _hence(tagged, first, after)
        if after == at and not concludes:
            at += 1
            continue
        if ends or after == len(tagged) or concludes or _splits(tagged, first, at, after):
            asked = _is_asked(tagged, at) and not _asks_next(tagged, first, after)
            found.append(Stretch(first, at, begins, joined, then, asked, hence > 0))
            first, begins, hence = concludes or after, ends, concludes
            marks = range(at, after)
            then = any(tagged.form("then", index) for index in marks)
            joined = not (then or hence) and all(_is_plain_joint(tagged, index) for index in marks)
        at = max(after, concludes)
    found.append(Stretch(first, len(tagged), begins, joined, then, hence=hence > 0))
    parted = [part for each in found if each.first < each.end for part in _parted(tagged, each)]
    return [replace(each, why=_says_why(tagged, each, parted)) for each in parted]


def leading_opener(tagged: Tagged, stretch: Stretch) -> int | None:
    """Return the token where a stretch begins with a condition, if it does."""
    for index in range(stretch.first, stretch.end):
        piece = tagged.piece(index)
        if piece and piece.opens:
            return index
        if tagged.is_inside(index):
            continue
        if not (tagged.is_joint(index) or tagged.form("polite", index) or tagged.is_comma(index)):
            return None
    return None


def verb_in(tagged: Tagged, first: int, end: int) -> int | None:
    """Return the verb of a command, the last one: "if the lights go off turn on the radio".

    It is neither a state ("is open") nor a subject's ("I get home"), and at the very end only where
    there is no other: "wenn es dunkel ist soll das Licht angehen".
    """
    found = [
        index
        for index in range(first, end)
        if (tagged.form("verbs", index) or tagged.form("wishes", index))
        and not tagged.follows("subjects", index)
        and not _belongs_to_condition(tagged, index, end)
    ]
    return next(
        (index for index in reversed(found) if index < end - 1), found[-1] if found else None
    )


def _belongs_to_condition(tagged: Tagged, index: int, end: int) -> bool:
    """Tell whether what may be a verb is none: "the light is on", "open is", "più di 20"."""
    if tagged.is_compared(index) or tagged.form("be", index + 1):
        return True
    before = range(max(0, index - _SUBJECT), index)
    # "Si la météo annonce de la pluie": nothing else is said before it of what would be so.
    is_first = not any(tagged.form(form, at) for form in _TOLD for at in before)
    if tagged.form("reported", index) and is_first:
        return True
    is_kind = tagged.line.tokens[index].text in tagged.known.kinds
    return is_kind and any(tagged.form("be", after) for after in range(index + 1, end))


def _boundary(tagged: Tagged, at: int) -> tuple[int, bool]:
    """Return where the marks and joints that begin at a token end, and whether a sentence does."""
    ends = False
    after = at
    while after < len(tagged):
        text = tagged.line.tokens[after].text
        if tagged.is_stop(after):
            ends = True
        elif not (tagged.is_comma(after) or tagged.is_joint(after) or text == _SPLITS_LABEL):
            break
        after += 1
    return after, ends


def _hence(tagged: Tagged, first: int, after: int) -> int:
    """Return where a command begins that follows from what is before it: "..., so turn it off"; else 0."""
    end = tagged.form("hence", after) if after < len(tagged) else 0
    head = _head(tagged, end) if end else None
    if head is None or tagged.piece(after - 1) or leading_opener(tagged, Stretch(first, after)):
        return 0
    begins = tagged.is_thing(head) or any(tagged.form(form, head) for form in _BEGIN)
    return end if begins else 0


def _is_asked(tagged: Tagged, at: int) -> bool:
    for index in range(at, len(tagged)):
        if tagged.is_stop(index):
            return tagged.line.tokens[index].text == "?"
    return False


def _is_plain_joint(tagged: Tagged, index: int) -> bool:
    return tagged.is_joint(index) and not tagged.form("contrast", index)


def _has_joint(tagged: Tagged, at: int, after: int) -> bool:
    return any(tagged.is_joint(index) for index in range(at, after))


def _splits(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether a clause ends at marks or joints that are not the end of a sentence."""
    joint = _has_joint(tagged, at, after)
    if leading_opener(tagged, Stretch(first, at)) is not None and (
        tagged.is_comma(at) or not joint
    ):
        return True
    head = _head(tagged, after)
    # "Apaga la lámpara, no, el ventilador" denies nothing.
    is_same = _weighs(tagged, first, at, after) or is_correction(tagged, first, at, after)
    if head is None or is_same or _is_within(tagged, first, at, after):
        return False
    if joint and _is_one_moment(tagged, first, at, after):
        return False
    if opens := tagged.piece(head):
        # "..., only if" belongs to what was said; "and if" begins anew.
        return opens.opens and opens.name != "because" and joint
    if any(tagged.form(form, head) for form in _BEGIN) or tagged.denies(after):
        return not (joint and _goes_on(tagged, first, at, head))
    denies = any(map(tagged.denies, range(first, at)))
    # "..., que el robot vuelva": after "and" it may go on with what somebody is to be told.
    lets = tagged.form("lets", head) and not joint
    asks = (joint and _asks_next(tagged, first, after)) or _looks_up_next(tagged, first, at, head)
    if lets or asks or _spares(tagged, first, at, after):
        return True
    if tagged.is_comma(at) and (
        _is_apart(tagged, first, at, after)
        or _disclaims(tagged, after)
        or _ends_otherwise(tagged, first, at)
    ):
        return True
    if verb_in(tagged, first, at) is None and (
        denies or (tagged.form("questions", head) and not joint)
    ):
        return True
    if any(tagged.form("contrast", index) for index in range(at, after)):
        return denies
    return joint and _is_timed_apart(tagged, first, at, after)


def _is_within(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether a comma stands within a phrase: "merk dir, dass", "sprawdź w notatce, które"."""
    spans = (span for form in _WITH_COMMAS for span in tagged.forms(form, range(first, at)))
    return tagged.is_comma(at) and any(after < end for _, end in spans)


def _weighs(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether a word of contrast only belongs to a question: "should I rather turn it off"."""
    if any(tagged.is_comma(index) or _is_plain_joint(tagged, index) for index in range(at, after)):
        return False
    return _begins_question(tagged, first)


def _begins_question(tagged: Tagged, first: int) -> bool:
    head = _head(tagged, first)
    return head is not None and any(tagged.form(form, head) for form in _ASKING)


def _looks_up_next(tagged: Tagged, first: int, at: int, head: int) -> bool:
    """Tell whether something is to be looked up after a command: "lock up and find out when it rains"."""
    return bool(tagged.form("looks_up", head)) and verb_in(tagged, first, at) is not None


def _asks_next(tagged: Tagged, first: int, after: int) -> bool:
    """Tell whether a question follows what somebody is told to do: "lamp off, and what does Bo write?"."""
    head, order = (_head(tagged, at) if at < len(tagged) else None for at in (after, first))
    if head is None or order is None or not tagged.form("questions", head):
        return False
    is_told = any(tagged.form(form, order) for form in (*_ASKING, *_WITH_COMMAS))
    return not is_told and any(tagged.form(form, order) for form in ORDERS)


def _asks_anew(tagged: Tagged, head: int) -> bool:
    """Tell whether a question begins, or a report, where a verb begins either."""
    is_either = tagged.known.language.verb_first and tagged.form("inverted", head)
    return bool(is_either or asks_from(tagged, head))


def _is_remark(tagged: Tagged, first: int, at: int) -> bool:
    """Tell whether words say something, and not what is to be done: "it's dark", not "a moment".

    "According to my calendar" says nothing by itself.
    """
    head = _head(tagged, first)
    if head is None or head >= at or _tells(tagged, first, at):
        return False
    return any(tagged.form(form, index) for form in _SAYING for index in range(head, at))


def _is_apart(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether one side of a comma is a remark: before a question, or why something is to be done."""
    head = _head(tagged, after)
    if head is not None and _asks_anew(tagged, head) and _is_remark(tagged, first, at):
        return True
    sides = Stretch(first, at), Stretch(after, _next(tagged, after), asked=_is_asked(tagged, at))
    return any(_says_why(tagged, each, sides) for each in sides)


def _disclaims(tagged: Tagged, after: int) -> bool:
    """Tell whether somebody's not doing or wanting something is told: "..., I can't hear a word"."""
    head = _head(tagged, after)
    own = range(after, _next(tagged, after))
    return head is not None and tells_not(tagged, head, own)


def tells_not(tagged: Tagged, head: int, own: range) -> bool:
    """Tell whether words say what somebody does not, and name nothing that is to be done.

    "I don't want it", and behind "delete it" also "it isn't needed any more".
    """
    if not_needed(tagged, own):
        return True
    is_person = tagged.form("persons", head) or tagged.form("own", head)
    return bool(
        is_person
        and any(map(tagged.denies, own))
        and not any(map(tagged.is_thing, own))
        and not any(tagged.form(form, index) for form in _TELLING for index in own)
    )


def _ends_otherwise(tagged: Tagged, first: int, at: int) -> bool:
    """Tell whether what would be so otherwise is all that is before a comma."""
    own = range(first, at)
    is_otherwise = any(True for _ in tagged.forms("otherwise", own[:2]))
    return is_otherwise and not any(map(tagged.is_thing, own))


def _says_why(tagged: Tagged, stretch: Stretch, among: Sequence[Stretch]) -> bool:
    """Tell whether a clause only says why, beside one that says how something is to be.

    "Fan off, it's noisy", "it's cold, heater on".
    """
    return _is_reason(tagged, stretch) and any(
        _is_wordless_command(tagged, each)
        for each in among
        if (each.end + 1 == stretch.first and tagged.is_comma(each.end))
        or (stretch.end + 1 == each.first and tagged.is_comma(stretch.end))
    )


def _is_wordless_command(tagged: Tagged, stretch: Stretch) -> bool:
    """Tell whether a clause names something and how it is to be, and no more: "fan off"."""
    own = range(stretch.first, stretch.end)
    states = [index for index in own if tagged.form("states", index)]
    verbs = [index for index in own if tagged.form("verbs", index)]
    is_named = any(map(tagged.is_thing, own))
    return is_named and bool(states) and {*states}.issuperset(verbs) and not _says(tagged, own)


def _is_reason(tagged: Tagged, stretch: Stretch) -> bool:
    """Tell whether a clause says how it is, and nothing of what is in the home or somebody said."""
    own = range(stretch.first, stretch.end)
    asks = not tagged.known.language.verb_first and _begins_question(tagged, stretch.first)
    # "Zu" is too, and shut; "het is laat", and "laat" begins a command.
    tells = any(
        tagged.form(form, index) and not tagged.form("unsure", index)
        for form in (*_COMMAND, "states")
        for index in own[:-1]
    )
    return (
        _says(tagged, own)
        and not (stretch.asked or asks or tells)
        and not any(map(tagged.is_thing, own))
        and not any(True for _ in tagged.forms("says", own))
    )


def _says(tagged: Tagged, own: range) -> bool:
    return any(tagged.form(form, index) for form in (*_SAYING, "unsure") for index in own)


def _tells(tagged: Tagged, first: int, end: int) -> bool:
    return any(tagged.form(form, index) for form in _TELLING for index in range(first, end))


def _spares(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether something is left as it is, after a command: "..., the lamp stays on"."""
    if any(tagged.form(form, first) for form in _ASKING):
        return False
    if not _tells(tagged, first, at):
        return False
    own = range(after, _listed(tagged, after))
    if not any(map(tagged.is_thing, own)):
        return False
    if any(True for _ in tagged.forms("stays", own)):
        return True
    return not _tells(tagged, own.start, own.stop) and any(
        end == own.stop for _, end in tagged.forms("not", own)
    )


def _listed(tagged: Tagged, after: int) -> int:
    """Return where a list of things ends, with what is said of them: "the lamp and the fan stay on"."""
    end = _next(tagged, after)
    while (
        end < len(tagged) - 1
        and _is_plain_joint(tagged, end)
        and tagged.is_thing(end - 1)
        and any(map(tagged.is_thing, range(end + 1, _next(tagged, end + 1))))
    ):
        end = _next(tagged, end + 1)
    return end


def _goes_on(tagged: Tagged, first: int, at: int, head: int) -> bool:
    """Tell whether "and" joins one more condition: "if the TV is on and nobody is home"."""
    opened = [each for each in tagged.pieces if each.opens and first <= each.first < at]
    if not opened or opened[-1].name == "because":
        return False
    if verb_in(tagged, opened[-1].end, at) is not None:
        return False
    denied = max(tagged.form("not", head), tagged.form("not_first", head))
    if any(tagged.form(form, index) for form in _COMMAND for index in (head, denied or head)):
        return False  # "and don't open the blinds"
    # "And not the fan" belongs to the command, where that stands before.
    leads = leading_opener(tagged, Stretch(first, at)) is not None
    is_told = any(tagged.form("be", index) for index in range(head, _next(tagged, head)))
    return leads or is_told or bool(tagged.form("reports", head))


def _is_timed_apart(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether what is before and after a joint has a time each, or that after begins with one."""
    end = _next(tagged, after)
    timed = _has_time(tagged, first, at) or tagged.is_inside(after)
    return (
        timed
        and not _is_one_more_time(tagged, at, after, end)
        and _has_time(tagged, after, end)
        and _has_words(tagged, after, end)
        and _has_words(tagged, first, at)
    )


def _is_one_moment(tagged: Tagged, first: int, at: int, after: int) -> bool:
    """Tell whether a joint stands within a moment before its command: "los martes y los jueves apaga"."""
    is_plain = all(_is_plain_joint(tagged, index) for index in range(at, after))
    pieces = [tagged.is_inside(at - 1), tagged.is_inside(after)]
    opened = any(piece.opens and first <= piece.first <= after for piece in tagged.pieces)
    return is_plain and all(pieces) and not opened and not _has_words(tagged, first, at)


def _is_one_more_time(tagged: Tagged, at: int, after: int, end: int) -> bool:
    """Tell whether a joint joins two times of one command: "um sieben und um neun an"."""
    words = [index for index in range(after, end) if not tagged.is_inside(index)]
    return tagged.is_inside(at - 1) and tagged.is_inside(after) and len(words) < 2


def _head(tagged: Tagged, after: int) -> int | None:
    """Return the first token that is neither a time, a polite word nor a mark."""
    skipped = after
    for index in range(after, len(tagged)):
        if index < skipped:
            continue
        if (piece := tagged.piece(index)) and not piece.opens:
            skipped = piece.end
        elif end := tagged.form("polite", index) or tagged.then_orders(index):
            skipped = end
        elif tagged.is_stop(index):
            return None
        elif not (tagged.is_comma(index) or tagged.is_joint(index)):
            return index
    return None


def _next(tagged: Tagged, after: int) -> int:
    """Return where the next mark or joint is."""
    for index in range(after, len(tagged)):
        if _boundary(tagged, index)[0] > index:
            return index
    return len(tagged)


def _has_time(tagged: Tagged, first: int, end: int) -> bool:
    return any(
        not piece.opens and piece.name != "plain" and first <= piece.first < end
        for piece in tagged.pieces
    )


def _has_words(tagged: Tagged, first: int, end: int) -> bool:
    return any(
        not tagged.is_inside(index) and not tagged.line.tokens[index].is_mark
        for index in range(first, end)
    )


def _parted(tagged: Tagged, stretch: Stretch) -> Iterator[Stretch]:
    """Yield a stretch, in two where a condition is followed by its command without a comma."""
    opener = leading_opener(tagged, stretch)
    if opener is not None:
        verb = verb_in(tagged, opener + 2, stretch.end)
        if verb == stretch.end - 1 and _follows_filler(tagged, verb):
            verb = None  # "quando si apre la porta"
        if verb is None:
            verb = _question_in(tagged, opener + 2, stretch.end)
        if verb is not None and not any(map(tagged.is_comma, range(stretch.first, verb))):
            verb = _with_subject(tagged, opener, verb)
            yield replace(stretch, end=verb)
            yield replace(stretch, first=verb, begins=False, joined=False)
            return
    yield stretch


def _question_in(tagged: Tagged, first: int, end: int) -> int | None:
    """Return where a question follows what is so: "if the light is on how much does it use"."""
    return next(
        (
            index
            for index in range(first + 1, end)
            if tagged.form("questions", index)
            and any(tagged.form(form, index - 1) for form in ("be", "states"))
        ),
        None,
    )


def _follows_filler(tagged: Tagged, index: int) -> bool:
    return tagged.line.tokens[index - 1].text in tagged.known.language.fillers


def _with_subject(tagged: Tagged, opener: int, verb: int) -> int:
    """Return where a command begins that has its subject before its verb: "... the lamp should go on".

    What is left before it has to say more than what it is about: "when the door opens ...".
    """
    wished = (first for first, end in tagged.forms("wishes", range(opener, verb + 1)) if end > verb)
    verb = next(wished, verb)
    if not (tagged.form("wishes", verb) and tagged.is_thing(verb - 1)):
        return verb
    fillers = tagged.known.language.fillers
    first = verb - 1
    while first > opener and tagged.line.tokens[first - 1].text in fillers:
        first -= 1
    piece = tagged.piece(opener)
    before = range(piece.end if piece else opener + 1, first)
    says = [each for each in before if tagged.line.tokens[each].text not in fillers]
    is_told = len(says) > 1 and not tagged.is_thing(says[-1])
    return first if is_told else verb
