"""The AI task: from instructions to data in a given structure."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
import json
import re
from typing import Any

from homeassistant.components import conversation
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util.json import json_loads
import probatio

from ..const import CONF_MAX_ROUNDS, DOMAIN, LOGGER, option
from ..models.client import Completion, ModelClient, ModelError, Reason
from ..models.history import Note
from ..models.text_calls.arguments import call_of
from ..models.text_calls.stream import rescue_calls
from ..text_tool_call import UnreadCall
from ..tools.executor import ToolExecutor
from .instructions import OTHERWISE
from .streams import async_receive, repeats_itself, without_calls

_INSTRUCTIONS = """\
Answer with one JSON object and nothing else. It follows this JSON schema:
{schema}\
"""
_DECODER = json.JSONDecoder()
# Positions of a text at which an object may begin.
_MOST_TRIES = 200
# The maximum depth of an answer in other objects: a call in a list of calls.
_DEEPEST = 3
_FENCED = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)


class StructureMismatch(Exception):
    """An answer does not match the structure; the message says why, for model and user."""


class Structure:
    """The structure of a task's data."""

    def __init__(self, schema: probatio.Schema) -> None:
        """Take Home Assistant's schema, of selectors or of any validators."""
        self._schema = schema
        self.json_schema: Mapping[str, Any] = probatio.to_openapi(
            schema, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
        )

    @property
    def instructions(self) -> str:
        """The instructions for a model, with the schema.

        They are needed even if the server enforces the schema: only they describe the values.
        """
        return _INSTRUCTIONS.format(schema=json.dumps(self.json_schema, ensure_ascii=False))

    def read(self, answer: str) -> Any:
        """Return the data of an answer, or of the only object in it. Raises StructureMismatch."""
        data = _json(answer)
        try:
            return self._checked(data)
        except StructureMismatch:
            for _ in range(_DEEPEST):
                if (data := _wrapped(data)) is None:
                    break
                with suppress(StructureMismatch):
                    return self._checked(data)
            raise

    def _checked(self, data: Any) -> Any:
        """Return validated data, with coerced values: "3" for a number becomes one.

        Models that see optional keys often give null for them, which Home Assistant takes for
        false, or rejects.
        """
        if isinstance(data, dict) and None in data.values():
            given = {key: value for key, value in data.items() if value is not None}
            with suppress(probatio.Invalid):
                return _as_written(self._schema(given), given)
        try:
            return _as_written(self._schema(data), data)
        except probatio.Invalid as err:
            errors = err.errors if isinstance(err, probatio.MultipleInvalid) else [err]
            raise StructureMismatch("; ".join(map(str, errors))) from err


def _json(answer: str) -> Any:
    """Return the JSON of an answer, or of its only block or object. Raises StructureMismatch."""
    try:
        return json_loads(answer)
    except ValueError as err:
        for found in ({*_FENCED.findall(answer)}, {*objects_in(answer)}):
            with suppress(ValueError):
                if len(found) == 1:
                    return json_loads(found.pop())
        # The parser of written calls also reads malformed data.
        if not isinstance(read := call_of("", answer), UnreadCall):
            return read.tool_args
        raise StructureMismatch(f"It is not JSON: {err}") from err


def objects_in(text: str) -> list[str]:
    """Return the JSON objects of a text, in order, without nested ones."""
    found: list[str] = []
    position = text.find("{")
    for _ in range(_MOST_TRIES):
        if position < 0:
            break
        try:
            _, end = _DECODER.raw_decode(text, position)
        except ValueError, RecursionError:
            end = position + 1
        else:
            found.append(text[position:end])
        position = text.find("{", end)
    return found


def _wrapped(data: Any) -> Any:
    """Return the only object in data, if there is one: of an answer as a call, for example."""
    match data:
        case dict():
            parts = list(data.values())
        case list() | str():
            parts = data if isinstance(data, list) else [data]
        case _:
            return None
    texts = (each for each in parts if isinstance(each, str))
    objects = [each for each in parts if isinstance(each, dict)]
    objects += [json.loads(found[0]) for each in texts if len(found := objects_in(each)) == 1]
    return objects[0] if objects and all(each == objects[0] for each in objects) else None


