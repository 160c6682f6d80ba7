"""Collect the calls of a server's message, with fields beyond the protocol.

Servers differ in the form of a call: whole or in pieces, without an index, all with index 0,
without an id or with a new one in each piece, with the name in each piece, with arguments as an
object or as text.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
import re
from typing import Any

from homeassistant.components import conversation
from pydantic_core import from_json

from ..client import Delta, ModelError, Reason
from ..limits import MAX_NAME, MAX_TEXT
from .arguments import call_of

# Names of signed fields, which a server requires back with a message.
_SIGNED = re.compile(r"signature|encrypted|extra_content|_details|_blocks")
# The protocols' fields of a call and of its function.
_OF_CALL = ("index", "id", "type", "function")
_OF_FUNCTION = ("index", "name", "arguments")

type _Fields = dict[str, Any]


@dataclass(slots=True)
class UnknownFields:
    """Fields beyond the protocol that a server requires back: the message's `native`."""

    message: _Fields = field(default_factory=dict)
    calls: dict[str, _Fields] = field(default_factory=dict)
    """By the calls' ids; a function's own are in `function`."""

    @staticmethod
    def completed(item: conversation.AssistantContent, message: _Fields) -> _Fields:
        """Return a message for one in the log, with its original further fields."""
        if not isinstance(fields := item.native, UnknownFields):
            return message
        for call, made in zip(item.tool_calls or (), message["tool_calls"], strict=True):
            more = fields.calls.get(call.id, {})
            made |= {**more, "function": {**more.get("function", {}), **made["function"]}}
        return {**fields.message, **message}


@dataclass(slots=True)
class _Call:
    """A call that is being collected."""

    index: Any
    call_id: str
    names: Collection[str]
    name: str = ""
    arguments: str = ""
    given: Mapping[str, Any] | None = None
    """The arguments, if they came as an object."""
    again: int = 0
    """The offset at which the arguments begin again, after a piece with the name."""
    fields: _Fields = field(default_factory=dict)

    def goes_on(self, index: Any, call_id: str, name: str) -> bool:
        """Return True if a piece continues this call, unless its id is another call's."""
        has_id = bool(call_id) and call_id == self.call_id
        is_begun = bool(self.arguments) and self.object is None
        if not has_id and index is not None and self.index is not None and index != self.index:
            return not name and self.object is None
        if not name or not self.name:
            return True
        # Some servers repeat the name in each piece; with others a name begins the next call.
        if name != self.name:
            return (has_id or index is not None) and bool(self.named(name))
        if index is None and not has_id:
            return is_begun
        has_new_id = not has_id and call_id and self.call_id and not self.arguments
        return not has_new_id and not self.object

    def named(self, piece: str) -> str:
        """Return its name extended by a piece; empty if the piece is another call's name."""
        if not self.name:
            return piece
        if self.arguments or self.given is not None:
            return ""
        whole = self.name + piece
        return whole if whole in self.names else piece if piece.startswith(self.name) else ""

    @property
    def object(self) -> Mapping[str, Any] | None:
        """Its arguments, if they are complete."""
        if self.given is not None or not self.arguments.rstrip().endswith("}"):
            return self.given
        for text in dict.fromkeys((self.arguments, self.arguments[self.again :])):
            with suppress(ValueError):
                if isinstance(value := from_json(text), dict):
                    return value
        return None


