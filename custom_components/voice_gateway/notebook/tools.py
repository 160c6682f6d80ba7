"""The tools that change the notebook."""

from collections.abc import Sequence
from typing import Final, override

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN
from ..names.matching import words
from ..speaker import speaker_of
from ..tools.builtin import BuiltinTools
from ..tools.consent import ConfirmationRequired
from ..tools.context_tool import CallContext, ContextTool
from ..tools.policy.decisions import Ask
from .notebook import LONGEST, NOTEBOOK, NotebookEntry

_ASK: Final = "remember"


class NotebookTool(llm.Tool):
    """Adds and removes certain notes; never called by a model.

    The notes are no arguments: they are in no log and no trace.
    """

    name = "notebook"
    description = "Change the notebook"
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    integration = DOMAIN
    parameters = probatio.Schema({})

    def __init__(
        self, *, add: Sequence[NotebookEntry] = (), remove: Sequence[NotebookEntry] = ()
    ) -> None:
        """Take the notes."""
        self._add = add
        self._remove = remove

    @property
    def question(self) -> Ask:
        """The question whether to remember the notes, which reads them out."""
        return Ask(does=_ASK, names=[each.text for each in self._add])

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Change them. Raises HomeAssistantError if they can't be stored."""
        context = llm_context.context or Context()
        await hass.data[NOTEBOOK].async_change(context.id, add=self._add, remove=self._remove)
        return llm.ToolResult(data={"success": True})


class RememberTool(ContextTool):
    """Remembers a fact for the user.

    - It stores what the user asked to remember in this very sentence, word by word.
    - Any other text is read out to the user first, and stays third-party text.
    """

    name = "notebook__remember"
    title = "Remember"
    description = "Remember a fact that the user asks you to remember, in the user's words."
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    integration = DOMAIN
    parameters = probatio.Schema(
        {probatio.Required("text"): probatio.All(str, probatio.Length(min=1, max=LONGEST))}
    )

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Store the text. Raises ConfirmationRequired if the user did not say it."""
        text: str = self.parameters(call.tool_args)["text"].strip()
        caller, utterance = context.caller, context.utterance
        user_id = caller.context.user_id if caller.context else None
        is_own = utterance.text.says("tool_verbs.remembers") and _is_within(text, utterance.text)
        entry = NotebookEntry(
            text=text,
            language=utterance.language,
            owner=speaker_of(context.hass, user_id),
            is_foreign=not is_own,
        )
        storing = NotebookTool(add=[entry])
        if not is_own:
            raise ConfirmationRequired(storing.question, storing, {})
        return await storing.async_call(context.hass, call, caller)


class NotebookTools(BuiltinTools):
    """The gateway's own tools, with the notebook's."""

    @override
    def tools(self, *, tells_home: bool = False) -> list[llm.Tool]:
        """Return the tools, as without a notebook, and that to remember for an agent of the home."""
        own = [RememberTool()] if tells_home else []
        return [*super().tools(tells_home=tells_home), *own]


def _is_within(text: str, whole: str) -> bool:
    """Return True if a text consists of consecutive words of another one."""
    return f" {' '.join(words(text))} " in f" {' '.join(words(whole))} "
