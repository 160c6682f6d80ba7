"""Messages to a resident's phone."""

from collections.abc import Sequence
from typing import Final, override

from homeassistant.const import ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
import probatio

from ...const import DOMAIN
from ...languages import joined
from ...names.inflection import is_like_any
from ...names.matching import words
from ...nlu.tokenizer import Text
from ...speaker import speaker_of
from ..context_tool import CallContext, RequestTool, answered
from ..phones import owners, phones_of
from ..speech import async_deliver, main_clause

_SHORT: Final = 3
"""The most letters of a name whose last one is not replaced by a case ending: "Anny"."""


class SendToPhoneTool(RequestTool):
    """Sends a text to the phones of one person, whom the user names.

    The text is the user's, as is the recipient: "my phone" is that of the person who speaks.
    """

    name = "send_to_phone"
    title = "Message to a phone"
    description = "Send a message to a resident's phone."
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    integration = DOMAIN
    requests = ("actions.sends",)
    content = ("message", "recipient")
    parameters = probatio.Schema(
        {
            probatio.Required("message"): probatio.All(str, probatio.Length(min=1, max=1000)),
            probatio.Required("recipient", description="As the user names them; my: the user's"): (
                probatio.All(str, probatio.Length(min=1, max=100))
            ),
        }
    )

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Send it, and return to whom."""
        arguments, hass, caller = self.parameters(call.tool_args), context.hass, context.caller
        language = caller.language or hass.config.language
        recipient = Text(arguments["recipient"], language)
        match recipients(hass, recipient, caller):
            case [person]:
                names = {"names": person.name}
            case []:
                slots = {"name": recipient}
                return await answered(context, "no_such_phone", slots, is_error=True)
            case several:
                names = {"names": joined(language, [each.name for each in several], how="any")}
                return await answered(context, "which_one", names, is_error=True)
        text = main_clause(Text(arguments["message"], language))
        sent = [
            await async_deliver(
                hass,
                Platform.NOTIFY,
                "send_message",
                text,
                {ATTR_ENTITY_ID: each},
                context=caller.context,
            )
            for each in phones_of(hass, person)
        ]
        key = "sent_to_phone" if any(sent) else "not_sent_to_phone"
        return await answered(context, key, names, is_error=not any(sent))


def recipients(hass: HomeAssistant, recipient: Text, caller: llm.LLMContext) -> Sequence[State]:
    """Return the people with a phone whom words mean: by all words of a name, or as "my"."""
    everyone, said = owners(hass), recipient.words
    if recipient.says("actions.mine"):
        own = speaker_of(hass, caller.context.user_id if caller.context else None)
        return [each for each in everyone if own and each.attributes.get("id") == own]

    def is_form(own: str, word: str) -> bool:
        is_case = bool(recipient.language.case_endings) and len(own) > _SHORT
        return is_like_any(own, [word]) or (is_case and word.startswith(own[:-1]))

    def is_called(name: str) -> bool:
        return all(any(is_form(own, each) for each in said) for own in words(name))

    named = [each for each in everyone if is_called(each.name)]
    exact = [each for each in named if {*words(each.name)} <= {*said}]
    return exact or named
