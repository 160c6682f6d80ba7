"""Clause segmentation: the boundaries between the clauses of an utterance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .annotations import ORDERS, AnnotatedText
from .dialogue_acts import question_starts_at
from .repairs import is_repair

_LEADS: Final = 2
"""Words in which a reason begins: an article, "they" or "already" may precede it."""


def is_removal_reason(annotated: AnnotatedText, own: range) -> bool:
    """Return True if a clause only says that an object to remove is no longer needed.

    Behind any other command, and behind a "no", the clause may be a retraction: "turn on the fan,
    it isn't needed any more".
    """
    spans = annotated.spans_among("no_longer", own[:_LEADS])
    if all(end != own.stop for _, end in spans) or annotated.names_thing(own):
        return False
    first = next((at + 1 for at in range(own.start - 1, -1, -1) if annotated.is_stop(at)), 0)
    before = annotated.sequence.surface(range(first, own.start))
    removes = before.without_clitics.says("restatements.removes")
    return removes and not _follows_a_no(annotated, own.start)


def _follows_a_no(annotated: AnnotatedText, first: int) -> bool:
    """Return True if a "no" directly precedes a token, apart from marks."""
    said = (at + 1 for at in range(first - 1, -1, -1) if not annotated.sequence.tokens[at].is_mark)
    end = next(said, 0)
    return any(
        until == end
        for pattern in annotated.patterns.replies.get("no", ())
        for _, until in annotated.sequence.find(pattern)
    )


_BEGIN = (*ORDERS, "otherwise", "fronted", "wishes", "requests", "reports", "not", "not_first")
"""Forms with which a clause begins."""
_TELLING = ("verbs", "states")
"""Forms of an action or a state."""
_COMMAND = ("otherwise", "verbs", "wishes", "requests")
"""Forms of a command."""
_SAYING = ("be", "finite", "reports", "persons")
"""Forms that mark a remark."""
_WITH_COMMAS = ("looks_up", "tells_others")
"""Forms that may contain a comma."""
_TOLD_OF = ("be", "finite", "reports", "unsure")
"""Forms that mark a report."""
_GOVERNING = ("subjects", "persons", "own", "requests", "wishes", "asking", "lets", "polite")
"""Forms that govern a verb behind them: "you should turn it off", "I never turn it off"."""
_APART = 4
"""Words between a negation and a verb that it does not negate."""
_FEWEST = 2
"""The fewest words of a report before a command."""
_ASKING = ("asking", "questions", "inverted")
"""Forms of a question."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The tokens of a clause, from `first` to before `end`, and its relation to the one before."""

    first: int
    end: int
    starts_sentence: bool = False
    """It is the first of a sentence."""
    is_coordinated: bool = False
    """Only "and" joins it to the clause before."""
    follows_then: bool = False
    """A "then" precedes it."""
    has_question_mark: bool = False
    """Its sentence ends with a question mark."""
    is_consequence: bool = False
    """A "so" precedes it: the clause before gives the reason."""
    is_reason: bool = False
    """It only gives a reason: "fan off, it's noisy"."""

    @property
    def tokens(self) -> range:
        """Its tokens."""
        return range(self.first, self.end)


_CONTENT = ("of_texts", "tells_others")
"""Forms behind which the content of a message or a reminder begins."""


def segment_clauses(annotated: AnnotatedText) -> list[Segment]:
    """Return the clauses of a sentence, in order."""
    found: list[Segment] = []
    first, begins, joined, then, hence = 0, True, False, False, 0
    at = 0
    while at < len(annotated):
        after, ends = annotated.boundary(at)
        concludes = 0 if ends or at == first else _hence(annotated, after)
        is_unmarked = after == at and not concludes
        if is_unmarked and not _begins_unmarked(annotated, first, at):
            at += 1
            continue
        if (
            is_unmarked
            or ends
            or after == len(annotated)
            or concludes
            or _splits(annotated, first, at, after)
        ):
            asked = _is_asked(annotated, at) and not _asks_next(annotated, first, after)
            # "Turn on the heater then."
            then |= (ends or after == len(annotated)) and annotated.span_end("then", at) > 0
            found.append(Segment(first, at, begins, joined, then, asked, hence > 0))
            first, begins, hence = concludes or after, ends, concludes
            marks = range(at, after)
            then = any(annotated.span_end("then", index) for index in marks)
            joined = not (then or hence or is_unmarked) and all(
                _is_plain_joint(annotated, index) for index in marks
            )
        at = max(after, concludes, at + is_unmarked)
    found.append(Segment(first, len(annotated), begins, joined, then, is_consequence=hence > 0))
    parted = [part for each in found if each.first < each.end for part in _parted(annotated, each)]
    return [replace(each, is_reason=_says_why(annotated, each, parted)) for each in parted]


