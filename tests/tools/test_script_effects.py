"""Which routines may open what keeps people out, as far as their configuration shows."""

from typing import Any

from homeassistant.components.automation.const import DATA_COMPONENT as AUTOMATIONS
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.tools.script_effects import EffectAnalyzer

type Step = dict[str, Any]
GARAGE, BLIND, LOCK = "cover.garage_door", "cover.hall_window", "lock.front_door"


def to(action: str, *entity_ids: str, **data: Any) -> Step:
    """Return a step that calls an action for some entities."""
    step: Step = {"action": action}
    if entity_ids:
        step["target"] = {"entity_id": [*entity_ids]}
    return {**step, "data": data} if data else step


def device(domain: str, what: str) -> Step:
    """Return a step as the automation editor writes it for a device."""
    return {"device_id": "1", "entity_id": "2", "domain": domain, "type": what}


UNLOCK, DIM = to("lock.unlock", LOCK), to("light.turn_off", "light.bed_light")
HARMLESS: list[Step] = [
    DIM,
    {"service": "light.turn_on"},
    {"delay": 3},
    {"event": "lock.unlock"},
    to("lock.lock", LOCK),
    to("alarm_control_panel.alarm_arm_away"),
    to("cover.close_cover", GARAGE),
    to("cover.stop_cover", GARAGE),
    to("cover.set_cover_position", GARAGE, position=0),
    to("cover.open_cover", BLIND),
    {"action": "cover.open_cover", "data": {"entity_id": BLIND}},
    {"action": "cover.open_cover", "entity_id": f"{BLIND}, {BLIND}"},
    # To turn on locks a lock, and to turn off closes a cover.
    to("homeassistant.turn_on", LOCK),
    to("homeassistant.turn_off", GARAGE),
    to("homeassistant.toggle", BLIND, "light.bed_light"),
    to("homeassistant.turn_off", "script.let_in"),
    to("homeassistant.stop"),
    to("script.turn_off", "script.let_in"),
    to("script.reload"),
    to("script.dim"),
    to("script.turn_on", "script.dim"),
    to("automation.turn_off"),
    to("automation.trigger", "automation.dims"),
    to("automation.reload"),
    to("scene.turn_on", "scene.reading"),
    {"scene": "scene.reading"},
    to("button.press", "button.restart"),
    to("button.press", "button.of_lamp"),
    to("button.press", "button.of_blind"),
    {"scene": "scene.of_bridge"},
    {"event": "unheard"},
    to("input_boolean.turn_on", "input_boolean.unheard"),
    to("timer.start", "timer.unheard"),
    to("input_button.press", "input_button.unheard"),
    to("input_button.press", "input_button.dims"),
    device("cover", "close"),
    device("cover", "stop"),
    device("lock", "lock"),
    device("alarm_control_panel", "arm_home"),
    device("alarm_control_panel", "trigger"),
    device("light", "turn_on"),
    # To ask whether it is locked opens nothing.
    {"if": [{"condition": "device", **device("lock", "is_locked")}], "then": [DIM]},
    {"condition": "device", **device("lock", "is_locked")},
]
OPENING: list[Step] = [
    UNLOCK,
    {"service": "lock.unlock"},
    {"service_template": "lock.unlock"},
    to("lock.open", LOCK),
    to("alarm_control_panel.alarm_disarm"),
    to("cover.open_cover", GARAGE),
    to("cover.open_cover", BLIND, GARAGE),
    to("cover.toggle", GARAGE),
    to("cover.set_cover_position", GARAGE, position=1),
    to("cover.set_cover_position", GARAGE),
    # What it is for is not to be seen.
    to("cover.open_cover"),
    to("cover.open_cover", "cover.nowhere"),
    to("cover.open_cover", "{{ which }}"),
    to("cover.open_cover", "all"),
    {"action": "cover.open_cover", "entity_id": f"{BLIND}, {GARAGE}"},
    {"action": "cover.open_cover", "data_template": {"entity_id": GARAGE}},
    {"action": "cover.open_cover", "target": "{{ which }}"},
    {"action": "cover.open_cover", "target": {"entity_id": 7}},
    *(
        {"action": "cover.open_cover", "target": {"entity_id": BLIND, where: "there"}}
        for where in ("device_id", "area_id", "floor_id", "label_id")
    ),
    to("{{ what }}.turn_on"),
    to("unlock"),
    to("shell_command.open"),
    to("homeassistant.turn_off", LOCK),
    to("homeassistant.toggle", LOCK),
    to("homeassistant.turn_on", GARAGE),
    to("homeassistant.turn_off", "alarm_control_panel.home"),
    to("homeassistant.turn_on"),
    to("homeassistant.turn_on", "script.let_in"),
    to("script.let_in"),
    to("script.turn_on", "light.bed_light", "script.let_in"),
    to("script.toggle", "script.let_in"),
    to("script.nowhere"),
    to("automation.trigger", "automation.opens"),
    to("scene.turn_on", "scene.party"),
    {"scene": "scene.party"},
    to("button.press", "button.whatever"),
    to("button.press", "button.of_lock"),
    to("button.press", "button.of_garage"),
    # Nothing beside it tells what it is for.
    to("button.press", "button.of_nothing"),
    {"scene": "scene.of_gate"},
    {"scene": "scene.nowhere"},
    to("input_button.press", "input_button.opens"),
    to("input_boolean.turn_on", "input_boolean.opens"),
    to("input_select.select_option", "input_select.opens", option="open"),
    to("input_boolean.turn_on"),
    {"event": "somebody_rang"},
    # What they are told to do, nobody sees.
    {"action": "conversation.process", "data": {"text": "unlock the front door"}},
    {"action": "ai_task.generate_data", "data": {"instructions": "unlock the front door"}},
    to("remote.send_command", "remote.gate", command="open"),
    device("cover", "open"),
    device("cover", "set_position"),
    device("lock", "unlock"),
    device("alarm_control_panel", "disarm"),
    device("zwave_js", "set_value"),
    # Within what holds steps.
    {"sequence": [DIM, UNLOCK]},
    {"if": [], "then": [UNLOCK]},
    {"if": [], "then": [DIM], "else": [UNLOCK]},
    {"choose": [{"conditions": [], "sequence": [DIM]}, {"conditions": [], "sequence": UNLOCK}]},
    {"choose": [], "default": [UNLOCK]},
    {"parallel": [DIM, {"sequence": [UNLOCK]}]},
    {"repeat": {"count": 2, "sequence": [UNLOCK]}},
]
# What a scene brings about, and whether that opens something.
STATES = [
    (LOCK, "unlocked", True),
    (LOCK, "open", True),
    (LOCK, "locked", False),
    (GARAGE, "open", True),
    (GARAGE, "closed", False),
    (BLIND, "open", False),
    ("alarm_control_panel.home", "disarmed", True),
    ("alarm_control_panel.home", "armed_away", False),
    ("light.bed_light", "on", False),
    ("script.let_in", "on", True),
    ("script.let_in", "off", False),
    ("script.dim", "on", False),
]
_DEEP = 10
# What has a button at its device, or a scene at its bridge: its domain and its device class.
BESIDE = {
    "lamp": ("light", None),
    "lock": ("lock", None),
    "garage": ("cover", "garage"),
    "blind": ("cover", "blind"),
    "nothing": ("scene", None),
    "bridge": ("light", None),
    "gate": ("cover", "gate"),
}


