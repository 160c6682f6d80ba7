"""The form of a server that speaks OpenAI's protocol: what is there, what is not, and its agents."""

from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.const import (
    CONF_KIND,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
    EntryKind,
)
from custom_components.voice_gateway.flows.server_urls import openai_urls
from tests.agent import add_agent
from tests.model_servers import OpenAIModel
from tests.openai import KEY, MODEL, PlayedOpenAI, error, of_kind, page, played_openai

from .forms import begin, begin_use, change, choices, fill_in, fill_in_use, options_of, values

HOST = "127.0.0.1"
LLAMA = "/root/models/qwen3-4b-q4_k_m.gguf"


async def add_server(hass: HomeAssistant, **user_input: Any) -> ConfigEntry[Any]:
    """Add a server as a user does."""
    result = await fill_in(hass, await begin(hass, EntryKind.OPENAI), user_input)
    assert result["type"] is FlowResultType.CREATE_ENTRY, result
    await hass.async_block_till_done()
    return result["result"]


KINDS: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "llama.cpp": (
        [{"id": LLAMA, "owned_by": "llamacpp", "meta": {"n_ctx": 4096}}],
        {"/props": {"total_slots": 2, "default_generation_settings": {"n_ctx": 4096}}},
    ),
    "vLLM": ([{"id": MODEL, "owned_by": "vllm", "max_model_len": 32768}], {}),
    "SGLang": ([{"id": MODEL, "owned_by": "sglang", "max_model_len": 32768}], {}),
    "Ollama": ([{"id": "qwen3:4b", "owned_by": "library"}], {}),
    "LM Studio": (
        [{"id": MODEL, "owned_by": "organization_owner"}],
        {"/api/v0/models": {"data": [{"id": MODEL, "type": "vlm", "max_context_length": 8192}]}},
    ),
    "LocalAI": ([{"id": MODEL}], {"/system": {"backends": ["llama-cpp"], "loaded_models": []}}),
    "LiteLLM": (
        [{"id": MODEL, "owned_by": "openai"}],
        {"/model/info": {"data": [{"model_name": MODEL, "model_info": {"supports_vision": True}}]}},
    ),
    "OpenAI-compatible": ([{"id": MODEL, "owned_by": "me"}], {"/props": [], "/system": {"a": 1}}),
}


async def test_server_is_found_out_and_added(home: HomeAssistant, openai: PlayedOpenAI) -> None:
    for number, (name, (infos, told)) in enumerate(KINDS.items()):
        of_kind(openai, infos, told)
        # With or without the version, and with what a program asks.
        given = (openai.origin, f" {openai.url}/ ", f"{openai.url}/chat/completions")[number % 3]
        entry = await add_server(home, url=given, api_key=f" {KEY}\n")
        assert entry.title == f"{name} ({HOST})"
        assert entry.data == {
            CONF_KIND: EntryKind.OPENAI,
            CONF_URL: openai.url,
            CONF_API_KEY: KEY,
        }
        assert entry.state is ConfigEntryState.LOADED
        await home.config_entries.async_remove(entry.entry_id)
    # Nothing that costs anything.
    assert not openai.chats
    assert not openai.reads


@pytest.mark.parametrize(
    ("address", "tried"),
    [
        ("192.168.1.5:8080", ["http://192.168.1.5:8080/v1", "http://192.168.1.5:8080"]),
        ("http://nas:8080/v1/", ["http://nas:8080/v1", "http://nas:8080/v1/v1"]),
        ("nas", ["http://nas/v1", "http://nas"]),
        ("nas.local:1234", ["http://nas.local:1234/v1", "http://nas.local:1234"]),
        ("openrouter.ai/api", ["https://openrouter.ai/api/v1", "https://openrouter.ai/api"]),
        ("https://x.ai/v1/models?a=1#b", ["https://x.ai/v1", "https://x.ai/v1/v1"]),
        ("https://x.ai/v1/chat/completions", ["https://x.ai/v1", "https://x.ai/v1/v1"]),
        (
            "https://x.ai/v1beta/openai/",
            ["https://x.ai/v1beta/openai/v1", "https://x.ai/v1beta/openai"],
        ),
        ("https://x.ai/api/paas/v4", ["https://x.ai/api/paas/v4", "https://x.ai/api/paas/v4/v1"]),
        ("[fd00::1]:8080", ["http://[fd00::1]:8080/v1", "http://[fd00::1]:8080"]),
        *((each, []) for each in ("", "http://", "ftp://nas", "http://nas:port", "my server", "[")),
    ],
)
def test_addresses_as_people_give_them(address: str, tried: list[str]) -> None:
    assert list(openai_urls(address)) == tried


