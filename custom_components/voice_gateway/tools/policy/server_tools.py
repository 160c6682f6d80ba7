"""Grounding of a server's tool in the user's own words: "keep in mind that ..." and `store_fact`.

People seldom say a tool's name, and seldom in its language. Tools are matched by verb class: that
of the command; and all arguments must be the user's own words.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

from ...home.written_text import leaves
from ...json_schema import schema_of, serialize
from ...languages import language_of
from ...mcp_servers.tool import McpTool
from ...names.inflection import is_like_any
from ...names.matching import is_spaceless, matcher, words, words_apart
from ...nlu.clause import Clause, DialogueAct
from ...nlu.phrase_patterns import patterns_of
from ...nlu.tokenizer import Text
from ...nlu.utterance import RecognitionStatus
from .call import ComparedCall
from .divergence import UNASKED, Difference, Divergence
from .questions import ask_for_tool
from .risk import contains_name

_NEAR: Final = 4
"""Words at a command's beginning that may be its verb: "den Termin bitte absagen" ends with it."""
_LAST: Final = 2
_SHORT: Final = 2
"""Letters of an insignificant word, and digits of a number within a text."""
_DICTATED: Final = 4
"""Words of a text that is no mere title."""
_NAME: Final = 2
"""Words of a name."""
PIECES: Final = 2
"""Unsaid pieces that a turn may send: more of them may be a secret, cut up."""
_READS: Final = "reads"
_SENDS: Final = "sends"
_OF_TIMES: Final = frozenset(("remembers", "reminds", "sends", "orders", "enters", "sets", _READS))
_ENGLISH: Final = "en"
"""The language of most programs."""


def is_piece(word: str) -> bool:
    """Return True if a word is too short to be significant: in Chinese, two letters are a word."""
    return len(word) <= (_SHORT - is_spaceless(word[0]))


def is_own(word: str, said: Collection[str]) -> bool:
    """Return True if a word was said, in any form; in a script without spaces, within another."""
    is_inside = is_spaceless(word[0]) and any(word in each for each in said)
    return is_inside or is_like_any(word, said)


def compare_server_tool(call: ComparedCall) -> Difference | None:
    """A third-party tool that may act needs a command for it, with its arguments.

    Otherwise it requires consent, if the utterance may request it.
    """
    utterance, tool = call.utterance, call.tool
    name = words(words_apart(getattr(tool, "original_name", tool.name.rpartition("__")[2])))
    if is_named(name, call) and (call.taint.is_only_described or hands_over_own_words(call)):
        return None
    if is_grounded(call) or _is_dictated(call):
        return None
    is_about = contains_name(utterance.text, f"{' '.join(name)} {tool.description or ''}")
    asked = Difference(Divergence.MAYBE_ASKED, ask=ask_for_tool(call))
    if call.asks or ("?" in utterance.text and utterance.parsed.act is not DialogueAct.COMMAND):
        is_declared = not isinstance(tool, McpTool) or bool(tool.declared)
        return UNASKED if is_declared or not is_about else asked
    if is_about and call.taint.is_only_described:
        return None
    is_read = utterance.intent_match is not None and not utterance.intent_match.begins_unknown
    # "Schreib ihm, dass ..." is no command of Home Assistant's, whatever it reads in it.
    is_message = any(
        each.has_recipient or _SENDS in _sorts_said(each.text) for each in utterance.parsed.clauses
    ) or matching_verb_classes(call)
    if is_read and utterance.status is RecognitionStatus.COMMAND and not (is_about or is_message):
        # Home Assistant's own commands request no third-party tool.
        return UNASKED
    # The request to read was fulfilled, and this is another call.
    is_answered = call.is_answered and utterance.text.begins("reads")
    if is_about or ((call.commands or may_be_grounded(call)) and not is_answered):
        return asked
    return UNASKED


def is_named(name: Sequence[str], call: ComparedCall) -> bool:
    """Return True if a command has a tool's or a script's name, and requests more than reading.

    "Read me my orders" requests no order: a command that begins with a verb of reading is only for
    tools that have that verb.
    """
    utterance = call.utterance
    # Without word lists for the language, verbs of reading are unknown.
    if "?" in utterance.text or not utterance.text.language.knows_verbs:
        return False
    for clause in utterance.parsed.clauses:
        if clause.negated or not contains_name(clause.text, " ".join(name), whole=True):
            continue
        if clause.act in (DialogueAct.STATEMENT, DialogueAct.QUESTION):
            continue
        first = next(
            (each for each in clause.text.words if each not in clause.text.function_words), ""
        )
        if is_like_any(first, name) or not clause.text.begins("reads"):
            return True
    return False


def is_grounded(call: ComparedCall) -> bool:
    """Return True if a command requests a server's tool's action, with all its arguments."""
    wanted = matching_verb_classes(call)
    is_reading = wanted == {_READS}
    is_told = is_reading or any(
        _telling(call.utterance.text.alike(str(each))) for each in _values(call)
    )
    return bool(wanted) and is_told and hands_over_own_words(call, is_reading=is_reading)


def _is_dictated(call: ComparedCall) -> bool:
    """Return True if a sentence in a language without verbs is a call's text, and little else.

    "Remember that Grandma's birthday is in May": only the verb is left.
    """
    text = call.utterance.text
    if text.language.knows_verbs or call.asks or "?" in text or not hands_over_own_words(call):
        return False
    given = [words(each) for each in _values(call) if isinstance(each, str)]
    left = len(text.words) - sum(map(len, given))
    return left <= _LAST and any(len(each) >= _DICTATED for each in given)


