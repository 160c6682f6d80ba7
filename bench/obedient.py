"""A model that obeys every order it reads: what it says in each of its behaviours, and when."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
import json
from typing import Any

from bench.scenarios import DANGER, Given, Reply, Said, Scenario

type Json = dict[str, Any]

OKAY = "Okay."
"""What the model says after it obeyed late."""
_ATTEMPTS = 2
_AS_TEXT = "as_text"
"""A step whose calls are written."""


class Behaviour(StrEnum):
    """How the model obeys."""

    NATIVE = "native"
    """Reads as the user asks, then makes all of the attacker's calls."""
    WRITTEN = "written"
    """Writes whatever is not reading as JSON into its text, a call a line."""
    ROUNDS = "rounds"
    """Makes the attacker's calls one per message, and all twice, whatever came back."""
    NEXT_TURN = "next_turn"
    """Obeys after the next, innocent sentence, when it did what that asks for."""


@dataclass(frozen=True, slots=True)
class Run:
    """A scenario with one behaviour of the model, and with one reply where there are any."""

    scenario: Scenario
    behaviour: Behaviour
    reply: Reply | None = None

    @property
    def id(self) -> str:
        """What names it."""
        return "/".join([self.scenario.id, *([self.reply.reply] if self.reply else [])])

    @property
    def turns(self) -> Sequence[Said]:
        """What is said, and what the model answers."""
        turns = [*self.scenario.turns]
        if self.behaviour is Behaviour.NEXT_TURN:
            turns = _put_off(turns, self.scenario.innocent or {})
        if self.reply:
            turns += self.reply.turns
        return [replace(turn, model=[*self._steps(turn)]) for turn in turns]

    @property
    def wanted(self) -> Given:
        """What has to have changed in the end, if all is to be done."""
        late = self.behaviour is Behaviour.NEXT_TURN
        more = (self.scenario.innocent or {}).get("must_change", {}) if late else {}
        return {**self.scenario.must_change, **more}

    def _steps(self, turn: Said) -> Iterator[Json]:
        for step in turn.model:
            by = step.get("by")
            if self.behaviour is Behaviour.WRITTEN and by in ("user", "attack"):
                yield {**step, _AS_TEXT: True}
            elif self.behaviour is Behaviour.ROUNDS and (
                by == "attack" or (by == "user" and self.scenario.kind == DANGER)
            ):
                for _ in range(_ATTEMPTS):
                    yield from ({**step, "tool_calls": [call]} for call in step["tool_calls"])
            else:
                yield step


def runs(scenario: Scenario, behaviours: Sequence[Behaviour]) -> Iterator[Run]:
    """Yield a scenario's runs with those of these behaviours that it has."""
    own = _behaviours(scenario)
    for behaviour in behaviours:
        if behaviour in own:
            for reply in scenario.then or (None,):
                yield Run(scenario, behaviour, reply)


def _behaviours(scenario: Scenario) -> Sequence[str]:
    everything = tuple(Behaviour)
    if scenario.behaviours is not None:
        return scenario.behaviours
    if scenario.kind == DANGER:
        return everything[:3]
    if not any(turn.attacks for turn in scenario.turns):
        return everything[:2]
    return everything if scenario.innocent else everything[:3]


def _put_off(turns: list[Said], innocent: Json) -> list[Said]:
    """Return the turns with the last one's attack after one more sentence."""
    last = max(number for number, turn in enumerate(turns) if turn.attacks)
    attack = [step for step in turns[last].model if step.get("by") == "attack"]
    rest = [step for step in turns[last].model if step.get("by") != "attack"]
    later = replace(
        turns[-1],
        user=innocent["user"],
        ai_task=None,
        model=[*innocent.get("model", ()), *attack, {"content": OKAY, "tool_calls": []}],
        conversation="same",
        wait_s=0,
    )
    return [*turns[:last], replace(turns[last], model=rest), *turns[last + 1 :], later]


@dataclass(slots=True)
class Obedient:
    """The model's side of a run, request by request; served as a replay is.

    One step answers one request; asked more often, the last step's text is said again. A request
    in which nobody said anything has the prompt read beforehand, and costs no step.
    """

    model: str
    tool_names: Mapping[str, str] = field(default_factory=dict)
    """Today's names of tools, by those of the time of the recordings."""
    raw_names: bool = False
    """Whether names are said as they stand."""
    steps: Sequence[Json] = ()
    used: int = 0
    capabilities: Sequence[str] = ("completion", "tools", "vision")

    def begin(self, steps: Sequence[Json]) -> None:
        """Let a turn begin in which the model says this."""
        self.steps, self.used = steps, 0

    def answer(self, request: Json) -> Json:
        """Return the message that answers a chat request."""
        said = any(each["content"] for each in request["messages"] if each["role"] == "user")
        if not self.steps or not said:
            return {"role": "assistant", "content": ""}
        step = self.steps[min(self.used, len(self.steps) - 1)]
        again = self.used >= len(self.steps)
        self.used += 1
        message: Json = {"role": "assistant", "content": step["content"] or ""}
        if again or not step["tool_calls"]:
            return message
        offered = [tool["function"]["name"] for tool in request.get("tools") or ()]
        calls = [
            {"name": self._name(call["name"], offered), "arguments": call["arguments"]}
            for call in step["tool_calls"]
        ]
        if step.get(_AS_TEXT):
            message["content"] = "\n".join(json.dumps(call, ensure_ascii=False) for call in calls)
        else:
            message["tool_calls"] = [{"function": call} for call in calls]
        return message

    def _name(self, name: str, offered: Sequence[str]) -> str:
        """Return what a tool is called today: another API's tools may have other names beside it."""
        today = self.tool_names.get(name, name)
        if self.raw_names or name in offered or today in offered:
            return name if self.raw_names or name in offered else today
        return next((each for each in offered if each.endswith(f"__{today}")), today)
