"""A real model behind the embedded server, for tests that are asked for with `--live`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import subprocess
import sys


@contextmanager
def real_model(folder: Path, *arguments: str) -> Iterator[str]:
    """Serve models as `python -m script.ollama` with these arguments does, and yield its address.

    Models that are not there yet are fetched. `requests.jsonl` in `folder` has what was asked.
    """
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "script.ollama", *arguments, "--port", "0"),
            *("--until-stdin-closes", "--log", str(folder / "requests.jsonl")),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.stdin.close()
        process.wait()
