"""Home Assistant's intents, with correction of a model's small mistakes."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
import re
from typing import Any, ClassVar, Self, override
import unicodedata

from homeassistant.components.light.intent import INTENT_SET
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ...arguments import correct_for, readings
from ...const import LOGGER
from ...home.exposed import Exposed, Home
from ...json_schema import Json, JsonSchema
from ...nlu.numerals import async_to_number
from ...nlu.utterance import Utterance
from ...text_tool_call import WrittenCall
from ..context_tool import CallContext, ContextTool
from .call_errors import Refusal, WrongDomain, WrongTool
from .domains import all_domains, domains_of, finds_by_domain, handler_of
from .features import only_opens_and_closes, unmatched
from .target import TARGET, Target
from .target_repair import Repair
from .tool_aliases import OtherName, words_of

# Slots that take one value of several.
_ONE = ("area", "floor", "name")
# Color temperatures of lights in mired: kelvin values are never that low.
_MIRED = range(100, 801)
# A number, its divisor, and a word for percent.
_AMOUNT = re.compile(
    r"\s*([-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+))\s*(?:[/⁄]\s*(\d+)\s*)?(%|p[a-z ]{2,10})?\s*"
)
_PERCENT = 100
# From here on, numbers are no fractions; the last one is the maximum of an 8-bit brightness.
_SURELY_PERCENT = 2
_BYTE = 255
# For a called intent and a domain, the intent with the same action there, and its slots' names.
_INSTEAD: Mapping[tuple[str, str], tuple[str, Mapping[str, str]]] = {
    (intent.INTENT_TURN_ON, "lawn_mower"): ("HassLawnMowerStartMowing", {}),
    (intent.INTENT_TURN_OFF, "lawn_mower"): ("HassLawnMowerDock", {}),
    (intent.INTENT_TURN_ON, "vacuum"): ("HassVacuumStart", {}),
    (intent.INTENT_TURN_OFF, "vacuum"): ("HassVacuumReturnToBase", {}),
    ("HassLightSet", "cover"): (intent.INTENT_SET_POSITION, {"brightness": "position"}),
    ("HassLightSet", "valve"): (intent.INTENT_SET_POSITION, {"brightness": "position"}),
    ("HassLightSet", "fan"): ("HassFanSetSpeed", {"brightness": "percentage"}),
}


class IntentTool(ContextTool, llm.IntentTool):
    """An intent of Home Assistant that is called again, corrected, if it certainly failed.

    Home Assistant refuses slots and targets before it acts; only then is the call corrected, once.
    """

    synonyms: ClassVar[Mapping[str, str]] = {
        "argument": "name",
        "device": "name",
        "device_name": "name",
        "entity": "name",
        "entity_id": "name",
        "entity_name": "name",
        "area_name": "area",
        "location": "area",
        "room": "area",
    }
    """Names that models use for the slots of a target, if a tool has no slot of that name.

    "argument" is the only argument that a call without argument names has.
    """
    called_by: Sequence[OtherName] = ()
    """The aliases by which it is called: then it is for their devices alone."""

    def __init__(
        self,
        tool: llm.IntentTool,
        schema: Json,
        told: Json,
        other_names: Sequence[OtherName] = (),
    ) -> None:
        """Take Home Assistant's tool, its JSON schema, and the part of it in the prompt.

        `other_names` are the tool's aliases.
        """
        self._other_names = other_names
        self.name = tool.name
        self.title = tool.title
        self.description = tool.description
        self.integration = tool.integration
        self.annotations = tool.annotations
        self.intent_type = tool.intent_type
        self.extra_slots = tool.extra_slots
        self.parameters = JsonSchema(told, accepted=schema, names=partial(_slots_of, self.synonyms))
        self._slots: Json = schema.get("properties", {})
        self._required: Collection[str] = schema.get("required", ())
        self._single = [slot for slot in _ONE if self._slots.get(slot, {}).get("type") == "string"]

    def called(self, name: str) -> Self | None:
        """Return the tool for one of its aliases; None if the name is not certainly one."""
        words = words_of(name)
        meant = [each for each in self._other_names if words and each.is_meant(words)]
        if not meant:
            return None
        tool = copy(self)
        tool.called_by = meant
        return tool

    def for_intent(self, intent_type: str) -> Self:
        """Return the tool for another intent, which replaces this one."""
        tool = copy(self)
        tool.intent_type = intent_type
        return tool

    def as_called(self, arguments: Json) -> Json:
        """Return a call's arguments, completed with those that the tool's alias implies."""
        said = {slot: value for each in self.called_by for slot, value in each.arguments}
        given = {key: value for key, value in arguments.items() if key not in said or value}
        domains = {"domain": sorted(self._only)} if self._only and "domain" in self._slots else {}
        return said | given | domains

    def in_units(self, arguments: Json, said: Collection[float]) -> Json:
        """Return a call's arguments in the units of its slots, if they certainly have others.

        Fractions become percent, and mired becomes kelvin. `said` are the numbers in the utterance:
        after "to one percent", 1.0 is no fraction.
        """
        given = {
            slot: _in_percent(value, said) if _is_percent(self._slots.get(slot)) else value
            for slot, value in arguments.items()
        }
        warmth = given.get("temperature")
        if self.intent_type == INTENT_SET and isinstance(warmth, int | float) and warmth in _MIRED:
            given["temperature"] = round(1_000_000 / warmth)
        return given

    @property
    def _only(self) -> Collection[str]:
        """The only domains that the alias allows; empty if the tool has its own name."""
        return {each.domain for each in self.called_by if each.domain}

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Handle the intent."""
        arguments = call.tool_args
        self._check(arguments)
        if context.only:
            return await self._handle(self, arguments, context)
        failed: intent.IntentError | None = None
        if not isinstance(call, WrittenCall):
            try:
                return await self._handle(self, arguments, context)
            except (intent.MatchFailedError, intent.InvalidSlotInfo) as err:
                LOGGER.debug("%s(%s) was refused: %s", self.name, Target.of(arguments), err)
            except intent.IntentHandleError as err:
                # Something may have been done, unless the tool does not support this domain.
                failed = err
        tool, corrected = await self._in_its_place(arguments, context, failed)
        if (tool, corrected) != (self, arguments):
            before, after = Target.of(arguments), Target.of(corrected)
            LOGGER.debug("%s corrected: %s → %s", self.name, before, after)
            context = replace(context, only=context.allow(tool, corrected))
        try:
            return await self._handle(tool, corrected, context)
        except intent.MatchFailedError as err:
            if refusal := unmatched(err, context.utterance.home):
                raise refusal from err
            raise

    async def _in_its_place(
        self, arguments: dict[str, Any], context: CallContext, failed: intent.IntentError | None
    ) -> tuple[IntentTool, dict[str, Any]]:
        """Return the corrected tool and arguments of a call that may have been executed.

        Raises `failed`, unless the device belongs to another tool; else Refusal.
        """
        try:
            tool, corrected = await self.async_meant(context.hass, arguments, context.utterance)
        except Refusal as err:
            # A tool can't have acted on a domain that it does not support.
            if failed and not isinstance(err, WrongTool):
                raise failed from None
            raise
        if failed and tool is self:
            raise failed
        return tool, corrected

    async def _handle(
        self, tool: IntentTool, arguments: dict[str, Any], context: CallContext
    ) -> llm.ToolResult:
        """Let Home Assistant handle an intent: this one, or the one that replaces it."""
        if context.only is not None:
            targets = [Target(name=e.entity_id, domains=(e.domain,)) for e in context.only]
            alone = replace(context, only=None)
            handled = (self._handle(tool, each.in_place_of(arguments), alone) for each in targets)
            return together(context.only, await asyncio.gather(*handled, return_exceptions=True))
        hass, home = context.hass, context.utterance.home
        call = llm.ToolInput(self.name, tool._narrowed(hass, arguments, home))
        try:
            return await llm.IntentTool.async_call(tool, hass, call, context.caller)
        except intent.IntentHandleError as err:
            if refusal := only_opens_and_closes(hass, tool.intent_type, arguments, home):
                raise refusal from err
            raise

    def _narrowed(self, hass: HomeAssistant, arguments: Json, home: Home) -> Json:
        """Return a call for a named device, restricted to the domains of the devices of that name.

        The result is the same, but Home Assistant reads fewer names: in a large home, reading all
        of them takes longer than the rest of a turn.
        """
        name = Target.of(arguments).name
        if arguments.get("domain") or name == "all" or not finds_by_domain(hass, self.intent_type):
            return arguments
        domains = {each.domain for each in home.called(name)} if name else ()
        return {**arguments, "domain": sorted(domains)} if domains else arguments

    async def async_meant(
        self, hass: HomeAssistant, arguments: dict[str, Any], utterance: Utterance
    ) -> tuple[IntentTool, dict[str, Any]]:
        """Return the corrected tool and arguments of a call. Raises Refusal. Executes nothing."""
        self._check(arguments)
        try:
            return self, await self._corrected(hass, arguments, utterance)
        except WrongDomain as err:
            entity = err.entity
            instead = _INSTEAD.get((self.intent_type, entity.domain))
            # A command to open does not start a vacuum.
            if instead is None or self._only:
                raise
        intent_type, names = instead
        values = {names.get(key, key): arguments[key] for key in arguments if key not in TARGET}
        target = Target(name=entity.entity_id, domains=(entity.domain,))
        return self.for_intent(intent_type), target.in_place_of(values)

    def each(self, arguments: Json) -> list[Json]:
        """Return the arguments of one call for each device or area, if a call names several.

        Home Assistant's slots take one value: a list of names, ignored, would leave every device.
        """
        # Without a bracket there is no list, even in a text: nothing has to be parsed to find one.
        if not any("[" in str(each) for each in arguments.values()):
            return [arguments]
        corrected, _ = correct_for(self, arguments)
        for slot in self._single:
            several = _list_of(corrected.get(slot))
            if several and all(isinstance(one, str) for one in several):
                return [{**corrected, slot: one} for one in dict.fromkeys(several)]
        return [arguments]

    def _check(self, arguments: Json) -> None:
        """Raise Refusal if Home Assistant would ignore a possible target.

        A device under a wrong argument name, ignored, would turn "the lamp" into "all lights".
        """
        for slot in self._single:
            if _list_of(arguments.get(slot)):
                raise Refusal(f"{slot} takes one. Call the tool once for each.")
        for slot, value in arguments.items():
            is_whole = not isinstance(value, float) or value.is_integer()
            if not is_whole and _is_percent(self._slots.get(slot)):
                raise Refusal(f"{slot} is a whole number of percent, not {value}")
        said = {slot for slot, value in arguments.items() if not intent.is_blank_slot_value(value)}
        unknown = sorted(said - self._slots.keys())
        is_unsure = self.called_by or ("name" in self._slots and said.isdisjoint(_ONE))
        if unknown and is_unsure:
            raise Refusal(
                f"There is no argument {', '.join(unknown)}. There are: {', '.join(self._slots)}"
            )

    async def _corrected(
        self, hass: HomeAssistant, arguments: dict[str, Any], utterance: Utterance
    ) -> dict[str, Any]:
        """Return the corrected arguments of a call. Raises Refusal."""
        numbers = {
            slot: number
            for slot, value in arguments.items()
            if isinstance(value, str)
            and self._slots.get(slot, {}).get("type") in ("integer", "number")
            and (number := await async_to_number(hass, value, utterance.language)) is not None
        }
        arguments = arguments | numbers
        self._check(arguments)
        said = {key: value for key, value in arguments.items() if key not in self._required}
        if "name" in self._required:
            said["name"] = arguments.get("name")
        home = utterance.home
        if not (domains := self.domains(hass, home)) or not self._slots.keys() & {"name", "area"}:
            return arguments
        repair = Repair(hass, utterance, domains, all_domains=all_domains(hass, home))
        target = Target.of(said)
        try:
            corrected = repair.target(target).in_place_of(said)
        except WrongTool:
            raise
        except Refusal as err:
            raise _for_others(target, domains, home) or err from None
        required = {key: value for key, value in arguments.items() if key in self._required}
        return {key: value for key, value in (required | corrected).items() if key in self._slots}

    def is_for(self, hass: HomeAssistant, entity: Exposed) -> bool:
        """Return True if a device is in the tool's domains and, if known, has the feature."""
        return True

    @property
    def takes_name(self) -> bool:
        """Whether it takes the name of a single device."""
        return "name" in self._slots

    def domains(self, hass: HomeAssistant, home: Home) -> Collection[str] | None:
        """Return the domains of the devices that the intent acts upon; None if it has none."""
        return self._only or domains_of(hass, home, handler_of(hass, self.intent_type))


