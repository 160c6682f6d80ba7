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
from ..deeds import Deeds
from ..devices import async_add_locks
from ..mcp_entry import add_server, set_up_connected
from ..mcp_servers.conftest import NewProcesses, until
from ..mcp_servers.servers import ASKING
from ..ollama import Fault, PlayedOllama, call, calls, says

pytest_plugins = ("tests.mcp_fixtures",)

CLEAR = call("clear_list", name="shopping")
UNLOCK = call("intent__HassTurnOff", name="Front Door", domain=["lock"])
ASKED = "Shall I unlock the Front Door?"
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
    return await house_of(home, ollama, tmp_path)


@pytest.fixture
async def locked(home: HomeAssistant, house: House) -> House:
    """Return such a house with a lock at its door."""
    await async_add_locks(home, "lock.front_door")
    return house


async def house_of(home: HomeAssistant, ollama: PlayedOllama, folder: Path) -> House:
    diary = folder / "diary"
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

    # None of them is chosen where both are said, by a yes, or where one is not wanted.
    for reply in ("yes", "small or large", "no, not the large one"):
        asked = await house.hears("make some coffee", calls(COFFEE))
        await house.hears(reply, says("Fine."), after=asked)
        await until(lambda: house.done == ["decline"])

    asked = await house.hears("make some coffee", calls(COFFEE))
    answer = await house.hears("how are you?", says("Fine."), after=asked)
    await until(lambda: house.done == ["decline"])
    assert answer.speech == "Fine."

    asked = await house.hears("make some coffee", calls(COFFEE))
    answer = await house.hears("no", after=asked)
    assert answer.speech == "All right, I won't."


async def test_yes_is_for_the_question_that_was_asked(house: House) -> None:
    """A server that asks several things at once is answered one by one, and no more after a no."""
    asked = await house.hears("lay the table", calls(call("lay_table")))
    first = asked.speech.removeprefix("Kitchen asks: With ").rstrip("?")
    second = ({"forks", "candles"} - {first}).pop()
    asked = await house.hears("yes", after=asked)
    assert asked.speech == f"Kitchen asks: With {second}?"
    asked = await house.hears("no", after=asked)
    assert asked.speech == "Kitchen asks: With napkins?"
    await house.hears("never mind, how are you?", says("Fine."), after=asked)
    said = {first: "True", second: "False", "napkins": "decline"}
    told = [f"{what} {said[what]}" for what in ("forks", "candles", "napkins")]
    await until(lambda: house.done == [" ".join(told)])

    asked = await house.hears("lay the table", calls(call("lay_table")))
    await house.hears("how are you?", says("Fine."), after=asked)
    await until(lambda: house.done == ["forks decline candles decline napkins decline"], 20)


async def test_answer_to_a_server_opens_no_door(locked: House) -> None:
    """A server's question and one of ours are never asked together, whichever comes first."""
    deeds, sentence = Deeds(locked.agent.hass), "clear the shopping list and unlock the front door"
    for reply, done in (("no", "kept shopping"), ("yes", "cleared shopping")):
        asked = await locked.hears(sentence, calls(CLEAR), calls(UNLOCK), says(""))
        assert asked.speech == "Kitchen asks: Remove all of shopping?"
        asked = await locked.hears(reply, calls(UNLOCK), says("Done."), after=asked)
        assert locked.done == [done]
        assert asked.speech.endswith(ASKED)
        assert deeds.taken() == []
        await locked.hears("yes", after=asked)
        assert deeds.taken() == ["lock.unlock front_door"]

    for script in ([calls(UNLOCK), calls(CLEAR)], [calls(CLEAR, UNLOCK)]):
        asked = await locked.hears(sentence, *script, says(""))
        await until(lambda: locked.done == ["began", "decline"], 20)
        assert asked.speech.endswith(ASKED)
        await locked.hears("no", after=asked)
        assert deeds.taken() == []


async def test_yes_to_a_server_is_none_to_what_is_for_later(locked: House) -> None:
    sentence = "clear the shopping list and in five minutes unlock the front door"
    asked = await locked.hears(sentence, calls(CLEAR), says(""), says(""))
    assert asked.speech == "Kitchen asks: Remove all of shopping?"
    asked = await locked.hears("yes", calls(UNLOCK), says("Done."), after=asked)
    assert ASKED.lower() in asked.speech.lower()


async def test_call_that_was_carried_out_is_told_when_the_model_dies_then(house: House) -> None:
    answer = await house.hears("count now", calls(call("count", steps=0)), [Fault.CUT])
    assert house.done == ["counted to 0"]
    assert answer.speech == "I carried out “count”. The connection to the model was lost."
