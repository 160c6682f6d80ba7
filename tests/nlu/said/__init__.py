"""What sentences say, by language: the sentence, its clauses and their commands; `en.toml` explains them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
import tomllib
from typing import Any

_FILES: Mapping[str, Mapping[str, Any]] = {
    file.stem: tomllib.loads(file.read_text("utf-8"))
    for file in sorted(Path(__file__).parent.glob("*.toml"))
}
SAID: Mapping[str, Sequence[tuple[str, str, str]]] = {
    code: [(*row,) for row in file["said"]] for code, file in _FILES.items()
}
NAMES: Mapping[str, Sequence[str]] = {code: file["names"] for code, file in _FILES.items()}
"""The names of the home, in each language."""
