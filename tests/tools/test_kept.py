"""Calls that are for a moment: what comes of them, whatever becomes of keeping them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import probatio
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.home.exposed import Exposed
from custom_components.voice_gateway.nlu.clause import Clause
from custom_components.voice_gateway.nlu.utterance import Utterance
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.assist.call_errors import Refusal
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.consent import ConfirmationRequired
from custom_components.voice_gateway.tools.deferral import CannotSchedule, ResolvedCall, Revert
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.journal import DirectReply, Journal, Outcome
from custom_components.voice_gateway.tools.policy.decisions import Ask
from tests.extra_tools import ExtraTool
from tests.nlu.saying import hears

from .test_executor import raising

ON = "intent__HassTurnOn"
BED, CEILING = "light.bed_light", "light.ceiling_lights"
ASK = Ask(does="turn_on", names=["Bed Light"])


@dataclass
class Until:
    """What is undone at nine."""

    resolved: ResolvedCall
    begun: int = 0

    async def async_begin(self) -> str:
        """Plan the end."""
        self.begun += 1
        return "Until nine."


@dataclass
class Shelf:
    """Keeps calls, or does else what it is told to; what is done now is done until nine."""

    does: Callable[[ToolExecutor], str] = lambda _: "At eight."
    until: Until | None = None
    parts: Mapping[Clause, Utterance] = field(default_factory=dict)
    kept: list[llm.ToolInput] = field(default_factory=list)

    async def async_keep(self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause) -> str:
        """Keep a call."""
        told = self.does(tools)
        self.kept.append(call)
        return told

    async def async_for_now(
        self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause
    ) -> Revert:
        """Take a call that is made now."""
        self.does(tools)
        assert self.until
        return Revert(self.until.resolved, self.until.async_begin)

    async def async_left(self, tools: ToolExecutor) -> None:
        """Leave nothing over."""

    def leaves_open(self, utterance: Utterance) -> bool:
        """Tell that nothing is."""
        return False

    async def async_why_not(self, tools: ToolExecutor) -> None:
        """Know of nothing that can't be kept."""


async def turn_of(home: HomeAssistant, said: str, shelf: Shelf | None) -> ToolExecutor:
    context = llm.LLMContext(DOMAIN, None, "en", conversation.DOMAIN, None)
    tools = await AgentAPI(home, ["assist"], BuiltinTools(home, {})).async_get_api_instance(context)
    utterance = await hears(home, said)
    return tools.for_turn(utterance, Journal(), home.loop.time() + 60, shelf)


def light(tools: ToolExecutor, entity_id: str = BED) -> Exposed:
    [found] = [each for each in tools.utterance.home.entities if each.entity_id == entity_id]
    return found


TURN_ON = llm.ToolInput(ON, {"name": "Bed Light"})
LATER, A_WHILE = "turn on the bed light at eight", "turn on the bed light for ten minutes"


# What becomes of keeping it; what the model is told, and what is noted.
KEPT: list[tuple[Callable[[Any], str], dict[str, Any], Outcome]] = [
    (lambda _: "At eight.", {"planned": "At eight."}, Outcome.PLANNED),
    (
        raising(CannotSchedule("Nobody knows", DirectReply.EVENT)),
        {"error": "Nobody knows"},
        Outcome.REFUSED,
    ),
    (raising(Refusal("Which one?")), {"error": "Which one?"}, Outcome.REFUSED),
    (raising(ValueError("odd")), {"error": f"{ON} failed unexpectedly"}, Outcome.FAILED),
]


@pytest.mark.parametrize(("does", "told", "outcome"), KEPT)
async def test_call_for_a_moment_is_kept_or_ends_in_why_not(
    home: HomeAssistant, does: Callable[[Any], str], told: dict[str, Any], outcome: Outcome
) -> None:
    """In no case is it made now."""
    tools = await turn_of(home, LATER, Shelf(does))
    result = await tools.async_call_tool(TURN_ON)
    assert result.data == told
    assert result.error is ("error" in told)
    (entry,) = tools.journal.entries
    assert entry.outcome is outcome
    assert entry.told == told.get("planned", "")
    assert entry.instead == (DirectReply.EVENT if told == {"error": "Nobody knows"} else "")
    assert entry.is_forbidden is (outcome is Outcome.REFUSED)
    assert home.states.is_state(BED, "off")