def leading_opener(annotated: AnnotatedText, segment: Segment) -> int | None:
    """Return the token of the subordinator with which a segment begins, if it does."""
    for index in range(segment.first, segment.end):
        piece = annotated.piece(index)
        if piece and piece.opens:
            return index
        if annotated.is_inside(index):
            continue
        if not (
            annotated.is_conjunction(index)
            or annotated.span_end("polite", index)
            or annotated.is_comma(index)
        ):
            return None
    return None


def _hence(annotated: AnnotatedText, after: int) -> int:
    """Return where a command begins behind a "so": "..., so turn it off"; 0 if none does."""
    end = annotated.span_end("hence", after) if after < len(annotated) else 0
    head = annotated.head(end) if end else None
    if head is None or annotated.piece(after - 1):
        return 0
    return end if annotated.begins(head, *_BEGIN) else 0


def _is_asked(annotated: AnnotatedText, at: int) -> bool:
    for index in range(at, len(annotated)):
        if annotated.is_stop(index):
            return annotated.sequence.tokens[index].text == "?"
    return False


def _is_plain_joint(annotated: AnnotatedText, index: int) -> bool:
    return annotated.is_conjunction(index) and not annotated.span_end("contrast", index)


def _splits(annotated: AnnotatedText, first: int, at: int, after: int) -> bool:
    """Return True if a clause ends at marks or conjunctions within a sentence."""
    joint = any(map(annotated.is_conjunction, range(at, after)))
    if annotated.is_comma(at) and leading_opener(annotated, Segment(first, at)) is not None:
        return True
    head = annotated.head(after)
    # "Apaga la lámpara, no, el ventilador" is no negation.
    is_same = _weighs(annotated, first, at, after) or is_repair(annotated, first, at, after)
    if head is None or is_same or (joint and _is_one_moment(annotated, first, at, after)):
        return False
    if annotated.piece(head):
        # "..., only if" belongs to the clause before it; "and if" begins a clause.
        words = annotated.sequence.tokens[head].text
        return joint or words in annotated.patterns.language.conjunctions
    if annotated.begins(head, *_BEGIN):
        return not (joint and _goes_on(annotated, first, at, head))
    denies = any(map(annotated.denies, range(first, at)))
    asks = joint and _asks_next(annotated, first, after)
    if asks or _spares(annotated, first, at, after):
        return True
    if annotated.is_comma(at) and (
        _is_apart(annotated, first, at, after)
        or _disclaims(annotated, after)
        or _is_own(annotated, range(first, at), after)
        or _is_vocative(annotated, range(first, at), after)
    ):
        return True
    if annotated.last_verb(first, at) is None and (
        denies or (annotated.span_end("questions", head) and not joint)
    ):
        return True
    if any(annotated.span_end("contrast", index) for index in range(at, after)):
        return denies
    end = annotated.next_boundary(after)
    is_of_things = annotated.names_thing(range(first, at)) and annotated.names_thing(
        range(after, end)
    )
    return (joint or is_of_things) and _is_timed_apart(annotated, first, at, after)


