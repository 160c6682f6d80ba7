"""Home Assistant's intents as a model calls them: with small mistakes."""

from collections.abc import Collection, Mapping
from copy import copy
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, intent, llm

from ...const import LOGGER
from ...corrected import note_correction
from ...heard.numbers import async_to_number
from ...home.exposed import Home
from ...json_schema import Json, JsonSchema
from ...written_call import WrittenCall
from ..heard import heard
from .features import only_opens_and_closes, unable
from .repair import Refusal, Repair, WrongDomain
from .target import TARGET, Target

# What models call the slots of a target, where a tool has no slot of that name.
_SYNONYMS: Mapping[str, str] = {
    "device": "name",
    "device_name": "name",
    "entity": "name",
    "entity_id": "name",
    "entity_name": "name",
    "area_name": "area",
    "location": "area",
    "room": "area",
}
# Slots that take one of something.
_ONE = ("area", "floor", "name")
# The intents that do to other devices what the called one does to its own, and their slots' names.
_INSTEAD: Mapping[tuple[str, str], tuple[str, Mapping[str, str]]] = {
    (intent.INTENT_TURN_ON, "lawn_mower"): ("HassLawnMowerStartMowing", {}),
    (intent.INTENT_TURN_OFF, "lawn_mower"): ("HassLawnMowerDock", {}),
    (intent.INTENT_TURN_ON, "vacuum"): ("HassVacuumStart", {}),
    (intent.INTENT_TURN_OFF, "vacuum"): ("HassVacuumReturnToBase", {}),
    ("HassLightSet", "cover"): (intent.INTENT_SET_POSITION, {"brightness": "position"}),
    ("HassLightSet", "valve"): (intent.INTENT_SET_POSITION, {"brightness": "position"}),
    ("HassLightSet", "fan"): ("HassFanSetSpeed", {"brightness": "percentage"}),
}
# What Home Assistant's turn-on and turn-off intents do by other services than that.
_ON_OFF = frozenset(("button", "cover", "input_button", "lock", "valve"))


