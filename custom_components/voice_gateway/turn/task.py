"""The task: from instructions to data."""

from collections.abc import Iterator, Mapping
from typing import Any

from homeassistant.components import conversation
from homeassistant.exceptions import HomeAssistantError

from ..const import CONF_MAX_ROUNDS, DEFAULT_MAX_ROUNDS, DOMAIN, LOGGER
from ..models.client import Completion, ModelClient, ModelError, Reason
from ..models.history import Note
from ..models.text_calls import rescue_calls
from ..tools.executor import ToolExecutor
from .instructions import OTHERWISE
from .streams import async_receive, repeats_itself, without_calls
from .task_structure import Structure, StructureMismatch, objects_in


class Task:
    """One AI task, done.

    - It ends in time, with data in the structure that was asked for, or raises.
    - Every call has its result in the chat log, also when the task fails.
    - An answer that is not in the structure goes back to the model once, with what is wrong with it.
    """

    def __init__(
        self,
        log: conversation.ChatLog,
        agent_id: str,
        model: ModelClient,
        *,
        tools: ToolExecutor | None,
        structure: Structure | None,
        options: Mapping[str, Any],
        ends: float,
    ) -> None:
        """Take the log that ends with the instructions, the model, its tools and the structure.

        `ends` is a time of the event loop's clock.
        """
        self._log = log
        self._agent_id = agent_id
        self._model = model
        self._tools = tools
        self._structure = structure
        self._max_rounds = options.get(CONF_MAX_ROUNDS, DEFAULT_MAX_ROUNDS)
        self._ends = ends

    async def async_run(self) -> Any:
        """Return the data: text without a structure. Raises ModelError, HomeAssistantError."""
        answer = await self._converse()
        if self._structure is None:
            if not answer:
                raise ModelError(Reason.EMPTY)
            return answer
        try:
            return self._structure.read(answer)
        except StructureMismatch as err:
            LOGGER.debug("Asked again, as the answer is not as asked: %s: %s", err, answer)
            self._log.async_add_user_content(Note(content=OTHERWISE.format(error=err)))
        answer = await self._ask(None) or ""
        try:
            return self._structure.read(answer)
        except StructureMismatch as err:
            LOGGER.debug("The answer is still not as asked: %s: %s", err, answer)
            raise HomeAssistantError(
                translation_domain=DOMAIN,
                translation_key="not_in_structure",
                translation_placeholders={"error": str(err)},
            ) from err

    async def _converse(self) -> str:
        """Let the model call tools, round by round, until it answers as was asked."""
        if self._tools:
            for _ in range(self._max_rounds):
                answer = await self._ask(self._tools)
                if answer is not None and (self._structure is None or self._at_once):
                    return answer
                if answer is not None or repeats_itself(self._log, self._tools.journal):
                    break
        return await self._ask(None) or ""

    async def _ask(self, tools: ToolExecutor | None) -> str | None:
        """Ask the model for its next message, and run its calls; return what it answers, if so."""
        completion = Completion()
        structure = self._structure if tools is None or self._at_once else None
        stream = self._model.stream(
            list(self._told(structure)),
            tools,
            completion,
            structure=structure.json_schema if structure else None,
        )
        # An object that was asked for may look like a call.
        if self._tools and (tools or structure is None):
            offered = [tool.name for tool in self._tools.manager.all()]
            stream = rescue_calls(stream, self._tools.name_of, offered, completion)
        if tools is None:
            stream = without_calls(stream)
        before = len(self._log.content)
        await async_receive(self._log, self._agent_id, stream, completion, self._ends)
        added = self._log.content[before:]
        if added and self._log.unresponded_tool_results:
            return None
        if completion.finish_reason != "stop":
            raise ModelError(Reason.CUT_SHORT, str(completion.finish_reason))
        messages = [item for item in added if isinstance(item, conversation.AssistantContent)]
        answer = "\n".join(item.content for item in messages if item.content).strip()
        if answer or self._structure is None:
            return answer
        # Held to a structure, some write it into their thinking.
        thoughts = "\n".join(item.thinking_content or "" for item in messages)
        return "".join(objects_in(thoughts)[-1:])

    @property
    def _at_once(self) -> bool:
        """Whether the model is told of tools and structure at once, instead of one after the other."""
        return self._tools is None or self._model.looks_before_it_answers

    def _told(self, structure: Structure | None) -> Iterator[conversation.Content]:
        """Yield the conversation, with the structure: before it, or after all that was found out."""
        system, *rest = self._log.content
        listed = self._tools.listed if self._tools else None
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
