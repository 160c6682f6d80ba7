"""An MCP server that asks during a call: the question is spoken, and the answer goes on with the call."""

from dataclasses import dataclass
from pathlib import Path
import sys
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.settings import CommandServer

from ..agent import Agent, Answer, add_agent, calls_without_their_result
from ..mcp_entry import add_server, set_up_connected
from ..mcp_servers.conftest import NewProcesses, until
from ..mcp_servers.servers import ASKING
from ..ollama import Fault, PlayedOllama, call, calls, says

pytest_plugins = ("tests.mcp_fixtures",)

CLEAR = call("clear_list", name="shopping")
COFFEE = call("make_coffee")


@dataclass
class House:
    """A house with an agent that has a server that asks."""

    agent: Agent
    ollama: PlayedOllama
    diary: Path

    @property
    def done(self) -> list[str]:
        """What the server did."""
        return self.diary.read_text().split("\n")[:-1] if self.diary.exists() else []

    async def hears(self, sentence: str, *script: Any, after: Answer | None = None) -> Answer:
        """Say a sentence, in the conversation of an answer; `script` is what the model says."""
        self.ollama.script = [*script]
        self.diary.unlink(missing_ok=True)
        answer = await self.agent.hears(sentence, after.conversation_id if after else None)
        assert calls_without_their_result(answer.log) == []
        return answer


@pytest.fixture
async def house(
    home: HomeAssistant, quick_servers: NewProcesses, ollama: PlayedOllama, tmp_path: Path
) -> House:
    """Return such a house."""
    diary = tmp_path / "diary"
    server = CommandServer(command=sys.executable, args=(ASKING, "stdio", "0", str(diary)))
    entry = add_server(home, server, title="Kitchen")
    await set_up_connected(home, entry)
    agent = await add_agent(home, ollama.url, tools=("assist", f"{DOMAIN}-{entry.entry_id}"))
    return House(agent, ollama, diary)


async def test_question_of_a_server_is_spoken_and_answered(house: House) -> None:
    """A yes, a no, a choice, and something else: each goes on with the same call, or ends it."""
    for reply, script, done, speech in (
        ("yes", [says("The list is empty now.")], ["cleared shopping"], "The list is empty now."),
        ("no", [says("I kept the list.")], ["kept shopping"], "I kept the list."),
    ):
        asked = await house.hears("clear the shopping list", calls(CLEAR))
        assert asked.speech == "Kitchen asks: Remove all of shopping?"
        assert asked.result.continue_conversation
        assert house.done == ["began"]
        answer = await house.hears(reply, *script, after=asked)
        assert (house.done, answer.speech) == (done, speech)

    asked = await house.hears("make some coffee", calls(COFFEE))
    assert asked.speech == "Kitchen asks: Which size? You can choose: small, large."
    answer = await house.hears("a large one please", says("Here you are."), after=asked)
    assert (house.done, answer.speech) == (["large coffee, sugar False"], "Here you are.")

    asked = await house.hears("make some coffee", calls(COFFEE))
    answer = await house.hears("how are you?", says("Fine."), after=asked)
    await until(lambda: house.done == ["decline"])
    assert answer.speech == "Fine."

    asked = await house.hears("make some coffee", calls(COFFEE))
    answer = await house.hears("no", after=asked)
    assert answer.speech == "All right, I won't."


async def test_call_that_was_carried_out_is_told_when_the_model_dies_then(house: House) -> None:
    answer = await house.hears("count now", calls(call("count", steps=0)), [Fault.CUT])
    assert house.done == ["counted to 0"]
    assert answer.speech == "“count” was carried out. The connection to the model was lost."
