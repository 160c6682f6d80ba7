"""What leaves the home: nothing but the user's own words, and to nobody but whom the user said.

A mail's own words may name another address than the user did, and its server has the tool that sends:
what may go back to it is not what may go on from it.
"""

from collections.abc import Iterator, Mapping
import re
from typing import Any, Final

from ...json_schema import schema_of, serialize
from ...mcp_servers.tool import McpTool
from ...names.inflection import is_alike, is_like_any
from ...names.matching import words, words_apart
from ..taint import OUTSIDE, origin_of
from ..written_text import leaves
from .call import ComparedCall
from .divergence import NOT_ASKED, Difference, Divergence
from .questions import ask_for_tool
from .risk import contains_name

_SHORT: Final = 2
"""Letters of a word that tells nothing."""
_OF_ADDRESSES: Final = frozenset(("http", "https", "www"))
"""Words of an address that nobody says."""
# Arguments by which programs say whom something is for.
_FOR: Final = frozenset(
    (
        *("to", "cc", "bcc", "recipient", "recipients", "address", "addresses", "email", "emails"),
        *("phone", "iban", "payee", "chat", "channel", "contact", "contacts", "webhook"),
        "destination",
    )
)
_FORMATS: Final = frozenset(("email", "idn-email"))
_MAIL: Final = re.compile(r"\S+@\S+\.\w+")
_FEW: Final = 3
"""Words of a line that tells of whom an address is, and nothing else: "Anna Smith: anna@…"."""
_NEAR: Final = 3
"""Lines between a name and its address, where a server tells them one by one."""


PIECES: Final = 2
"""Pieces that nobody said in what a turn sends: more of them may be a secret, cut."""
_STEM: Final = 4
"""Letters in which two forms of a word are alike."""
_NAMES: Final = 2
"""Names of the home that nobody said in what is sent: more are no mistake."""


def is_piece(word: str) -> bool:
    """Return True if a word is so short that it tells nothing by itself."""
    return len(word) <= _SHORT


def compare_sent_words(call: ComparedCall) -> Difference | None:
    """After others' texts were read, nothing but the user's own words is sent outside.

    What one server gave may go back to it. The names of the home's devices go nowhere by themselves.
    """
    tool = call.tool
    if not (isinstance(tool, McpTool) or tool.name == OUTSIDE):
        return None
    origin = origin_of(tool.name, tool)
    is_foreign = call.taint.holds_of_others(origin) and any(_foreign(call, origin))
    if not is_foreign and not _lists_home(call):
        return None
    about = words_apart(f"{tool.name} {tool.description or ''}")
    if call.commands or contains_name(call.utterance.text, about):
        return Difference(Divergence.SENT_WORDS, ask=ask_for_tool(call))
    return Difference(Divergence.FOREIGN_WORDS, NOT_ASKED)


def _foreign(call: ComparedCall, origin: str) -> Iterator[str]:
    """Yield the words of a call that are neither the user's, nor its tool's, nor from its server.

    Pieces of a word or a number add up, over all calls of the turn.
    """
    said = call.utterance.said_so_far.words
    own = {*_own_words(schema_of(call.tool, serialize)), *_OF_ADDRESSES}
    own |= call.utterance.text.function_words | call.taint.words_of(origin)
    before = (
        each.arguments for each in call.turn.journal.entries if isinstance(each.tool, McpTool)
    )
    known = own.union(said)
    pieces = sum(is_piece(word) for word in _words_in([*before]) if word not in known)
    for word in _words_in(call.arguments):
        if word in own or is_like_any(word, said, _STEM):
            continue
        pieces += is_piece(word)
        if not is_piece(word) or pieces > PIECES:
            yield word


def _own_words(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words that a tool's schema gives for its arguments: their names, and values of a choice."""
    for key, value in schema.items():
        if key in ("enum", "const", "default"):
            yield from _words_in(value)
        elif key == "properties" and isinstance(value, Mapping):
            yield from (word for name in value for word in words(words_apart(name)))
            yield from (word for each in value.values() for word in _own_words(each))
        elif isinstance(value, Mapping):
            yield from _own_words(value)


def _lists_home(call: ComparedCall) -> bool:
    """Return True if a call hands over names of several things in the home that nobody spoke of."""
    said = {*call.utterance.said_so_far.words}
    given = f" {' '.join(_words_in(call.arguments))} "
    names = (
        f" {' '.join(words(name))} " for each in call.utterance.home.entities for name in each.names
    )
    unsaid = {each for each in names if each in given and said.isdisjoint(each.split())}
    return sum(not any(each in other for other in unsaid - {each}) for each in unsaid) >= _NAMES


def _words_in(data: Any) -> Iterator[str]:
    """Yield the words of all that a call says: also of the names of its arguments."""
    for each in leaves(data, with_keys=True):
        if each is not None and not isinstance(each, bool):
            yield from words(str(each))


def compare_recipients(call: ComparedCall) -> Difference | None:
    """After others' texts were read, nothing is sent to somebody whom the user did not say.

    Whom the user named is the only one. Where nobody was named, the user is asked.
    """
    if not isinstance(call.tool, McpTool) or call.tool.annotations.read_only:
        return None
    said = call.utterance.said_so_far.words
    unsaid = [
        each
        for each in _recipients(call)
        if not all(is_like_any(word, said) for word in words(each))
    ]
    if not unsaid:
        return None
    named = _named(call)
    if named and not all(_is_of(each, named, call) for each in unsaid):
        told = f"The user did not say to send it to {', '.join(unsaid)}, but to {named}"
        return Difference(Divergence.OTHER_RECIPIENT, told)
    return Difference(Divergence.STRANGER, ask=ask_for_tool(call))


def _recipients(call: ComparedCall) -> Iterator[str]:
    """Yield whom a call is for, by its arguments' names, by their formats, and by what they are."""
    properties = getattr(call.tool, "input_schema", {}).get("properties") or {}
    for key, value in call.arguments.items():
        given = properties.get(key)
        is_for = not _FOR.isdisjoint(words_apart(key).casefold().split()) or (
            isinstance(given, dict) and given.get("format") in _FORMATS
        )
        for each in leaves(value):
            text = str(each).strip() if isinstance(each, str | int) else ""
            if text and (is_for or _MAIL.fullmatch(text)):
                yield text


def _named(call: ComparedCall) -> str:
    """Return whom the user named: "send it to my sister Anna"; empty where nobody knows."""
    about = words(words_apart(f"{call.tool.name} {call.tool.description or ''}"))
    known = call.utterance.text.patterns.vocabulary | call.utterance.text.function_words
    for clause in call.utterance.parsed.clauses:
        for _, end in clause.text.spans("addressing"):
            after = clause.text.words[end : end + _FEW]
            if any(is_alike(word, each) for word in after for each in about):
                continue  # "to the last mail"
            if name := next((word for word in after if word not in known), ""):
                return name
    return ""


def _is_of(recipient: str, named: str, call: ComparedCall) -> bool:
    """Return True if something that was read says of an address whose it is, and nothing else."""
    address = recipient.casefold()
    for source in call.taint.sources:
        lines = source.text.casefold().splitlines()
        for at, line in enumerate(lines):
            if address in line and any(
                named in words(each) and len(words(each)) <= _FEW
                for each in (line.replace(address, " "), *lines[max(0, at - _NEAR) : at])
            ):
                return True
    return False