class IntentTool(llm.IntentTool):
    """An intent of Home Assistant that is called again, corrected, where it was certainly not done.

    Home Assistant refuses slots and targets before it acts; only then is the call corrected, once.
    """

    def __init__(self, tool: llm.IntentTool, schema: Json, told: Json) -> None:
        """Take Home Assistant's tool, its JSON schema, and as much of it as a model is told."""
        self.name = tool.name
        self.title = tool.title
        self.description = tool.description
        self.integration = tool.integration
        self.annotations = tool.annotations
        self.intent_type = tool.intent_type
        self.extra_slots = tool.extra_slots
        self.parameters = JsonSchema(told)
        self._slots: Json = schema.get("properties", {})
        self._required: Collection[str] = schema.get("required", ())
        self._single = [slot for slot in _ONE if self._slots.get(slot, {}).get("type") == "string"]

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Handle the intent."""
        arguments = self._in_our_words(tool_input.tool_args)
        failed: intent.IntentError | None = None
        if not isinstance(tool_input, WrittenCall):
            try:
                return await self._handle(hass, self.intent_type, arguments, llm_context)
            except (intent.MatchFailedError, intent.InvalidSlotInfo) as err:
                LOGGER.debug("%s(%s) was refused: %s", self.name, arguments, err)
            except intent.IntentHandleError as err:
                # Something may have been done, unless it is not for devices of this domain.
                failed = err
        return await self._call_corrected(hass, arguments, llm_context, failed)

    async def _call_corrected(
        self,
        hass: HomeAssistant,
        arguments: dict[str, Any],
        llm_context: llm.LLMContext,
        failed: intent.IntentError | None,
    ) -> llm.ToolResult:
        """Handle what certainly is meant; not what failed already. Raises Refusal."""
        try:
            intent_type, corrected = await self._meant(hass, arguments, llm_context)
        except Refusal:
            if failed:
                raise failed from None
            raise
        if failed and intent_type == self.intent_type:
            raise failed
        if corrected != arguments:
            LOGGER.debug("%s corrected: %s → %s", self.name, arguments, corrected)
        # What is only added was not wrong: the domain of a device that was named.
        if not arguments.items() <= corrected.items():
            note_correction(self.name, corrected, intent_type=intent_type)
        try:
            return await self._handle(hass, intent_type, corrected, llm_context)
        except intent.MatchFailedError as err:
            if refusal := unable(err):
                raise refusal from err
            raise

    async def _handle(
        self,
        hass: HomeAssistant,
        intent_type: str,
        arguments: dict[str, Any],
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Let Home Assistant handle an intent: this one, or the one that is meant instead."""
        tool = copy(self)
        tool.intent_type = intent_type
        try:
            return await llm.IntentTool.async_call(
                tool, hass, llm.ToolInput(self.name, arguments), llm_context
            )
        except intent.IntentHandleError as err:
            if refusal := only_opens_and_closes(hass, intent_type, arguments, llm_context):
                raise refusal from err
            raise

    async def _meant(
        self, hass: HomeAssistant, arguments: dict[str, Any], llm_context: llm.LLMContext
    ) -> tuple[str, dict[str, Any]]:
        """Return the intent and the arguments that certainly are meant. Raises Refusal."""
        try:
            return self.intent_type, await self._corrected(hass, arguments, llm_context)
        except WrongDomain as err:
            entity = err.entity
            instead = _INSTEAD.get((self.intent_type, entity.domain))
            if instead is None:
                raise
        intent_type, names = instead
        values = {names.get(key, key): arguments[key] for key in arguments if key not in TARGET}
        target = Target(name=entity.entity_id, domains=(entity.domain,))
        return intent_type, target.in_place_of(values)

    def each(self, arguments: Json) -> list[Json]:
        """Return the arguments of one call for each device or place, of a call that names several.

        Home Assistant's slots take one: a list of names, ignored, would leave everything.
        """
        for slot in self._single:
            several = arguments.get(slot)
            if (
                isinstance(several, list)
                and several
                and all(isinstance(one, str) for one in several)
            ):
                return [{**arguments, slot: one} for one in dict.fromkeys(several)]
        return [arguments]

    def _in_our_words(self, called: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments under the slots' names.

        Home Assistant ignores what it does not know. A device under a wrong name, ignored, would
        turn "the lamp" into "all lights".
        """
        arguments = dict(called)
        for slot in self._single:
            if called.get(slot) and isinstance(called[slot], list):
                raise Refusal(f"{slot} takes one. Call the tool once for each.")
        for given in called.keys() - self._slots.keys():
            slot = _SYNONYMS.get(given.casefold(), given.casefold())
            if slot in self._slots and not arguments.get(slot):
                arguments[slot] = arguments.pop(given)
        unknown = sorted(arguments.keys() - self._slots.keys())
        if unknown and "name" in self._slots and not (arguments.keys() & {"name", "area", "floor"}):
            raise Refusal(
                f"There is no argument {', '.join(unknown)}. There are: {', '.join(self._slots)}"
            )
        return arguments

    async def _corrected(
        self,
        hass: HomeAssistant,
        arguments: dict[str, Any],
        llm_context: llm.LLMContext,
    ) -> dict[str, Any]:
        """Return the arguments that certainly are meant. Raises Refusal."""
        numbers = {
            slot: number
            for slot, value in arguments.items()
            if isinstance(value, str)
            and self._slots.get(slot, {}).get("type") in ("integer", "number")
            and (number := await async_to_number(hass, value, llm_context.language)) is not None
        }
        arguments = arguments | numbers
        said = {key: value for key, value in arguments.items() if key not in self._required}
        if "name" in self._required:
            said["name"] = arguments.get("name")
        home = Home.seen_by(hass, llm_context.assistant)
        if not (domains := self.domains(hass, home)) or not self._slots.keys() & {"name", "area"}:
            return arguments
        repair = Repair(
            hass,
            home,
            domains,
            heard(llm_context),
            _area_of(hass, llm_context.device_id),
            language=llm_context.language,
            all_domains=_all_domains(hass, home),
        )
        corrected = repair.target(Target.of(said)).in_place_of(said)
        required = {key: value for key, value in arguments.items() if key in self._required}
        return {key: value for key, value in (required | corrected).items() if key in self._slots}

    def domains(self, hass: HomeAssistant, home: Home) -> Collection[str] | None:
        """Return the domains of the devices that the intent acts upon; None where it has no such."""
        return next(
            _domains(hass, home, each)
            for each in intent.async_get(hass)
            if each.intent_type == self.intent_type
        )


def _domains(
    hass: HomeAssistant, home: Home, handler: intent.IntentHandler
) -> Collection[str] | None:
    """Return the domains of the devices that an intent's handler acts upon."""
    match handler:
        case intent.DynamicServiceIntentHandler(required_domains=set(domains)) if domains:
            return domains
        case intent.ServiceIntentHandler(service=service):
            return {
                domain
                for domain in home.domains
                if domain in _ON_OFF or hass.services.has_service(domain, service)
            }
        case intent.IntentHandler(platforms=set(domains)) if domains:
            return domains
    return None


def _all_domains(hass: HomeAssistant, home: Home) -> Collection[str]:
    """Return the domains of the devices that any intent acts upon."""
    handlers = intent.async_get(hass)
    return {domain for each in handlers for domain in _domains(hass, home, each) or ()}


def _area_of(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return the id of the area where a device is."""
    if device_id is None or (device := dr.async_get(hass).async_get(device_id)) is None:
        return None
    return dr.async_get_effective_area_id(hass, device)
