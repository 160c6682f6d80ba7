"""llama.cpp in a process of its own: `python -m script.ollama.runner SOCKET FILE CONTEXT [PROMPTS]`.

A process because loading a model stops the whole interpreter for seconds, because memory comes
back for certain when it ends, and because a crash then ends an answer and not the server.

`xllamacpp` always starts llama.cpp's HTTP server. Here it listens on a Unix socket, never on a
port. The process says `ready` on stdout, or why it cannot, and ends when its stdin does.
"""

import os
from pathlib import Path
import shutil
import signal
import sys

import psutil  # type: ignore[import-untyped]
import xllamacpp

# Between two batches llama.cpp looks whether a request was given up: small ones make that quick.
# On a CPU 64 tokens are read as fast as 512; 32 are slower by a fifth.
_BATCH = 64
# Prompts that were read before and pushed out by another one are kept here.
_CACHE_RAM_MIB = 1024


def main() -> None:
    """Serve until stdin ends."""
    socket, file, context, *prompts = sys.argv[1:]
    # Ctrl-C in a terminal reaches this process too; the parent decides when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        params = params_of(socket, file, int(context))
        if prompts:
            params.slot_save_path = f"{prompts[0]}/"
        server = xllamacpp.Server(params)
    except RuntimeError as err:
        print(err, flush=True)
        sys.exit(1)
    print("ready", flush=True)
    sys.stdin.buffer.read()
    shutil.rmtree(Path(socket).parent, ignore_errors=True)
    # Freed in order, llama.cpp would first finish what it does.
    os._exit(0 if server else 1)


def params_of(host: str, file: str, context: int) -> xllamacpp.CommonParams:
    """Return how llama.cpp serves a file on this computer: on a socket, or at an address."""
    params = xllamacpp.CommonParams()
    params.model.path = file
    params.hostnames = [host]
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = -1
    params.n_ctx = context
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = _BATCH
    params.ctx_shift = True
    params.cache_prompt = True
    params.cache_ram_mib = _CACHE_RAM_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
    return params


def _threads() -> int:
    """Physical cores, as far as this process may use them: a second thread per core slows down."""
    usable = os.process_cpu_count() or 1
    return min(psutil.cpu_count(logical=False) or usable, usable)


if __name__ == "__main__":
    main()
