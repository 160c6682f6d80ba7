"""Say a sentence to a Home Assistant with a house full of demo devices.

Without a sentence, asks for them one by one and keeps the conversation.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator
import json
import os
import signal
import sys
from threading import Thread
from time import perf_counter

from script.house.build import House, house
from script.house.failure import HouseError
from script.house.home_assistant import PASSWORD, USER
from script.house.model import EMBEDDED, at_hand, of_llama
from script.house.report import as_object, report
from script.house.turn import Turn, say

_BEGAN = perf_counter()


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    try:
        return asyncio.run(_run(arguments))
    except HouseError as err:
        print(f"\n{err}", file=sys.stderr)
        return 1
    except asyncio.CancelledError, KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/demo", description=__doc__)
    parser.add_argument("sentence", nargs="*", help='such as "turn on the kitchen lights"')
    parser.add_argument("--json", action="store_true", help="print one JSON object a sentence")
    parser.add_argument("--ui", action="store_true", help="leave the house open for a browser")
    parser.add_argument(
        "--zwave", action="store_true", help="with a simulated Z-Wave network; needs Node.js 20"
    )
    parser.add_argument(
        "--model",
        help="of the Ollama server at OLLAMA_HOST, pulled if need be; else of the embedded one",
    )
    parser.add_argument(
        "--server",
        choices=("ollama", "openai"),
        default="ollama",
        help="with openai, the embedded model is served by llama.cpp's own server",
    )
    return parser.parse_args()


async def _run(arguments: argparse.Namespace) -> int:
    status = 0
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task
    # Also of SIGINT: a shell lets what it starts in the background ignore that.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    if arguments.server == "openai":
        model = of_llama(arguments.model or EMBEDDED)
    else:
        model = at_hand(arguments.model, _progress)
    async with house(model, _progress, ui=arguments.ui, zwave=arguments.zwave) as home:
        start = perf_counter() - _BEGAN
        if arguments.ui:
            print(f"\n{home.api.url}  user: {USER}  password: {PASSWORD}\n", flush=True)
        if arguments.sentence:
            sentence = " ".join(arguments.sentence)
            _progress(f"“{sentence}” (The first answer is the slowest: the model reads all tools.)")
            turn = await say(home.api, home.assistant, sentence)
            turn.seconds = {"start": start, **turn.seconds}
            _print(turn, arguments.json)
            status = int(turn.failed)
        elif not arguments.ui:
            await _converse(home, arguments.json)
        if arguments.ui:
            _progress("Ctrl-C ends the house.")
            await asyncio.Event().wait()
    return status


async def _converse(home: House, as_json: bool) -> None:
    """Ask for sentences until there are no more."""
    _progress("Say something, or press Ctrl-D.")
    conversation_id = None
    async for sentence in _lines("› "):
        turn = await say(home.api, home.assistant, sentence, conversation_id)
        conversation_id = turn.conversation_id
        _print(turn, as_json)


async def _lines(prompt: str) -> AsyncGenerator[str]:
    """Yield the lines of stdin that are not empty; prompt for them on a terminal.

    A thread reads them, past `sys.stdin`, whose lock would hold up the end of the program.
    """
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        text = b""
        while piece := os.read(0, 4096):
            *whole, text = (text + piece).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(lines.put_nowait, line.decode(errors="replace"))
        for last in (text.decode(errors="replace"), None):
            loop.call_soon_threadsafe(lines.put_nowait, last)

    Thread(target=read, daemon=True).start()
    while True:
        if sys.stdin.isatty() and lines.empty():
            print(prompt, end="", flush=True)
        if (line := await lines.get()) is None:
            return
        if line.strip():
            yield line.strip()


def _print(turn: Turn, as_json: bool) -> None:
    if as_json:
        print(json.dumps(as_object(turn), ensure_ascii=False), flush=True)
    else:
        print(report(turn), flush=True)


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
