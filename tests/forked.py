"""Commands that run in forks of one process, which has loaded what takes most of their time."""

from functools import cache
import json
from pathlib import Path
import subprocess
import sys

CHECKOUT = Path(__file__).parents[1]


@cache
def _forks() -> subprocess.Popen[str]:
    """Return the process that runs them; it ends with this one, which holds its stdin."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bench.forks"],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def shown(module: str, output: Path, *arguments: str, **environment: str) -> str:
    """Run a module to its end, with a file for what it prints; return that."""
    forks = _forks()
    assert forks.stdin
    assert forks.stdout
    order = {
        "module": module,
        "arguments": arguments,
        "environment": environment,
        "output": str(output),
    }
    print(json.dumps(order), file=forks.stdin, flush=True)
    assert forks.stdout.readline() == "0\n", output.read_text()
    return output.read_text()