def _begins_unmarked(annotated: AnnotatedText, first: int, at: int) -> bool:
    """Return True if a command begins at a token without a mark before it, as in some transcripts.

    The words before it are a statement or a complete command, and those behind it name an entity.
    "I can't stand the noise turn off the TV", "hall light off now porch light off at eight".
    """
    before = range(first, at)
    opened = any(piece.opens and piece.first in before for piece in annotated.time_spans)
    opened = opened or annotated.says(before, "except")
    if len(before) < _FEWEST or annotated.is_part(at) or opened:
        return False
    end = annotated.next_boundary(at)
    is_whole = annotated.names_thing(range(first, at)) and annotated.says(
        range(first, at), *_TELLING
    )
    if annotated.is_thing(at):
        follows_time = annotated.is_inside(at - 1) and annotated.has_time(first, at)
        return is_whole and follows_time and annotated.says(range(at, end), *_TELLING)
    if not annotated.begins(at, *ORDERS[1:]):
        return False
    # Where verbs come first, a statement begins like a question with an inverted verb.
    asking = _ASKING[:-1] if annotated.patterns.language.verb_first else _ASKING
    is_told = is_whole or _is_told(annotated, first, at)
    if not is_told or _begins_question(annotated, first, asking):
        return False
    # "I never turn it off", "you should turn it off"
    is_denied = any(
        end > at - _APART
        for form in ("not", "not_first")
        for _, end in annotated.spans_among(form, before)
    )
    is_governed = any(annotated.follows(form, at) for form in _GOVERNING)
    if is_denied or is_governed:
        return False
    return annotated.names_thing(range(at + 1, end)) or annotated.span_end("bids_surely", at) > 0


def _is_told(annotated: AnnotatedText, first: int, end: int) -> bool:
    """Return True if words are a complete report: "I can't stand it", not "I usually"."""
    fillers = annotated.patterns.language.function_words
    for form in _TOLD_OF:
        for _, after in annotated.spans_among(form, range(first, end)):
            left = [annotated.sequence.tokens[index].text for index in range(after, end)]
            if form == "unsure" or any(each not in fillers for each in left):
                return True
    # "I wait no longer for my coffee": not "I never turn it off".
    return any(map(annotated.denies, range(first, end - _APART)))


def _weighs(annotated: AnnotatedText, first: int, at: int, after: int) -> bool:
    """Return True if a word of contrast only belongs to a question: "should I rather open it"."""
    if any(
        annotated.is_comma(index) or _is_plain_joint(annotated, index) for index in range(at, after)
    ):
        return False
    return _begins_question(annotated, first)


def _begins_question(annotated: AnnotatedText, first: int, forms: Sequence[str] = _ASKING) -> bool:
    head = annotated.head(first)
    return head is not None and annotated.begins(head, *forms)


def _asks_next(annotated: AnnotatedText, first: int, after: int) -> bool:
    """Return True if a question follows an imperative: "lamp off, and what does Bo write?"."""
    head, order = (annotated.head(at) if at < len(annotated) else None for at in (after, first))
    if head is None or order is None or not annotated.span_end("questions", head):
        return False
    is_told = annotated.begins(order, *_ASKING, *_WITH_COMMAS)
    return not is_told and annotated.begins(order, *ORDERS)


def _is_remark(annotated: AnnotatedText, first: int, at: int) -> bool:
    """Return True if words are a remark and no command: "it's dark", not "a moment".

    "According to my calendar" alone is no remark.
    """
    head = annotated.head(first)
    if head is None or _orders(annotated, range(first, at), _TELLING):
        return False
    return annotated.says(range(head, at), *_SAYING)


def _orders(annotated: AnnotatedText, own: range, forms: Sequence[str]) -> bool:
    """Return True if a form begins without a subject: "have it on", not "I have a meeting"."""
    return any(
        not any(annotated.follows(form, at) for form in ("own", "persons"))
        for at in annotated.starts(own, *forms)
    )


def _is_apart(annotated: AnnotatedText, first: int, at: int, after: int) -> bool:
    """Return True if one side of a comma is a remark: before a question, or a command's reason."""
    head = annotated.head(after)
    if (
        head is not None
        and question_starts_at(annotated, head)
        and _is_remark(annotated, first, at)
    ):
        return True
    sides = (
        Segment(first, at),
        Segment(after, annotated.next_boundary(after), has_question_mark=_is_asked(annotated, at)),
    )
    return any(_says_why(annotated, each, sides) for each in sides)


def _is_own(annotated: AnnotatedText, told: range, after: int) -> bool:
    """Return True if the speaker tells something behind an order: "..., I'm off to sleep"."""
    head = annotated.head(after)
    own = range(after, annotated.next_boundary(after))
    return (
        head is not None
        and annotated.begins(head, "own")
        and (first := annotated.head(told.start)) is not None
        and annotated.begins(first, *ORDERS, "requests")
        and not annotated.says(own, "wishes", "requests")
        and not annotated.names_thing(own)
    )