def _as_written(checked: Any, written: Any) -> Any:
    """Return validated data with integers as they were written, which selectors turn to 3.0."""
    match checked, written:
        case dict(), dict():
            return {
                key: _as_written(value, written[key]) if key in written else value
                for key, value in checked.items()
            }
        case list(), list() if len(checked) == len(written):
            return [_as_written(*pair) for pair in zip(checked, written, strict=True)]
        case float(), int() if checked == written and not isinstance(written, bool):
            return written
        case _:
            return checked


@dataclass(frozen=True, slots=True)
class Task:
    """One AI task.

    - It ends in time, with data in the given structure, or raises.
    - Every call has its result in the chat log, also when the task fails.
    - An answer that does not match the structure is returned to the model once, with the reason.
    """

    log: conversation.ChatLog
    """It ends with the instructions."""
    agent_id: str
    model: ModelClient
    tools: ToolExecutor | None
    structure: Structure | None
    options: Mapping[str, Any]
    ends: float
    """By the event loop's clock."""

    async def async_run(self) -> Any:
        """Return the data: text without a structure. Raises ModelError, HomeAssistantError."""
        answer = await self._converse()
        if self.structure is None:
            if not answer:
                raise ModelError(Reason.EMPTY)
            return answer
        try:
            return self.structure.read(answer)
        except StructureMismatch as err:
            LOGGER.debug("Asked again, as the answer is not as asked: %s: %s", err, answer)
            self.log.async_add_user_content(Note(content=OTHERWISE.format(error=err)))
        answer = await self._ask(None) or ""
        try:
            return self.structure.read(answer)
        except StructureMismatch as err:
            LOGGER.debug("The answer is still not as asked: %s: %s", err, answer)
            raise HomeAssistantError(
                translation_domain=DOMAIN,
                translation_key="not_in_structure",
                translation_placeholders={"error": str(err)},
            ) from err

    async def _converse(self) -> str:
        """Let the model call tools, round by round, until it answers in the right form."""
        if self.tools:
            for _ in range(option(self.options, CONF_MAX_ROUNDS)):
                answer = await self._ask(self.tools)
                if answer is not None and (self.structure is None or self._at_once):
                    return answer
                if answer is not None or repeats_itself(self.log, self.tools.journal):
                    break
        return await self._ask(None) or ""

    async def _ask(self, tools: ToolExecutor | None) -> str | None:
        """Ask the model for its next message, and run its calls; return the answer, if any."""
        completion = Completion()
        structure = self.structure if tools is None or self._at_once else None
        stream = self.model.stream(
            list(self._told(structure)),
            tools,
            completion,
            structure=structure.json_schema if structure else None,
        )
        # A requested object may look like a call.
        if self.tools and (tools or structure is None):
            offered = [tool.name for tool in self.tools.manager.all()]
            stream = rescue_calls(stream, self.tools.name_of, offered, completion)
        if tools is None:
            stream = without_calls(stream)
        added = await async_receive(self.log, self.agent_id, stream, completion, self.ends)
        if added and self.log.unresponded_tool_results:
            return None
        if completion.finish_reason != "stop":
            raise ModelError(Reason.CUT_SHORT, str(completion.finish_reason))
        messages = [item for item in added if isinstance(item, conversation.AssistantContent)]
        answer = "\n".join(item.content for item in messages if item.content).strip()
        if answer or self.structure is None:
            return answer
        # Some models write the structured answer into their thinking.
        thoughts = "\n".join(item.thinking_content or "" for item in messages)
        return "".join(objects_in(thoughts)[-1:])

    @property
    def _at_once(self) -> bool:
        """Whether the model receives tools and structure together, instead of in turn."""
        return self.tools is None or self.model.looks_before_it_answers

    def _told(self, structure: Structure | None) -> Iterator[conversation.Content]:
        """Yield the conversation, with the structure before it, or after the results."""
        system, *rest = self.log.content
        listed = self.tools.listed if self.tools else None
        assert isinstance(system, conversation.SystemContent)
        words = structure.instructions if structure else ""
        if words and self._at_once:
            yield conversation.SystemContent(content=f"{system.content}\n\n{words}")
        else:
            yield system
        if listed:
            yield conversation.UserContent(content=listed)
        yield from rest
        if words and not self._at_once:
            yield Note(content=words)
