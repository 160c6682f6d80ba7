"""Dialogue acts: whether a clause is a command, a question or a statement."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from .annotations import AnnotatedText
from .clause import Clause, DialogueAct
from .time_resolution import TimeExpression, TimeType

_ADVERBS = 3
"""Words in which a person's verb is looked for: "I can never turn it on"."""
_ASKING = ("asking", "looks_up")
_WANTING = ("verbs", "requests", "wishes")


def classify_act(
    annotated: AnnotatedText, left: Sequence[int], *, asked: bool, led: bool
) -> DialogueAct:
    """Return the dialogue act of a clause.

    Args:
        annotated: the sentence.
        left: the clause's tokens without its times.
        asked: it ends with a question mark.
        led: a time precedes it. Then a verb at the beginning is no question: "tomorrow
            shall...", "wenn es dunkel ist, soll...".
    """
    start = content_tokens(annotated, left)
    if not start:
        return DialogueAct.UNKNOWN
    first = start[0]
    # "Ho spento la luce" is a question only with a question mark.
    reports = annotated.span_end("reports", first) or annotated.span_end("unsure", first)
    if asked and annotated.span_end("third", first):
        return DialogueAct.QUESTION
    begun = _by_beginning(
        annotated, left, first, asked=asked, may_ask=asked or not (led or reports)
    )
    return begun or _by_words(annotated, left, start, asked)


def _by_beginning(
    annotated: AnnotatedText, left: Sequence[int], first: int, *, asked: bool, may_ask: bool
) -> DialogueAct | None:
    """Return the act of a clause by its first word; None if other words decide."""
    if annotated.begins(first, *_ASKING) or _asks_whether(annotated, first):
        return DialogueAct.QUESTION
    if (regrets := annotated.says(left, "regrets")) or _passes_on(annotated, left, first):
        return DialogueAct.QUESTION if regrets and asked else DialogueAct.STATEMENT
    if annotated.span_end("orders", first) or annotated.span_end("lets", first):
        return DialogueAct.COMMAND
    turned = annotated.span_end("inverted", first)
    requests = [*_requests(annotated, left, first, turned, may_ask=asked or turned > 0)]
    # "When can you do it?" asks; "can you do it when ..." does not.
    asks = annotated.span_end("questions", first)
    if requests and (min(requests) < first or not asks):
        return DialogueAct.COMMAND
    if asks or (turned and may_ask):
        # "Pasa la lista a Ida" begins like "pasa algo", and is a command.
        orders = not (asks or asked) and imperative_end(annotated, first) >= turned
        return DialogueAct.COMMAND if orders else DialogueAct.QUESTION
    verb = annotated.span_end("verbs", first)
    if annotated.says(left, "asks_within") and not verb:
        return DialogueAct.QUESTION
    if annotated.span_end("reports", first) > annotated.span_end("wishes", first) > 0:
        return DialogueAct.STATEMENT  # "I wish I had" reports, though "I wish" alone begins a wish
    if wishes := annotated.starts(left, "wishes"):
        # "The light should be off?" asks.
        return DialogueAct.QUESTION if asked and min(wishes) > first else DialogueAct.COMMAND
    if annotated.span_end("finite", first) > first + 1:
        return DialogueAct.QUESTION if may_ask else DialogueAct.STATEMENT
    # "Porta chiusa?" is about a door; as a verb, the word means to bring.
    is_thing = asked and annotated.is_thing(first)
    return DialogueAct.COMMAND if verb and not is_thing else None


def _requests(
    annotated: AnnotatedText, left: Sequence[int], first: int, turned: int, *, may_ask: bool
) -> Iterator[int]:
    """Yield where requests begin in a clause; `turned`: the end of an inverted verb at its start.

    "Se puede" is a question, though "puede" alone begins a request; so is "should I, or can you".
    """
    for index in annotated.starts(left, "requests"):
        is_other = may_ask and annotated.follows("alternatives", index)
        if not (first < index < turned or is_other):
            yield index


def _asks_whether(annotated: AnnotatedText, first: int) -> bool:
    """Return True if a clause is an indirect question, whatever its verb: "find out whether ...".

    No entity and no state precedes the "whether". That of another clause does not count: "play jazz
    and see whether it rains".
    """
    for index in range(first, len(annotated)):
        if annotated.span_end("whether", index):
            return index > first
        after, _ = annotated.boundary(index)
        leads = annotated.is_comma(index) and annotated.span_end("whether", after)
        is_named = annotated.is_thing(index) or annotated.span_end("states", index)
        if is_named or (after > index and not leads):
            return False
    return False


