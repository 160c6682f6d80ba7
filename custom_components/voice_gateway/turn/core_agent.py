"""What Home Assistant's own agent may be asked where the model does not answer.

It knows none of our rules: no "don't", and nobody that it would ask before it opens a door. English that
it does not understand word by word, it reads as something that it does.
"""

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from ..nlu.mentions import is_access_entity
from ..tools.assist.target_preview import found_by
from ..tools.executor import ToolExecutor


def may_answer(hass: HomeAssistant, tools: ToolExecutor) -> bool:
    """Return True if it changes nothing that our rules are about, by the tools with what was heard."""
    utterance = tools.utterance
    reading = utterance.intent_match
    if reading is None or not reading.is_exact:
        return False
    if reading.is_question:
        return True
    if utterance.asks or tools.manager.for_intent(reading.intent_type) is not None:
        return False
    # The agent has no tool for it, as it has none of Assist's: who asks before a door, asks here too.
    home = utterance.mentions.home
    return not any(map(is_access_entity, found_by(hass, home, reading.slots, conversation.DOMAIN)))
