"""Egress: only the user's own words leave the home, and only to recipients that the user named.

A server may get its own data back, but must not pass it on: a mail that was read may contain an
address, and the mail's server has the tool that sends to it.
"""

from collections.abc import Iterator, Mapping
import re
from typing import Any, Final
from urllib.parse import unquote

from ...home.written_text import leaves
from ...json_schema import schema_of, serialize
from ...mcp_servers.tool import McpTool
from ...names.inflection import is_alike, is_like_any
from ...names.matching import words, words_apart
from ..taint import OUTSIDE, origin_of
from .call import ComparedCall
from .divergence import Difference, Divergence, Provenance, maybe_asked
from .questions import ask_for_tool
from .risk import contains_name
from .server_tools import PIECES, is_own, is_piece, may_be_grounded

_OF_ADDRESSES: Final = frozenset(("http", "https", "www"))
"""Words of an address that users do not say."""
# Arguments for recipients.
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
"""Words of a line with only an address and its owner: "Anna Smith: anna@…"."""
_NEAR: Final = 3
"""Lines between a name and its address, where a server lists them one by one."""


_VALUES: Final = ("enum", "const", "default")
_STEM: Final = 4
"""Letters that two forms of a word share."""
_NAMES: Final = 2
"""Unsaid names of the home that a call may send: more are no mistake."""


def compare_sent_words(call: ComparedCall) -> Difference | None:
    """After third-party text was read, only the user's own words are sent outside.

    A server's data may go back to it, but not in an address that the model composed. The names of
    the home's devices are never sent unsaid.
    """
    tool = call.tool
    if not (isinstance(tool, McpTool) or tool.name == OUTSIDE):
        return None
    origin = origin_of(tool.name, tool)
    is_sent_on = call.taint.holds_of_others(origin) or _composes_address(call, origin)
    is_foreign = is_sent_on and any(_foreign(call, origin))
    if not is_foreign and not _lists_home(call):
        return None
    about = words_apart(f"{tool.name} {tool.description or ''}")
    text = call.utterance.text
    is_command = call.commands and not (call.is_answered and text.begins("reads"))
    is_command |= not text.language.knows_verbs and may_be_grounded(call)
    is_about = contains_name(text, about)
    return maybe_asked(ask_for_tool(call), may_want=is_command or is_about)


def _composes_address(call: ComparedCall, origin: str) -> bool:
    """Return True if a call has an address that neither the user nor its server's results said.

    A link with a gap asks for whatever the model knows.
    """
    return call.provenance is Provenance.READ and any(
        isinstance(each, str)
        and "://" in each
        and each not in call.utterance.said_so_far
        and not call.taint.is_from(origin, each)
        for each in leaves(call.arguments)
    )


def _foreign(call: ComparedCall, origin: str) -> Iterator[str]:
    """Yield the words of a call that are neither the user's, nor its tool's, nor from its server.

    Pieces of a word or a number add up, over all calls of the turn. A listed value, and digits in a
    text, are foreign if another source has them.
    """
    said = call.utterance.said_so_far.words
    read = call.taint.words_beside(origin)
    schema = schema_of(call.tool, serialize)
    own = {*_argument_names(schema), *_OF_ADDRESSES}
    own |= {each for each in _listed_values(schema) if len(each) < _STEM or each not in read}
    own |= call.utterance.text.function_words | call.taint.words_of(origin)
    numbers = " ".join(each for each in read if any(map(str.isdigit, each)))
    written = {
        word for each in leaves(call.arguments) if isinstance(each, str) for word in words(each)
    }
    copied = {each for each in written if each.isdigit() and len(each) > 1 and each in numbers}
    before = (
        each.arguments for each in call.turn.journal.entries if isinstance(each.tool, McpTool)
    )
    known = own.union(said)
    pieces = sum(is_piece(word) for word in _words_in([*before]) if word not in known)
    for word in _words_in(call.arguments):
        if word in own or is_own(word, said) or is_like_any(word, said, _STEM):
            continue
        pieces += is_piece(word)
        if not is_piece(word) or pieces > PIECES or word in copied:
            yield word


def _listed_values(schema: Any) -> Iterator[str]:
    """Yield the words of the values that a schema lists."""
    match schema:
        case Mapping():
            for key, value in schema.items():
                if key == "properties" and isinstance(value, Mapping):
                    yield from _listed_values([*value.values()])
                else:
                    yield from (_words_in if key in _VALUES else _listed_values)(value)
        case list():
            for value in schema:
                yield from _listed_values(value)


def _argument_names(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words in the names of a schema's arguments."""
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            yield from (word for name in value for word in words(words_apart(name)))
            yield from (word for each in value.values() for word in _argument_names(each))
        elif isinstance(value, Mapping):
            yield from _argument_names(value)


def _lists_home(call: ComparedCall) -> bool:
    """Return True if a call contains several names of the home that the user did not mention."""
    said = {*call.utterance.said_so_far.words}
    given = f" {' '.join(_words_in(call.arguments))} "
    names = (
        f" {' '.join(words(name))} " for each in call.utterance.home.entities for name in each.names
    )
    unsaid = {each for each in names if each in given and said.isdisjoint(each.split())}
    return sum(not any(each in other for other in unsaid - {each}) for each in unsaid) >= _NAMES


def _words_in(data: Any) -> Iterator[str]:
    """Yield the words of a call, decoded, and those of its arguments' names."""
    for each in leaves(data, with_keys=True):
        if each is not None and not isinstance(each, bool):
            yield from words(unquote(str(each)))


def compare_recipients(call: ComparedCall) -> Difference | None:
    """After third-party text was read, nothing is sent to a recipient that the user did not name.

    A recipient that the user named is the only one. If the user named none, the call requires
    consent.
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
    """Yield a call's recipients, by its arguments' names, by their formats, and by their values."""
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
    """Return the recipient that the user named: "send it to my sister Anna"; empty if unknown."""
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
    """Return True if a text that was read contains an address with its owner, and nothing else."""
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