def _by_words(
    annotated: AnnotatedText, left: Sequence[int], start: Sequence[int], asked: bool
) -> DialogueAct:
    """Return the act of a clause whose first word does not decide."""
    # "In the morning is the light on" is a statement: an inverted verb behind a time asks nothing.
    reports = annotated.span_end("reports", start[0]) or annotated.says(start, "be")
    if asked:
        return DialogueAct.QUESTION
    if _is_set(annotated, start) or imperative_end(annotated, start[0]):
        return DialogueAct.COMMAND
    if _is_of_others(annotated, start):
        return DialogueAct.STATEMENT
    # "It is nice when ..." is a report, though "it is" may begin other acts.
    begins = annotated.span_end("reports", start[0]) > annotated.span_end("unsure", start[0]) > 0
    if annotated.says(start[1:] if begins else left, "unsure") and not _forbids(
        annotated, start[0]
    ):
        # "It is dark is the light off", transcribed without a mark.
        asks = any(
            question_starts_at(annotated, index)
            for place, index in enumerate(start)
            if place > 1 and annotated.says(start[:place], "be", "finite", "unsure")
        )
        return DialogueAct.QUESTION if asks else DialogueAct.UNKNOWN
    if reports or annotated.says(start[1:], "finite"):
        return DialogueAct.STATEMENT
    commands = any(annotated.says(left, form) for form in ("verbs", "states", "not"))
    return (
        DialogueAct.COMMAND
        if commands or annotated.span_end("not_first", start[0])
        else DialogueAct.UNKNOWN
    )


def _is_set(annotated: AnnotatedText, start: Sequence[int]) -> bool:
    """Return True if a clause is only an entity and a value for it: "bed lamp blue"."""
    fillers = annotated.patterns.language.function_words
    polite = annotated.covered(start, "polite")
    for first, end in annotated.spans_among("set_to", start):
        before = [at for at in start if at < first or annotated.is_thing(at)]
        behind = {at for at in start if at >= end} - polite
        if (
            annotated.names_thing(before)
            and all(
                annotated.is_thing(at) or annotated.sequence.tokens[at].text in fillers
                for at in before
            )
            and not behind
        ):
            return True
    return False


def imperative_end(annotated: AnnotatedText, first: int) -> int:
    """Return the end of the imperative that begins at a token, else 0.

    A possible imperative before a copula is a noun: "Post ist da".
    """
    is_thing = annotated.begins(first + 1, "be", "finite")
    return 0 if is_thing else annotated.span_end("bids", first)


def question_starts_at(annotated: AnnotatedText, first: int) -> bool:
    """Return True if an inverted question begins at a token: "it's dark, is the light off".

    In some languages an inverted verb also begins a report.
    """
    subject = first + 1
    if not annotated.span_end("inverted", first) or subject >= len(annotated):
        return False
    fillers = annotated.patterns.language.function_words
    return annotated.sequence.tokens[subject].text in fillers or annotated.begins(
        subject, "subjects", "persons"
    )


def _forbids(annotated: AnnotatedText, first: int) -> bool:
    """Return True if a clause begins as a prohibition: "no pongas ... muy alto"."""
    end = annotated.span_end("not", first)
    return bool(end and annotated.span_end("verbs", end))


def _passes_on(annotated: AnnotatedText, left: Sequence[int], first: int) -> bool:
    """Return True if a clause reports words or wishes of a third person: "Anna said to close it".

    "I said" is not reported speech: the speaker insists.
    """
    if annotated.begins(first, "own", "verbs", "bids", "questions"):
        return False
    begins = min(annotated.starts(left, *_WANTING), default=left[-1] + 1)
    of_others = annotated.span_end("persons", first) > 0
    return any(
        (first < index or of_others) and index < begins for index in annotated.starts(left, "says")
    )


def introduces_quote(
    annotated: AnnotatedText, end: int, start: Sequence[int], mood: DialogueAct
) -> bool:
    """Return True if a remark ends with an introduction to quoted words, which are no command.

    They are a third person's, "Anna says, ...", or hypothetical: "what happens if I say, ...".
    """
    if mood is DialogueAct.QUESTION and annotated.follows("says_myself", end):
        return True
    is_own = mood is DialogueAct.STATEMENT and annotated.span_end("own", start[0])
    return annotated.follows("says", end) and not is_own


