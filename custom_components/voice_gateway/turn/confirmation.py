"""Home Assistant's own words for what was done, where nothing more is to be said."""

from collections.abc import Mapping, Sequence
from itertools import groupby
import re
from typing import Any

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent, llm, template

from ..heard.heard import Heard
from ..heard.sentences import Reading, async_phrases
from ..languages import language_of

type Responses = Mapping[str, Mapping[str, str]]
"""An intent's sentences by their key, by intent."""

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
_WORD_OR_PAUSE = re.compile(r"[^\W_]+|[,;.:](?=\s)")


async def async_confirmation(
    hass: HomeAssistant,
    heard: Heard,
    done: Sequence[tuple[llm.ToolInput, llm.ToolResult]],
    understood: Reading | None = None,
    *,
    left: int = 0,
) -> str | None:
    """Return what confirms actions that were all that was asked for, else None.

    `done` are the calls of one message with their results. Anything but plain actions of Home
    Assistant's that all succeeded has to be put in words by the model. What Home Assistant
    understood itself is confirmed as it would. `left` things were rightly left alone besides.
    """
    if not (understood or _is_all(heard, len(done) + left)):
        return None
    if (phrases := await async_phrases(hass, heard.language)) is None:
        return None
    sentences: list[str] = []
    for call, result in done:
        key = understood.response if understood else None
        sentence = _sentence(hass, phrases.intent_responses, call, result, key)
        if not sentence:
            return None
        sentences.append(sentence.rstrip("."))
    return ". ".join(dict.fromkeys(sentences))


def _is_all(heard: Heard, calls: int) -> bool:
    """Tell whether a sentence asks for no more than so many things."""
    # Where its joints are not known, only what Home Assistant understands as a whole is one command.
    if joints := language_of(heard.language).joints:
        parts = _WORD_OR_PAUSE.findall(heard.text.casefold())
        # ", then" is one joint.
        joined = groupby(not part.isalnum() or part in joints for part in parts)
        return sum(joint for joint, _ in joined) < calls
    return heard.reading is not None and heard.reading.is_exact


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
