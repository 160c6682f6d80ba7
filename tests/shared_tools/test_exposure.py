"""Attempts to learn of what is not exposed: none learns more than of what is not there."""

from collections.abc import Iterator, Mapping, Sequence
import json
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder import Recorder, get_instance
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, entity_registry as er, llm
import pytest

from custom_components.voice_gateway.const import DOMAIN
from tests.agent import Agent
from tests.answers.homes import BATTERY, POWER, TEMPERATURE, Furniture, furnish
from tests.ollama import PlayedOllama

from ..tables import table

SECRETS = Furniture(
    calendars={"Diary": [("Heist rehearsal", "2026-01-01", "2027-12-31", "Bank Street")]},
    lists={"Loot": (["Gold bars"], ["Ski masks"])},
    days=[("exceptional", 51, 55, 97)] * 6,
    weather="Barometer",
    states={
        "light.vault_lamp": ("Vault Lamp", "Vault", "on", {}),
        "lock.vault_lock": ("Vault Lock", "Vault", "unlocked", {}),
        "cover.vault_gate": ("Vault Gate", "Vault", "open", {"device_class": "garage"}),
        "binary_sensor.vault": ("Vault Window", "Vault", "on", {"device_class": "window"}),
        "sensor.vault_t": ("Vault Warmth", "Vault", "77.7", TEMPERATURE),
        "sensor.vault_p": ("Vault Power", "Vault", "4242", POWER),
        "sensor.vault_b": ("Vault Battery", "Vault", "3", BATTERY),
        "person.mole": ("Mole", "", "home", {}),
        "automation.vault": ("Vault Watch", "", "on", {}),
        "script.vault": ("Vault Routine", "", "off", {}),
        "media_player.vault": ("Vault Radio", "Vault", "playing", {"media_title": "Toccata"}),
        "vacuum.vault": ("Vault Robot", "Vault", "cleaning", {}),
    },
)
"""What is in the home, and not exposed."""
TELLING = (
    "vault", "diary", "heist", "bank street", "loot", "gold bars", "ski masks", "barometer",
    "exceptional", "mole", "77.7", "4242", "toccata", "treasure light",
)  # fmt: skip
"""What would tell of it, but for what was asked."""
CALLED: Mapping[str, str] = {
    "Vault Lamp": "Ghost Lamp",
    "Treasure Light": "Phantom Light",
    "light.vault_lamp": "light.ghost_lamp",
    "Vault Lock": "Ghost Lock",
    "Vault Warmth": "Ghost Warmth",
    "Vault": "Ghost",
    "Mole": "Wraith",
    "Vault Watch": "Ghost Watch",
}
"""Names, an alias, an id and an area of it; and others, which nothing has."""
QUESTIONS = (
    "Is the {} on?",
    "Why is the {} on?",
    "Who turned on the {}?",
    "Why was the {} unlocked?",
    "What turned off the {}?",
    "What is the state of the {}?",
    "How warm is the {}?",
    "How warm was it in the {} last night?",
    "What was the {} yesterday at eight?",
    "When was the {} last opened?",
    "How long was the {} on yesterday?",
    "How often was the {} opened this week?",
    "What was the highest temperature of the {} last month?",
    "How much energy did the {} use yesterday?",
    "Which lights are on in the {}?",
    "Where is the {}?",
)
OTHERS = table(__file__, "OTHERS")
NAMES = (
    *CALLED, *SECRETS.states, "vault lamp", " VAULT LAMP ", "vault", "lamp in the vault", "lock",
    "locks", "gate", "all", "*", "", "window", "Vault%", "Barometer", "Diary", "Loot", "weather.barometer",
)  # fmt: skip
WRONG: Sequence[tuple[str, dict[str, Any]]] = (
    (f"{DOMAIN}__forecast", {}),
    (f"{DOMAIN}__forecast", {"by": "hours"}),
    (f"{DOMAIN}__plans", {}),
    (f"{DOMAIN}__why", {"name": ["Vault Lamp"]}),
    (f"{DOMAIN}__why", {"entity_id": "light.vault_lamp"}),
    (f"{DOMAIN}__forecast", {"name": "Barometer"}),
    (f"{DOMAIN}__history", {"name": "Vault Lamp", "when": "yesterday"}),
    ("homeassistant__GetLiveContext", {"name": "Vault Lamp"}),
    ("homeassistant__GetLiveContext", {"area": "Vault"}),
    ("homeassistant__GetLiveContext", {"domain": ["lock"]}),
    ("homeassistant__GetLiveContext", {}),
    ("calendar__get_events", {"calendar": "Diary", "range": "week"}),
    ("todo__get_items", {"todo_list": "Loot", "status": "needs_action"}),
)


