"""Serve a small model behind Ollama's API on this machine, or only fetch it.

The address is the only line on stdout; progress and logs go to stderr.
"""

import argparse
import asyncio
from contextlib import aclosing
from dataclasses import asdict
import json
import os
from pathlib import Path
import signal
import sys

from script.ollama.answer import Record
from script.ollama.fetch import ModelStore, cache_directory
from script.ollama.llama import LlamaEngine
from script.ollama.models import MODELS, WEIGHTS, without_tools
from script.ollama.server import DEFAULT_CONTEXT, serve
from script.ollama.store import FetchError, Progress


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    try:
        return asyncio.run(_run(arguments))
    except (FetchError, OSError, ValueError) as err:
        print(f"script.ollama: {err}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; what was fetched so far is kept", file=sys.stderr)
        return 130


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m script.ollama",
        description=__doc__,
        epilog=f"Serves {', '.join(model.name for model in MODELS)}, as far as fetched.",
    )
    parser.add_argument(
        "size",
        nargs="*",
        choices=WEIGHTS,
        default=["1.5b"],
        help="models to fetch before serving; others can be pulled (default: 1.5b)",
    )
    parser.add_argument("--fetch", action="store_true", help="only fetch, do not serve")
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address")
    parser.add_argument("--port", type=int, default=11434, help="0 takes a free one")
    parser.add_argument("--models", type=Path, default=cache_directory(), help="directory of files")
    parser.add_argument("--num-ctx", type=int, default=DEFAULT_CONTEXT, help="default context")
    parser.add_argument(
        "--no-tools", action="append", default=[], metavar="MODEL", help="say it has no tools"
    )
    parser.add_argument("--verbose", action="store_true", help="one line per request on stderr")
    parser.add_argument("--log", type=Path, help="append every request as a line of JSON")
    parser.add_argument(
        "--keep-prompts", type=Path, metavar="DIRECTORY", help="what was read last, for next time"
    )
    parser.add_argument(
        "--until-stdin-closes", action="store_true", help="end with the process that started this"
    )
    return parser.parse_args()


async def _run(arguments: argparse.Namespace) -> int:
    models = without_tools(MODELS, arguments.no_tools)
    store = ModelStore(arguments.models)
    for size in arguments.size:
        await _fetch(store, size)
    if arguments.fetch:
        return 0
    stop = _stop_event(arguments.until_stdin_closes)
    async with serve(
        LlamaEngine(arguments.keep_prompts),
        models,
        arguments.port,
        host=arguments.host,
        store=store,
        context=arguments.num_ctx,
        on_record=lambda record: _note(record, arguments.verbose, arguments.log),
    ) as url:
        print(f"Ollama is running on {url}", flush=True)
        await stop.wait()
    return 0


def _stop_event(until_stdin_closes: bool) -> asyncio.Event:
    """Return an event that a signal sets, or the end of stdin."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if until_stdin_closes:

        def read() -> None:
            if not os.read(0, 1024):
                loop.remove_reader(0)
                stop.set()

        loop.add_reader(0, read)
    return stop


def _note(record: Record, verbose: bool, log: Path | None) -> None:
    if verbose:
        print(
            f"{record.model}: {record.prompt_tokens} prompt tokens, {record.cached_tokens} cached, "
            f"{record.prompt_seconds:.2f} s; {record.tokens} written, {record.seconds:.2f} s; "
            f"{len(record.tool_calls)} tool calls; {record.reason} after "
            f"{record.total_seconds:.2f} s",
            file=sys.stderr,
            flush=True,
        )
    if log:
        entry = asdict(record)
        del entry["started"]
        with log.open("a") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


async def _fetch(store: ModelStore, size: str) -> None:
    """Fetch a file that is not there, with a bar on a terminal and lines elsewhere."""
    if store.path(WEIGHTS[size]):
        return
    name = next(model.name for model in MODELS if model.weights is WEIGHTS[size])
    shown = ""
    async with aclosing(store.fetch(WEIGHTS[size])) as steps:
        async for step in steps:
            line = _bar(name, step)
            if sys.stderr.isatty():
                print(f"\r{line}\033[K", end="", file=sys.stderr, flush=True)
            elif line.partition("%")[0] != shown:
                shown = line.partition("%")[0]
                print(line, file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _bar(name: str, step: Progress) -> str:
    """Return one line that fits a narrow terminal."""
    if step.status == "waiting":
        return f"Another process fetches {name}; waiting"
    tenths = 10 * step.completed // step.total
    percent = 100 * step.completed // step.total if sys.stderr.isatty() else 10 * tenths
    bar = "██" * tenths + "··" * (10 - tenths)
    done, total = step.completed // 1_000_000, step.total // 1_000_000
    return f"Fetching {name} {bar} {percent:3d} %, {done} of {total} MB"


if __name__ == "__main__":
    sys.exit(main())
