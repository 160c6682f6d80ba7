"""Servers that are started as processes of their own, by tests and by measurements."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
import re
import subprocess
import tempfile
import time

EVERYDAY = str(Path(__file__).parent / "everyday.py")
ASKING = str(Path(__file__).parent / "asking.py")
RAW = str(Path(__file__).parent / "raw.py")
LEDGER = str(Path(__file__).parent / "ledger.py")
LIBRARY = str(Path(__file__).parent / "library.py")
MANAGEMENT = str(Path(__file__).parent / "management.py")
LEAKY = str(Path(__file__).parent / "leaky.py")


@dataclass(slots=True)
class HttpProcess:
    """An ordinary server at an address of its own."""

    python: str
    transport: str
    options: tuple[str, ...]
    port: int
    process: subprocess.Popen[bytes]
    script: str = EVERYDAY

    @property
    def url(self) -> str:
        """Return the address for clients."""
        path = "sse" if self.transport == "sse" else "mcp"
        return f"http://127.0.0.1:{self.port}/{path}"

    def kill(self) -> None:
        """Take it away without a word."""
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        """Start it again at the same address."""
        self.process, _ = _start(self.python, self.transport, self.options, self.port, self.script)


def _start(
    python: str,
    transport: str,
    options: tuple[str, ...],
    port: int = 0,
    script: str = EVERYDAY,
) -> tuple[subprocess.Popen[bytes], int]:
    """Start a server and wait until it listens; at port 0 it finds a free one itself."""
    with tempfile.NamedTemporaryFile() as said:
        process = subprocess.Popen(
            [python, script, transport, str(port), *options],
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        while process.poll() is None:
            words = Path(said.name).read_text()
            if found := re.search(r"running on http://127.0.0.1:(\d+)", words):
                return process, int(found[1])
            time.sleep(0.02)
        raise RuntimeError(f"the server did not start: {Path(said.name).read_text()}")


@contextmanager
def http_process(
    python: str, transport: str, *options: str, script: str = EVERYDAY
) -> Iterator[HttpProcess]:
    """Start a server over HTTP, an ordinary one if not said else; it ends with this context."""
    process, port = _start(python, transport, options, script=script)
    server = HttpProcess(python, transport, options, port, process, script)
    try:
        yield server
    finally:
        server.kill()
