"""What the frontend and our texts call things in a language, by what they call it in English."""

from collections.abc import Iterator
from functools import cache
import json
from pathlib import Path
import re
from typing import Any

import hass_frontend

from script.house.home_assistant import CHECKOUT

_OURS = CHECKOUT / "custom_components" / "voice_gateway" / "translations"
_THEIRS = Path(hass_frontend.__file__).parent / "static" / "translations"


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        """Take the language, by its code."""
        self._said = {} if language == "en" else _translated(language)

    def exactly(self, *texts: str, end: str = "") -> re.Pattern[str]:
        """Return what finds one of these English texts, and `end`, and nothing else."""
        found = "|".join(_escaped(each) for text in texts for each in self._of(text))
        return re.compile(rf"^\s*(?:{found}){end}\s*$")

    def within(self, text: str) -> re.Pattern[str]:
        """Return what finds an English text, wherever it stands."""
        return re.compile("|".join(map(_escaped, self._of(text))))

    def _of(self, text: str) -> list[str]:
        """Return what an English text may be: one word of English can be several of theirs."""
        return sorted(self._said.get(text, {text}))


def _escaped(text: str) -> str:
    """Return a text for a pattern that the browser reads: it knows fewer escapes than Python."""
    return re.sub(r"[.*+?^${}()|\[\]\\/]", r"\\\g<0>", text)


@cache
def _translated(language: str) -> dict[str, set[str]]:
    """Return how each English text is said in a language."""
    said: dict[str, set[str]] = {}
    for english, theirs in _pairs(language):
        translated = dict(_texts(json.loads(theirs.read_text())))
        for key, text in _texts(json.loads(english.read_text())):
            if key in translated:
                said.setdefault(text, set()).add(translated[key])
    return said


def _pairs(language: str) -> Iterator[tuple[Path, Path]]:
    """Yield each file of English texts with that of a language."""
    yield _OURS / "en.json", _OURS / f"{language}.json"
    # The frontend's files have a hash of 32 digits in their names.
    for english in _THEIRS.rglob(f"en-{'?' * 32}.json"):
        yield english, next(english.parent.glob(f"{language}-{'?' * 32}.json"))


def _texts(node: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield all texts of a file with their keys."""
    if isinstance(node, str):
        yield key, node
        return
    for name, below in node.items():
        yield from _texts(below, f"{key}.{name}")
