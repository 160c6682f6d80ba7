"""Setting up, reloading and removing a model server."""

from homeassistant.config_entries import ConfigEntryState, ConfigSubentry, ConfigSubentryData
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_URL, EVENT_STATE_CHANGED
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.config_flow import VoiceGatewayConfigFlow as ConfigFlow
from custom_components.voice_gateway.const import (
    CONF_KIND,
    DOMAIN,
    MCP_KINDS,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
    EntryKind,
)
from custom_components.voice_gateway.turn.report import turns_of
from tests.agent import Agent, add_agent

from .ollama import MODEL, PlayedOllama, says


async def test_server_is_set_up_also_while_it_does_not_answer(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """It may start later than Home Assistant; until then its agents say what is wrong."""
    await ollama.stop()
    agent = await add_agent(home, ollama.url)
    assert agent.entry.state is ConfigEntryState.LOADED
    assert (await agent.hears("how are you")).is_error
    await ollama.start(ollama.port)
    assert (await agent.hears("how are you")).speech == "OK."


async def test_unloaded_server_has_no_agents(agent: Agent) -> None:
    home = agent.hass
    assert await home.config_entries.async_unload(agent.entry.entry_id)
    state = home.states.get(agent.entity_id)
    assert state is None or state.state == "unavailable"
    assert await home.config_entries.async_setup(agent.entry.entry_id)
    await home.async_block_till_done()
    assert (await agent.hears("how are you")).speech == "OK."


async def test_changed_agent_is_taken_over_at_once(agent: Agent, ollama: PlayedOllama) -> None:
    (subentry,) = agent.entry.subentries.values()
    agent.hass.config_entries.async_update_subentry(
        agent.entry, subentry, data={CONF_MODEL: "other:1b", CONF_LLM_HASS_API: []}
    )
    await agent.hass.async_block_till_done()
    ollama.models["other:1b"] = ["completion"]
    await agent.hears("how are you")
    assert ollama.chats[-1]["model"] == "other:1b"


async def test_each_agent_is_a_device_of_its_own(agent: Agent, ollama: PlayedOllama) -> None:
    home = agent.hass
    home.config_entries.async_add_subentry(
        agent.entry,
        ConfigSubentry(
            data={CONF_MODEL: MODEL, CONF_LLM_HASS_API: []},  # type: ignore[arg-type]
            subentry_type=SUBENTRY_CONVERSATION,
            title="Alfred",
            unique_id=None,
        ),
    )
    await home.async_block_till_done()
    devices = dr.async_entries_for_config_entry(dr.async_get(home), agent.entry.entry_id)
    assert {device.name for device in devices} == {"Jarvis", "Alfred"}
    ollama.answers(says("At your service."))
    alfred = Agent(home, agent.entry, "conversation.alfred")
    assert (await alfred.hears("how are you")).speech == "At your service."
    (jarvis,) = (
        subentry for subentry in agent.entry.subentries.values() if subentry.title == "Jarvis"
    )
    home.config_entries.async_remove_subentry(agent.entry, jarvis.subentry_id)
    await home.async_block_till_done()
    entities = er.async_entries_for_config_entry(er.async_get(home), agent.entry.entry_id)
    assert {entity.entity_id.partition(".")[2].split("_")[0] for entity in entities} == {
        "alfred",
        "notebook",
        "plans",
    }
    assert (await alfred.hears("how are you")).speech == "OK."


async def test_other_agents_go_on_while_one_is_changed(agent: Agent, ollama: PlayedOllama) -> None:
    home, entries = agent.hass, agent.hass.config_entries
    added = ConfigSubentry(
        data={CONF_MODEL: MODEL, CONF_LLM_HASS_API: []},  # type: ignore[arg-type]
        subentry_type=SUBENTRY_CONVERSATION,
        title="Alfred",
        unique_id=None,
    )
    await agent.hears("how are you")
    was: list[tuple[str, str]] = []

    @callback
    def note(event: Event[EventStateChangedData]) -> None:
        if new := event.data["new_state"]:
            was.append((event.data["entity_id"], new.state))

    stop = home.bus.async_listen(EVENT_STATE_CHANGED, note)
    entries.async_add_subentry(agent.entry, added)
    await home.async_block_till_done()
    entries.async_update_subentry(agent.entry, added, title="Edwin")
    await home.async_block_till_done()
    edwin = home.states.get("conversation.alfred")
    assert edwin
    assert edwin.name == "Edwin"
    entries.async_remove_subentry(agent.entry, added.subentry_id)
    await home.async_block_till_done()
    stop()
    mine = [(entity, state) for entity, state in was if "jarvis" in entity]
    assert mine == []
    assert home.states.get("conversation.alfred") is None
    # The agent that is changed itself keeps its turns, too.
    subentry = next(iter(agent.entry.subentries.values()))
    entries.async_update_subentry(agent.entry, subentry, data={**subentry.data, "timeout": 60})
    await home.async_block_till_done()
    await agent.hears("how are you")
    await entries.async_reload(agent.entry.entry_id)
    await home.async_block_till_done()
    assert len(turns_of(home, subentry.subentry_id)) == 2
    await entries.async_remove(agent.entry.entry_id)
    assert not turns_of(home, subentry.subentry_id)


async def test_yaml_is_not_how_it_is_set_up(home: HomeAssistant) -> None:
    assert not home.config_entries.async_entries(DOMAIN)


async def test_agents_and_tasks_are_added_to_model_servers_alone(home: HomeAssistant) -> None:
    def may_be_added(kind: EntryKind) -> set[str]:
        entry = MockConfigEntry(domain=DOMAIN, data={CONF_KIND: kind})
        return set(ConfigFlow.async_get_supported_subentry_types(entry))

    assert may_be_added(EntryKind.OLLAMA) == {SUBENTRY_CONVERSATION, SUBENTRY_AI_TASK}
    assert may_be_added(EntryKind.OPENAI) == {SUBENTRY_CONVERSATION, SUBENTRY_AI_TASK}
    assert may_be_added(EntryKind.ANTHROPIC) == {SUBENTRY_CONVERSATION, SUBENTRY_AI_TASK}
    for kind in MCP_KINDS:
        assert not may_be_added(kind)


# Versions


def entry_of(ollama: PlayedOllama, **version: int) -> MockConfigEntry:
    """Return an entry as another release may have left it."""
    agent = ConfigSubentryData(
        data={CONF_MODEL: MODEL, CONF_LLM_HASS_API: []},
        subentry_type=SUBENTRY_CONVERSATION,
        title="Jarvis",
        unique_id=None,
    )
    data = {CONF_KIND: EntryKind.OLLAMA, CONF_URL: ollama.url}
    return MockConfigEntry(domain=DOMAIN, data=data, subentries_data=[agent], **version)


async def test_entry_of_a_newer_release_that_means_the_same_is_taken(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """A higher minor version promises that this release understands it: nothing is lost."""
    entry = entry_of(ollama, version=1, minor_version=99)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    assert entry.minor_version == 99
    assert (await Agent(home, entry, "conversation.jarvis").hears("how are you")).speech == "OK."


async def test_entry_of_a_newer_release_that_means_something_else_is_refused(
    home: HomeAssistant, ollama: PlayedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    """Who goes back to an older release loses no settings: they wait for the newer one."""
    entry = entry_of(ollama, version=2)
    before = dict(entry.data)
    entry.add_to_hass(home)
    assert not await home.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.MIGRATION_ERROR
    assert entry.data == before
    assert "higher than the current version" in caplog.text
