"""What people say of what was just done is answered without a model, by what was done."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import ANY

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.plans.plans import PLANS
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.devices import async_add_locks, async_change_device
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

from ..tables import table

MODEL = "?"
"""The model was asked: its answer is this."""
type Made = dict[str, Any]
type Row = tuple[str, Sequence[Made], str, Sequence[str]]
"""A sentence, what the model calls for it (none: it is not asked, but may be), the answer, and what is done."""


def turn_on(name: str) -> list[Made]:
    return [call("intent__HassTurnOn", name=name)]


def light(name: str, **values: Any) -> list[Made]:
    return [call("light__HassLightSet", name=name, **values)]


async def converse(
    agent: Agent,
    ollama: PlayedOllama,
    rows: Sequence[Row],
    conversation_id: str | None = None,
    **where: Any,
) -> str | None:
    """Say sentences in one conversation, and compare what is said and done; return its id."""
    done = Deeds(agent.hass)
    for sentence, made, expected, deeds in rows:
        ollama.script.clear()
        asked = len(ollama.chats)
        ollama.answers(*([calls(*made)] if made else []), *[says(MODEL)] * 2)
        answer = await agent.hears(sentence, conversation_id=conversation_id, **where)
        await agent.hass.async_block_till_done()
        assert (sentence, answer.speech, done.taken()) == (sentence, expected, deeds)
        assert MODEL in (answer.speech, expected) or len(ollama.chats) == asked + bool(made)
        conversation_id = answer.conversation_id
    return conversation_id


CEILING = "light.ceiling_lights"
PLAYER = "media_player.walkman"
BLUE = {"rgb_color": [0, 0, 255], "brightness": 90}
LOUD = {"volume_level": 0.2}
BED = "turn on the bed light"
ON = ["light.turn_on bed_light"]
OFF = ["light.turn_off bed_light"]
BED_ON: Row = (BED, turn_on("Bed Light"), "I turned on the Bed Light.", ON)
CONVERSATIONS: dict[str, Sequence[Row]] = table(__file__, "CONVERSATIONS")


@pytest.fixture
async def bedroom(home: HomeAssistant) -> HomeAssistant:
    """A home with two lights in its bedroom, and all lights off."""
    await async_change_device(home, "light.ceiling_lights", area="Bedroom")
    await home.services.async_call("light", "turn_off", {"entity_id": "all"}, blocking=True)
    return home


@pytest.mark.usefixtures("bedroom")
@pytest.mark.parametrize("conversation", CONVERSATIONS)
async def test_follow_ups(agent: Agent, ollama: PlayedOllama, conversation: str) -> None:
    await converse(agent, ollama, CONVERSATIONS[conversation])


async def test_what_keeps_people_out_is_asked_first(agent: Agent, ollama: PlayedOllama) -> None:
    garage = "cover.garage_door"
    close = [call("intent__HassTurnOff", name="Garage Door")]
    open_it = [call("intent__HassTurnOn", name="Garage Door")]
    await agent.hass.services.async_call(
        "cover", "open_cover", {"entity_id": garage}, blocking=True
    )
    await agent.hass.async_block_till_done()
    await converse(
        agent,
        ollama,
        [
            (
                "close the garage door",
                close,
                "I'm closing the Garage Door.",
                ["cover.close_cover garage_door"],
            ),
            ("open it again", (), MODEL, []),
            ("undo that", (), "Shall I open the Garage Door?", []),
            ("no", (), "All right, I won't.", []),
            ("undo that", (), "Shall I open the Garage Door?", []),
            ("yes", (), "Done.", ["cover.open_cover garage_door"]),
            ("undo that", (), "There's nothing to undo.", []),
            (
                "close the garage door",
                close,
                "I'm closing the Garage Door.",
                ["cover.close_cover garage_door"],
            ),
            ("open the garage door", open_it, "Shall I open the Garage Door?", []),
            ("yes", (), "I'm opening the Garage Door.", ["cover.open_cover garage_door"]),
            ("undo that", (), "I've put Garage Door back.", ["cover.close_cover garage_door"]),
        ],
    )


async def test_what_somebody_has_changed_since_is_left_alone(
    agent: Agent, ollama: PlayedOllama
) -> None:
    await agent.hass.services.async_call("light", "turn_off", {"entity_id": "all"}, blocking=True)
    conversation_id = await converse(agent, ollama, [BED_ON])
    user = Context(user_id=(await agent.hass.auth.async_create_user("Someone")).id)
    data = {"entity_id": "light.bed_light", "brightness_pct": 10}
    await agent.hass.services.async_call("light", "turn_on", data, blocking=True, context=user)
    told = "I didn't put Bed Light back because of a change made since then."
    rows: list[Row] = [
        ("undo that", (), told, []),
        ("undo that", (), "There's nothing to undo.", []),
    ]
    await converse(agent, ollama, rows, conversation_id=conversation_id)


@pytest.mark.usefixtures("bedroom")
async def test_satellite_remembers_from_conversation_to_conversation(
    agent: Agent, ollama: PlayedOllama, freezer: FrozenDateTimeFactory
) -> None:
    await converse(agent, ollama, [BED_ON], device_id="kitchen")
    await converse(agent, ollama, [("turn it off again", (), MODEL, [])], device_id="office")
    await converse(
        agent,
        ollama,
        [("turn it off again", (), "I turned off the Bed Light.", OFF)],
        device_id="kitchen",
    )
    freezer.tick(4 * 60)
    await converse(agent, ollama, [("turn it on again", (), MODEL, [])], device_id="kitchen")
    await converse(
        agent, ollama, [("undo that", (), "I've put Bed Light back.", ON)], device_id="kitchen"
    )
    freezer.tick(2 * 60 * 60)
    told = "There's nothing to undo."
    await converse(agent, ollama, [("undo that", (), told, [])], device_id="kitchen")


@pytest.mark.usefixtures("bedroom")
async def test_plan_is_cancelled_only_where_it_is_the_last_thing(
    agent: Agent, ollama: PlayedOllama
) -> None:
    plan = f"{BED} at nine"
    await converse(agent, ollama, [(plan, (), ANY, [])], device_id="kitchen")
    await converse(agent, ollama, [BED_ON], device_id="kitchen")
    await converse(
        agent, ollama, [("undo that", (), "I've put Bed Light back.", OFF)], device_id="kitchen"
    )
    await converse(
        agent, ollama, [(plan, (), ANY, []), ("undo that", (), ANY, [])], device_id="kitchen"
    )
    assert len(agent.hass.data[PLANS].all) == 1


async def test_user_is_asked_which_of_several_others(
    bedroom: HomeAssistant, agent: Agent, ollama: PlayedOllama
) -> None:
    await async_change_device(bedroom, "light.office_rgbw_lights", area="Bedroom")
    which = "Which one do you mean: Ceiling Lights or Office RGBW Lights?"
    await converse(
        agent,
        ollama,
        [
            BED_ON,
            ("the other one too", (), which, []),
            (
                "the ceiling lights",
                (),
                "I turned on the Ceiling Lights.",
                ["light.turn_on ceiling_lights"],
            ),
            (
                "and the others",
                (),
                "Turned on the lights.",
                [*ON, "light.turn_on office_rgbw_lights"],
            ),
        ],
    )


async def test_players_and_covers(agent: Agent, ollama: PlayedOllama) -> None:
    player, window = "media_player.walkman", "cover.hall_window"
    volume = agent.hass.states.get(player)
    position = agent.hass.states.get(window)
    assert volume
    assert position
    quiet = [call("media_player__HassSetVolume", name="Walkman", volume_level=30)]
    skip = [call("media_player__HassMediaNext", name="Walkman")]
    half = [call("intent__HassSetPosition", name="Hall Window", position=50)]
    await converse(
        agent,
        ollama,
        [
            (
                "set the volume of the walkman to 30%",
                quiet,
                ANY,
                ["media_player.volume_set walkman"],
            ),
            ("a bit louder", (), ANY, ["media_player.volume_set walkman"]),
            ("skip this song on the walkman", skip, ANY, ["media_player.media_next_track walkman"]),
            ("undo that", (), "I can't undo this: Walkman.", []),
            ("undo that", (), "I've put Walkman back.", ANY),
            ("undo that", (), "I've put Walkman back.", ANY),
        ],
    )
    now = agent.hass.states.get(player)
    assert now
    assert now.attributes["volume_level"] == volume.attributes["volume_level"]
    await converse(
        agent,
        ollama,
        [
            ("set the hall window to 50%", half, ANY, ["cover.set_cover_position hall_window"]),
            ("stop", (), ANY, ["cover.stop_cover hall_window"]),
            ("undo that", (), ANY, ANY),
        ],
    )


SAID = {
    "de": ("schalte das Bettlicht ein", "schalte es wieder aus", "etwas heller", "und die andere", "mach das rückgängig", "danke"),
    "fr": ("allume Bed Light", "éteins-la", "un peu plus clair", "et l'autre", "annule ça", "merci"),
    "es": ("enciende la luz de cama", "apágala otra vez", "un poco más claro", "y la otra", "deshaz eso", "gracias"),
    "it": ("accendi la luce del letto", "spegnila di nuovo", "un po' più luminoso", "e l'altra", "annulla questo", "grazie"),
    "nl": ("doe het bedlicht aan", "doe het weer uit", "een beetje feller", "en de andere", "maak dat ongedaan", "dank je"),
    "pl": ("włącz światło przy łóżku", "wyłącz je z powrotem", "trochę jaśniej", "i ta druga", "cofnij to", "dziękuję"),
}  # fmt: skip


@pytest.mark.usefixtures("bedroom")
@rows("language", SAID)
async def test_languages(agent: Agent, ollama: PlayedOllama, language: str) -> None:
    first, off, brighter, other, undo, thanks = SAID[language]
    await converse(
        agent,
        ollama,
        [
            (first, turn_on("Bed Light"), ANY, ON),
            (off, (), ANY, OFF),
            (brighter, (), ANY, ON),
            (other, (), ANY, ["light.turn_on ceiling_lights"]),
            (undo, (), ANY, ["light.turn_off ceiling_lights"]),
            (undo, (), ANY, OFF),
            (thanks, (), ANY, []),
        ],
        language=language,
    )


async def test_every_attribute_is_as_before_also_of_what_a_script_did(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """A group is put back by its members alone: else it would make them alike."""
    home = agent.hass
    pair = {"group_type": "light", "name": "Pair", "entities": [CEILING, "light.kitchen_lights"]}
    group = MockConfigEntry(domain="group", title="Pair", options={**pair, "hide_members": False})
    group.add_to_hass(home)
    assert await home.config_entries.async_setup(group.entry_id)
    steps = [
        {"action": "light.turn_off", "target": {"entity_id": "light.pair"}},
        {"action": "light.turn_on", "target": {"entity_id": "light.bed_light"}, "data": BLUE},
        {"action": "media_player.volume_set", "target": {"entity_id": PLAYER}, "data": LOUD},
    ]
    script = {"alias": "Movie time", "description": "Dims all", "sequence": steps}
    assert await async_setup_component(home, "script", {"script": {"movie_time": script}})
    async_expose_entity(home, "conversation", "script.movie_time", should_expose=True)
    await home.services.async_call(
        "light", "turn_on", {"entity_id": CEILING, "brightness": 40}, blocking=True
    )
    await home.services.async_call(
        "light", "turn_off", {"entity_id": "light.kitchen_lights"}, blocking=True
    )
    await home.async_block_till_done()
    before = states(home)
    run: Row = ("movie time", [call("script__movie_time")], ANY, ANY)
    conversation_id = await converse(agent, ollama, [run])
    changed = {key for key, state in states(home).items() if state != before[key]}
    assert changed == {CEILING, "light.pair", "light.bed_light", PLAYER}
    undo: Row = ("undo that", (), ANY, ANY)
    await converse(agent, ollama, [undo], conversation_id)
    assert states(home) == before


async def test_other_of_two_in_a_home_may_be_anywhere(
    home: HomeAssistant, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two locks there is one other; to unlock it needs words of its own."""
    monkeypatch.setattr("homeassistant.components.demo.lock.LOCK_UNLOCK_DELAY", 0)
    await async_add_locks(home, "lock.front_door", "lock.kitchen_door")
    for name in ("front_door", "kitchen_door"):
        await home.services.async_call(
            "lock", "unlock", {"entity_id": f"lock.{name}"}, blocking=True
        )
    agent = await add_agent(home, ollama.url, reflex=True)
    rows: list[Row] = [
        ("lock the front door", (), "I'm locking the Front Door.", ["lock.lock front_door"]),
        ("and the other one", (), "I'm locking the Kitchen Door.", ["lock.lock kitchen_door"]),
    ]
    await converse(agent, ollama, rows)


async def test_a_script_of_the_home_is_no_part_of_what_is_done_elsewhere(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """Also one that opens a door: "too" is said of devices."""
    home = agent.hass
    steps = [{"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}]
    script = {"alias": "Guests", "description": "Lets guests in", "sequence": steps}
    assert await async_setup_component(home, "script", {"script": {"guests": script}})
    async_expose_entity(home, "conversation", "script.guests", should_expose=True)
    await home.async_block_till_done()
    kitchen = "I turned on the Kitchen Lights.", ["light.turn_on kitchen_lights"]
    for sentence in ("the kitchen lights too", "now the kitchen lights as well"):
        rows = [BED_ON, (sentence, (), *kitchen)]
        await converse(agent, ollama, rows)


def states(home: HomeAssistant) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return how all lights and players are, but for when a player said so."""
    return {
        each.entity_id: (
            each.state,
            {k: v for k, v in each.attributes.items() if not k.startswith("media_position")},
        )
        for each in home.states.async_all(("light", "media_player"))
    }
