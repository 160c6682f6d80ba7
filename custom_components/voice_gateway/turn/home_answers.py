"""Answers to questions about the state of the home, without a model if they are certain."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeassistant.components import conversation
from homeassistant.exceptions import TemplateError
from homeassistant.helpers import intent

from ..answers.answerer import async_answer
from ..answers.handler import HomeAnswer
from ..answers.token_consumer import TokenConsumer
from ..const import LOGGER
from ..languages import MOST_NAMES
from ..names.matching import words
from ..nlu.clause import Clause, DialogueAct
from ..nlu.home_assistant import IntentMatch
from ..nlu.tokenizer import Text
from ..nlu.unknown_entities import UnknownEntity
from ..nlu.utterance import Utterance
from .chat import Chat, speech_of
from .claims import is_answerable

_TRIED = 3
"""Devices of the category of an unknown one, with whose names its question is parsed."""
_PLACES = ("conditions.here", "conditions.outside")
_OF_PLACES = ("device_tracker", "person")


@dataclass(frozen=True, slots=True)
class HomeAnswerStage:
    """Answers questions about the home.

    - A sentence that is not certainly such a question is left to the model.
    - It reveals only entities that are exposed to voice assistants.
    - Our own counting comes first: without any door, Home Assistant's sentences say that all doors
      are closed.
    """

    chat: Chat
    heard: Utterance

    async def async_answer(self) -> bool:
        """Answer in the language of the utterance; return whether there is an answer."""
        told = (
            await self._counted(self.heard.text)
            or await self._of_home_assistant()
            or await self._of_same()
            or await self._of_absent()
        )
        if told:
            say = self.chat.say if told.is_ours else self.chat.retell
            await say(told.text)
            self.chat.report.second_opinion = True
        return told is not None

    async def _of_same(self) -> HomeAnswer | None:
        """Return the answer to the question before, for another place or device: "and outside?"."""
        text, context = self.heard.text, self.heard.context
        if not self._is_place(text) or text.spoken[0].casefold() not in text.language.conjunctions:
            return None
        told = zip(reversed(context.earlier), reversed(context.parsed), strict=False)
        asked = next((each for each in told if not self._is_place(each[0])), None)
        if asked is None or asked[1].act is not DialogueAct.QUESTION:
            return None
        before = self.heard.link(asked[0])
        names = (name for each in before.named for name in each.names)
        gone = before.place_words.union(*map(words, names))
        here = {*before.text.words} - {*before.text.without(*_PLACES)}
        kept = [each for each in before.text.spoken if not (gone | here).issuperset(words(each))]
        return await self._asked(text.alike(" ".join((*kept, *text.spoken))), is_named=False)

    def _is_place(self, text: Text) -> bool:
        """Return True if a sentence only names places or devices."""
        named = self.heard.link(text)
        is_named = bool(named.named or named.areas) and named.only_mentions
        return is_named or text.language.conjunctions.issuperset(text.without(*_PLACES))

    async def _of_absent(self) -> HomeAnswer | None:
        """Return that an entity does not exist, if the rest of the question about it is parsed."""
        utterance = self.heard
        home = utterance.home
        # "The reading light in the bedroom" may be the only one there, if one there is exposed.
        if not utterance.link(utterance.text).areas.isdisjoint(home.areas):
            return None
        for absent in utterance.unknown_entities:
            kin = [*filter(absent.calls, home.entities)] if absent.domains else []
            others = [each.names[0] for each in kin] or [each.name for each in home.areas.values()]
            for name in others[:_TRIED]:
                if await self._counted(absent.replace_with(name)):
                    return HomeAnswer(
                        await self._not_found(absent, home.told_apart(kin)), is_ours=True
                    )
        return None

    async def _not_found(self, absent: UnknownEntity, kin: Sequence[str]) -> str:
        """Return that an entity does not exist, with the few others of its category."""
        told = await self.chat.our_text("nothing_found", {"wanted": absent.name})
        if not 0 < len(kin) <= MOST_NAMES:
            return told
        return f"{told} {await self.chat.our_text('there_is', {'names': [*kin]})}"

    async def _counted(self, text: Text) -> HomeAnswer | None:
        utterance = self.heard
        is_question = utterance.asks and utterance.parsed.act is not DialogueAct.STATEMENT
        *topic, only = utterance.parsed.clauses or (None,)
        match topic:
            case [] | [Clause(times=(), negated=False, act=DialogueAct.QUESTION)] if (
                # "And the garage, is it shut?"
                only
                and not only.negated
                and all(utterance.link(each.text).only_mentions for each in topic)
            ):
                is_asked = is_question and only.is_immediate
                return await self._asked(text, is_asked, is_named=_is_named(text, only))
        return None

    async def _asked(
        self, text: Text, is_question: bool = True, *, is_named: bool
    ) -> HomeAnswer | None:
        return await async_answer(
            self.chat.hass,
            text,
            self.heard.language,
            self.heard.home,
            is_question=is_question,
            is_named=is_named,
            speaker_area=self.heard.area_id,
            context=self.chat.said.context,
        )

    async def _of_home_assistant(self) -> HomeAnswer | None:
        """Return the answer of Home Assistant's own sentences."""
        if not is_answerable(self.heard):
            return None
        asked = self.heard.exact_question
        # For an intent that is not set up, its answer is "Unknown intent".
        if asked is None or asked.intent_type not in {
            each.intent_type for each in intent.async_get(self.chat.hass)
        }:
            return None
        is_of_timer = asked.intent_type == intent.INTENT_TIMER_STATUS and asked.slots.get("name")
        if is_of_timer and not self.heard.text.says("timer"):
            return None  # "How long until my parcel comes?"
        if asked.slots.get("domain") == "person" and self._asks_of_no_place(asked):
            return None
        # A changed text, because Home Assistant caches the interpretation of these very words.
        said = replace(self.chat.said, text=f"{self.chat.said.text.strip()} ")
        try:
            response = await conversation.async_handle_intents(
                self.chat.hass,
                said,
                self.chat.log,
                intent_filter=lambda result: result.intent.name != asked.intent_type,
            )
        except TemplateError as err:
            # "How strong is the wind?" for a weather entity without that value.
            LOGGER.debug("Home Assistant's answer can't be put into words: %s", err)
            return None
        if response is None or response.response_type is intent.IntentResponseType.ERROR:
            return None
        found = response.matched_states or response.unmatched_states
        if asked.intent_type == intent.INTENT_GET_STATE and not found:
            return None  # any statement about no entity is true
        if any(each.domain in _OF_PLACES for each in found) and self._asks_of_no_place(asked):
            return None  # "Is Anna busy tomorrow?"
        text = speech_of(response).strip()
        return HomeAnswer(text) if text else None

    def _asks_of_no_place(self, asked: IntentMatch) -> bool:
        """Return True if a question asks who is at a place that is no zone: "in the garden".

        Home Assistant would deny that for everybody: it only knows who is in a zone.
        """
        if not (place := asked.slots.get("state")):
            return False
        states = self.chat.hass.states
        zones = {each.name.casefold() for each in states.async_all("zone")}
        known = zones | {each.state.casefold() for each in states.async_all(_OF_PLACES)}
        return str(place).casefold() not in known | {"home", "not_home"}


def _is_named(text: Text, only: Clause) -> bool:
    """Return True if a clause may only name a topic: "the weather", "show me ..."."""
    return only.act is DialogueAct.UNKNOWN or 0 in TokenConsumer(text).tokens("shows")
