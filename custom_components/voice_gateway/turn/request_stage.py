"""Requests for tools of our own, without the model: announcements."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.helpers import llm

from ..models.client import ModelError, Reason
from ..nlu.tool_requests import ToolRequest
from ..nlu.utterance import Utterance
from ..tools.journal import CallRecord
from .answer import PrepareAnswer
from .chat import Chat


@dataclass(frozen=True, slots=True)
class RequestStage:
    """Calls the tool of ours that a whole sentence certainly asks for, and speaks its answer.

    - The call goes through the policy as a model's does: it is deferred to the time of its clause.
    - Without the tool, the sentence is left to the model.
    """

    chat: Chat
    heard: Utterance
    prepared: PrepareAnswer
    """Collects the agent's tools."""

    async def async_answer(self) -> bool:
        """Answer, if the sentence certainly is such a request; return whether it is."""
        wanted = ToolRequest.of(self.heard)
        is_done = wanted is not None and await self._call(wanted)
        self.chat.report.reflex = is_done
        return is_done

    async def _call(self, wanted: ToolRequest) -> bool:
        """Call the tool of a request; return whether there is one. Raises ModelError if it fails."""
        answer = await self.prepared(self.heard)
        if answer.tools.manager.find(wanted.tool) is None:
            return False
        call = llm.ToolInput(wanted.tool, wanted.arguments)
        answer.tools.note_clause(call, wanted.clause)
        result = await self.chat.call(call)
        if answer.tools.consent.calls:
            await answer.ask()
        elif (text := await self._text(answer.tools.journal.entries[-1], result.data)) is None:
            in_doubt = answer.tools.journal.is_in_doubt
            raise ModelError(Reason.IN_DOUBT if in_doubt else Reason.NOT_DONE)
        else:
            await self.chat.say(text)
        return True

    async def _text(self, entry: CallRecord, data: Mapping[str, Any]) -> str | None:
        """Return the sentence about a call; None if the tool did not answer."""
        if entry.instead:
            return await self.chat.our_text(entry.instead)
        told = f"{entry.told}." if entry.told else data.get("result")
        return told if isinstance(told, str) else None
