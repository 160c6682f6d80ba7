"""Yes or no about a home, with a model that runs: by `ai_task.evaluate`, and by plainly asking.

Forty questions whose answers stand in what is told of the home (`evaluate.toml`); saying yes, or no, to all
of them is right twenty times. Home Assistant's own `ollama` cannot evaluate: what stands for `core` is
asking it for data with one yes or no in their structure, of the embedded server. Ours evaluates, with
the same model on llama.cpp's own server; what is half likely or more is a yes. With `--side plainly`
ours is asked like `core`. On a slow computer, what was asked of all until the time was over counts.

    evaluate/yes-no core=31 voice_gateway=35 unit=questions ratio=1.13 n=40
    evaluate/seconds core=1.02 voice_gateway=0.51 unit=s ratio=0.50 n=40
"""

import argparse
import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
import logging
from pathlib import Path
import sys
from time import perf_counter
import tomllib
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er

from bench.agents import CORE, async_add_agent
from bench.embedded import MODEL
from bench.generated import generated
from bench.house import furnished
from bench.replay import Replay
from bench.results import line, medians
from bench.server import server
from custom_components.voice_gateway.const import DOMAIN as OURS, EntryKind

QUESTIONS = Path(__file__).with_suffix(".toml")
SIDES = {
    "core": (CORE, EntryKind.OLLAMA, "generate_data"),
    "plainly": (OURS, EntryKind.OPENAI, "generate_data"),
    "voice_gateway": (OURS, EntryKind.OPENAI, "evaluate"),
}
"""Who is asked, at which kind of server, by which action."""
_BOTH = ("core", "voice_gateway")


@dataclass(slots=True)
class Asked:
    """How the questions went."""

    right: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


async def main() -> None:
    """Ask everybody, one after the other."""
    arguments = _arguments()
    logging.disable(logging.CRITICAL)
    data = tomllib.loads(QUESTIONS.read_text("utf-8"))
    state = "\n".join(f"{device}: {what}" for device, what in data["home"].items())
    questions = dict(islice(data["questions"].items(), arguments.questions))
    asked: dict[str, Asked] = {}
    for name in arguments.side or _BOTH:
        domain, kind, action = SIDES[name]
        async with (
            server(Replay(arguments.model), arguments.model, None, kind) as url,
            furnished(generated(1)) as house,
        ):
            agent = await async_add_agent(
                house.hass, domain, url, arguments.model, kind=kind, llm_hass_api=[]
            )
            task = _task(house.hass, agent)
            ask = partial(_ASKING[action], house.hass, task, state)
            asked[name] = await _ask(name, ask, questions, arguments.seconds)
    n = min(len(each.right) for each in asked.values())
    right = {name: float(sum(each.right[:n])) for name, each in asked.items()}
    seconds = {name: each.seconds[:n] for name, each in asked.items()}
    print(line("evaluate/yes-no", right, "questions", n, 0))
    print(medians("evaluate/seconds", seconds, "s", 2))


async def _ask(
    name: str,
    ask: Callable[[str], Coroutine[Any, Any, float | None]],
    questions: Mapping[str, bool],
    limit: float,
) -> Asked:
    """Ask one question after the other, as many as there is time for."""
    asked = Asked()
    ends = perf_counter() + limit
    for question, right in questions.items():
        began = perf_counter()
        if began > ends:
            break
        try:
            said = await ask(question)
        except HomeAssistantError as err:
            print(f"# {name}: {question} {err}", file=sys.stderr)
            said = None
        asked.seconds.append(perf_counter() - began)
        asked.right.append((None if said is None else said >= 0.5) == right)
        print(f"# {name}: {question} {said} ({right})", file=sys.stderr, flush=True)
    return asked


async def _evaluated(hass: HomeAssistant, task: str, state: str, question: str) -> float:
    """Return how likely a yes is, as an automation gets it."""
    asked = {"it": {"type": "noul", "instructions": question}}
    told = await _call(hass, "evaluate", task, state=state, questions=asked)
    return float(told["answers"]["it"]["noul"])


async def _data(hass: HomeAssistant, task: str, state: str, question: str) -> float | None:
    """Return 1 for yes and 0 for no, as an automation asks for them without evaluating."""
    structure = {"yes": {"selector": {"boolean": {}}, "required": True, "description": question}}
    words = f"Answer a question about data.\nThe data:\n{state}\n\n{question}"
    told = await _call(hass, "generate_data", task, instructions=words, structure=structure)
    said = told["data"].get("yes")
    return float(said) if isinstance(said, bool) else None


async def _call(hass: HomeAssistant, action: str, task: str, **more: Any) -> Mapping[str, Any]:
    told = await hass.services.async_call(
        "ai_task",
        action,
        {"task_name": "Bench", "entity_id": task, **more},
        blocking=True,
        return_response=True,
    )
    assert told
    return told


_ASKING = {"evaluate": _evaluated, "generate_data": _data}


def _task(hass: HomeAssistant, agent: str) -> str:
    """Return the AI task that was set up beside an agent."""
    registry = er.async_get(hass)
    entry = registry.async_get(agent)
    assert entry
    assert entry.config_entry_id
    entities = er.async_entries_for_config_entry(registry, entry.config_entry_id)
    return next(each.entity_id for each in entities if each.domain == "ai_task")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/bench evaluate", description=__doc__)
    parser.add_argument("--model", default=MODEL, help=f"(default: {MODEL})")
    parser.add_argument("--questions", type=int, default=40, help="only the first (default: 40)")
    parser.add_argument(
        "--seconds", type=float, default=160, help="for one side, once it is there (default: 160)"
    )
    parser.add_argument("--side", choices=SIDES, action="append", help="only this one")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
