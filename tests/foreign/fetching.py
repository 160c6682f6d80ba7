"""Programs of others, fetched once from the package indexes into the cache."""

import filecmp
import os
from pathlib import Path
import shutil
import subprocess
import sys

HERE = Path(__file__).parent
_CACHE = Path(
    os.environ.get("VOICE_GATEWAY_CACHE")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voice-gateway"
)
FOLDER = _CACHE / "foreign"


def fetch(kind: str, listed: str, *commands: list[str]) -> None:
    """Fetch programs of a kind into its folder, unless those of the very same list are there."""
    folder = FOLDER / kind
    stamp = folder / ".listed"
    if stamp.exists() and filecmp.cmp(HERE / listed, stamp, shallow=False):
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for command in commands:
        subprocess.run(command, check=True, cwd=folder)
    shutil.copy(HERE / listed, stamp)


def fetch_python(kind: str) -> Path:
    """Fetch the Python packages that `KIND.txt` lists; return the folder of their programs."""
    uv, listed = str(Path(sys.executable).with_name("uv")), f"{kind}.txt"
    fetch(
        kind,
        listed,
        [uv, "venv", "--quiet", "--clear", "--no-project", "--python", sys.executable, "."],
        [uv, "pip", "install", "--quiet", "--python", "bin/python", "-r", str(HERE / listed)],
    )
    return FOLDER / kind / "bin"