async def test_server_without_a_version_in_its_address_is_found(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    openai.above, openai.version, openai.key = "/v1beta/openai", "", ""
    entry = await add_server(home, url=f"{openai.origin}/v1beta/openai")
    assert entry.data == {CONF_KIND: EntryKind.OPENAI, CONF_URL: openai.url}


async def test_what_is_wrong_is_said_and_the_form_can_be_sent_again(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    form = await begin(home, EntryKind.OPENAI)
    right = {CONF_URL: openai.url, CONF_API_KEY: KEY}
    models = "/v1/models"
    refused = (
        (page(200), "openai_not_the_server"),
        (page(404), "openai_not_the_server"),
        (error(404, "File Not Found"), "openai_not_the_server"),
        (error(404, "Cannot GET /v1/models"), "openai_not_the_server"),
        (error(401, "Incorrect API key provided"), "server_unauthorized"),
        (error(403, "Forbidden"), "server_unauthorized"),
        (page(502), "openai_unreachable"),
        (error(503, "Loading model"), "openai_overloaded"),
        (error(500, "Internal"), "server_error"),
    )
    for response, said in refused:
        openai.whole = {models: response, "/v1/v1/models": response}
        form = await fill_in(home, form, right)
        assert form["errors"] == {"base": said}, said
        assert values(form)[CONF_URL] == openai.url
    openai.whole.clear()
    for wrong, where, said in (
        ({CONF_API_KEY: "wrong"}, "base", "server_unauthorized"),
        ({CONF_API_KEY: "schlüssel"}, CONF_API_KEY, "invalid_characters"),
        ({CONF_URL: "my server"}, CONF_URL, "invalid_url"),
        ({CONF_URL: "http://127.0.0.1:1"}, "base", "openai_unreachable"),
    ):
        form = await fill_in(home, form, {**right, **wrong})
        assert form["errors"] == {where: said}
    result = await fill_in(home, form, right)
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_key_that_only_the_list_does_without_is_tried(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    """llama.cpp shows everybody its models."""
    of_kind(openai, *KINDS["llama.cpp"])
    openai.key = ""
    openai.whole["/props"] = error(401, "Invalid API Key", type="authentication_error")
    form = await begin(home, EntryKind.OPENAI)
    form = await fill_in(home, form, {CONF_URL: openai.url, CONF_API_KEY: "wrong"})
    assert form["errors"] == {"base": "server_unauthorized"}


async def test_server_that_moved_is_found_again(home: HomeAssistant, openai: PlayedOpenAI) -> None:
    agent = await add_agent(home, OpenAIModel(openai))
    home.config_entries.async_update_entry(agent.entry, title=f"vLLM ({HOST})")
    await home.async_block_till_done()
    async with played_openai() as new:
        of_kind(new, *KINDS["llama.cpp"])
        new.models[MODEL] = {}
        form = await agent.entry.start_reconfigure_flow(home)
        assert (form["step_id"], values(form)[CONF_URL]) == ("openai_reconfigure", openai.url)
        form = await fill_in(home, form, {CONF_URL: "http://127.0.0.1:1", CONF_API_KEY: KEY})
        assert form["errors"] == {"base": "openai_unreachable"}
        result = await fill_in(home, form, {CONF_URL: new.origin, CONF_API_KEY: KEY})
        assert result["reason"] == "reconfigure_successful"
        await home.async_block_till_done()
        # A name that nobody chose follows what is there.
        assert agent.entry.title == f"llama.cpp ({HOST})"
        assert agent.entry.data[CONF_URL] == new.url
        assert (await agent.hears("how are you")).speech == "OK."
    assert not openai.chats


async def test_stored_key_is_not_shown_and_goes_to_no_other_host(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    entry = await add_server(home, url=openai.url, api_key=KEY)
    form = await change(home, entry)
    assert values(form) == {CONF_URL: openai.url, CONF_API_KEY: None}
    # The same server at another address of its host.
    async with played_openai() as new:
        new.key = KEY
        result = await fill_in(home, form, {CONF_URL: new.url})
        assert result["reason"] == "reconfigure_successful"
        await home.async_block_till_done()
        assert entry.data[CONF_API_KEY] == KEY
    moved = {**entry.data, CONF_URL: "http://nas.test:1/v1"}
    home.config_entries.async_update_entry(entry, data=moved)
    form = await fill_in(home, await change(home, entry), {CONF_URL: openai.url})
    assert form["errors"] == {"base": "server_unauthorized"}


async def test_password_in_an_address_is_not_shown_and_kept(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    url = openai.url.replace("//", "//me:pass-of-mine@")
    entry = await add_server(home, url=url, api_key=KEY)
    form = await change(home, entry)
    assert "pass-of-mine" not in str(values(form))
    result = await fill_in(home, form, {CONF_URL: values(form)[CONF_URL]})
    assert result["reason"] == "reconfigure_successful"
    await home.async_block_till_done()
    assert entry.data[CONF_URL] == url


async def test_agent_is_added_and_answers(home: HomeAssistant, openai: PlayedOpenAI) -> None:
    of_kind(openai, *KINDS["llama.cpp"])
    entry = await add_server(home, url=openai.url, api_key=KEY)
    form = await begin_use(home, entry, SUBENTRY_CONVERSATION)
    assert values(form)[CONF_MODEL] == LLAMA
    names = {name for options in options_of(form).values() for name in options}
    assert {"max_tokens", "think", "temperature", "pin"} <= names
    # Who reads for nothing is not asked whether it may cost something.
    assert "warm_up" not in names
    result = await fill_in_use(home, form, **{CONF_MODEL: LLAMA})
    assert (result["type"], result["title"]) == (
        FlowResultType.CREATE_ENTRY,
        "qwen3-4b-q4_k_m.gguf",
    )


async def test_reading_beforehand_is_offered_where_it_may_cost(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    of_kind(openai, *KINDS["LiteLLM"])
    entry = await add_server(home, url=openai.url, api_key=KEY)
    form = await begin_use(home, entry, SUBENTRY_CONVERSATION)
    assert "warm_up" in options_of(form)["model_options"]
    # A task's form has the sight of models, and nothing of speech.
    form = await begin_use(home, entry, SUBENTRY_AI_TASK)
    assert choices(form, CONF_MODEL) == {MODEL: f"👁 {MODEL}"}
