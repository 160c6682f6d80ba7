"""The form of an Ollama server: adding, changing, a key that is refused, removal."""

from typing import Any

from aiohttp import web
from homeassistant.config_entries import ConfigEntry, ConfigEntryState, FlowType
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.const import CONF_KIND, EntryKind
from custom_components.voice_gateway.flows.server_urls import ollama_url
from tests.agent import Agent, add_agent
from tests.ollama import MODEL, PlayedOllama, error, played_ollama

from .forms import GROUPS, begin, fill_in, values


async def add_server(hass: HomeAssistant, **user_input: Any) -> ConfigEntry[Any]:
    """Add a server as a user does."""
    result = await fill_in(hass, await begin(hass, EntryKind.OLLAMA), user_input)
    assert result["type"] is FlowResultType.CREATE_ENTRY, result
    await hass.async_block_till_done()
    return result["result"]


async def test_server_is_tried_and_added(home: HomeAssistant, ollama: PlayedOllama) -> None:
    entry = await add_server(home, url=f" {ollama.url}/api/ ")
    assert entry.title == "Ollama (127.0.0.1)"
    assert entry.data == {CONF_KIND: EntryKind.OLLAMA, CONF_URL: ollama.url}
    assert entry.state is ConfigEntryState.LOADED


async def test_form_of_the_first_agent_follows(home: HomeAssistant, ollama: PlayedOllama) -> None:
    form = await begin(home, EntryKind.OLLAMA)
    result = await fill_in(home, form, {CONF_URL: ollama.url})
    kind, flow_id = result["next_flow"]
    assert kind is FlowType.CONFIG_SUBENTRIES_FLOW
    agent = await home.config_entries.subentries.async_configure(
        flow_id, {"model": MODEL, **GROUPS}
    )
    assert (agent["type"], agent["title"]) == (FlowResultType.CREATE_ENTRY, MODEL)
    await home.async_block_till_done()


async def test_server_is_added_without_any_model(home: HomeAssistant, ollama: PlayedOllama) -> None:
    ollama.models.clear()
    assert (await add_server(home, url=ollama.url)).state is ConfigEntryState.LOADED


@pytest.mark.parametrize(
    ("version", "tags", "reason"),
    [
        (web.Response(text="<html>", content_type="text/html"), None, "not_the_server"),
        (web.Response(status=404, text="404 page not found"), None, "not_the_server"),
        (web.Response(status=502, text="Bad Gateway"), None, "server_unreachable"),
        (web.Response(status=401), None, "server_unauthorized"),
        (None, error(500, "disk on fire"), "server_error"),
        (None, web.Response(text="{"), "not_the_server"),
    ],
)
async def test_error_is_said_and_the_form_can_be_sent_again(
    home: HomeAssistant,
    ollama: PlayedOllama,
    version: web.Response | None,
    tags: web.Response | None,
    reason: str,
) -> None:
    ollama.whole = {
        path: response
        for path, response in (("/api/version", version), ("/api/tags", tags))
        if response
    }
    form = await fill_in(home, await begin(home, EntryKind.OLLAMA), {CONF_URL: ollama.url})
    assert form["errors"] == {"base": reason}
    ollama.whole.clear()
    result = await fill_in(home, form, {CONF_URL: ollama.url})
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize("address", ["", "http://", "ftp://nas", "http://nas:port", "my server"])
async def test_what_is_no_address_is_refused(home: HomeAssistant, address: str) -> None:
    form = await fill_in(home, await begin(home, EntryKind.OLLAMA), {CONF_URL: address})
    assert form["errors"] == {CONF_URL: "invalid_url"}


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("192.168.1.5", "http://192.168.1.5:11434"),
        ("nas", "http://nas:11434"),
        ("nas:8080", "http://nas:8080"),
        ("http://nas", "http://nas"),
        ("https://nas/", "https://nas"),
        ("http://nas:11434/api", "http://nas:11434"),
        ("http://nas:11434/v1/", "http://nas:11434"),
        ("https://nas/ollama/api/?x=1#y", "https://nas/ollama"),
        ("[fd00::1]", "http://[fd00::1]:11434"),
        ("http://[fd00::1]:80", "http://[fd00::1]"),
        ("http://nas:99999", None),
        ("[", None),
    ],
)
def test_addresses_as_people_give_them(address: str, url: str | None) -> None:
    assert ollama_url(address) == url


# Changing


async def test_server_that_moved_is_found_again(agent: Agent, ollama: PlayedOllama) -> None:
    home = agent.hass
    async with played_ollama() as new:
        form = await agent.entry.start_reconfigure_flow(home)
        assert values(form)[CONF_URL] == ollama.url
        unchanged = await fill_in(home, form, {CONF_URL: "http://127.0.0.1:1"})
        assert unchanged["errors"] == {"base": "server_unreachable"}
        assert agent.entry.data[CONF_URL] == ollama.url
        result = await fill_in(home, form, {CONF_URL: new.url, CONF_API_KEY: "key"})
        assert (result["type"], result["reason"]) == (
            FlowResultType.ABORT,
            "reconfigure_successful",
        )
        await home.async_block_till_done()
        assert agent.entry.data == {
            CONF_KIND: EntryKind.OLLAMA,
            CONF_URL: new.url,
            CONF_API_KEY: "key",
        }
        # A name that the user gave stays.
        assert agent.entry.title == "Ollama"
        assert (await agent.hears("how are you")).speech == "OK."
        assert new.chats
        assert not ollama.chats


async def test_name_that_nobody_chose_follows_the_address(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, "http://nas:11434")
    home.config_entries.async_update_entry(agent.entry, title="Ollama (nas)")
    await home.async_block_till_done()
    await fill_in(home, await agent.entry.start_reconfigure_flow(home), {CONF_URL: ollama.url})
    await home.async_block_till_done()
    assert agent.entry.title == "Ollama (127.0.0.1)"


async def test_removed_server_takes_its_agents_along(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, model=MODEL)
    await home.config_entries.async_remove(agent.entry.entry_id)
    await home.async_block_till_done()
    assert home.states.get(agent.entity_id) is None
    await add_server(home, url=ollama.url)
