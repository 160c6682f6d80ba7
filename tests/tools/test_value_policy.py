"""How bright, how warm, how loud: what a call sets and nobody said."""

from typing import Any

from homeassistant.const import ATTR_ENTITY_ID, EVENT_CALL_SERVICE
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar, intent, llm
import pytest

from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.call import PolicyContext
from custom_components.voice_gateway.tools.policy.values import compare_ability, compare_value
from custom_components.voice_gateway.tools.taint import Taint, TaintSource
from tests.agent import add_agent
from tests.devices import async_change_device
from tests.nlu.saying import hears
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows
from tests.tools.comparing import proposed_call, verdict

LIGHT = "light__HassLightSet"
BOTH = {"name": "Bed Light", "brightness": 100, "color": "white"}
type Done = tuple[str, str, dict[str, Any]]
"""A service, on what, and with which values."""
type Case = tuple[str, str, dict[str, Any], list[Done]]
"""What is said, what the model calls, and what is done."""


@pytest.fixture
async def at_hannas(home: HomeAssistant) -> HomeAssistant:
    """Another home with the same devices, where German is spoken."""
    areas = ar.async_get(home)
    for area, name in (("Kitchen", "Küche"), ("Bedroom", "Schlafzimmer")):
        found = areas.async_get_area_by_name(area)
        assert found
        areas.async_update(found.id, name=name)
    for entity_id, name in (
        ("light.bed_light", "Nachttischlampe"),
        ("light.kitchen_lights", "Küchenlicht"),
        ("cover.kitchen_window", "Rollladen"),
    ):
        await async_change_device(home, entity_id, name=name)
    return home


async def done(
    home: HomeAssistant, ollama: PlayedOllama, language: str, cases: list[Case]
) -> list[Any]:
    """Return the cases of which something else came than each says, with what came."""
    deeds: list[Done] = []

    @callback
    def note(event: Event[Any]) -> None:
        data = dict(event.data["service_data"])
        if event.data["domain"] == "homeassistant":
            return
        targets = data.pop(ATTR_ENTITY_ID, ())
        targets = [targets] if isinstance(targets, str) else targets
        names = (each.partition(".")[2] for each in targets)
        deeds.extend((event.data["service"], name, data) for name in names)

    home.bus.async_listen(EVENT_CALL_SERVICE, note)
    agent = await add_agent(home, ollama.url, second_opinion=False)
    wrong = []
    for sentence, tool, arguments, wanted in cases:
        deeds.clear()
        ollama.script = [calls(call(tool, **arguments)), *[says("I could not do it.")] * 3]
        answer = await agent.hears(sentence, language=language)
        await home.async_block_till_done()
        if deeds != wanted:
            wrong.append((sentence, arguments, list(deeds), str(answer.tool_results)))
    return wrong