def _for_others(target: Target, domains: Collection[str], home: Home) -> WrongTool | None:
    """Return the error for a call for all devices of domains that exist and that the tool lacks."""
    if (
        target.name
        or not target.domains
        or not home.domains.difference(domains).issuperset(target.domains)
    ):
        return None
    return WrongTool(f"This tool is for: {', '.join(sorted(domains))}.", target.domains[0])


def _slots_of(synonyms: Mapping[str, str], name: str) -> tuple[str]:
    """Return the slot for an argument's name.

    Not a method: a tool's schema that referenced the tool would keep it alive in the schema cache.
    """
    return (synonyms.get(name.casefold(), name.casefold()),)


def _is_percent(schema: Any) -> bool:
    """Return True if a slot takes whole numbers of percent, possibly besides words."""
    if not isinstance(schema, dict):
        return False
    kinds = schema.get("anyOf", (schema,))
    return any(each.get("type") == "integer" and each.get("maximum") == 100 for each in kinds)


def _in_percent(value: Any, said: Collection[float]) -> Any:
    """Return a fraction, or a number with its unit, in percent; anything else unchanged.

    A number between 1 and 2 is ambiguous, and stays unchanged, as does a fraction of less than half
    a percent. A number of 255 is a fraction if the utterance has its value in percent.
    """
    if isinstance(value, str):
        if (written := _AMOUNT.fullmatch(unicodedata.normalize("NFKC", value))) is None:
            return value
        number = float(written[1].replace(",", "."))
        if written[3]:
            return round(number) if number.is_integer() or number >= _SURELY_PERCENT else value
        whole = float(written[2] or 1)
        is_written_whole = not written[2] and written[1].isdecimal()
        value = int(number) if is_written_whole else number / whole if whole else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if _PERCENT < value <= _BYTE:
        shares = {each for each in said if abs(value * _PERCENT / _BYTE - each) < 1}
        return round(shares.pop()) if len(shares) == 1 else value
    size = abs(value)
    if isinstance(value, float) and (size < 1 or (size == 1 and 1 not in said)):
        return round(value * _PERCENT) if size == 0 or size * _PERCENT >= 1 else value
    return value if 1 < size < _SURELY_PERCENT else round(value)