def add_beside(hass: HomeAssistant, thing: str, domain: str, device_class: str | None) -> None:
    """Add a thing with a button at its device, or with a scene of its bridge."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    is_bridge = thing in ("bridge", "gate")
    device_id = None
    if not is_bridge:
        identifiers = {("test", thing)}
        devices = dr.async_get(hass)
        device_id = devices.async_get_or_create(
            config_entry_id=entry.entry_id, identifiers=identifiers
        ).id
    for each in ("scene" if is_bridge else "button", domain):
        made = er.async_get(hass).async_get_or_create(
            *(each, "test", thing),
            suggested_object_id=f"of_{thing}",
            device_id=device_id,
            config_entry=entry,
        )
        if each == domain:
            hass.states.async_set(made.entity_id, "off", {"device_class": device_class})


@pytest.fixture
async def routines(full_house: HomeAssistant) -> HomeAssistant:
    """The house with routines, and buttons and scenes of a lamp's and of a lock's device."""
    chain: dict[str, Any] = {f"step_{n}": {"sequence": [to(f"script.step_{n + 1}")]}
                             for n in range(_DEEP)}  # fmt: skip
    scripts = {
        **chain,
        f"step_{_DEEP}": {"sequence": [DIM]},
        "let_in": {"sequence": [DIM, UNLOCK]},
        "dim": {"sequence": [DIM, to("script.again")]},
        "again": {"sequence": [to("script.dim")]},
    }
    automations = [
        {
            "alias": what,
            "trigger": [
                {
                    "platform": "state",
                    "entity_id": [
                        f"{each}.{what}"
                        for each in ("input_button", "input_boolean", "input_select")
                    ],
                },
                {
                    "platform": "event",
                    "event_type": "somebody_rang" if what == "opens" else "somebody_left",
                },
            ],
            "action": [UNLOCK if what == "opens" else DIM],
        }
        for what in ("opens", "dims")
    ]
    scenes = [
        {"name": "Party", "entities": {"light.bed_light": "on", LOCK: "unlocked"}},
        {"name": "Reading", "entities": {"light.bed_light": "on", LOCK: "locked"}},
        *({"name": f"No {n}", "entities": {each: state}} for n, (each, state, _) in enumerate(STATES)),
    ]  # fmt: skip
    for domain, config in (("script", scripts), ("automation", automations), ("scene", scenes)):
        assert await async_setup_component(full_house, domain, {domain: config})
    await full_house.async_block_till_done()
    full_house.states.async_set("button.restart", "unknown", {"device_class": "restart"})
    full_house.states.async_set("button.whatever", "unknown", {"device_class": "other"})
    for thing, (domain, device_class) in BESIDE.items():
        add_beside(full_house, thing, domain, device_class)
    return full_house


async def test_what_may_open_something_is_told_from_what_does_not(routines: HomeAssistant) -> None:
    leads = EffectAnalyzer(routines)
    assert [each for each in HARMLESS if leads.action_may_open(each)] == []
    assert [each for each in OPENING if not leads.action_may_open(each)] == []
    assert [leads.may_open(f"scene.no_{n}") for n in range(len(STATES))] == [
        opens for *_, opens in STATES
    ]


async def test_a_button_is_also_known_by_its_own_name(routines: HomeAssistant) -> None:
    leads, registry = EffectAnalyzer(routines), er.async_get(routines)
    button = registry.async_update_entity("button.of_lamp", original_name="Door buzzer").entity_id
    assert leads.may_open(button)
    registry.async_update_entity(button, name="Postman")
    assert leads.may_open(button)
    # By what its device is called it lets nobody in.
    registry.async_update_entity(button, name=None, original_name="Defrost")
    routines.states.async_set(button, "unknown", {"friendly_name": "Garage freezer Defrost"})
    assert not leads.may_open(button)


async def test_what_can_not_be_seen_to_its_end_may_open_something(routines: HomeAssistant) -> None:
    leads = EffectAnalyzer(routines)
    assert leads.may_open("script.step_0")
    assert not leads.may_open("script.step_1")
    assert leads.may_open("script.nowhere")
    assert leads.may_open("scene.of_a_bridge")
    # An automation that is not to be read, or listens to what a template says, may listen to any.
    (opens,) = (each for each in routines.data[AUTOMATIONS].entities if each.name == "opens")
    for config in (None, {"trigger": ["{{ whatever }}"], "action": [UNLOCK]}):
        opens.raw_config = config
        assert leads.may_open("input_button.unheard")
    assert not leads.may_open("light.bed_light")
    # Nor is what a configuration does that has no steps.
    opens.raw_config = {"use_blueprint": {"path": "anything.yaml"}}
    assert leads.may_open(opens.entity_id)
