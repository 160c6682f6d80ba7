"""The forms of an agent of Anthropic's: a model from the API's list, then what that model knows."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import SOURCE_REAUTH, ConfigEntry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME, CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import (
    CONF_MAX_TOKENS,
    CONF_THINK,
    CONF_TIMEOUT,
    CONF_WARM_UP,
    CONF_WEB_SEARCH,
    DEFAULTS,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from tests.agent import Agent
from tests.anthropic import MODEL, PlayedAnthropic, error, model_info

from .forms import begin_use, change_use, choices, fill_in_use, options_of, values
from .test_anthropic import MODELS, add_account

PLAIN, OPUS = "claude-haiku-4", "claude-opus-5"


@pytest.fixture
async def account(home: HomeAssistant, anthropic: PlayedAnthropic) -> ConfigEntry[Any]:
    """An account with three models: one of them can neither think nor search."""
    anthropic.models = {
        OPUS: model_info(OPUS, "Claude Opus 5"),
        MODEL: model_info(),
        PLAIN: model_info(PLAIN, "Claude Haiku 4", thinking=["disabled"], searches=False)
        | {"max_tokens": 2000},
    }
    return await add_account(home)


async def choose(hass: HomeAssistant, form: Any, model: str, **options: Any) -> Any:
    """Send the first form; the second one comes."""
    user_input = {CONF_LLM_HASS_API: ["assist"]} | options
    return await fill_in_use(hass, form, **{CONF_MODEL: model, **user_input})


async def add_agent(hass: HomeAssistant, entry: ConfigEntry[Any], **options: Any) -> Agent:
    """Add an agent as a user does, with options of the second form."""
    result = await fill_in_use(
        hass, await choose(hass, await begin_use(hass, entry), MODEL), **options
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY, result
    await hass.async_block_till_done()
    (entity_id,) = (
        entity.entity_id
        for entity in er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
        if entity.domain == SUBENTRY_CONVERSATION
    )
    return Agent(hass, entry, entity_id)


async def test_models_are_those_of_the_account(
    home: HomeAssistant, account: ConfigEntry[Any]
) -> None:
    form = await begin_use(home, account)
    assert [*choices(form, CONF_MODEL).values()] == [
        "Claude Opus 5",
        "Claude Haiku 5.5",
        "Claude Haiku 4",
    ]
    # The quickest of the newest.
    assert values(form)[CONF_MODEL] == MODEL
    # What the model can do is not known before it is chosen.
    assert [*options_of(form)] == ["answers", "failures", "safety", "privacy"]
    assert CONF_TIMEOUT in options_of(form)["failures"]


async def test_newest_model_is_suggested_where_none_is_known_to_be_quick(
    home: HomeAssistant, account: ConfigEntry[Any], anthropic: PlayedAnthropic
) -> None:
    del anthropic.models[MODEL], anthropic.models[PLAIN]
    assert values(await begin_use(home, account))[CONF_MODEL] == OPUS
    anthropic.models.clear()
    assert values(await begin_use(home, account))[CONF_MODEL] is None


async def test_agent_works_without_touching_any_option(
    home: HomeAssistant, account: ConfigEntry[Any], anthropic: PlayedAnthropic
) -> None:
    agent = await add_agent(home, account)
    (subentry,) = account.subentries.values()
    assert subentry.title == "Claude Haiku 5.5"
    assert CONF_PROMPT not in subentry.data
    (device,) = dr.async_entries_for_config_entry(dr.async_get(home), account.entry_id)
    assert (device.manufacturer, device.model) == ("Anthropic", MODEL)
    assert (await agent.hears("how are you")).speech == "OK."
    (asked,) = anthropic.chats
    assert asked["model"] == MODEL
    assert asked["max_tokens"] == DEFAULTS[CONF_MAX_TOKENS]
    assert asked["thinking"] == {"type": "disabled"}
    assert "web_search" not in {tool["name"] for tool in asked["tools"]}
    assert not anthropic.reads


async def test_options_reach_the_api(
    home: HomeAssistant, account: ConfigEntry[Any], anthropic: PlayedAnthropic
) -> None:
    agent = await add_agent(
        home,
        account,
        **{CONF_MAX_TOKENS: 500.0, CONF_THINK: True, CONF_WEB_SEARCH: True, CONF_WARM_UP: True},
    )
    (subentry,) = account.subentries.values()
    assert subentry.data[CONF_MAX_TOKENS] == 500
    assert isinstance(subentry.data[CONF_MAX_TOKENS], int)
    await agent.hears("how are you")
    (asked,) = anthropic.chats
    assert asked["max_tokens"] > 500, "thinking comes on top"
    assert asked["thinking"]["type"] == "adaptive"
    assert "web_search" in {tool["name"] for tool in asked["tools"]}


async def test_prompt_is_read_beforehand_only_where_that_was_switched_on(
    home: HomeAssistant, account: ConfigEntry[Any], anthropic: PlayedAnthropic
) -> None:
    agent = await add_agent(home, account)
    await conversation.async_prepare_agent(home, agent.entity_id, "en")
    assert not anthropic.reads
    form = await choose(home, await change_use(home, account), MODEL)
    await fill_in_use(home, form, **{CONF_WARM_UP: True})
    await home.async_block_till_done()
    await conversation.async_prepare_agent(home, agent.entity_id, "en")
    assert len(anthropic.reads) == 1


async def test_forms_reach_the_browser(
    home: HomeAssistant, account: ConfigEntry[Any], hass_client: Any
) -> None:
    assert await async_setup_component(home, "config", {})
    client = await hass_client()
    flows = "/api/config/config_entries/subentries/flow"
    response = await client.post(flows, json={"handler": [account.entry_id, SUBENTRY_CONVERSATION]})
    form = await response.json()
    assert [field["name"] for field in form["data_schema"]] == [
        CONF_MODEL,
        CONF_NAME,
        CONF_PROMPT,
        CONF_LLM_HASS_API,
        "answers",
        "failures",
        "safety",
        "privacy",
    ]
    groups: dict[str, Any] = {"answers": {}, "safety": {}, "privacy": {}}
    response = await client.post(
        f"{flows}/{form['flow_id']}",
        json={CONF_MODEL: MODEL, **groups, "failures": {CONF_TIMEOUT: 30}},
    )
    fields = {field["name"]: field for field in (await response.json())["data_schema"]}
    assert fields[CONF_MAX_TOKENS]["selector"]["number"]["max"] == 64000
    assert fields[CONF_MAX_TOKENS]["default"] == DEFAULTS[CONF_MAX_TOKENS]


async def test_options_that_a_model_does_not_know_are_neither_offered_nor_kept(
    home: HomeAssistant, account: ConfigEntry[Any]
) -> None:
    await add_agent(home, account, **{CONF_THINK: True, CONF_WEB_SEARCH: True})
    form = await change_use(home, account)
    assert values(form)[CONF_MODEL] == MODEL
    form = await choose(home, form, PLAIN, prompt="Speak like a pirate.")
    assert form["step_id"] == "model"
    assert form["description_placeholders"]["model"] == "Claude Haiku 4"
    assert values(form).keys() == {CONF_MAX_TOKENS, CONF_WARM_UP}
    with pytest.raises(InvalidData, match=CONF_MAX_TOKENS):
        await fill_in_use(home, form, **{CONF_MAX_TOKENS: 2001})
    result = await fill_in_use(home, form, **{CONF_MAX_TOKENS: 2000})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    await home.async_block_till_done()
    (subentry,) = account.subentries.values()
    assert subentry.data.items() >= {CONF_MODEL: PLAIN, CONF_MAX_TOKENS: 2000}.items()
    assert subentry.data[CONF_PROMPT] == "Speak like a pirate."
    assert not subentry.data.keys() & {CONF_THINK, CONF_WEB_SEARCH}


async def test_options_are_shown_as_they_were_chosen(
    home: HomeAssistant, account: ConfigEntry[Any]
) -> None:
    await add_agent(home, account, **{CONF_THINK: True, CONF_MAX_TOKENS: 700})
    form = await change_use(home, account)
    form = await choose(home, form, MODEL)
    assert values(form).items() >= {CONF_THINK: True, CONF_MAX_TOKENS: 700}.items()


async def test_model_may_be_typed(home: HomeAssistant, account: ConfigEntry[Any]) -> None:
    form = await begin_use(home, account)
    typed = f"{OPUS}-preview"
    form = await choose(home, form, f" {typed} ")
    assert form["errors"] == {CONF_MODEL: "model_not_found"}
    assert values(form)[CONF_MODEL] == typed
    form = await choose(home, form, OPUS)
    assert form["step_id"] == "model"


async def test_alias_that_the_list_does_not_hold_is_looked_up(
    home: HomeAssistant, account: ConfigEntry[Any], anthropic: PlayedAnthropic
) -> None:
    form = await begin_use(home, account)
    anthropic.models["claude-opus-latest"] = model_info(OPUS, "Claude Opus 5")
    form = await choose(home, form, "claude-opus-latest")
    result = await fill_in_use(home, form)
    assert result["title"] == "Claude Opus 5"
    assert result["data"][CONF_MODEL] == "claude-opus-latest"
    await home.async_block_till_done()


async def test_api_that_fails_while_a_typed_model_is_looked_up_is_said(
    home: HomeAssistant, account: ConfigEntry[Any], anthropic: PlayedAnthropic
) -> None:
    form = await begin_use(home, account)
    anthropic.whole[f"{MODELS}/other"] = error(529, "overloaded_error", "Overloaded")
    form = await choose(home, form, "other")
    assert form["errors"] == {"base": "server_overloaded"}


@pytest.mark.parametrize(
    ("refusal", "reason"),
    [
        ((401, "authentication_error"), "server_unauthorized"),
        ((402, "billing_error"), "no_credit"),
        ((529, "overloaded_error"), "server_overloaded"),
        ((500, "api_error"), "server_error"),
    ],
)
async def test_what_is_wrong_with_the_account_is_said(
    home: HomeAssistant,
    account: ConfigEntry[Any],
    anthropic: PlayedAnthropic,
    refusal: tuple[int, str],
    reason: str,
) -> None:
    anthropic.whole[MODELS] = error(*refusal, "No.")
    result = await begin_use(home, account)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, reason)


async def test_key_that_is_refused_when_somebody_speaks_is_asked_for(
    home: HomeAssistant, account: ConfigEntry[Any], anthropic: PlayedAnthropic
) -> None:
    agent = await add_agent(home, account)
    anthropic.key = "sk-ant-new"
    answer = await agent.hears("how are you")
    assert answer.is_error
    assert "API key" in answer.speech
    await home.async_block_till_done()
    (flow,) = home.config_entries.flow.async_progress_by_handler(DOMAIN)
    assert flow["context"]["source"] == SOURCE_REAUTH