def _is_vocative(annotated: AnnotatedText, told: range, after: int) -> bool:
    """Return True if a single word of no meaning follows a command on a device: "..., love"."""
    is_last = after + 1 >= len(annotated) or annotated.is_stop(after + 1)
    if not (is_last and annotated.names_thing(told) and annotated.says(told, *_TELLING)):
        return False
    word = annotated.sequence.tokens[after].text
    is_open = annotated.is_inside(after) or annotated.is_thing(after) or not word.isalpha()
    known = annotated.patterns.language.function_words
    return not (is_open or word in known or annotated.has_form(after))


def _disclaims(annotated: AnnotatedText, after: int) -> bool:
    """Return True if a clause denies an action or wish of a person: "..., I can't hear a word"."""
    head = annotated.head(after)
    own = range(after, annotated.next_boundary(after))
    return head is not None and denies_knowledge(annotated, head, own)


def denies_knowledge(annotated: AnnotatedText, head: int, own: range) -> bool:
    """Return True if words deny an action or a wish of a person, and name no entity.

    "I don't want it", and behind "delete it" also "it isn't needed any more".
    """
    if is_removal_reason(annotated, own):
        return True
    return bool(
        annotated.span_end("persons", head)
        and any(map(annotated.denies, own))
        and not annotated.names_thing(own)
    )


def _says_why(annotated: AnnotatedText, segment: Segment, among: Sequence[Segment]) -> bool:
    """Return True if a clause only gives the reason or the time of a command beside it.

    "Fan off, it's noisy", "it's cold, heater on", "turn off the heater, lunch is at one".
    """
    first, end = segment.first, segment.end
    before = [each for each in among if each.end + 1 == first and annotated.is_comma(each.end)]
    if before and (
        _is_own(annotated, before[-1].tokens, first)
        or _is_vocative(annotated, before[-1].tokens, first)
    ):
        return True
    after = [each for each in among if end + 1 == each.first]
    if _says_when(annotated, segment):
        # "Remind me, tomorrow at eight, to call mum": behind a form for content comes no remark.
        contents = [at for each in before for at in each.tokens]
        opened = annotated.says(contents, *_CONTENT)
        return not opened and any(
            annotated.last_verb(each.first, each.end) is not None
            or _is_wordless_command(annotated, each)
            for each in before
        )
    return _is_reason(annotated, segment) and any(
        _is_wordless_command(annotated, each) for each in (*before, *after)
    )


def _says_when(annotated: AnnotatedText, segment: Segment) -> bool:
    """Return True if a clause gives the time of an event or a state, and names no entity."""
    own = segment.tokens
    if _orders(annotated, own, _COMMAND) or annotated.names_thing(own):
        return False
    comes = annotated.says(own, "comings")
    happens = comes or annotated.events.is_event(segment.first, segment.end)
    return annotated.has_time(segment.first, segment.end) and (
        happens or _is_remark(annotated, segment.first, segment.end)
    )


def _is_wordless_command(annotated: AnnotatedText, segment: Segment) -> bool:
    """Return True if a clause is only an entity and its desired state: "fan off"."""
    own = range(segment.first, segment.end)
    states = [index for index in own if annotated.span_end("states", index)]
    verbs = [index for index in own if annotated.span_end("verbs", index)]
    is_named = annotated.names_thing(own)
    return (
        is_named
        and bool(states)
        and {*states}.issuperset(verbs)
        and not annotated.says(own, *_SAYING, "unsure")
    )


def _is_reason(annotated: AnnotatedText, segment: Segment) -> bool:
    """Return True if a clause describes a state, and neither names an entity nor reports speech."""
    own = segment.tokens
    asks = not annotated.patterns.language.verb_first and _begins_question(annotated, segment.first)
    # "Zu" is "too" and "shut"; "het is laat", and "laat" begins a command.
    tells = any(
        annotated.span_end(form, index) and not annotated.span_end("unsure", index)
        for form in (*_COMMAND, "states")
        for index in own[:-1]
    )
    return (
        annotated.says(own, *_SAYING, "unsure")
        and not (segment.has_question_mark or asks or tells)
        and not annotated.names_thing(own)
        and not annotated.says(own, "says")
    )


