"""Calls of MCP servers that ask the user something before they have a result."""

from collections.abc import Mapping
from typing import Any, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from .. import untrusted_text
from ..mcp_servers.elicitation import ElicitationKind, ElicitationQuestion, OpenCall
from ..mcp_servers.tool import McpTool
from ..names.matching import matcher
from ..nlu.replies import NO, Reply
from ..nlu.tokenizer import Text
from .consent import ConfirmationRequired
from .policy.decisions import CHOICE_OF_SERVER, OF_SERVER, Ask

_ENGLISH: Final = "en"
"""The language of most servers."""


async def async_call_open(
    tool: McpTool, hass: HomeAssistant, call: llm.ToolInput, context: llm.LLMContext
) -> llm.ToolResult:
    """Call a server's tool with elicitation; raises `ConfirmationRequired` with its question."""
    if isinstance(tool, ElicitingTool):
        return await tool.async_call(hass, call, context)
    opened = await tool.async_open(hass, call, context)
    return await _next(hass, tool, opened, call.tool_args, context.language)


class ElicitingTool(McpTool):
    """A tool that continues an open call of its server once the user has answered.

    The call was made before, and is not repeated.
    """

    def __init__(self, tool: McpTool, opened: OpenCall, question: ElicitationQuestion) -> None:
        """Take the tool, whose other properties it shares, its open call, and the question."""
        vars(self).update(vars(tool))
        self._opened = opened
        self._question = question
        self._answer = question.answered(True)

    def _takes(self, said: Text, *, is_no: bool) -> bool:
        """Return True if a sentence answers the question; keep the answer. `is_no`: it is a no."""
        match self._question.kind:
            case ElicitationKind.YES_OR_NO if is_no:
                self._answer = self._question.answered(False)
                return True
            case ElicitationKind.CHOICE if not (is_no or said.phrase_end(0, NO)):
                return self._choose(said)
            case _:
                return False

    def reply(self, said: Text, understood: Reply) -> Reply:
        """Return the reply in a sentence: yes if it answers the question, else it is declined.

        `understood` is the reply to a yes-no question.
        """
        if self._takes(said, is_no=understood is Reply.NO):
            return Reply.YES
        if understood is Reply.YES and self._question.kind is not ElicitationKind.CHOICE:
            return Reply.YES
        self.decline()
        return Reply.NO if understood is Reply.NO else Reply.OTHER

    def decline(self) -> None:
        """Decline the question; the call's result is dropped."""
        self._opened.answer(None)

    def _choose(self, said: Text) -> bool:
        tokens = matcher(said.code).tokens
        words = f" {' '.join(tokens(said))} "
        meant = [
            value
            for name, value in (self._question.choices or {}).items()
            if (wanted := " ".join(tokens(name))) and f" {wanted} " in words
        ]
        if len(meant) == 1:
            self._answer = self._question.answered(meant[0])
        return len(meant) == 1

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Answer the server, and return its result; raises `ConfirmationRequired` to ask again."""
        self._opened.answer(self._answer)
        return await _next(hass, self, self._opened, tool_input.tool_args, llm_context.language)


async def _next(
    hass: HomeAssistant,
    tool: McpTool,
    opened: OpenCall,
    arguments: Mapping[str, Any],
    language: str | None,
) -> llm.ToolResult:
    while isinstance(result := await tool.async_next(opened), ElicitationQuestion):
        # The first look at a language reads its words from a file.
        if not await hass.async_add_executor_job(_is_for_secret, result, language):
            break
        opened.answer(None)
    else:
        return result
    choices = {"choices": ", ".join(map(untrusted_text.name, result.choices or ()))}
    words = {"question": untrusted_text.sentence(result.message)}
    does = CHOICE_OF_SERVER if result.choices else OF_SERVER
    ask = Ask(does=does, names=[untrusted_text.name(tool.server_title)], more=words | choices)
    raise ConfirmationRequired(ask, ElicitingTool(tool, opened, result), arguments)


def _is_for_secret(question: ElicitationQuestion, language: str | None) -> bool:
    """Return True if a question asks for a secret, or a part of it: "the first digit of your PIN"."""
    text = " ".join((question.message, *(question.choices or ())))
    return any(
        Text(text, code).says("replies.secrets") for code in {language or _ENGLISH, _ENGLISH}
    )