BED: Done = ("turn_on", "bed_light", {})
KITCHEN: Done = ("turn_on", "kitchen_lights", {})
ENGLISH: list[Case] = [
    # Nothing is said of a value: it is done without.
    ("turn on the bed light", LIGHT, BOTH, [BED]),
    ("turn on both the bed light and the kitchen lights", LIGHT, BOTH, [BED, KITCHEN]),
    ("please turn the kitchen lights on", LIGHT, {"area": "Kitchen", "brightness": 80}, [KITCHEN]),
    # A floor that there is not: the call is corrected.
    ("turn on the bed light", LIGHT, {**BOTH, "floor": "Bedroom"}, [BED]),
    ("open the kitchen window", "intent__HassSetPosition",
     {"name": "Kitchen Window", "position": 40}, [("open_cover", "kitchen_window", {})]),
    # The same as was said, in another way.
    ("open the kitchen window", "intent__HassSetPosition",
     {"name": "Kitchen Window", "position": 100},
     [("set_cover_position", "kitchen_window", {"position": 100})]),
    ("pause the walkman", "media_player__HassSetVolume",
     {"name": "Walkman", "volume_level": 10}, []),
    # It says one, whatever that is worth; or it is a wish.
    ("dim the bed light", LIGHT, {"name": "Bed Light", "brightness": 20},
     [("turn_on", "bed_light", {"brightness_pct": 20})]),
    ("turn on the bed light at maximum", LIGHT, {"name": "Bed Light", "brightness": 100},
     [("turn_on", "bed_light", {"brightness_pct": 100})]),
    ("turn on the bed light brightly", LIGHT, {"name": "Bed Light", "brightness": 90},
     [("turn_on", "bed_light", {"brightness_pct": 90})]),
    ("make the bed light cosy", LIGHT, {"name": "Bed Light", "brightness": 20},
     [("turn_on", "bed_light", {"brightness_pct": 20})]),
    ("good night", LIGHT, {"name": "Bed Light", "brightness": 5},
     [("turn_on", "bed_light", {"brightness_pct": 5})]),
]  # fmt: skip
GERMAN: list[Case] = [
    ("schalte die Nachttischlampe ein", LIGHT, {"name": "Nachttischlampe", "brightness": 100},
     [BED]),
    ("mach das Küchenlicht an", LIGHT, {"area": "Küche", "brightness": 80, "color": "white"},
     [KITCHEN]),
    ("mach die Nachttischlampe und das Küchenlicht an", LIGHT,
     {"name": "Küchenlicht", "brightness": 50}, [KITCHEN]),
    ("mach die Nachttischlampe ganz hell", LIGHT, {"name": "Nachttischlampe", "brightness": 100},
     [("turn_on", "bed_light", {"brightness_pct": 100})]),
    ("dimm die Nachttischlampe", LIGHT, {"name": "Nachttischlampe", "brightness": 30},
     [("turn_on", "bed_light", {"brightness_pct": 30})]),
    ("mach es gemütlich", LIGHT, {"name": "Nachttischlampe", "brightness": 30},
     [("turn_on", "bed_light", {"brightness_pct": 30})]),
]  # fmt: skip


async def test_no_value_is_set_that_nobody_said(home: HomeAssistant, ollama: PlayedOllama) -> None:
    assert not await done(home, ollama, "en", ENGLISH)


async def test_no_value_is_set_that_nobody_said_in_another_home(
    at_hannas: HomeAssistant, ollama: PlayedOllama
) -> None:
    assert not await done(at_hannas, ollama, "de", GERMAN)


async def test_after_others_texts_the_number_is_the_one_that_was_said(
    home: HomeAssistant,
) -> None:
    """Or by as much as was said; what has no number goes the way that was said."""
    home.states.async_set("light.bed_light", "on", {"brightness": 128})
    wrong = []
    for language, said, value, is_own in (
        ("en", "dim the bed light to 30 percent", 30, True),
        ("en", "dim the bed light to thirty percent", 30, True),
        ("en", "dim the bed light to 30 percent", 100, False),
        ("en", "make the bed light 20 percent brighter", 70, True),
        ("en", "make the bed light 20 percent brighter", 100, False),
        ("en", "dim the bed light", 30, True),
        ("en", "dim the bed light", 90, False),
        ("de", "mach das Bed Light etwas dunkler", 30, True),
        ("de", "mach das Bed Light etwas dunkler", 100, False),
        ("nl", "zet de Bed Light wat feller", 60, True),
        ("nl", "zet de Bed Light wat feller", 10, False),
    ):
        utterance = await hears(home, said, language=language)
        bed = next(each for each in utterance.home.entities if "Bed Light" in each.names)
        proposed = proposed_call(
            tool=llm.IntentTool(
                "HassLightSet",
                intent.ServiceIntentHandler("HassLightSet", "light", "turn_on"),
            ),
            arguments={"name": "Bed Light", "brightness": value},
            is_written=False,
            domains=frozenset(("light",)),
            targets=(bed,),
        )
        for taint, holds in ((Taint([TaintSource("mail", "Brighter")]), True), (Taint(), False)):
            turn = PolicyContext(utterance, Journal(), ToolManager(), hass=home, taint=taint)
            if (verdict(compare_value, proposed, turn) == "yes") is not (is_own or not holds):
                wrong.append((said, value, holds))
    assert not wrong


