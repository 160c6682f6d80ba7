"""What the answer before named is what the next sentence means: "which lights are on?", "turn them off"."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.nlu.utterance import DeviceAction
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.antecedents import (
    compare_answer,
    refers_to_answer,
)
from custom_components.voice_gateway.tools.policy.call import ComparedCall, PolicyContext
from custom_components.voice_gateway.tools.policy.coverage import compare_coverage
from custom_components.voice_gateway.tools.policy.targets import compare_mentions
from custom_components.voice_gateway.tools.taint import Taint
from tests.devices import async_change_device
from tests.nlu.saying import hears
from tests.tools.comparing import proposed_call, verdict

from .comparing import intent_tool
from .test_taint_policy import DESCRIBED, has_read

BED, CEILING, KITCHEN = "Bed Light", "Ceiling Lights", "Kitchen Lights"
ON, OFF = "HassTurnOn", "HassTurnOff"
TWO = "The Bed Light and the Ceiling Lights."
# The language, what was answered, what is said then, what is called for which device, and what comes of it.
ANSWERED: list[tuple[str, str, str, str, str, str]] = [
    ("en", TWO, "turn them off", OFF, BED, "yes"),
    ("en", TWO, "turn both off", OFF, CEILING, "yes"),
    ("en", TWO, "then put those out", OFF, BED, "yes"),
    ("de", TWO, "dann mach die beiden aus", OFF, BED, "yes"),
    ("es", TWO, "pues apágalas", OFF, CEILING, "yes"),
    ("fr", TWO, "alors éteins-les", OFF, BED, "yes"),
    ("it", TWO, "allora spegnile", OFF, BED, "yes"),
    ("nl", TWO, "doe ze maar uit", OFF, CEILING, "yes"),
    ("pl", TWO, "to wyłącz je", OFF, BED, "yes"),
    ("en", "Only the Bed Light.", "switch it off then", OFF, BED, "yes"),
    # Which of two, only the model guesses.
    ("en", TWO, "switch it off", OFF, BED, "asks turn_off"),
    # Another one than was told, the opposite, and what is for another one.
    ("en", TWO, "turn them off", OFF, KITCHEN, "-"),
    ("en", TWO, "turn them off", ON, BED, "-"),
    ("en", TWO, "turn off the kitchen lights", OFF, BED, "-"),
    ("en", TWO, "turn off the other one", OFF, BED, "-"),
    ("en", TWO, "are they off?", OFF, BED, "-"),
    ("en", TWO, "they are off", OFF, BED, "-"),
    ("en", TWO, "don't turn them off", OFF, BED, "-"),
    ("en", TWO, "thanks", OFF, BED, "-"),
    ("en", "Fine.", "turn them off", OFF, BED, "-"),
]  # fmt: skip


async def asked_of(
    home: HomeAssistant, row: Sequence[str], taint: Taint, *, is_done: bool = False
) -> tuple[str, ComparedCall, PolicyContext]:
    """Return what comes of a call by the answer before, with what it was held to."""
    language, answer, text, intent_type, name, _ = row
    utterance = await hears(home, text, "which lights are on?", language=language)
    lights = [each for each in utterance.home.entities if each.domain == "light"]
    targets = [each for each in lights if name in each.names]
    done = (DeviceAction(intent_type, {}, tuple(lights)),) if is_done else ()
    proposed = proposed_call(
        tool=intent_tool(intent_type),
        arguments={"name": name},
        is_written=False,
        domains=frozenset(("light",)),
        targets=targets,
    )
    context = replace(utterance.context, answer=utterance.text.alike(answer), actions=done)
    utterance = replace(utterance, context=context)
    turn = PolicyContext(utterance, Journal(), ToolManager(), hass=home, taint=taint)
    return verdict(compare_answer, proposed, turn), proposed, turn


async def test_what_was_answered_is_meant(full_house: HomeAssistant) -> None:
    wrong = []
    for row in ANSWERED:
        got, proposed, turn = await asked_of(full_house, row, DESCRIBED)
        is_free = (
            verdict(compare_mentions, proposed, turn) == "yes"
            and verdict(compare_coverage, proposed, turn) == "yes"
        )
        is_right = got == "yes" if row[-1] == "-" else got == row[-1] and is_free
        if not is_right:
            wrong.append((row, got, is_free))
    assert not wrong


async def test_what_an_answer_told_of_others_is_asked_about(full_house: HomeAssistant) -> None:
    """A text may have had the model name a device."""
    for row in ANSWERED:
        got, *_ = await asked_of(full_house, row, has_read("mail"))
        assert got == ("asks turn_off" if row[-1] != "-" else "yes"), row


async def test_an_answer_may_name_them_by_their_places(full_house: HomeAssistant) -> None:
    """What is said to be "in the loft" is the light there, where lights were asked about."""
    await async_change_device(full_house, "light.bed_light", area="Loft")
    for name, is_told in ((BED, True), (KITCHEN, None)):
        row = ("en", "Only that in the loft.", "switch it off then", OFF, name, "")
        _, proposed, turn = await asked_of(full_house, row, DESCRIBED)
        assert refers_to_answer(replace(proposed, turn=turn)) is is_told


@pytest.mark.parametrize("row", ANSWERED[:2])
async def test_what_was_done_is_followed_up_by_itself(
    full_house: HomeAssistant, row: Sequence[str]
) -> None:
    got, *_ = await asked_of(full_house, row, has_read("mail"), is_done=True)
    assert got == "yes"
