"""Questions about what is so in the home, answered without a model where the answer is certain."""

from dataclasses import replace

from hassil.recognize import RecognizeResult
from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..heard.heard import Heard
from ..heard.said import Mood
from ..heard.sentences import Reading
from ..questions.answer import Told, async_answer
from .claims import is_answerable

_OF_PLACES = ("device_tracker", "person")


class AboutStates:
    """Finds the answer to a question about the home.

    - What is not certainly such a question has none: a model answers it.
    - It tells no more than is exposed to voice assistants.
    - Our own counting comes first: Home Assistant's sentences say that all doors are closed where it
      knows of none.
    """

    def __init__(
        self, hass: HomeAssistant, said: conversation.ConversationInput, heard: Heard
    ) -> None:
        """Take what was said, and the sentence as it was read."""
        self._hass = hass
        self._said = said
        self._heard = heard

    async def async_answer(self, log: conversation.ChatLog) -> Told | None:
        """Return the answer, in the language that was spoken; None where there is none."""
        if told := await self._counted():
            return told
        answer = await self._of_home_assistant(log)
        return Told(answer) if answer else None

    async def _counted(self) -> Told | None:
        heard = self._heard
        if not (heard.asks and heard.said.mood is not Mood.STATEMENT):
            return None
        match heard.said.clauses:
            case [only] if only.is_now and not only.negated and not only.excepted:
                return await async_answer(
                    self._hass,
                    heard.text,
                    heard.language,
                    heard.mentioned.home,
                    speaker_area=heard.area_id,
                    context=self._said.context,
                )
        return None

    async def _of_home_assistant(self, log: conversation.ChatLog) -> str | None:
        """Return what Home Assistant's own sentences answer to a question that they understand."""
        if not is_answerable(self._heard):
            return None
        asked = self._heard.asked_about
        # Of what it is not set up for it says "Unknown intent".
        if asked is None or asked.intent_type not in {
            each.intent_type for each in intent.async_get(self._hass)
        }:
            return None
        if asked.slots.get("domain") == "person" and self._asks_of_no_place(asked):
            return None
        # As it was read: Home Assistant remembers that for these very words.
        said = replace(self._said, text=f"{self._said.text.strip()} ")
        response = await conversation.async_handle_intents(
            self._hass, said, log, intent_filter=lambda result: not self._is_as_read(result)
        )
        if response is None or response.response_type is intent.IntentResponseType.ERROR:
            return None
        found = response.matched_states or response.unmatched_states
        if asked.intent_type == intent.INTENT_GET_STATE and not found:
            return None  # Of nothing, everything is true.
        if any(each.domain in _OF_PLACES for each in found) and self._asks_of_no_place(asked):
            return None  # "Is Anna busy tomorrow?"
        return str(response.speech.get("plain", {}).get("speech", "")).strip() or None

    def _asks_of_no_place(self, asked: Reading) -> bool:
        """Tell whether it is asked who is at what is no zone: in the garden, busy tomorrow.

        Home Assistant then says that nobody is: people are only known to be in zones.
        """
        if not (place := asked.slots.get("state")):
            return False
        states = self._hass.states
        zones = {each.name.casefold() for each in states.async_all("zone")}
        known = zones | {each.state.casefold() for each in states.async_all(_OF_PLACES)}
        return str(place).casefold() not in known | {"home", "not_home"}

    def _is_as_read(self, result: RecognizeResult) -> bool:
        asked = self._heard.asked_about
        return asked is not None and asked.intent_type == result.intent.name