@pytest.fixture(autouse=True)
def _custom_integrations(recorder_db_url: str, enable_custom_integrations: None) -> None:
    """Let Home Assistant see custom_components, once there is a database for it."""


async def hide(hass: HomeAssistant) -> None:
    """Put what is secret into the home, and have it changed by what is secret."""
    await furnish(hass, SECRETS)
    async_expose_entity(hass, conversation.DOMAIN, "weather.barometer", should_expose=False)
    for entity_id in (*SECRETS.states, "calendar.diary", "todo.loot"):
        async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=False)
    er.async_get(hass).async_update_entity("light.vault_lamp", aliases=["Treasure Light"])
    context = Context()
    data = {"entity_id": "automation.vault", "name": "Vault Watch"}
    hass.bus.async_fire("automation_triggered", data, context=context)
    for state in ("off", "on"):
        hass.states.async_set("light.vault_lamp", state, context=context)
        hass.states.async_set(
            "light.bed_light", state, {"friendly_name": "Bed Light"}, context=context
        )
    await hass.async_block_till_done()


def told(text: str, asked: str) -> list[str]:
    """Return what a text tells of the secrets, but what was asked."""
    said = text.casefold().replace(asked.casefold(), "")
    return [each for each in TELLING if each in said and each not in asked.casefold()]


async def ask(agent: Agent, ollama: PlayedOllama, text: str) -> tuple[str, str]:
    """Return what an agent answers, and what its model was told for that."""
    before = len(ollama.chats)
    answer = (await agent.hears(text)).speech
    return answer, json.dumps([each["messages"] for each in ollama.chats[before:]])


def pairs(every: int) -> Iterator[tuple[str, str, str, str]]:
    """Yield questions about a secret and about what is not there, and both their names.

    Each name is in every so manieth question, and each question has other names.
    """
    for number, (name, ghost) in enumerate(CALLED.items()):
        for question in QUESTIONS[number % every :: every]:
            yield question.format(name), question.format(ghost), name, ghost


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
async def test_nothing_that_is_not_exposed_is_learnt(
    recorder_mock: Recorder, offering: Agent, ollama: PlayedOllama, every: int
) -> None:
    hass = offering.hass
    await hide(hass)
    await get_instance(hass).async_block_till_done()
    assert ar.async_get(hass).async_get_area_by_name("Vault")
    learnt: list[Any] = []
    for text, of_ghost, name, ghost in pairs(every):
        answer, to_model = await ask(offering, ollama, text)
        expected, _ = await ask(offering, ollama, of_ghost)
        if answer != expected.replace(ghost, name) or told(to_model, text):
            learnt.append((text, answer, expected))
    for text in OTHERS:
        answer, to_model = await ask(offering, ollama, text)
        if found := told(answer, text) or told(to_model, text):
            learnt.append((text, answer, found))
    called = [
        (f"{DOMAIN}__{tool}", {"name": name}) for tool in ("why", "history") for name in NAMES
    ]
    for tool, arguments in (*called, *WRONG):
        result = await called_by_others(hass, tool, arguments)
        if found := told(result, json.dumps(arguments)):
            learnt.append((tool, arguments, result, found))
    for tool, arguments in called[:8]:
        result = await called_as_action(hass, offering.entry.entry_id, tool, arguments)
        if found := told(result, json.dumps(arguments)):
            learnt.append((tool, arguments, result, found))
    assert learnt == [], "\n".join(map(str, learnt))
    # The same attempts learn of what is exposed.
    assert "by an automation" in (await ask(offering, ollama, "Why is the bed light on?"))[0]
    for tool, what in (("why", "by an automation"), ("history", "on")):
        result = await called_by_others(hass, f"{DOMAIN}__{tool}", {"name": "bed light"})
        assert what in result
        assert "error" not in result


async def called_by_others(hass: HomeAssistant, tool: str, arguments: dict[str, Any]) -> str:
    """Return what another agent gets of a tool: that it raises is an answer, too."""
    context = llm.LLMContext("test", Context(), "en", conversation.DOMAIN, None)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    try:
        result = await api.async_call_tool(llm.ToolInput(tool, arguments))
    except Exception as err:  # noqa: BLE001 - whatever it says may tell something
        return str(err)
    return json.dumps(result.data)


async def called_as_action(
    hass: HomeAssistant, server: str, tool: str, arguments: dict[str, Any]
) -> str:
    """Return what the action that calls tools says."""
    data = {"server": server, "tool": tool, "arguments": arguments}
    try:
        return json.dumps(
            await hass.services.async_call(
                DOMAIN, "call_tool", data, blocking=True, return_response=True
            )
        )
    except HomeAssistantError as err:
        return str(err)
