"""Spoken confirmations of executed actions: Home Assistant's sentences, with the targets' names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import TemplateError
from homeassistant.helpers import intent, llm, template

from ..const import LOGGER
from ..languages import joined, language_of
from ..nlu.home_assistant import IntentMatch, async_response_phrases
from ..nlu.numerals import async_to_number
from ..nlu.requests import QUERY
from ..tools.assist.target import TARGET
from .chat import speech_of

type Responses = Mapping[str, Mapping[str, str]]
"""The sentences of intents: by intent, then by key."""
type CompletedCalls = Sequence[tuple[llm.ToolInput, llm.ToolResult]]
"""Calls with their results."""

_ENDS = (".", "!", "?", "…")
_ADDED = "item_added"
_ON_OFF = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)
# Turning these on means opening, locking, starting or pressing: each has its own sentence.
_OWN_WORDS = frozenset(("button", "cover", "lock", "scene", "script", "valve"))


async def async_told(
    hass: HomeAssistant, language: str, done: CompletedCalls, understood: IntentMatch | None = None
) -> str | None:
    """Return the report of actions in whole sentences; None if any has no sentence.

    If an action failed for some devices, it names the others. The interpretation of Home Assistant
    itself, if `understood`, gets its own response.
    """
    if (phrases := await async_response_phrases(hass, language)) is None:
        return None
    deeds: dict[Any, _Deed] = {}
    for call, result in done:
        response: intent.IntentResponse | None = getattr(result.data, "original", None)
        if (
            result.error
            or response is None
            or response.intent is None
            or response.response_type is not intent.IntentResponseType.ACTION_DONE
        ):
            return None
        slots = await _as_set(hass, language, call.tool_args, response.intent.slots)
        for proposed in _deeds(slots, response, understood):
            deeds.setdefault(proposed.alike, proposed).names.update(proposed.names)
    words = _Words(hass, language, phrases.intent_responses)
    sentences = [words.of(proposed) for proposed in deeds.values()]
    if not sentences or not all(sentences):
        return None
    return as_text(dict.fromkeys(sentences))


async def _as_set(
    hass: HomeAssistant, language: str, written: Mapping[str, Any], executed: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the arguments of a call, with numbers that its model wrote as "50%" or in words."""
    return {
        slot: value
        if not isinstance(value, str)
        or not isinstance(executed.get(slot, {}).get("value"), int | float)
        or (number := await async_to_number(hass, value, language)) is None
        else number
        for slot, value in written.items()
    }


def as_text(sentences: Iterable[str]) -> str:
    """Return sentences as one text, each with final punctuation."""
    return " ".join(each if each[-1:] in _ENDS else f"{each}." for each in sentences)


@dataclass(slots=True)
class _Deed:
    """The effect of an intent on devices that share one sentence."""

    intent_type: str
    key: str
    slots: Mapping[str, Any]
    response: intent.IntentResponse
    states: Sequence[State] = ()
    names: dict[str, None] = field(default_factory=dict)
    """The names of the targets; empty for an area, or without a device."""

    @property
    def alike(self) -> Any:
        """The key by which actions share a sentence."""
        if not self.names:
            return id(self)
        own = TARGET if self.key != _ADDED else (*TARGET, "item")
        values = {slot: value for slot, value in self.slots.items() if slot not in own}
        return self.intent_type, self.key, str(sorted(values.items(), key=str))

    @property
    def title(self) -> str:
        """The title that is played: the one found, else the one requested."""
        found = self.response.speech_slots.get("media")
        title = found.get("title") if isinstance(found, dict) else ""
        return str(title or self.slots.get(QUERY, ""))


def has_failed(result: llm.ToolResult) -> bool:
    """Return True if an action failed, at least for some devices."""
    response: intent.IntentResponse | None = getattr(result.data, "original", None)
    return result.error or bool(response and response.failed_results)