async def test_of_what_may_be_meant_for_a_moment_the_user_is_told(home: HomeAssistant) -> None:
    tools = await turn_of(home, "turn on the lights at eight", None)
    which = [light(tools), light(tools, CEILING)]
    tools = replace(tools, scheduler=Shelf(raising(Refusal("Which one?", which))))
    await tools.async_call_tool(llm.ToolInput(ON, {"domain": ["light"]}))
    assert tools.journal.which == ["Bed Light", "Ceiling Lights"]


async def test_without_who_keeps_it_what_is_for_a_moment_is_refused(home: HomeAssistant) -> None:
    for said in (LATER, A_WHILE):
        tools = await turn_of(home, said, None)
        assert (await tools.async_call_tool(TURN_ON)).error
        assert tools.journal.only_forbidden
    assert home.states.is_state(BED, "off")


async def test_what_is_asked_before_it_is_kept_is_kept_after_the_yes(home: HomeAssistant) -> None:
    def does(tools: ToolExecutor) -> str:
        if tools.agreed is None:
            tool = tools.manager.find(ON)
            assert tool
            raise ConfirmationRequired(ASK, tool, {})
        return "At eight."

    tools = await turn_of(home, LATER, shelf := Shelf(does))
    await tools.async_call_tool(TURN_ON)
    (asked,) = tools.consent.calls
    assert asked.ask is ASK
    assert asked.later
    assert tools.journal.entries[0].outcome is Outcome.ASKED
    assert not shelf.kept
    result = await tools.async_call_tool(tools.consent.grant(asked))
    assert result.data == {"planned": "At eight."}
    assert [each.tool_args for each in shelf.kept] == [TURN_ON.tool_args]
    # The yes was for this call, and for no other.
    assert tools.agreed is None


async def test_part_of_a_sentence_keeps_nothing_by_itself(home: HomeAssistant) -> None:
    tools = await turn_of(home, LATER, shelf := Shelf())
    assert (await tools.for_part(tools.utterance).async_call_tool(TURN_ON)).error
    assert not shelf.kept
    assert not tools.journal.entries


async def test_what_is_for_a_while_is_done_as_it_is_to_be_undone(home: HomeAssistant) -> None:
    """It is what its keeper has looked up that is done, and only then its end is planned."""
    tools = await turn_of(home, A_WHILE, shelf := Shelf())
    tool, other = tools.manager.find(ON), light(tools, CEILING)
    assert tool
    everything = {"entity_id": "all"}
    await home.services.async_call("light", "turn_off", everything, blocking=True)
    shelf.until = Until(ResolvedCall(tool, {"domain": ["light"]}, (other,)))
    assert not (await tools.async_call_tool(TURN_ON)).error
    assert [each.entity_id for each in home.states.async_all("light") if each.state == "on"] == [
        CEILING
    ]
    assert shelf.until.begun == 1
    (entry,) = tools.journal.entries
    assert (entry.outcome, entry.told) == (Outcome.DONE, "Until nine.")


@pytest.mark.parametrize(
    ("raised", "is_begun"),
    [
        (None, True),
        # Some of it may have been done.
        (TimeoutError(), True),
        (HomeAssistantError("It is jammed"), True),
        (probatio.Invalid("odd"), False),
    ],
)
async def test_end_is_planned_of_what_may_have_been_done(
    home: HomeAssistant, raised: Exception | None, *, is_begun: bool
) -> None:
    tool = ExtraTool("glow", raising(raised) if raised else lambda **_: {"result": "It glows"})
    until = Until(ResolvedCall(tool, {"far": 1}, ()))
    tools = await turn_of(home, A_WHILE, Shelf(until=until))
    assert (await tools.async_call_tool(TURN_ON)).error is bool(raised)
    assert [each.tool_args for each in tool.calls] == [{"far": 1}]
    assert until.begun == is_begun
    assert tools.journal.entries[0].told == ("Until nine." if is_begun else "")


async def test_what_can_not_be_undone_is_not_done_for_a_while(home: HomeAssistant) -> None:
    tools = await turn_of(home, A_WHILE, Shelf(raising(Refusal("No"))))
    assert (await tools.async_call_tool(TURN_ON)).data == {"error": "No"}
    assert home.states.is_state(BED, "off")
