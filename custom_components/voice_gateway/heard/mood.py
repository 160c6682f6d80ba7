"""Whether a clause is a command, a question or a report."""

from collections.abc import Iterator, Sequence

from .said import Mood
from .tagged import Tagged

_ADVERBS = 3
"""Words among which somebody's verb is: "I can never turn it on"."""
_ASKING = ("asking", "looks_up")
_WANTING = ("verbs", "requests", "wishes")


def mood_of(tagged: Tagged, left: Sequence[int], *, asked: bool, led: bool) -> Mood:
    """Return what a clause is.

    Args:
        tagged: the sentence.
        left: the clause's tokens without its moments.
        asked: it ends with a question mark.
        led: a moment stands before it. Then a verb at the beginning asks nothing: "tomorrow
            shall...", "wenn es dunkel ist, soll...".
    """
    start = beginning(tagged, left)
    if not start:
        return Mood.UNKNOWN
    first = start[0]
    # "Ho spento la luce" is a question only where it is asked.
    reports = tagged.form("reports", first) or tagged.form("unsure", first)
    if asked and tagged.form("third", first):
        return Mood.QUESTION
    begun = _by_beginning(tagged, left, first, asked=asked, may_ask=asked or not (led or reports))
    return begun or _by_words(tagged, left, start, asked)


def _by_beginning(
    tagged: Tagged, left: Sequence[int], first: int, *, asked: bool, may_ask: bool
) -> Mood | None:
    """Return what a clause is by its first word, if that tells."""
    if any(tagged.form(form, first) for form in _ASKING) or _asks_whether(tagged, first):
        return Mood.QUESTION
    if (regrets := _has(tagged, "regrets", left)) or _passes_on(tagged, left, first):
        return Mood.QUESTION if regrets and asked else Mood.STATEMENT
    if tagged.form("orders", first) or (tagged.form("lets", first) and not asked):
        return Mood.COMMAND
    turned = tagged.form("inverted", first)
    requests = [*_requests(tagged, left, first, turned, may_ask=asked or turned > 0)]
    # "When can you do it?" asks; "can you do it when ..." does not.
    if requests and (min(requests) < first or not tagged.form("questions", first)):
        return Mood.COMMAND
    if mood := _asks_first(tagged, first, asked=asked, may_ask=may_ask):
        return mood
    verb = tagged.form("verbs", first)
    if _has(tagged, "asks_within", left) and not verb:
        return Mood.QUESTION
    if tagged.form("reports", first) > tagged.form("wishes", first) > 0:
        return Mood.STATEMENT  # "I wish I had" reports, though "I wish" alone begins a wish
    if wishes := [index for index, _ in tagged.forms("wishes", left)]:
        # "The light should be off?" asks, and nobody asks what they want themselves.
        of_others = min(wishes) > first and not tagged.form("own", first)
        return Mood.QUESTION if asked and of_others else Mood.COMMAND
    if tagged.form("finite", first) > first + 1:
        return Mood.QUESTION if may_ask else Mood.STATEMENT
    # "Porta chiusa?" is about a door: as a verb, the word says to bring something.
    is_thing = asked and tagged.is_thing(first)
    return Mood.COMMAND if verb and not is_thing else None


def _requests(
    tagged: Tagged, left: Sequence[int], first: int, turned: int, *, may_ask: bool
) -> Iterator[int]:
    """Yield where requests begin in a clause; `turned`: where the verb ends that begins a question.

    "Se puede" asks, though "puede" alone begins a request; and so does "should I, or can you".
    """
    for index, _ in tagged.forms("requests", left):
        is_other = may_ask and tagged.follows("alternatives", index)
        if not (first < index < turned or is_other):
            yield index


def _asks_whether(tagged: Tagged, first: int) -> bool:
    """Tell whether somebody wants to know what is so, whatever the verb: "find out whether ...".

    Before that nothing is named that could be acted upon, or how it is to be.
    """
    for index in range(first, len(tagged)):
        if tagged.form("whether", index):
            return index > first
        joins = tagged.is_joint(index) or tagged.is_stop(index)
        joins = joins or (tagged.is_comma(index) and not tagged.form("whether", index + 1))
        if joins or tagged.is_thing(index) or tagged.form("states", index):
            return False
    return False


def _by_words(tagged: Tagged, left: Sequence[int], start: Sequence[int], asked: bool) -> Mood:
    """Return what a clause is whose first word does not tell."""
    # "In the morning is the light on" tells: after a moment, a verb at the beginning asks nothing.
    reports = tagged.form("reports", start[0]) or _has(tagged, "be", start)
    if asked:
        return Mood.QUESTION
    if _is_set(tagged, start) or is_bidden(tagged, start[0]):
        return Mood.COMMAND
    if _is_of_others(tagged, start):
        return Mood.STATEMENT
    # "It is nice when ..." reports, whatever "it is" begins.
    begins = tagged.form("reports", start[0]) > tagged.form("unsure", start[0]) > 0
    if _has(tagged, "unsure", start[1:] if begins else left) and not _forbids(tagged, start[0]):
        # "It is dark is the light off", as speech is written down without a mark.
        asks = any(asks_from(tagged, index) for index in start[2:])
        return Mood.QUESTION if asks else Mood.UNKNOWN
    if reports or _has(tagged, "finite", start[1:]):
        return Mood.STATEMENT
    commands = any(_has(tagged, form, left) for form in ("verbs", "states", "not"))
    return Mood.COMMAND if commands or tagged.form("not_first", start[0]) else Mood.UNKNOWN


