"""Diagnostics tell what is wrong and keep what is secret."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, EntryKind
from custom_components.voice_gateway.diagnostics import async_get_config_entry_diagnostics
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer

from .mcp_entry import add_server, set_up, set_up_connected
from .mcp_servers.conftest import raw, until

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")


@pytest.mark.requirement("I4")
async def test_connected_server_tells_tools_and_versions(
    hass: HomeAssistant, hass_client: Any
) -> None:
    assert await async_setup_component(hass, "diagnostics", {})
    entry = add_server(hass, raw("odd-tools"), "Cellar", options={"excluded_tools": ["last"]})
    await set_up_connected(hass, entry)
    client = await hass_client()
    response = await client.get(f"/api/diagnostics/config_entry/{entry.entry_id}")
    data = (await response.json())["data"]
    assert data["versions"]["mcp"].startswith("2.")
    server = data["server"]
    assert server["state"] == "connected"
    assert server["protocol_version"] == "2025-11-25"
    offered = {tool["name"]: tool["is_offered"] for tool in server["tools"]}
    assert offered == {"first": True, "no_type": True, "odd_extras": True, "last": False}
    assert server["skipped_tools"]["no_schema"] == "it has no JSON schema for its arguments"
    assert server["error"] is None


@pytest.mark.requirement("G9")
async def test_failed_command_tells_its_stderr_without_secrets(hass: HomeAssistant) -> None:
    server = raw("exits", env={"API_KEY": "sesame-open-up"})
    entry = add_server(hass, server)
    session = await set_up(hass, entry)
    await until(lambda: session.state is SessionState.FAILED)
    data = await async_get_config_entry_diagnostics(hass, entry)
    assert data["server"]["error"] == {
        "kind": "mcp_unreachable",
        "words": "The server ended with exit status 1",
    }
    assert "KeyError: 'API_KEY'" in data["server"]["stderr"]
    assert data["entry"]["data"]["env"] == {"API_KEY": "**REDACTED**"}
    assert "sesame" not in json.dumps(data)


async def test_arguments_are_shown_as_their_number_and_their_flags(hass: HomeAssistant) -> None:
    args = (
        "--api-key", "sesame-1", "--verbose", "--token=sesame-2", "API_PASSWORD=sesame-3",
        "https://me:sesame-4@example.com/mcp?key=sesame-5&size=9", "--port", "80", "-y", "mcp-time",
        "http://[::sesame-6",
    )  # fmt: skip
    entry = add_server(hass, CommandServer(command="no-such-command", args=args))
    await set_up(hass, entry)
    data = await async_get_config_entry_diagnostics(hass, entry)
    assert data["entry"]["data"]["args"] == {
        "count": len(args),
        "flags": ["--api-key", "--verbose", "--token", "--port", "-y"],
    }
    assert "sesame" not in json.dumps(data)


async def test_address_headers_and_tokens_are_kept_secret(hass: HomeAssistant) -> None:
    server = UrlServer(
        url="http://me:sesame-1@127.0.0.1:1/mcp?key=sesame-2", headers={"X-Key": "sesame-3"}
    )
    entry = add_server(hass, server)
    secrets = {
        "access_token": "sesame-4",
        "token": {"access_token": "sesame-5", "refresh_token": "sesame-6"},
        "login": {"client_id": "sesame-7", "client_secret": "sesame-8", "scope": "all"},
    }
    await set_up(hass, entry)
    hass.config_entries.async_update_entry(entry, data=entry.data | {"access_token": "sesame-4"})
    await hass.async_block_till_done()
    session = entry.runtime_data
    await until(lambda: session.last_error)
    object.__setattr__(entry, "data", entry.data | secrets)
    data = await async_get_config_entry_diagnostics(hass, entry)
    assert "sesame" not in json.dumps(data)
    shown = data["entry"]["data"]
    assert shown["url"] == "http://127.0.0.1:1/mcp?key=…"
    assert shown["headers"] == {"X-Key": "**REDACTED**"}
    assert shown["login"]["scope"] == "all"


async def test_model_server_tells_version_options_and_agents(
    hass: HomeAssistant, ollama: Any
) -> None:
    agent = {
        "subentry_type": "conversation",
        "title": "Qwen",
        "unique_id": None,
        "data": {"model": "qwen", "llm_hass_api": ["assist"]},
    }
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="Ollama",
        data={"kind": EntryKind.OLLAMA, "url": ollama.url, "api_key": "sesame-1"},
        options={"search_provider": "brave", "brave_api_key": "sesame-2"},
        subentries_data=[agent],
    )
    entry.add_to_hass(hass)
    await set_up(hass, entry)
    data = await async_get_config_entry_diagnostics(hass, entry)
    assert "sesame" not in json.dumps(data)
    assert data["server"]["version"]
    assert data["entry"]["options"]["search_provider"] == "brave"
    assert data["entry"]["subentries"][0]["data"]["model"] == "qwen"


async def test_model_server_that_is_away_is_told(hass: HomeAssistant) -> None:
    entry = MockConfigEntry(
        domain=DOMAIN, data={"kind": EntryKind.OLLAMA, "url": "http://127.0.0.1:1"}
    )
    entry.add_to_hass(hass)
    await set_up(hass, entry)
    data = await async_get_config_entry_diagnostics(hass, entry)
    assert data["server"]["error"]["kind"] == "server_unreachable"