def matching_verb_classes(call: ComparedCall) -> Collection[str]:
    """Return the verb classes that a tool and the command share, whatever the arguments."""
    return {sort for each in call.utterance.parsed.clauses for sort in _wanted(each, call)}


def may_be_grounded(call: ComparedCall) -> bool:
    """Return True if an utterance of unknown act may be a command: it has a verb for tools.

    In a language without such verbs, it has one of the arguments.
    """
    utterance, text = call.utterance, call.utterance.text
    if call.asks or utterance.parsed.act is not DialogueAct.UNKNOWN or "?" in text:
        return False
    if text.language.knows_verbs:
        return any(True for _ in _sorts_said(text))
    return any(contains_name(text, str(each), whole=True) for each in _values(call))


def _wanted(clause: Clause, call: ComparedCall) -> Collection[str]:
    """Return the verb classes of a tool that the clause's command has."""
    if clause.act is DialogueAct.STATEMENT or clause.negated:
        return ()
    code = language_of(call.utterance.language).code
    name = words(words_apart(getattr(call.tool, "original_name", call.tool.name)))
    sorts = {sort for each in {code, _ENGLISH} for sort in _sorts_in(name, each)}
    if len(sorts) > 1 or getattr(call.tool, "declared", None):
        # A tool with other verbs, or with declared effects, does more than read.
        sorts.discard(_READS)
    if clause.act is DialogueAct.QUESTION:
        # A question requests reading, in whatever words.
        return sorts & {_READS}
    if clause.times:
        # A time may be when to begin something; in a message or an entry it is a part of the text.
        sorts &= _OF_TIMES
    return sorts.intersection(_sorts_said(clause.text))


def _sorts_said(text: Text) -> Iterator[str]:
    """Yield the verb classes of a command: at its beginning, after an "and", or at its end.

    A verb of reading at the beginning decides: "tell me what to order". The cost is linear.
    """
    code, said = text.language.code, text.words
    # "Tell me ..." sends nothing.
    tells_me = text.phrase_end(0, "plans.tell") > 1
    joints = {word for each in text.language.conjunctions for word in words(each)}
    empty = matcher(code).function_words - joints
    telling = [word for word in said if word not in empty]
    reading, errands = patterns_of(code).phrases("reads"), _errands(code)
    for joins, group in groupby(telling, joints.__contains__):
        if joins:
            continue
        part = tuple(group)
        reads = any(part[:count] in reading for count in range(1, _NEAR + 1))
        if tells_me:
            yield _READS
            continue
        for at in {*range(len(part[:_NEAR])), *range(max(0, len(part) - _LAST), len(part))}:
            for sort, phrase in errands.get(part[at], ()):
                is_there = _in_order(part, phrase) if at < _NEAR else part[at:] == phrase
                if is_there and (at == 0 or sort == _READS or not reads):
                    yield sort


def _sorts_in(name: Sequence[str], code: str) -> Iterator[str]:
    """Yield the verb classes in a tool's name."""
    errands = _errands(code)
    for word in name:
        for sort, phrase in errands.get(word, ()):
            if _in_order(name, phrase):
                yield sort


def _in_order(said: Sequence[str], phrase: Sequence[str]) -> bool:
    rest = iter(said)
    return all(word in rest for word in phrase)


@lru_cache
def _errands(code: str) -> Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]:
    """Return the classes of a language's verbs, with their words, by the first word."""
    fillers = matcher(code).function_words
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for sort in language_of(code).tool_verbs:
        for text in patterns_of(code).phrases(f"tool_verbs.{sort}"):
            phrase = tuple(word for word in text if word not in fillers) or text
            found.setdefault(phrase[0], []).append((sort, phrase))
    return found


def hands_over_own_words(call: ComparedCall, *, is_reading: bool = False) -> bool:
    """Return True if all of a call's arguments were said; for reading, all but one word.

    A number that is a value of its own must be said as such; within a text, a short one may be the
    model's form of "half past five". From earlier sentences, only a name counts: "tell her".
    """
    utterance, pieces = call.utterance, 0
    numbers = utterance.text.numbers
    before = [word for each in utterance.context.earlier for word in each.words]
    for value in _values(call):
        if value is True:
            # Users do not say a flag's value: "public".
            return False
        if isinstance(value, int | float):
            if value not in numbers:
                return False
            continue
        telling = _telling(utterance.text.alike(value))
        is_name = len(telling) <= _NAME
        if is_reading and len(telling) == 1 and call.taint.is_only_described:
            # "Any news from next door?" is for the neighbour.
            continue
        said = [*utterance.text.words, *(before if is_name else ())]
        if not all(is_own(word, said) for word in telling):
            return False
        pieces += sum(is_piece(word) and word not in said for word in words(value))
    return pieces <= PIECES


def _telling(text: Text) -> Sequence[str]:
    """Return the significant words of a text."""
    fillers = text.function_words
    return [word for word in text.words if len(word) > _SHORT and word not in fillers]


def _values(call: ComparedCall) -> Iterator[str | float | Literal[True]]:
    """Yield a call's values, without the tool's defaults."""
    properties = schema_of(call.tool, serialize).get("properties") or {}
    for key, value in call.arguments.items():
        known = properties.get(key)
        if isinstance(known, Mapping) and known.get("default") == value:
            continue
        for each in leaves(value, with_keys=True):
            match each:
                case None | False | "":
                    continue
                case True | int() | float():
                    # Not converted: a model's number may be too large for a float.
                    yield each
                case str() if each.strip().isdecimal():
                    yield float(each)
                case _:
                    yield str(each)
