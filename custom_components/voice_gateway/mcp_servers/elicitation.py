"""Elicitation: questions of a server during a call, and calls that wait for the answer.

https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from homeassistant.core import HomeAssistant

from ..addresses import is_secret_name

if TYPE_CHECKING:
    from mcp.types import CallToolResult

PATIENCE = 60
"""Seconds in which the user may answer; then the question is declined."""
# Maximum characters of a question, and number of choices, that can be spoken.
_LONGEST = 300
_MOST_CHOICES = 10
_MOST_NUMBERS = 6
"""Numbers among which a user chooses: more are a number by another name, which may be secret."""

type ElicitationAnswer = Mapping[str, Any] | None
"""The values of a question's fields; None if it is declined."""
type AskUser = Callable[[ElicitationQuestion], Awaitable[ElicitationAnswer]]


class ElicitationKind(StrEnum):
    """The type of an answer."""

    CONFIRMATION = "confirmation"
    """Whether to go on, without other data."""
    YES_OR_NO = "yes_or_no"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class ElicitationQuestion:
    """A server's question that can be answered by one sentence."""

    message: str
    kind: ElicitationKind
    field: str = ""
    """The one field that the answer must contain."""
    choices: Mapping[str, Any] | None = None
    """The choices, by their names."""
    defaults: Mapping[str, Any]
    """The server's defaults for the other fields."""

    @classmethod
    def of(cls, message: str, schema: Mapping[str, Any]) -> Self | None:
        """Return the question in a form; None if no sentence answers it, or none should.

        A secret is never asked for, nor a text or a number, also as a choice among digits: the next
        sentence may be for another listener.
        """
        fields, required = schema.get("properties") or {}, schema.get("required") or []
        if not (isinstance(fields, dict) and isinstance(required, list)):
            return None
        if not all(isinstance(field, dict) for field in fields.values()):
            return None
        if len(message) > _LONGEST or any(map(_is_secret, fields.items())):
            return None
        defaults = {name: field["default"] for name, field in fields.items() if "default" in field}
        needed = [name for name in fields if name in required and name not in defaults]
        # Required ones must be answered, else the only one there is.
        if not (needed := needed or (list(fields) if len(fields) == 1 else [])):
            return cls(message=message, kind=ElicitationKind.CONFIRMATION, defaults=defaults)
        name, *others = needed
        choices = _choices(fields[name])
        is_yes_or_no = not choices and fields[name].get("type") == "boolean"
        most = _MOST_NUMBERS if all(map(str.isdecimal, choices)) else _MOST_CHOICES
        if others or len(choices) > most or not (choices or is_yes_or_no):
            return None
        kind = ElicitationKind.CHOICE if choices else ElicitationKind.YES_OR_NO
        return cls(
            message=message, kind=kind, field=name, choices=choices or None, defaults=defaults
        )

    def answered(self, value: Any = None) -> dict[str, Any]:
        """Return the values of its fields with the user's answer."""
        return {**self.defaults, self.field: value} if self.field else dict(self.defaults)


def _choices(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices, by name; the protocol has three formats for them."""
    match field:
        case {"type": "array"}:
            return {}
        case {"oneOf": list(options)} | {"anyOf": list(options)}:
            return {
                str(option.get("title", option["const"])): option["const"]
                for option in options
                if isinstance(option, dict) and "const" in option
            }
        case {"enum": list(values)}:
            names = field.get("enumNames")
            named = names if names and isinstance(names, list) else values
            return {str(name): value for name, value in zip(named, values, strict=False)}
    return {}


def _is_secret(field: tuple[str, Mapping[str, Any]]) -> bool:
    name, said = field
    words = (name, str(said.get("title", "")).replace(" ", "_"))
    return said.get("format") == "password" or any(map(is_secret_name, words))


class OpenCall:
    """A call whose server may ask the user something before it has its result.

    - It is made once: an answer continues the same call.
    - A question without an answer within a minute is declined, and the call's result is dropped.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        name: str,
        call: Callable[[AskUser], Coroutine[Any, Any, CallToolResult]],
    ) -> None:
        """Begin a call; its argument asks the user."""
        self._asked: asyncio.Queue[ElicitationQuestion] = asyncio.Queue(1)
        self._answer: asyncio.Future[ElicitationAnswer] = hass.loop.create_future()
        self._task = hass.async_create_background_task(call(self._ask), name)
        # A call that is no longer awaited fails silently.
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def async_next(self) -> CallToolResult | ElicitationQuestion:
        """Return the server's next question, or its result; raises the call's exceptions."""
        asked = asyncio.ensure_future(self._asked.get())
        try:
            await asyncio.wait({self._task, asked}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._task.cancel()
            raise
        finally:
            asked.cancel()
        return asked.result() if asked.done() and not asked.cancelled() else self._task.result()

    def answer(self, answer: ElicitationAnswer) -> None:
        """Answer the server's question; None declines."""
        if not self._answer.done():
            self._answer.set_result(answer)

    async def _ask(self, question: ElicitationQuestion) -> ElicitationAnswer:
        self._answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._asked.put(question)
                return await self._answer
        except TimeoutError:
            return None
