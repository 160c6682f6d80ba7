"""What a call would do, before it is made: corrected, checked, and for which devices."""

from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from custom_components.voice_gateway.text_tool_call import WrittenCall
from custom_components.voice_gateway.tools.assist.call_errors import Refusal
from custom_components.voice_gateway.tools.consent import ConfirmationRequired
from custom_components.voice_gateway.tools.deferral import CannotSchedule
from custom_components.voice_gateway.tools.journal import DirectReply
from custom_components.voice_gateway.tools.policy.decisions import Ask

from .test_kept import turn_of

ON, OFF = "intent__HassTurnOn", "intent__HassTurnOff"
BED, FRONT, CELLAR = {"name": "Bed Light"}, {"name": "Front Door"}, {"area": "Cellar"}
LOCKS, LIGHTS = {"domain": ["lock"]}, {"domain": ["light"]}
BOTH = "unlock the front door and turn on the bed light"
DOORS = "unlock the front door and the kitchen door"

LAMPS = (
    "ceiling_lights",
    "kitchen_lights",
    "entrance_color_white_lights",
    "living_room_rgbww_lights",
    "office_rgbw_lights",
)

# What was said, what is called; the devices that it is for, or why there are none; what the user is
# asked before is asked in the first case, and agreed to in the second.
RESOLVED: list[tuple[str, str, dict[str, Any], set[str] | type[Refusal] | DirectReply]] = [
    ("turn on the bed light", ON, BED, {"light.bed_light"}),
    ("turn on the bed light", ON, BED | CELLAR, {"light.bed_light"}),
    ("make the bedroom cosy", ON, BED, {"light.bed_light"}),
    ("make the bedroom cosy", ON, {"name": "Sauna"}, Refusal),
    ("make the bedroom cosy", ON, CELLAR, Refusal),
    ("make the bedroom cosy", "HassGlow", BED, Refusal),
    # What was understood is done, and what it spares is spared.
    ("turn on the bed light", OFF, BED, {"light.bed_light"}),
    ("turn off the bed light and the ceiling lights", OFF, LIGHTS, {"light.bed_light", "light.ceiling_lights"}),
    ("turn on all lights but the bed light", ON, LIGHTS, {f"light.{each}" for each in LAMPS}),
    # What is not to be done, or not now.
    ("don't turn on the bed light", ON, BED, DirectReply.AS_SAID),
    ("turn on the bed light at eight", ON, BED, Refusal),
    ("what time is it", ON, BED, Refusal),
    # What is asked first, also where only the corrected call reaches it.
    ("unlock the front door", OFF, FRONT, ConfirmationRequired),
    (BOTH, OFF, FRONT, ConfirmationRequired),
    (BOTH, OFF, FRONT | CELLAR, ConfirmationRequired),
    (DOORS, OFF, {"name": ["Front Door", "Kitchen Door"]}, ConfirmationRequired),
    # There are others.
    (DOORS, OFF, LOCKS, Refusal),
]  # fmt: skip
AGREED: list[tuple[str, str, dict[str, Any], set[str]]] = [
    (BOTH, OFF, FRONT, {"lock.front_door"}),
    (BOTH, OFF, FRONT | CELLAR, {"lock.front_door"}),
]


async def test_call_is_resolved_to_what_it_would_do(full_house: HomeAssistant) -> None:
    """And nothing is done; a call that is written as text is no other."""
    wrong = []
    rows = [(*row, False) for row in RESOLVED] + [(*row, True) for row in AGREED]
    before = {state.entity_id: state.state for state in full_house.states.async_all()}
    agreed = Ask(does="unlock", names=["Front Door"])
    for said, name, arguments, expected, has_agreed in rows:
        tools = await turn_of(full_house, said, None)
        tools = replace(tools, agreed=agreed if has_agreed else None)
        for kind in (llm.ToolInput, WrittenCall):
            found: object
            try:
                resolved = await tools.async_resolve(kind(name, arguments))
                found = {each.entity_id for each in resolved.targets}
            except CannotSchedule as err:
                found = err.instead
            except Refusal as err:
                found = type(err)
            if found != expected:
                wrong.append((said, kind, arguments, found))
        assert not tools.journal.entries
    assert not wrong
    assert before == {state.entity_id: state.state for state in full_house.states.async_all()}


async def test_call_for_several_is_taken_apart_where_each_may_be_made(
    full_house: HomeAssistant,
) -> None:
    lamps = {"name": ["Bed Light", "Ceiling Lights"]}
    doors = {"name": ["Front Door", "Kitchen Door"]}
    for kind in (llm.ToolInput, WrittenCall):
        for said, arguments, count in (
            ("make it bright", lamps, 2),
            ("make it bright", BED, 1),
            # Of several doors none is opened that was not said.
            ("I want to go out by any door", doors, 1),
            ("I want to go out by the front door", doors, 1),
        ):
            tools = await turn_of(full_house, said, None)
            tool = OFF if arguments is doors else ON
            made = tools.one_by_one(call := kind(tool, arguments))
            assert len(made) == count, said
            assert {type(each) for each in made} == {kind}
            if count == 1:
                assert made == [call]
            else:
                assert [each.tool_args for each in made] == [
                    {"name": name} for name in lamps["name"]
                ]
                assert len({each.id for each in made}) == count
    assert tools.one_by_one(call := llm.ToolInput("sing", lamps)) == [call]


async def test_of_doors_of_which_none_was_said_the_user_is_told(full_house: HomeAssistant) -> None:
    tools = await turn_of(full_house, "I want to go out by any door", None)
    names = ["Front Door", "Kitchen Door"]
    result = await tools.async_call_tool(llm.ToolInput(OFF, {"name": names}))
    assert result.error
    assert tools.journal.only_forbidden
    assert {*tools.journal.which} >= {*names}


async def test_name_that_says_more_than_the_tools_stays(full_house: HomeAssistant) -> None:
    tools = await turn_of(full_house, "hello", None)
    for name, meant in (
        (ON, ON),
        ("hassturnon", ON),
        # Of what is turned on it says that it is a lock.
        ("HassLock", "HassLock"),
        ("sing", None),
    ):
        assert tools.name_of(name) == meant