async def test_a_number_is_by_how_much_only_where_that_is_said_that_way_and_once(
    home: HomeAssistant,
) -> None:
    """A text's call may come before the user's own, or after it."""
    handler = intent.ServiceIntentHandler("HassLightSet", "light", "turn_on")
    tool = llm.IntentTool("HassLightSet", handler)
    domains = frozenset(("light",))
    taint = Taint([TaintSource("mail", "Brighter")])

    async def turn_of(said: str) -> PolicyContext:
        return PolicyContext(
            await hears(home, said), Journal(), ToolManager(), hass=home, taint=taint
        )

    def is_refused(value: int, turn: PolicyContext) -> bool:
        bed = next(each for each in turn.utterance.home.entities if "Bed Light" in each.names)
        arguments = {"name": "Bed Light", "brightness": value}
        proposed = proposed_call(
            tool=tool, arguments=arguments, is_written=False, domains=domains, targets=(bed,)
        )
        return verdict(compare_value, proposed, turn) != "yes"

    def do(value: int, turn: PolicyContext) -> None:
        call = llm.ToolInput(tool.name, {"name": "Bed Light", "brightness": value})
        entry = turn.journal.begin(tool, call)
        entry.end(llm.ToolResult(data={"speech": {}}))
        home.states.async_set("light.bed_light", "on", {"brightness": value * 2.55})

    home.states.async_set("light.bed_light", "on", {"brightness": 80 * 2.55})
    turn = await turn_of("dim the bed light to 50 percent")
    assert is_refused(30, turn)
    assert not is_refused(50, turn)
    do(50, turn)
    assert not is_refused(50, turn)
    assert is_refused(100, turn)
    assert is_refused(0, turn)
    turn = await turn_of("make the bed light 20 percent darker")
    assert is_refused(70, turn)
    assert not is_refused(30, turn)
    do(30, turn)
    assert is_refused(10, turn)


@rows(
    ("language", "said", "value", "is_refused"),
    [
        ("en", "increase the brightness of the bed light by 20 percent", 20, True),
        ("en", "increase the brightness of the bed light by 20 percent", 70, False),
        ("en", "increase the brightness of the bed light to 20 percent", 20, False),
        ("de", "mach das Bed Light um 20 Prozent dunkler", 20, True),
        ("de", "mach das Bed Light um 20 Prozent dunkler", 30, False),
        ("fr", "baisse le Bed Light de 20 pour cent", 20, True),
    ],
)
async def test_a_step_is_no_value(
    home: HomeAssistant, language: str, said: str, value: int, is_refused: bool
) -> None:
    home.states.async_set("light.bed_light", "on", {"brightness": 128})
    utterance = await hears(home, said, language=language)
    handler = intent.ServiceIntentHandler("HassLightSet", "light", "turn_on")
    bed = next(each for each in utterance.home.entities if "Bed Light" in each.names)
    proposed = proposed_call(
        tool=llm.IntentTool("HassLightSet", handler),
        arguments={"name": "Bed Light", "brightness": value},
        is_written=False,
        domains=frozenset(("light",)),
        targets=(bed,),
    )
    turn = PolicyContext(utterance, Journal(), ToolManager(), hass=home)
    assert (verdict(compare_value, proposed, turn) != "yes") is is_refused
    modes: list[tuple[list[str] | None, bool]] = [
        (["onoff"], True),
        (["brightness"], False),
        (None, False),
    ]
    for supported, is_undimmable in modes:
        home.states.async_set("light.bed_light", "on", {"supported_color_modes": supported})
        assert (verdict(compare_ability, proposed, turn) != "yes") is is_undimmable