@dataclass(slots=True)
class CallCollector:
    """Collects the calls of one message of a server.

    - A call is complete when the next one begins, or the message ends.
    - A call with malformed arguments is an UnreadCall.
    - Fields beyond the protocol are sent back with the call.
    """

    names: Mapping[str, str]
    """The tools' own names by the names that were sent."""
    _calls: list[_Call] = field(default_factory=list)
    _length: int = 0
    """Characters of all arguments; `limits.bounded` counts the text."""
    _fields: UnknownFields = field(default_factory=UnknownFields)
    _has_given_fields: bool = False
    _told: set[tuple[str, str, str]] = field(default_factory=set)

    def note_message(self, piece: Mapping[str, Any]) -> None:
        """Note the signed fields of a message, which go back with it; others may be refused."""
        signed = {key: value for key, value in piece.items() if _SIGNED.search(key)}
        _add_fields(self._fields.message, signed, ())

    def add(self, piece: Mapping[str, Any]) -> Iterator[Delta]:
        """Take a piece of a call; if it begins a new one, yield the completed calls before it."""
        function = piece.get("function")
        if not isinstance(function, dict):
            return
        index, call_id = piece.get("index", function.get("index")), _text(piece.get("id"))
        name, arguments = _text(function.get("name")), function.get("arguments")
        latest = self._calls[::-1]
        latest.sort(key=lambda each: bool(each.index != index))
        same = [each for each in latest if call_id and each.call_id == call_id]
        goes_on = (each for each in same or latest if each.goes_on(index, call_id, name))
        call = next(goes_on, None)
        if call is None:
            yield from self.whole()
            call = _Call(index, call_id, self.names)
            self._calls.append(call)
        call.call_id = call.call_id or call_id
        if name and name != call.name:
            call.name = (call.named(name) or call.name)[: MAX_NAME + 1]
        if isinstance(arguments, str):
            # Some servers repeat all arguments so far in each piece.
            is_all = len(call.arguments) > 1 and arguments.startswith(call.arguments)
            if name and arguments.startswith("{") and not is_all:
                call.again = len(call.arguments)
            call.arguments = arguments if is_all else call.arguments + arguments
            call.given = call.given or None
        elif isinstance(arguments, dict):
            call.given = arguments or call.given or {}
        _add_fields(call.fields, piece, _OF_CALL)
        _add_fields(call.fields, function, _OF_FUNCTION, inside="function")
        self._length += len(str(arguments or ""))
        if self._length > MAX_TEXT:
            raise ModelError(Reason.CUT_SHORT, "A call of which no end came")

    def whole(self, *, only_given: bool = False) -> Iterator[Delta]:
        """Yield the calls with complete arguments: all, or only those given as objects."""
        calls, self._calls = self._calls, []
        for call in calls:
            if call.given or (call.object is not None and not only_given):
                yield from self._made(call, call.object)
            else:
                # Its other pieces may be interleaved with those of the next call.
                self._calls.append(call)

    def end(self, reason: str | None) -> Iterator[Delta]:
        """Yield the remaining calls at the end of a message, which has no `reason` if cut off."""
        for call in self._calls:
            if call.object is not None:
                yield from self._made(call, call.object)
            elif reason:
                yield from self._made(call, call.arguments, is_whole=reason == "stop")

    def _made(self, call: _Call, arguments: Any, *, is_whole: bool = True) -> Iterator[Delta]:
        """Yield a call, if it has a name; with the first one, the further fields of all."""
        told = (call.call_id, call.name, str(arguments))
        if not call.name or told in self._told:
            return
        if call.call_id and call.given is None:
            # Some servers repeat a call as a whole after its pieces.
            self._told.add(told)
        made = call_of(self.names.get(call.name, call.name), arguments, is_whole=is_whole)
        if call.fields:
            self._fields.calls[made.id] = call.fields
        if not self._has_given_fields and (call.fields or self._fields.message):
            self._has_given_fields = True
            yield {"native": self._fields}
        yield {"tool_calls": [made]}


def _add_fields(
    fields: _Fields, piece: Mapping[str, Any], known: Collection[str], *, inside: str = ""
) -> None:
    """Add a piece's unknown fields, and extend lists."""
    for name, value in piece.items():
        if name in known or value in (None, "", [], {}):
            continue
        into = fields.setdefault(inside, {}) if inside else fields
        before = into.get(name)
        is_list = isinstance(before, list) and isinstance(value, list)
        into[name] = [*(before or ()), *value] if is_list else value


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a list; empty for any other value."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
