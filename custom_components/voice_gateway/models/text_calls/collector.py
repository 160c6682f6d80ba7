"""Calls as servers give them: whole or in pieces, with whatever came with them.

Servers differ in how a call comes: whole or in pieces, without an index, all with index 0, without an
id or with a new one in each piece, with the name in each piece, its arguments an object or a text.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
import re
from typing import Any

from homeassistant.components import conversation
from pydantic_core import from_json

from ..client import Delta, ModelError, Reason
from ..limits import MAX_NAME, MAX_TEXT
from .arguments import call_of

# What a server wants back with a message: what is signed, and what such fields are called.
_SIGNED = re.compile(r"signature|encrypted|extra_content|_details|_blocks")
# What of a call and of its function the protocols have.
_OF_CALL = ("index", "id", "type", "function")
_OF_FUNCTION = ("index", "name", "arguments")

type _Fields = dict[str, Any]


@dataclass(slots=True)
class UnknownFields:
    """What a server gave beside its protocol's fields, and wants back: the message's `native`."""

    message: _Fields = field(default_factory=dict)
    calls: dict[str, _Fields] = field(default_factory=dict)
    """By the calls' ids; a function's own are in `function`."""

    @staticmethod
    def completed(item: conversation.AssistantContent, message: _Fields) -> _Fields:
        """Return a message that was made of one in the log, with what came with it."""
        if not isinstance(fields := item.native, UnknownFields):
            return message
        for call, made in zip(item.tool_calls or (), message["tool_calls"], strict=True):
            more = fields.calls.get(call.id, {})
            made |= {**more, "function": {**more.get("function", {}), **made["function"]}}
        return {**fields.message, **message}


@dataclass(slots=True)
class _Call:
    """A call, as far as it has come."""

    index: Any
    call_id: str
    names: Collection[str]
    """Those of the tools."""
    name: str = ""
    arguments: str = ""
    given: Mapping[str, Any] | None = None
    """The arguments, where they came as an object."""
    fields: _Fields = field(default_factory=dict)

    def goes_on(self, index: Any, call_id: str, name: str) -> bool:
        """Return True if a piece belongs to it, which is no other call's by its id."""
        has_id = bool(call_id) and call_id == self.call_id
        is_begun = bool(self.arguments) and self.object is None
        if not has_id and index is not None and self.index is not None and index != self.index:
            return is_begun and not name
        if not name or not self.name:
            return True
        # Some say the name in each piece; with others it is that of the next call.
        if name != self.name:
            return (has_id or index is not None) and bool(self.named(name))
        if index is None and not has_id:
            return is_begun
        has_new_id = not has_id and call_id and self.call_id and not self.arguments
        return not has_new_id and not self.object

    def named(self, piece: str) -> str:
        """Return its name with another piece of that: none where the piece is another call's name."""
        if not self.name:
            return piece
        if self.arguments or self.given is not None:
            return ""
        whole = self.name + piece
        return whole if whole in self.names else piece if piece.startswith(self.name) else ""

    @property
    def object(self) -> Mapping[str, Any] | None:
        """Its arguments, if they are whole."""
        if self.given is not None or not self.arguments.rstrip().endswith("}"):
            return self.given
        try:
            value = from_json(self.arguments)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None


class CallCollector:
    """Makes the calls of one message of what a server gives.

    - A call is there when the next one begins, or the message ends.
    - One whose arguments cannot be read is an UnreadCall.
    - What came with a call goes back with it.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        """Take the tools' own names by those that the model knows, where these differ."""
        self._names = names or {}
        self._calls: list[_Call] = []
        self._length = 0
        """Characters of calls in all; what is said is counted where it is passed on."""
        self._fields = UnknownFields()
        self._has_given_fields = False
        self._told: set[tuple[str, str, str]] = set()

    def note_message(self, piece: Mapping[str, Any]) -> None:
        """Note what of a piece of the message goes back with its calls: all else may be refused there."""
        signed = {key: value for key, value in piece.items() if _SIGNED.search(key)}
        self._length += _add_fields(self._fields.message, signed, ())

    def add(self, piece: Mapping[str, Any]) -> Iterator[Delta]:
        """Take a piece of a call; yield those before it, which are whole when the next one begins."""
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
            call = _Call(index, call_id, self._names)
            self._calls.append(call)
        call.call_id = call.call_id or call_id
        if name and name != call.name:
            call.name = (call.named(name) or call.name)[: MAX_NAME + 1]
        if isinstance(arguments, str):
            # Some tell all that they have each time.
            is_all = len(call.arguments) > 1 and arguments.startswith(call.arguments)
            call.arguments = arguments if is_all else call.arguments + arguments
            call.given = call.given or None
        elif isinstance(arguments, dict):
            call.given = arguments or call.given or {}
        self._length += len(str(arguments or ""))
        self._length += _add_fields(call.fields, piece, _OF_CALL)
        self._length += _add_fields(call.fields, function, _OF_FUNCTION, inside="function")
        if self._length > MAX_TEXT:
            raise ModelError(Reason.CUT_SHORT, "A call of which no end came")

    def whole(self, *, only_given: bool = False) -> Iterator[Delta]:
        """Yield the calls whose arguments are there, whatever comes: all, or those given as objects."""
        calls, self._calls = self._calls, []
        for call in calls:
            if call.given or (call.object is not None and not only_given):
                yield from self._made(call, call.object)
            else:
                # Its other pieces may come among those of the next one.
                self._calls.append(call)

    def end(self, reason: str | None) -> Iterator[Delta]:
        """Yield what is left at the end of a message, if it came to one, for this reason."""
        for call in self._calls:
            if call.object is not None:
                yield from self._made(call, call.object)
            elif reason:
                yield from self._made(call, call.arguments, is_whole=reason == "stop")

    def _made(self, call: _Call, arguments: Any, *, is_whole: bool = True) -> Iterator[Delta]:
        """Yield a call, if it is one of something, and with the first one what came with all."""
        told = (call.call_id, call.name, str(arguments))
        if not call.name or told in self._told:
            return
        if call.call_id and call.given is None:
            # Some that tell it in pieces do so once more when it is whole.
            self._told.add(told)
        made = call_of(self._names.get(call.name, call.name), arguments, is_whole=is_whole)
        if call.fields:
            self._fields.calls[made.id] = call.fields
        if not self._has_given_fields and (call.fields or self._fields.message):
            self._has_given_fields = True
            yield {"native": self._fields}
        yield {"tool_calls": [made]}


def _add_fields(
    fields: _Fields, piece: Mapping[str, Any], known: Collection[str], *, inside: str = ""
) -> int:
    """Add what a piece has beside what is known, and return its length; lists go on."""
    length = 0
    for name, value in piece.items():
        if name in known or value in (None, "", [], {}):
            continue
        into = fields.setdefault(inside, {}) if inside else fields
        before = into.get(name)
        is_list = isinstance(before, list) and isinstance(value, list)
        into[name] = [*(before or ()), *value] if is_list else value
        length += len(str(value))
    return length


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects of what may be a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
