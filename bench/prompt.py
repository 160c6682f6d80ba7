"""How many tokens a model reads before the sentence: system prompt and tools.

For houses of 10, 40, 150, 500 and 1,000 exposed entities, both agents with the Assist API and else
their defaults; what they send is rendered as Ollama does for Qwen 2.5 and counted with its vocabulary.
"""

import asyncio
from collections.abc import Mapping
import logging
from pathlib import Path
import sys
from typing import Any

from bench.agents import AGENTS, async_add_agent, async_ask
from bench.generated import generated
from bench.house import furnished
from bench.replay import Replay, serve
from bench.results import line
from script.ollama.fetch import ModelStore, cache_directory
from script.ollama.llama import LlamaEngine
from script.ollama.models import MODELS, QWEN_CODER_0_5B, QWEN_CODER_1_5B
from script.ollama.prompt import render
from script.ollama.request import Message

SIZES = (10, 40, 150, 500, 1000)


async def main() -> None:
    """Measure all houses."""
    logging.disable(logging.CRITICAL)
    engine = LlamaEngine()
    await engine.load(await vocabulary(), 512)
    try:
        for size in SIZES:
            requests = await first_requests(size)
            tokens = {
                name: len(await engine.tokenize(before_the_sentence(request)))
                for name, request in requests.items()
            }
            print(line(f"prompt/{size}", tokens, "tokens", 1, 0), flush=True)
            for name, request in requests.items():
                bare = before_the_sentence({**request, "tools": []})
                text = len(await engine.tokenize(bare))
                tools = len(request.get("tools", ()))
                print(f"#   {name}: {text} of them text, {tools} tools", flush=True)
    finally:
        await engine.unload()


async def vocabulary() -> Path:
    """Return a file with the vocabulary: any Qwen 2.5 that is there, else the smallest, fetched."""
    store = ModelStore(cache_directory())
    for weights in (QWEN_CODER_0_5B, QWEN_CODER_1_5B):
        if file := store.path(weights):
            return file
    fetch = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "script.ollama", "0.5b", "--fetch"
    )
    if await fetch.wait() or not (file := store.path(QWEN_CODER_0_5B)):
        raise SystemExit("Without the vocabulary, tokens cannot be counted.")
    return file


async def first_requests(size: int) -> Mapping[str, Mapping[str, Any]]:
    """Return what each agent sends for the first sentence in a house."""
    replay = Replay("replay")
    requests = {}
    async with serve(replay) as url, furnished(generated(size)) as house:
        for name, domain in AGENTS.items():
            agent = await async_add_agent(house.hass, domain, url, replay.model)
            replay.begin("Hello", [{"content": "Hello.", "tool_calls": []}])
            await async_ask(house.hass, agent, "Hello")
            requests[name] = replay.requests[0]
    return requests


def before_the_sentence(request: Mapping[str, Any]) -> str:
    """Return the prompt that a chat request makes, up to what the user said."""
    system = [
        Message(message["role"], message["content"] or "")
        for message in request["messages"]
        if message["role"] == "system"
    ]
    functions = [tool["function"] for tool in request.get("tools") or ()]
    whole = render(MODELS[0], [*system, Message("user", "")], functions)
    return whole.partition("<|im_start|>user")[0]


if __name__ == "__main__":
    asyncio.run(main())