def _is_of_others(annotated: AnnotatedText, start: Sequence[int]) -> bool:
    """Return True if a clause reports a person's action on a device: "I'm turning off the lamp"."""
    if not annotated.names_thing(start):
        return False
    if any(annotated.says(start, form) for form in ("not", "not_first")):
        return False
    for first in start[:_ADVERBS]:
        if end := annotated.span_end("persons", first):
            return _does(annotated, [index for index in start if index >= end])
        if annotated.span_end("verbs", first) or annotated.is_thing(first):
            break
    return False


def _does(annotated: AnnotatedText, after: Sequence[int]) -> bool:
    """Return True if a verb of a person follows: in "the kids turn it on", not in "kids room"."""
    for index in after[:_ADVERBS]:
        if annotated.is_thing(index):
            return False
        if annotated.begins(index, "verbs", "finite", "be"):
            return True
    return False


def content_tokens(annotated: AnnotatedText, left: Sequence[int]) -> list[int]:
    """Return a clause's tokens from the first that is no mark, conjunction or polite word."""
    end = 0
    for place, index in enumerate(left):
        if index < end:
            continue
        end = max(annotated.span_end("polite", index), annotated.span_end("requests", index))
        # "I wonder if you could ..." is a request, not the question "I wonder".
        asks = annotated.span_end("asking", index)
        if (asks and asks >= end) or annotated.span_end("reports", index) > end > 0:
            return [*left[place:]]
        if end or annotated.sequence.tokens[index].is_mark or annotated.is_conjunction(index):
            continue
        return [*left[place:]]
    return []


_IFS: Final = frozenset((TimeType.IF, TimeType.UNLESS))
_PEOPLE: Final = ("persons", "own")


def as_reported_condition(
    annotated: AnnotatedText, moment: TimeExpression, first: int, end: int
) -> TimeExpression:
    """Return a condition on reported text as one that depends on the answer of a tool.

    The words of the speaker or another person are in no text.
    """
    own = range(first, end)
    says = {*annotated.starts(own, "reported")}
    if moment.type not in _IFS or not says or _is_of_people(annotated, own):
        return moment
    # "If somebody says": directly before a verb, a possible article is a pronoun.
    somebody = {end for _, end in _counted(annotated, ("some",))}
    return moment if says & somebody else replace(moment, depends_on_answer=True)


def condition_after_lookup(annotated: AnnotatedText) -> int:
    """Return where a condition begins behind an order to look at a text; 0 if none does.

    "Look at the forecast, and if it pours, ...". To look at a device is to read its state.
    """
    start = content_tokens(annotated, range(len(annotated)))
    # "Mira" is also a polite word.
    leads = [*annotated.spans_among("looks_at", range(start[0] + 1))] if start else []
    if not leads:
        return 0
    first = next(
        (each.first for each in annotated.time_spans if each.opens and each.name in _IFS), 0
    )
    texts = [token.text for token in annotated.sequence.tokens]
    looked = range(leads[0][1], first)
    is_apart = any(
        annotated.is_comma(at) or annotated.is_conjunction(at) for at in (first - 1, first)
    )
    is_apart = is_apart or texts[first] in annotated.patterns.language.conjunctions
    does = annotated.says(looked, "verbs", "states")
    return (
        first
        if is_apart and not does and annotated.patterns.category_words.isdisjoint(texts[:first])
        else 0
    )


def as_lookup_condition(annotated: AnnotatedText, clause: Clause) -> Clause:
    """Return a clause that follows a lookup; its conditions depend on the result of the lookup.

    `annotated` is the condition alone. A condition about the home or the people in it is evaluated
    from states.
    """
    own = range(len(annotated))
    if annotated.names_thing(own) or _is_of_people(annotated, own):
        return clause
    moments = (replace(each, depends_on_answer=each.type in _IFS) for each in clause.times)
    return replace(clause, times=tuple(moments))


def keep_answer_conditions(clauses: Iterable[Clause]) -> list[Clause]:
    """Return the clauses; in those with other times as well, no condition depends on an answer."""
    return [
        each
        if all(one.type in _IFS for one in each.times)
        else replace(each, times=tuple(replace(one, depends_on_answer=False) for one in each.times))
        for each in clauses
    ]


def _is_of_people(annotated: AnnotatedText, own: range) -> bool:
    if annotated.says(own, *_PEOPLE):
        return True
    return any(first in own for first, _ in _counted(annotated, ("everyone", "none")))


def _counted(annotated: AnnotatedText, how: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of quantifiers over people: everybody, nobody or somebody."""
    patterns = (pattern for each in how for pattern in annotated.patterns.conditions.get(each, ()))
    return (span for pattern in patterns for span in annotated.sequence.find(pattern))
