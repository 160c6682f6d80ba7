"""Home Assistant's own sentences: what they make of what was said, and how they answer.

Home Assistant understands and confirms commands in 65 languages without a model
(`home_assistant_intents`). Here that knowledge checks what a model says that it did, acts where the
model did not, and spares the model the words for what was plainly done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
import re
from typing import Any

from hassil.models import UnmatchedTextEntity
from homeassistant.components import conversation
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import intent, llm, template, translation
from homeassistant.util.language import Dialect

from ..languages import language_of

type Responses = Mapping[str, Mapping[str, str]]
"""An intent's sentences by their key, by intent."""

_QUESTIONS = frozenset(
    (
        intent.INTENT_GET_STATE,
        intent.INTENT_GET_TEMPERATURE,
        intent.INTENT_GET_CURRENT_DATE,
        intent.INTENT_GET_CURRENT_TIME,
        intent.INTENT_TIMER_STATUS,
        intent.INTENT_NEVERMIND,
        intent.INTENT_RESPOND,
        "HassGetWeather",
        "HassClimateGetTemperature",
    )
)
_ON_OFF = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)
# To turn these on is to open, lock, start or press them: what is said of them is said of no other.
_OWN_WORDS = {
    "button": "button",
    "cover": "cover",
    "input_button": "button",
    "lock": "lock",
    "scene": "scene",
    "script": "script",
    "valve": "valve",
}
_WORD = re.compile(r"[^\W_]+")
_WORD_OR_PAUSE = re.compile(r"[^\W_]+|[,;.:](?=\s)")


async def async_is_command(hass: HomeAssistant, user_input: conversation.ConversationInput) -> bool:
    """Tell whether Home Assistant reads a sentence as a command, possible or not.

    A sentence that begins with what it takes for an unknown device is none: "is the light on".
    """
    if (agent := _agent(hass)) is None:
        return False
    result = await agent.async_recognize_intent(user_input)
    if result is None or result.intent.name in _QUESTIONS:
        return False
    beginning = user_input.text.strip().casefold()
    return not any(
        isinstance(unknown, UnmatchedTextEntity)
        and beginning.startswith(unknown.text.strip().casefold())
        for unknown in result.unmatched_entities_list
    )


async def async_is_question(
    hass: HomeAssistant, user_input: conversation.ConversationInput
) -> bool:
    """Tell whether Home Assistant reads a sentence as a question."""
    if (agent := _agent(hass)) is None:
        return False
    result = await agent.async_recognize_intent(user_input)
    return result is not None and result.intent.name in _QUESTIONS


async def async_asked_about(
    hass: HomeAssistant, sentence: str, language: str | None
) -> Mapping[str, Any]:
    """Return what a question is about, as `HassGetState` takes it: name, area, domain, state.

    Empty where Home Assistant does not understand it word by word.
    """
    if (agent := _agent(hass)) is None:
        return {}
    result = await agent.async_recognize_intent(
        conversation.ConversationInput(
            text=sentence,
            context=Context(),
            conversation_id=None,
            device_id=None,
            satellite_id=None,
            language=language or hass.config.language,
            agent_id=conversation.HOME_ASSISTANT_AGENT,
        ),
        strict_intents_only=True,
    )
    if result is None or result.intent.name != intent.INTENT_GET_STATE:
        return {}
    return {entity.name: entity.value for entity in result.entities_list}


@dataclass(frozen=True, slots=True)
class Understood:
    """A command as Home Assistant understands it, and the key of the sentence that confirms it."""

    intent_type: str
    slots: Mapping[str, Any]
    response: str | None


async def async_understand(
    hass: HomeAssistant, user_input: conversation.ConversationInput
) -> Understood | None:
    """Return the command that a sentence is, word by word, of what is exposed; None where it is none."""
    if (agent := _agent(hass)) is None:
        return None
    result = await agent.async_recognize_intent(user_input, strict_intents_only=True)
    if result is None or result.intent.name in _QUESTIONS:
        return None
    slots = {entity.name: entity.value for entity in result.entities_list}
    if "name" in slots and isinstance(domain := result.context.get("domain"), str):
        slots.setdefault("domain", [domain])
    return Understood(result.intent.name, slots, result.response)


def without_region(language: str) -> str:
    """Return the language that translations are in: de for de-DE or de_DE, as speech engines say."""
    return Dialect.parse(language).language


def denies(language: str, text: str) -> bool:
    """Tell whether an answer to a command asks something, or says what is not."""
    return "?" in text or not _words(text).isdisjoint(language_of(language).denials)


async def async_claims(hass: HomeAssistant, language: str, text: str) -> bool:
    """Tell whether an answer to a command says that it was carried out.

    It does in Home Assistant's words for what was done and for the state that devices are in then,
    unless it denies something. In a language whose denials are not known nothing is a claim.
    """
    if not language_of(language).denials or denies(language, text):
        return False
    if (agent := _agent(hass)) is None:
        return False
    if (intents := await agent.async_get_or_load_intents(language)) is None:
        return False
    states = await translation.async_get_translations(
        hass, without_region(language), "entity_component", ("cover", "light", "lock")
    )
    done = {
        stem
        for name in (*_ON_OFF, intent.INTENT_SET_POSITION, "HassLightSet")
        for sentence in intents.intent_responses.get(name, {}).values()
        for stem in _stems(_plain(sentence))
    }
    common = {stem for error in intents.error_responses.values() for stem in _stems(_plain(error))}
    is_so = {stem for key, name in states.items() if "_.state." in key for stem in _stems(name)}
    return not _stems(text).isdisjoint(done - common | is_so)


