"""Setting up, reloading and removing a model server."""

from homeassistant.config_entries import ConfigEntryState, ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

from custom_components.voice_gateway.const import DOMAIN, SUBENTRY_CONVERSATION
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
    assert [entity.entity_id for entity in entities] == ["conversation.alfred"]
    assert (await alfred.hears("how are you")).speech == "OK."


async def test_yaml_is_not_how_it_is_set_up(home: HomeAssistant) -> None:
    assert not home.config_entries.async_entries(DOMAIN)
