"""Home Assistant's own agent and its own MCP server list and call our tools."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_URL
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import CONF_OFFER_TOOLS
from tests.agent import Agent
from tests.ollama import MODEL, PlayedOllama, call, calls, says

OURS = ["voice_gateway__forecast", "voice_gateway__plans", "voice_gateway__why"]


def ours(names: list[str]) -> list[str]:
    return sorted(each for each in names if each.startswith("voice_gateway__"))


async def post(client: Any, method: str, **params: Any) -> Any:
    """Ask Home Assistant's MCP server."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    accept = {"Accept": "application/json, text/event-stream"}
    response = await client.post("/api/mcp", json=message, headers=accept)
    assert response.status == 200, await response.text()
    return (await response.json())["result"]


async def test_mcp_server_lists_and_calls_them(
    offering: Agent, hass_client: ClientSessionGenerator
) -> None:
    hass = offering.hass
    assert await async_setup_component(hass, "http", {})
    entry = MockConfigEntry(
        domain="mcp_server",
        data={CONF_LLM_HASS_API: [llm.LLM_API_ASSIST], "all_llm_apis": False}
        | {"require_admin": False, "read_only": True},
        version=1,
        minor_version=4,
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    assert not (await offering.hears("turn on the bed light")).is_error
    assert not (await offering.hears("turn off the bed light in ten minutes")).is_error
    client = await hass_client()
    listed = {each["name"]: each for each in (await post(client, "tools/list"))["tools"]}
    assert ours([*listed]) == OURS
    for name in OURS:
        assert listed[name]["annotations"] == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
    assert listed["voice_gateway__why"]["inputSchema"]["required"] == ["name"]
    why = await post(client, "tools/call", name=OURS[2], arguments={"name": "Bed Light"})
    assert "Bed Light was turned on at" in why["content"][0]["text"]
    assert "by voice" in why["content"][0]["text"]
    planned = await post(client, "tools/call", name=OURS[1], arguments={})
    assert "I'll turn off the Bed Light" in planned["content"][0]["text"]
    forecast = await post(client, "tools/call", name=OURS[0], arguments={"by": "hours"})
    assert "Weather" in forecast["content"][0]["text"]


async def test_home_assistants_own_agent_has_and_calls_them(
    offering: Agent, other_ollama: PlayedOllama
) -> None:
    hass = offering.hass
    entry = MockConfigEntry(
        domain="ollama",
        title="Ollama",
        data={CONF_URL: other_ollama.url},
        version=3,
        minor_version=3,
        subentries_data=[
            ConfigSubentryData(
                data={CONF_MODEL: MODEL, CONF_LLM_HASS_API: [llm.LLM_API_ASSIST]},
                subentry_type="conversation",
                title="Other",
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    await offering.hears("turn on the bed light")
    other_ollama.answers(
        calls(call("voice_gateway__why", name="bed light")), says("Somebody asked for it.")
    )
    result = await conversation.async_converse(
        hass, "why is it so bright?", None, Context(), "en", agent_id="conversation.other"
    )
    assert result.response.speech["plain"]["speech"] == "Somebody asked for it."
    told = other_ollama.chats[0]["tools"]
    assert ours([each["function"]["name"] for each in told]) == OURS
    results = [each for each in other_ollama.chats[1]["messages"] if each["role"] == "tool"]
    assert "by voice" in str(results)


async def test_our_own_agents_are_not_given_them(offering: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(says("Fine."))
    await offering.hears("how are you?")
    assert ours([each["function"]["name"] for each in ollama.chats[-1]["tools"]]) == []


async def test_without_the_tick_there_are_none(offering: Agent) -> None:
    hass, entry = offering.hass, offering.entry
    assert ours(await names(hass)) == OURS
    async_expose_entity(hass, conversation.DOMAIN, "weather.home", should_expose=False)
    assert ours(await names(hass)) == OURS[1:]
    hass.config_entries.async_update_entry(entry, options={CONF_OFFER_TOOLS: False})
    await hass.async_block_till_done()
    assert ours(await names(hass)) == []


async def names(hass: HomeAssistant, api_id: str = llm.LLM_API_ASSIST) -> list[str]:
    """Return the names of the tools that Home Assistant offers to agents."""
    context = llm.LLMContext("test", Context(), "en", conversation.DOMAIN, None)
    api = await llm.async_get_api(hass, api_id, context)
    return [each.name for each in api.tools]