def _spares(annotated: AnnotatedText, first: int, at: int, after: int) -> bool:
    """Return True if a clause after a command keeps a state: "..., the lamp stays on"."""
    if annotated.begins(first, *_ASKING):
        return False
    if not annotated.says(range(first, at), *_TELLING):
        return False
    own = range(after, _listed(annotated, after))
    if not annotated.names_thing(own):
        return False
    if annotated.says(own, "stays"):
        return True
    return any(end == own.stop for _, end in annotated.spans_among("not", own))


def _listed(annotated: AnnotatedText, after: int) -> int:
    """Return where the predicate of a list of entities ends: "the lamp and the fan stay on"."""
    end = annotated.next_boundary(after)
    while (
        end < len(annotated) - 1 and _is_plain_joint(annotated, end) and annotated.is_thing(end - 1)
    ):
        end = annotated.next_boundary(end + 1)
    return end


def _goes_on(annotated: AnnotatedText, first: int, at: int, head: int) -> bool:
    """Return True if "and" joins one more condition: "if the TV is on and nobody is home"."""
    if not any(each.opens and first <= each.first < at for each in annotated.time_spans):
        return False
    denied = max(annotated.span_end("not", head), annotated.span_end("not_first", head))
    if annotated.says((head, denied or head), *_COMMAND):
        return False  # "and don't open the blinds"
    # "And not the fan" belongs to the command if that precedes it.
    leads = leading_opener(annotated, Segment(first, at)) is not None
    return leads or any(
        annotated.span_end("be", i) for i in range(head, annotated.next_boundary(head))
    )


def _is_timed_apart(annotated: AnnotatedText, first: int, at: int, after: int) -> bool:
    """Return True if both sides of a conjunction have a time, or the second begins with one."""
    end = annotated.next_boundary(after)
    timed = annotated.has_time(first, at) or annotated.is_inside(after)
    # "Um sieben und um neun an" are two times of one command.
    words = [index for index in range(after, end) if not annotated.is_inside(index)]
    joins_times = annotated.is_inside(at - 1) and annotated.is_inside(after) and len(words) < 2
    return (
        timed
        and not joins_times
        and annotated.has_time(after, end)
        and annotated.has_words(after, end)
        and annotated.has_words(first, at)
    )


def _is_one_moment(annotated: AnnotatedText, first: int, at: int, after: int) -> bool:
    """Return True if a conjunction is in a time before a command: "los martes y los jueves"."""
    joins = annotated.is_inside(at - 1) and annotated.is_inside(after)
    return joins and not annotated.has_words(first, at)


def _parted(annotated: AnnotatedText, segment: Segment) -> Iterator[Segment]:
    """Yield a segment, in two if no comma separates a condition from its command."""
    opener = leading_opener(annotated, segment)
    if opener is not None:
        verb = annotated.last_verb(opener + 2, segment.end)
        is_last = verb == segment.end - 1 < len(annotated) - 1
        if verb == segment.end - 1 and (is_last or annotated.is_filler(verb - 1)):
            verb = None  # "wenn ich die Tür öffne, …", "quando si apre la porta"
        if verb is None:
            verb = _question_in(annotated, opener + 2, segment.end)
        # "If it rains remind me to take the umbrella"
        within = range(opener + 2, segment.end if verb is None else verb + 1)
        told = annotated.starts(within, *_CONTENT)
        verb = min((at for at in told if not annotated.span_end("reported", at)), default=verb)
        if verb is not None:
            yield replace(segment, end=verb)
            yield replace(segment, first=verb, starts_sentence=False, is_coordinated=False)
            return
    yield segment


def _question_in(annotated: AnnotatedText, first: int, end: int) -> int | None:
    """Return where a question follows a condition: "if the light is on how much does it use"."""
    return next(
        (
            index
            for index in range(first + 1, end)
            if annotated.span_end("questions", index)
            and annotated.begins(index - 1, "be", "states")
        ),
        None,
    )
