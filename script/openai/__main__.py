"""Serve a small model behind llama.cpp's own HTTP server on this machine.

The address is the only line on stdout. It ends when its stdin does.
"""

import argparse
import os
import signal
import sys
import tempfile

import xllamacpp

from script.ollama.fetch import ModelStore, cache_directory
from script.ollama.models import MODELS, WEIGHTS
from script.ollama.runner import params_of

DEFAULT_CONTEXT = 8192


def main() -> int:
    """Serve until stdin ends; return 1 where the server does not start."""
    arguments = _arguments()
    # Ctrl-C in a terminal reaches this process too; the parent decides when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    weights = WEIGHTS[arguments.size]
    file = ModelStore(cache_directory()).path(weights)
    if file is None:
        print(
            f"The model is not there: python -m script.ollama {arguments.size} --fetch",
            file=sys.stderr,
        )
        return 1
    params = params_of("127.0.0.1", str(file), arguments.context * arguments.slots)
    params.port = arguments.port
    params.n_parallel = arguments.slots
    params.endpoint_slots = params.endpoint_metrics = True
    # Off, as in the server itself: an answer without an end would go on for ever.
    params.ctx_shift = False
    params.use_jinja = True
    name = next(model.name for model in MODELS if model.weights is weights)
    params.model_alias = {name}
    if arguments.forgetful:
        params.cache_ram_mib = 0
        # Without a folder, none of what is done to slots is allowed; nothing is written here.
        params.slot_save_path = f"{tempfile.gettempdir()}/"
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as err:
        print(err, file=sys.stderr)
        return 1
    print(f"llama.cpp is running on {server.listening_address}", flush=True)
    sys.stdin.buffer.read()
    # Freed in order, llama.cpp would first finish what it does.
    os._exit(0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m script.openai", description=__doc__)
    parser.add_argument("size", nargs="?", choices=WEIGHTS, default="1.5b")
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one")
    parser.add_argument("--slots", type=int, default=1, help="requests at once (default: 1)")
    parser.add_argument(
        "--forgetful",
        action="store_true",
        help="keep nothing beside the slots, and let these be emptied",
    )
    parser.add_argument(
        "--context", type=int, default=DEFAULT_CONTEXT, help="tokens of each slot (default: 8192)"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
