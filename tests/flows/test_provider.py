"""The form of a model server of any provider: adding, changing, a key that is refused."""

from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import (
    CONF_KIND,
    DOMAIN,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
    EntryKind,
)
from tests.agent import add_agent
from tests.model_servers import ModelServer

from .forms import begin, begin_use, change, fill_in, log_in_again, values

UNREACHABLE = {
    EntryKind.OLLAMA: "server_unreachable",
    EntryKind.OPENAI: "openai_unreachable",
    EntryKind.ANTHROPIC: "anthropic_unreachable",
}
UNAUTHORIZED = {
    EntryKind.OLLAMA: "server_unauthorized",
    EntryKind.OPENAI: "server_unauthorized",
    EntryKind.ANTHROPIC: "anthropic_unauthorized",
}
# Where each of them can be asked for another key, and for another connection.
REAUTH = {EntryKind.OLLAMA: "reauth_confirm"}
CHANGE = {EntryKind.OLLAMA: "reconfigure"}

KEY = "a-key-of-mine"


def entered(server: ModelServer, key: str = KEY) -> dict[str, Any]:
    """Return what is entered for a server."""
    url = {CONF_URL: server.data[CONF_URL]} if CONF_URL in server.data else {}
    return {**url, CONF_API_KEY: key}


async def add(hass: HomeAssistant, server: ModelServer) -> ConfigEntry[Any]:
    """Add a server with its key, as a user does."""
    server.server.key = KEY
    form = await begin(hass, server.kind)
    result = await fill_in(hass, form, entered(server, f" {KEY}\n"))
    assert result["type"] is FlowResultType.CREATE_ENTRY, result
    await hass.async_block_till_done()
    return result["result"]


async def test_server_is_tried_and_added_once(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    entry = await add(home, model_server)
    assert entry.data == {CONF_KIND: model_server.kind, **entered(model_server)}
    assert entry.state is ConfigEntryState.LOADED
    # Trying it costs nothing.
    assert not model_server.requests
    again = await fill_in(home, await begin(home, model_server.kind), entered(model_server))
    if model_server.kind == EntryKind.ANTHROPIC:
        assert again["errors"] == {CONF_API_KEY: "key_in_use"}
    else:
        assert (again["type"], again["reason"]) == (FlowResultType.ABORT, "already_configured")


async def test_what_is_wrong_is_said_and_the_form_can_be_sent_again(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.server.key = KEY
    form = await begin(home, model_server.kind)
    for key, errors in (
        ("wrong", {"base": UNAUTHORIZED[model_server.kind]}),
        ("schlüssel", {CONF_API_KEY: "invalid_characters"}),
    ):
        form = await fill_in(home, form, entered(model_server, key))
        assert form["errors"] == errors
        # What was typed is still there.
        assert values(form) == entered(model_server, key)
    await model_server.server.stop()
    form = await fill_in(home, form, entered(model_server))
    assert form["errors"] == {"base": UNREACHABLE[model_server.kind]}


async def test_key_is_not_shown_kept_if_the_field_is_empty_and_replaced(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    entry = await add(home, model_server)
    form = await change(home, entry)
    assert form["step_id"] == CHANGE.get(model_server.kind, f"{model_server.kind}_reconfigure")
    shown = entered(model_server) | {CONF_API_KEY: None}
    assert values(form) == shown
    form = await fill_in(home, form, entered(model_server, "wrong"))
    assert form["errors"] == {"base": UNAUTHORIZED[model_server.kind]}
    del shown[CONF_API_KEY]
    result = await fill_in(home, form, shown)
    assert result["reason"] == "reconfigure_successful"
    await home.async_block_till_done()
    assert entry.data[CONF_API_KEY] == KEY
    model_server.server.key = "another-of-mine"
    result = await fill_in(
        home, await change(home, entry), entered(model_server, "another-of-mine")
    )
    assert result["reason"] == "reconfigure_successful"
    await home.async_block_till_done()
    assert entry.data == {CONF_KIND: model_server.kind, **entered(model_server, "another-of-mine")}


async def test_refused_key_is_asked_for(home: HomeAssistant, model_server: ModelServer) -> None:
    agent = await add_agent(home, model_server)
    model_server.server.key = "another-of-mine"
    form = await log_in_again(home, agent.entry)
    assert form["step_id"] == REAUTH.get(model_server.kind, f"{model_server.kind}_reauth")
    form = await fill_in(home, form, {CONF_API_KEY: "wrong"})
    assert form["errors"] == {"base": UNAUTHORIZED[model_server.kind]}
    result = await fill_in(home, form, {CONF_API_KEY: "another-of-mine"})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reauth_successful")
    await home.async_block_till_done()
    assert agent.entry.data == {
        CONF_KIND: model_server.kind,
        **entered(model_server, "another-of-mine"),
    }
    assert (await agent.hears("how are you")).speech == "OK."


@pytest.mark.parametrize("model_server", [EntryKind.OLLAMA, EntryKind.OPENAI], indirect=True)
async def test_server_is_not_moved_to_where_another_entry_is(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    await add(home, model_server)
    data = {CONF_KIND: model_server.kind, CONF_URL: "http://nas.test:1"}
    other = MockConfigEntry(domain=DOMAIN, data=data)
    other.add_to_hass(home)
    result = await fill_in(home, await change(home, other), entered(model_server))
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "already_configured")
    assert other.data == data


@pytest.mark.parametrize("kind", [SUBENTRY_CONVERSATION, SUBENTRY_AI_TASK])
async def test_form_of_an_agent_or_a_task_says_why_there_are_no_models(
    home: HomeAssistant, model_server: ModelServer, kind: str
) -> None:
    entry = await add(home, model_server)
    await model_server.server.stop()
    result = await begin_use(home, entry, kind)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "server_unreachable")