def _list_of(value: Any) -> list[Any]:
    """Return a list, or the JSON list in a text; an empty one for anything else."""
    if isinstance(value, str):
        value = next(readings(value), None)
    return value if isinstance(value, list) else []


def together(
    targets: Sequence[Exposed], results: Sequence[llm.ToolResult | BaseException]
) -> llm.ToolResult:
    """Return one result of the calls for several devices: successes and failures.

    Raises the first device's exception if no call succeeded.
    """
    responses = [
        result.data.original
        for result in results
        if isinstance(result, llm.ToolResult) and isinstance(result.data, llm.IntentResponseDict)
    ]
    failed = [
        intent.IntentResponseTarget(
            name=entity.names[0], type=intent.IntentResponseTargetType.ENTITY, id=entity.entity_id
        )
        for entity, result in zip(targets, results, strict=True)
        if isinstance(result, BaseException)
    ]
    if not responses:
        raise next(result for result in results if isinstance(result, BaseException))
    whole, *others = responses
    whole.async_set_results(
        [*whole.success_results, *(done for each in others for done in each.success_results)],
        [*whole.failed_results, *(bad for each in others for bad in each.failed_results), *failed],
    )
    whole.async_set_states([*whole.matched_states, *(s for e in others for s in e.matched_states)])
    return llm.ToolResult(data=llm.IntentResponseDict(whole))
