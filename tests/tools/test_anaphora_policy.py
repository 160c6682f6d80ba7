"""What a part of a sentence means by a word for what was named before it: "the other one", "it"."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.nlu.utterance import DeviceAction
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.antecedents import is_anaphoric
from custom_components.voice_gateway.tools.policy.call import PolicyContext
from custom_components.voice_gateway.tools.policy.coverage import compare_coverage
from custom_components.voice_gateway.tools.policy.targets import compare_mentions
from tests.devices import async_change_device
from tests.nlu.saying import hears
from tests.rows import rows
from tests.tools.comparing import proposed_call, verdict

from ..tables import table
from .comparing import intent_tool
from .test_taint_policy import has_read

LIGHTS = BED, CEILING, KITCHEN = "Bed Light", "Ceiling Lights", "Kitchen Lights"
TWO, THREE = (BED, CEILING), (BED, CEILING, KITCHEN)
"""The lights that are in one room."""
ON, OFF, SET = "HassTurnOn", "HassTurnOff", "HassLightSet"
# The language; what was said before, and turned the bed light on or off, if it did so; what is said
# now; the lights of that room; the call, and to what; whether it is certainly meant.
SAID: list[tuple[str, str, str, str, tuple[str, ...], str, Mapping[str, Any], bool]] = table(
    __file__, "SAID"
)


async def put_in_loft(home: HomeAssistant, lights: Sequence[str]) -> None:
    """Put some lights in one room, and the others in none."""
    for each in LIGHTS:
        entity_id = f"light.{each.lower().replace(' ', '_')}"
        await async_change_device(home, entity_id, area="Loft" if each in lights else "")


# The language; what was said before, of the vacuum; what is said now; whether that means the vacuum.
OF_SOMEBODY: list[tuple[str, str, str, bool]] = table(__file__, "OF_SOMEBODY")


@rows(("language", "before", "text", "is_meant"), OF_SOMEBODY)
async def test_a_device_may_be_somebody(
    full_house: HomeAssistant, language: str, before: str, text: str, is_meant: bool
) -> None:
    utterance = await hears(full_house, text, before, language=language)
    (vacuum,) = (each for each in utterance.home.entities if "0_ground" in each.entity_id)
    if "mail" not in before:
        utterance = replace(
            utterance,
            context=replace(
                utterance.context, actions=(DeviceAction("HassVacuumStart", {}, (vacuum,)),)
            ),
        )
    proposed = proposed_call(
        tool=intent_tool("HassVacuumReturnToBase"),
        arguments={"name": vacuum.names[0]},
        is_written=False,
        domains=frozenset(("vacuum",)),
        targets=[vacuum],
    )
    turn = PolicyContext(
        utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
    )
    assert (verdict(compare_coverage, proposed, turn) == "yes") is is_meant


@rows(
    ("language", "text"),
    [
        ("en", "how warm is it in the Loft? And dim the lamp there to 22"),
        ("de", "wie warm ist es im Loft? Und stell das Licht dort auf 22"),
        ("fr", "il fait combien dans le Loft ? Et règle la lumière là-bas sur 22"),
        ("es", "¿cuántos grados hay en el Loft? Y pon la luz de allí al 22"),
        ("it", "quanti gradi ci sono nel Loft? E metti la luce lì a 22"),
        ("nl", "hoe warm is het in de Loft? En dim de lamp daar tot 22"),
        ("pl", "ile jest stopni w Loft? I ustaw tam światło na 22"),
    ],
)
async def test_there_is_the_place_that_was_named_before(
    full_house: HomeAssistant, language: str, text: str
) -> None:
    await put_in_loft(full_house, [KITCHEN])
    utterance = await hears(full_house, text, language=language)
    turn = PolicyContext(
        utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
    )
    for each in utterance.home.entities:
        if each.names[0] in LIGHTS:
            proposed = proposed_call(
                tool=intent_tool(SET),
                arguments={"name": each.names[0], "brightness": 22},
                is_written=False,
                domains=frozenset(("light",)),
                targets=[each],
            )
            assert is_anaphoric(replace(proposed, turn=turn)) is (each.names[0] == KITCHEN)
            assert (verdict(compare_coverage, proposed, turn) == "yes") is (
                each.names[0] == KITCHEN
            )


@rows("said", SAID)
async def test_what_was_named_before_is_meant_where_that_is_certain(
    full_house: HomeAssistant,
    said: tuple[str, str, str, str, tuple[str, ...], str, Mapping[str, Any], bool],
) -> None:
    language, before, did, text, lights, intent_type, arguments, is_meant = said
    await put_in_loft(full_house, lights)
    utterance = await hears(full_house, text, *([before] if before else []), language=language)
    known = {each.names[0]: each for each in utterance.home.entities}
    if did:
        utterance = replace(
            utterance,
            context=replace(utterance.context, actions=(DeviceAction(did, {}, (known[BED],)),)),
        )
    proposed = proposed_call(
        tool=intent_tool(intent_type),
        arguments=dict(arguments),
        is_written=False,
        domains=frozenset(("light",)),
        targets=[known[arguments["name"]]],
    )
    turn = PolicyContext(
        utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
    )
    decided = [verdict(rule, proposed, turn) for rule in (compare_mentions, compare_coverage)]
    assert (decided == ["yes", "yes"]) is is_meant, decided