async def async_confirmation(
    hass: HomeAssistant,
    user_input: conversation.ConversationInput,
    done: Sequence[tuple[llm.ToolInput, llm.ToolResult]],
    understood: Understood | None = None,
) -> str | None:
    """Return what confirms actions that were all that was asked for, else None.

    `done` are the calls of one message with their results. Anything but plain actions of Home
    Assistant's that all succeeded has to be put in words by the model. What Home Assistant
    understood itself is confirmed as it would.
    """
    if (agent := _agent(hass)) is None:
        return None
    intents = await agent.async_get_or_load_intents(user_input.language)
    if intents is None or not (understood or await _is_all(agent, user_input, len(done))):
        return None
    sentences: list[str] = []
    for call, result in done:
        key = understood.response if understood else None
        sentence = _sentence(hass, intents.intent_responses, call, result, key)
        if not sentence:
            return None
        sentences.append(sentence.rstrip("."))
    return ". ".join(dict.fromkeys(sentences))


def _agent(hass: HomeAssistant) -> DefaultAgent | None:
    return get_agent_manager(hass).default_agent


async def _is_all(
    agent: DefaultAgent, user_input: conversation.ConversationInput, calls: int
) -> bool:
    """Tell whether a sentence asks for no more than so many things."""
    # Where its joints are not known, only what Home Assistant understands as a whole is one command.
    if joints := language_of(user_input.language).joints:
        parts = _WORD_OR_PAUSE.findall(user_input.text.casefold())
        # ", then" is one joint.
        joined = groupby(not part.isalnum() or part in joints for part in parts)
        return sum(joint for joint, _ in joined) < calls
    return await agent.async_recognize_intent(user_input, strict_intents_only=True) is not None


def _sentence(
    hass: HomeAssistant,
    responses: Responses,
    call: llm.ToolInput,
    result: llm.ToolResult,
    key: str | None,
) -> str | None:
    """Return Home Assistant's confirmation of one action, if it was one and has one."""
    data = result.data
    response: intent.IntentResponse | None = getattr(data, "original", None)
    if (
        result.error
        or response is None
        or response.intent is None
        or response.response_type is not intent.IntentResponseType.ACTION_DONE
        or response.failed_results
    ):
        return None
    if speech := response.speech.get("plain", {}).get("speech"):
        return str(speech)
    states = response.matched_states
    keys = [key] if key else _keys(response.intent.intent_type, call.tool_args, states)
    templates = responses.get(response.intent.intent_type, {})
    texts = [
        _render(hass, templates[key], call.tool_args, response) for key in keys if key in templates
    ]
    return ". ".join(texts) if len(texts) == len(keys) and all(texts) else None


def _keys(intent_type: str, slots: Mapping[str, Any], states: Sequence[State]) -> list[str]:
    """Return the keys of the sentences that are true of an action; none where it is not plain."""
    match intent_type:
        case "HassLightSet":
            return [key for key in ("brightness", "color", "temperature") if _is_set(slots, key)]
        case "HassListAddItem":
            return ["item_added"]
        case "HassListCompleteItem":
            return ["item_completed"]
        case "HassListRemoveItem":
            return ["item_deleted"]
        case _ if intent_type not in _ON_OFF:
            return ["default"]
    domains = {state.domain for state in states}
    if len(domains) != 1:
        return []
    (domain,) = domains
    if domain in _OWN_WORDS:
        return [_OWN_WORDS[domain]]
    if len(states) == 1:
        return ["default"]
    if domain in ("light", "fan") and not slots.get("name"):
        return [f"{domain}s_floor" if _is_set(slots, "floor") else f"{domain}s_area"]
    return []


def _is_set(slots: Mapping[str, Any], slot: str) -> bool:
    return not intent.is_blank_slot_value(slots.get(slot))


def _render(
    hass: HomeAssistant,
    sentence: str,
    slots: Mapping[str, Any],
    response: intent.IntentResponse,
) -> str:
    """Return a sentence about an action; empty where it has no word for it."""
    state = response.matched_states[0] if response.matched_states else None
    names = {"name": state.name} if state else {}
    rendered = template.Template(sentence, hass).async_render(
        {
            "slots": {**slots, **names, **response.speech_slots},
            "state": template.TemplateState(hass, state) if state else None,
            "query": {"matched": response.matched_states, "unmatched": []},
        },
        parse_result=False,
    )
    text = " ".join(str(rendered).split())
    return "" if "None" in text.split() else text


@lru_cache(1024)
def _plain(sentence: str) -> str:
    """Return what a template says whatever its values are."""
    return re.sub(r"\{[{%].*?[%}]\}", " ", sentence, flags=re.DOTALL)


@lru_cache(1024)
def _stems(text: str) -> frozenset[str]:
    """Return words without what grammar makes of their ends: locked, locking."""
    return frozenset(word[: max(4, len(word) - 3)] for word in _words(text))


@lru_cache(1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
