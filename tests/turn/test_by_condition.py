"""What a command means by what its condition was about: without a model."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama

NIGHT = "2026-06-15 10:00:00+00:00"
"""At home, on the other side of the earth."""
ASKED = {
    "if the garage door is open then close it": ["cover.close_cover garage_door"],
    "if the bed light is on, turn it off": ["light.turn_off bed_light"],
    "if the bed light is brighter than 30 percent turn it off": ["light.turn_off bed_light"],
    "turn off the bed light if the brightness is above forty percent": ["light.turn_off bed_light"],
}
UNMET = {
    "if the garage door is closed, turn on the bed light": "Garage Door is open",
    "if the bed light is brighter than 80 percent turn it off": "Bed Light is 50 %",
    "turn off the bed light if the brightness is below 20 percent": "Bed Light is 50 %",
}


async def test_condition_tells_what_it_is(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    wrong: list[str] = []
    for sentence, done in (ASKED | {key: [] for key in UNMET}).items():
        _open(home)
        answer = await agent.hears(sentence)
        if (taken := deeds.taken()) != done or answer.is_error or ollama.chats:
            wrong.append(f"{sentence}: {taken}, {answer.speech}")
        if UNMET.get(sentence, "") not in (answer.speech or ""):
            wrong.append(f"{sentence}: {answer.speech}")
        ollama.chats.clear()
    assert not wrong


async def test_sun_is_no_device_that_is_told(
    home: HomeAssistant, ollama: PlayedOllama, freezer: FrozenDateTimeFactory
) -> None:
    """Nothing is called so, and nothing has its state."""
    freezer.move_to(NIGHT)
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    answer = await agent.hears("if the sun is up, turn on the bed light")
    assert (answer.speech, deeds.taken()) == (
        "That's not the case right now, so I did nothing.",
        [],
    )


async def test_it_is_no_sensor(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    _open(home)
    await agent.hears("if it is light outside, turn it off")
    assert not deeds.taken()


def _open(home: HomeAssistant) -> None:
    """Let the garage door be open, and the bed light half bright."""
    for entity_id, state, attributes in (
        ("cover.garage_door", "open", {}),
        ("light.bed_light", "on", {"brightness": 128}),
    ):
        before = home.states.get(entity_id)
        assert before
        home.states.async_set(entity_id, state, {**before.attributes, **attributes})
