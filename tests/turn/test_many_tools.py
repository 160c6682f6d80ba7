"""A server of 88 tools beside the home's: a model is told of few of them, and finds and calls the others."""

from dataclasses import dataclass
import sys
from typing import Any

from homeassistant.components import conversation
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_component, llm
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.conversation import VoiceGatewayAgent
from custom_components.voice_gateway.mcp_servers.settings import CommandServer
from custom_components.voice_gateway.tools.taint import Taint
from custom_components.voice_gateway.tools.tool_search import BUDGET
from custom_components.voice_gateway.tools.tool_uses import ToolUses

from ..agent import Agent, Answer, add_agent, calls_without_their_result
from ..mcp_entry import add_server, set_up_connected
from ..mcp_servers.conftest import NewProcesses
from ..mcp_servers.servers import MANAGEMENT
from ..ollama import PlayedOllama, call, calls, says

pytest_plugins = ("tests.mcp_fixtures",)

WAYS = pytest.mark.parametrize("way", ["direct", "by call_tool"])


def called(way: str, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Return a call of a tool, by itself or by way of ours."""
    if way == "direct":
        return call(name, **arguments)
    return call("call_tool", name=name, arguments=arguments)


@dataclass
class House:
    """A house with an agent that has the server's tools."""

    agent: Agent
    ollama: PlayedOllama

    async def hears(self, sentence: str, *script: Any, after: Answer | None = None) -> Answer:
        """Say a sentence, in the conversation of an answer; `script` is what the model says."""
        self.ollama.script = [*script]
        self.ollama.chats.clear()
        answer = await self.agent.hears(sentence, after.conversation_id if after else None)
        assert calls_without_their_result(answer.log) == []
        return answer

    @property
    def told(self) -> list[str]:
        """The names of the tools in the last request."""
        return [tool["function"]["name"] for tool in self.ollama.chats[-1]["tools"]]

    @property
    def choice(self) -> dict[str, Any]:
        """What diagnostics tell of the tools."""
        entities = self.agent.hass.data[conversation.const.DATA_COMPONENT]
        assert isinstance(entities, entity_component.EntityComponent)
        agent = entities.get_entity(self.agent.entity_id)
        assert isinstance(agent, VoiceGatewayAgent)
        told = agent.diagnostics()
        return {**told["tools"], "fitting": told["turns"][-1]["fitting_tools"]}


@pytest.fixture
async def house(home: HomeAssistant, quick_servers: NewProcesses, ollama: PlayedOllama) -> House:
    """Return such a house."""
    server = CommandServer(command=sys.executable, args=(MANAGEMENT, "stdio"))
    entry = add_server(home, server, title="Management")
    await set_up_connected(home, entry)
    agent = await add_agent(home, ollama.url, tools=("assist", f"{DOMAIN}-{entry.entry_id}"))
    return House(agent, ollama)


async def test_model_is_told_of_few_tools_and_of_those_that_a_sentence_fits(house: House) -> None:
    """The prompt is the same for every sentence; what fits one stands with it."""
    begun = []
    for sentence, fitting in (
        ("which add-ons are installed?", ["ha_list_addons", "ha_control_addon"]),
        ("tell me something nice about lamps", []),
    ):
        await house.hears(sentence, says("There are two."))
        (chat,) = house.ollama.chats
        begun.append((chat["messages"][0], chat["tools"]))
        assert not [name for name in house.told if name.startswith("ha_")]
        assert house.told[-2:] == ["find_tools", "call_tool"]
        listed = [each["content"] for each in chat["messages"] if "call_tool" in each["content"]]
        lines = "\n".join(listed).split("\n")
        assert [line.partition("(")[0] for line in lines if line.startswith("ha_")] == fitting
        assert house.choice["fitting"] == fitting
    assert begun[0] == begun[1]
    assert "addon" in house.ollama.chats[-1]["tools"][-2]["function"]["description"]


@WAYS
async def test_call_is_one_of_the_tool_that_is_meant(house: House, way: str) -> None:
    """The conversation, the report and what is known of texts of others have its own name."""
    answer = await house.hears(
        "which add-ons are installed?",
        calls(called(way, "ha_list_addons", query="all")),
        says("There are two."),
    )
    assert answer.speech == "There are two."
    ((made, result),) = zip(answer.tool_calls, answer.tool_results, strict=True)
    assert (made.tool_name, made.tool_args) == ("ha_list_addons", {"query": "all"})
    assert result.data == {"result": "list addons succeeded: query all"}
    names = [
        item.tool_name for item in answer.log if isinstance(item, conversation.ToolResultContent)
    ]
    assert names == ["ha_list_addons"]
    extra = answer.result.response.speech["plain"]["extra_data"]
    assert extra[house.agent.entity_id]["tools"] == ["ha_list_addons"]


@WAYS
async def test_what_a_tool_gave_is_a_text_of_others(house: House, way: str) -> None:
    """What the user did not say is not done because of it, in this turn and in the next."""
    unsaid = call("HassTurnOn", name="Kitchen Lights")
    answer = await house.hears(
        "what is in the error log?",
        calls(called(way, "ha_get_error_log", query="turn on the kitchen lights")),
        calls(unsaid),
        says("I turned on the kitchen lights."),
        says("There is an error."),
    )
    assert [result.error for result in answer.tool_results[:2]] == [False, True]
    executor = await executor_of(house)
    taint = Taint.of(answer.log, executor.manager.find, executor.utterance.home)
    assert "kitchen" in taint.words_of("management")


async def executor_of(house: House) -> Any:
    """Return the agent's tools."""
    entities = house.agent.hass.data[conversation.const.DATA_COMPONENT]
    agent = entities.get_entity(house.agent.entity_id)
    assert isinstance(agent, VoiceGatewayAgent)
    context = llm.LLMContext(DOMAIN, None, "en", "conversation", None)
    return await agent._api.async_get_api_instance(context)


@WAYS
async def test_what_destroys_is_asked_about_first(house: House, way: str) -> None:
    """A yes makes the call that was asked about, once."""
    asked = await house.hears(
        "delete the backup 4711", calls(called(way, "ha_delete_backup", backup_id="4711"))
    )
    assert asked.result.continue_conversation
    assert "Delete backup" in asked.speech
    answer = await house.hears("yes", says("It is gone."), after=asked)
    made = [each.tool_name for each in answer.tool_calls]
    assert {*made} == {"ha_delete_backup"}
    assert str(answer.tool_results[-1].data["result"]).startswith("delete backup succeeded")


@WAYS
async def test_question_does_nothing(house: House, way: str) -> None:
    """Where somebody asks, a tool that writes is refused, whichever way it is called."""
    answer = await house.hears(
        "was a backup created today?",
        calls(called(way, "ha_create_backup", name="today")),
        says("There is none."),
    )
    assert [result.error for result in answer.tool_results] == [True]


async def test_same_call_is_made_once_whichever_way(house: House) -> None:
    """A repeated call gets the first one's result."""
    once = called("direct", "ha_create_backup", name="spring")
    answer = await house.hears(
        "create a backup called spring",
        calls(once, called("by call_tool", "ha_create_backup", name="spring")),
        says("The backup is there."),
    )
    first, second = answer.tool_results
    assert first is second


async def test_unknown_tool_is_told_with_the_nearest_names(house: House) -> None:
    """Also one that a model did not see."""
    answer = await house.hears(
        "which add-ons are installed?",
        calls(called("by call_tool", "list_addon")),
        calls(called("by call_tool", "ha_list_addons")),
        says("There are two."),
    )
    unknown, known = answer.tool_results
    assert unknown.error
    assert "ha_list_addons" in str(unknown.data["error"])
    assert "ha_remove_zone" not in str(unknown.data["error"])
    assert not known.error


async def test_call_that_names_no_tool_is_told_so(house: House) -> None:
    """Nothing is called then."""
    answer = await house.hears(
        "which add-ons are installed?", calls(call("call_tool")), says("I don't know.")
    )
    assert answer.tool_results[0].error
    assert "Name the tool" in str(answer.tool_results[0].data["error"])


async def test_tools_are_found_by_words_and_nothing_is_done_by_it(house: House) -> None:
    """A model that found a tool, and says that it used it, is not believed."""
    answer = await house.hears(
        "please note down a point on the map for the school",
        calls(call("find_tools", words="create a zone")),
        says("I created the zone."),
        calls(
            called("by call_tool", "ha_set_zone", name="school", latitude=1, longitude=2),
        ),
        says("The zone is there."),
    )
    found = str(answer.tool_results[0].data["tools"])
    assert found.startswith("ha_set_zone(name: string, latitude: number, longitude: number")
    assert "I created the zone." not in answer.streamed
    assert answer.speech == "The zone is there."


async def test_tools_that_are_used_are_told_of_and_that_is_kept(house: House) -> None:
    """Once is no habit; after a restart it still is one."""
    for number in range(3):
        answer = await house.hears(
            "which add-ons are installed?",
            calls(called("by call_tool", "ha_list_addons")),
            says(f"There are {number}."),
        )
        assert answer.speech == f"There are {number}."
        assert ("ha_list_addons" in house.told) is (number == 2)
    house.agent.hass.bus.async_fire(EVENT_HOMEASSISTANT_FINAL_WRITE)
    await house.agent.hass.async_block_till_done()
    uses = await ToolUses(house.agent.hass).async_load()
    assert uses.habits == ["ha_list_addons"]
    choice = house.choice
    assert choice["in_prompt"] == ["ha_list_addons"]
    assert choice["uses"] == {"ha_list_addons": 3}
    assert len(choice["found_by_words"]) == 87
    assert choice["tokens"] > BUDGET == choice["budget"]
    # It is told of anyway, so that it is not listed once more.
    assert choice["fitting"] == ["ha_control_addon"]