def _is_set(tagged: Tagged, start: Sequence[int]) -> bool:
    """Tell whether a clause is nothing but a thing and what it is set to: "bed lamp blue"."""
    fillers = tagged.known.language.fillers
    polite = {at for first, end in tagged.forms("polite", start) for at in range(first, end)}
    for first, end in tagged.forms("set_to", start):
        before = [at for at in start if at < first or tagged.is_thing(at)]
        behind = {at for at in start if at >= end} - polite
        if (
            any(map(tagged.is_thing, before))
            and all(tagged.is_thing(at) or tagged.line.tokens[at].text in fillers for at in before)
            and not behind
        ):
            return True
    return False


def _asks_first(tagged: Tagged, first: int, *, asked: bool, may_ask: bool) -> Mood | None:
    """Return what a clause is that begins as a question does; None for any other.

    "Pasa la lista a Ida" begins as "pasa algo", and orders.
    """
    if tagged.form("questions", first):
        return Mood.QUESTION
    inverted = tagged.form("inverted", first) if may_ask else 0
    if not inverted:
        return None
    return Mood.COMMAND if not asked and is_bidden(tagged, first) >= inverted else Mood.QUESTION


def is_bidden(tagged: Tagged, first: int) -> int:
    """Return where that ends by which a token begins what somebody is told to do, else 0.

    But as a thing that is: "Post ist da".
    """
    is_thing = any(tagged.form(form, first + 1) for form in ("be", "finite"))
    return 0 if is_thing else tagged.form("bids", first)


def asks_from(tagged: Tagged, first: int) -> bool:
    """Tell whether a question begins, its subject behind its verb: "it's dark, is the light off".

    In some languages a verb begins a report as well.
    """
    subject = first + 1
    if tagged.known.language.verb_first or subject >= len(tagged):
        return False
    is_article = tagged.line.tokens[subject].text in tagged.known.language.fillers
    is_person = any(tagged.form(form, subject) for form in ("subjects", "persons"))
    follows = is_article or is_person or tagged.is_thing(subject)
    return follows and tagged.form("inverted", first) > 0


def _forbids(tagged: Tagged, first: int) -> bool:
    """Tell whether a clause begins as a command not to do something: "no pongas ... muy alto"."""
    end = tagged.form("not", first)
    return bool(end and tagged.form("verbs", end))


def _passes_on(tagged: Tagged, left: Sequence[int], first: int) -> bool:
    """Tell whether a clause is about what somebody else says or wants: "Anna said to close it".

    Whoever says "I said" insists.
    """
    if any(tagged.form(form, first) for form in ("own", "verbs", "bids", "questions")):
        return False
    wants = (index for form in _WANTING for index, _ in tagged.forms(form, left))
    begins = min(wants, default=left[-1] + 1)
    of_others = tagged.form("persons", first) > 0
    return any(
        (first < index or of_others)
        and (index < begins or (index == begins and not tagged.form("requests", index)))
        and not tagged.form("own", end)
        for index, end in tagged.forms("says", left)
    )


def passes_on(tagged: Tagged, end: int, start: Sequence[int], mood: Mood) -> bool:
    """Tell whether what a remark ends with opens words that order nothing.

    They are somebody else's, "Anna says, ...", or asked about: "what happens if I say, ...".
    """
    if mood is Mood.QUESTION and tagged.follows("says_myself", end):
        return True
    is_own = mood is Mood.STATEMENT and tagged.form("own", start[0])
    return tagged.follows("says", end) and not is_own


def _is_of_others(tagged: Tagged, start: Sequence[int]) -> bool:
    """Tell whether a clause says what somebody does to a device: "I'm turning off the lamp"."""
    if not any(tagged.is_thing(index) for index in start):
        return False
    if any(_has(tagged, form, start) for form in ("not", "not_first")):
        return False
    for first in start[:_ADVERBS]:
        if end := tagged.form("persons", first):
            return _does(tagged, [index for index in start if index >= end])
        if tagged.form("verbs", first) or tagged.is_thing(first):
            break
    return False


def _does(tagged: Tagged, after: Sequence[int]) -> bool:
    """Tell whether somebody's verb follows: that of "the kids turn it on", not of "kids room"."""
    for index in after[:_ADVERBS]:
        if tagged.is_thing(index):
            return False
        if any(tagged.form(form, index) for form in ("verbs", "finite", "be")):
            return True
    return False


def _has(tagged: Tagged, form: str, left: Sequence[int]) -> bool:
    return any(True for _ in tagged.forms(form, left))


def beginning(tagged: Tagged, left: Sequence[int]) -> list[int]:
    """Return a clause's tokens from the first on that is no mark, joint or polite word."""
    end = 0
    for place, index in enumerate(left):
        if index < end:
            continue
        end = max(tagged.form("polite", index), tagged.form("requests", index))
        # "I wonder if you could ..." is no "I wonder".
        asks = tagged.form("asking", index)
        if (asks and asks >= end) or tagged.form("reports", index) > end > 0:
            return [*left[place:]]
        if end or tagged.line.tokens[index].is_mark or tagged.is_joint(index):
            continue
        return [*left[place:]]
    return []