def _deeds(
    slots: Mapping[str, Any], response: intent.IntentResponse, understood: IntentMatch | None
) -> list[_Deed]:
    """Return the effects of an action; empty if no sentence is certain."""
    assert response.intent
    intent_type = response.intent.intent_type
    if speech_of(response):
        return [_Deed(intent_type, "", slots, response)]
    failed = {target.id for target in response.failed_results}
    states = [state for state in response.matched_states if state.entity_id not in failed]
    several = len(states) > 1 and not slots.get("name")
    if understood and understood.response and (several or not states):
        return [_Deed(intent_type, understood.response, slots, response, states)]
    if several and not failed and (key := _of_place(intent_type, slots, states)):
        return [_Deed(intent_type, key, slots, response, states)]
    if not states:
        keys = _keys(intent_type, slots)
        things = {str(slots["item"]): None} if keys == [_ADDED] and _is_set(slots, "item") else {}
        return [_Deed(intent_type, key, slots, response, names=dict(things)) for key in keys]
    deeds: dict[str, _Deed] = {}
    for state in states:
        for key in _keys(intent_type, slots, state.domain):
            proposed = deeds.setdefault(key, _Deed(intent_type, key, slots, response, [state]))
            proposed.names[state.name] = None
    return list(deeds.values())


def _of_place(intent_type: str, slots: Mapping[str, Any], states: Sequence[State]) -> str | None:
    """Return the key of the sentence about all lights or fans of an area."""
    domains = {state.domain for state in states}
    if intent_type not in _ON_OFF or domains not in ({"light"}, {"fan"}):
        return None
    (domain,) = domains
    return f"{domain}s_floor" if _is_set(slots, "floor") else f"{domain}s_area"


def _keys(intent_type: str, slots: Mapping[str, Any], domain: str = "") -> list[str]:
    """Return the keys of the sentences that fit an action on a device of a domain."""
    match intent_type:
        case "HassLightSet":
            return [key for key in ("brightness", "color", "temperature") if _is_set(slots, key)]
        case "HassListAddItem" | "HassShoppingListAddItem":
            return [_ADDED]
        case "HassListCompleteItem":
            return ["item_completed"]
        case "HassListRemoveItem":
            return ["item_deleted"]
        case _ if intent_type in _ON_OFF:
            own = domain.removeprefix("input_")
            return [own if own in _OWN_WORDS else "default"]
    return ["default"]


def _is_set(slots: Mapping[str, Any], slot: str) -> bool:
    return not intent.is_blank_slot_value(slots.get(slot))


def _as_said(value: Any) -> Any:
    """Return a slot's value as Home Assistant's sentences expect it: a number as text.

    They search it for words, and compare it with "1". Zero has no sentence.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not value:
        return value
    return str(int(value) if value == int(value) else value)


@dataclass(frozen=True, slots=True)
class _Words:
    """The sentences of a language: Home Assistant's, and ours if those have no name."""

    hass: HomeAssistant
    language: str
    responses: Responses

    def of(self, proposed: _Deed) -> str:
        """Return the sentence of an action; empty without one."""
        if said := speech_of(proposed.response):
            return said.strip()
        theirs = self.responses.get(proposed.intent_type, {}).get(proposed.key, "")
        ours = self._ours(proposed.intent_type, proposed.key)
        if not theirs and not ours and proposed.states:
            # Not every language has a sentence about an area.
            ours = self._ours(proposed.intent_type, "default")
            proposed.names.update(dict.fromkeys(state.name for state in proposed.states))
        if proposed.names and ours and "slots.name" not in theirs:
            slots = {slot: _as_said(value) for slot, value in proposed.slots.items()}
            slots |= {"name": joined(self.language, [*proposed.names]), "title": proposed.title}
            return ours.format_map(slots)
        return self._rendered(theirs, proposed) if theirs else ""

    def _ours(self, intent_type: str, key: str) -> str:
        return language_of(self.language).confirmations.get(intent_type, {}).get(key, "")

    def _rendered(self, sentence: str, proposed: _Deed) -> str:
        """Return a rendered sentence of Home Assistant; empty if it lacks a word."""
        states = proposed.states or proposed.response.matched_states
        state = states[0] if states else None
        names = list(proposed.names) or ([state.name] if state else [])
        named = {"name": joined(self.language, names)} if names else {}
        slots = {slot: _as_said(value) for slot, value in proposed.slots.items()}
        try:
            rendered = template.Template(sentence, self.hass).async_render(
                {
                    "slots": {**slots, **named, **proposed.response.speech_slots},
                    "state": template.TemplateState(self.hass, state) if state else None,
                    "query": {"matched": states, "unmatched": []},
                },
                parse_result=False,
            )
        except TemplateError as err:
            # The action is done, with or without a sentence.
            LOGGER.debug("%s can't be said in %s: %s", proposed.intent_type, self.language, err)
            return ""
        text = " ".join(str(rendered).split())
        return "" if "None" in text.split() else text
