"""What differs between two records of a sentence, and which differences are accepted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
import json
from pathlib import Path
import re
import tomllib
from typing import Any, Self

from .cases import Json

ACCEPTED = Path(__file__).parents[2] / "tests" / "oracle" / "accepted.toml"
_NONE = "-"
_SPEECH = "_speech"
"""The end of the names of facets that hold an answer."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value that differs."""

    path: str
    """The way to it within its facet; numbers are places in lists."""
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A facet of a sentence that differs."""

    line: Json
    """The golden record."""
    facet: str
    changes: Sequence[Change]

    @property
    def key(self) -> str:
        """The key of the sentence."""
        return str(self.line["key"])

    def __str__(self) -> str:
        """Return the sentence and what differs, for people."""
        line = self.line
        said = [*line.get("earlier", ()), line["text"]]
        head = f"{line['key']} [{line['language']}, {line['home']}] {' | '.join(said)}"
        told = (
            f"    {self.facet}{' ' if each.path else ''}{each.path}: {each.before} → {each.after}"
            for each in self.changes
        )
        return "\n".join((head, *told))


@dataclass(frozen=True, slots=True)
class Accepted:
    """Differences that are wanted."""

    name: str
    reason: str
    """Why they are no faults."""
    facets: frozenset[str]
    sentences: tuple[str, ...]
    """Beginnings of keys; empty for all sentences."""
    path: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]

    @classmethod
    def read_all(cls, path: Path = ACCEPTED) -> Sequence[Self]:
        """Return the entries of a file. Raises ValueError for one without any restriction."""
        entries = tomllib.loads(path.read_text("utf-8")).get("difference", ())
        return [cls.of(entry) for entry in entries]

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Self:
        """Return an entry of the file. Raises ValueError if it would accept everything of a facet."""
        if not any(entry.get(key) for key in ("sentences", "path", "before", "after")):
            raise ValueError(f"{entry['name']}: name sentences, a path, or values before or after")
        path, before, after = (
            re.compile(entry.get(key, "")) for key in ("path", "before", "after")
        )
        return cls(
            entry["name"],
            entry["reason"],
            frozenset(entry["facets"]),
            tuple(entry.get("sentences", ())),
            path,
            before,
            after,
        )

    def left_of(self, difference: Difference) -> Difference | None:
        """Return what of a difference is not accepted; None if all is."""
        if difference.facet not in self.facets:
            return difference
        if self.sentences and not difference.key.startswith(self.sentences):
            return difference
        changes = [each for each in difference.changes if not self._covers(each)]
        return Difference(difference.line, difference.facet, changes) if changes else None

    def _covers(self, change: Change) -> bool:
        parts = (
            (self.path, change.path),
            (self.before, change.before),
            (self.after, change.after),
        )
        return all(pattern.search(text) for pattern, text in parts)


def differences(before: Json, after: Json, facets: Sequence[str]) -> Iterator[Difference]:
    """Yield the facets of a sentence that differ."""
    for facet in facets:
        one, other = before.get(facet), after.get(facet)
        if facet.endswith(_SPEECH) and _words(one) == _words(other):
            continue
        if changes := [*_changes("", one, other)]:
            yield Difference(before, facet, changes)


def _words(speech: str | None) -> Sequence[str]:
    """Return the words of an answer in alphabetical order.

    It tells the results of calls that Home Assistant makes at once, in an order that depends on timing.
    """
    return sorted(re.findall(r"\w+", (speech or "").casefold()))


def _changes(path: str, before: Any, after: Any) -> Iterator[Change]:
    """Yield the values that differ, as deep as both sides have the same structure."""
    if before == after:
        return
    match before, after:
        case dict(), dict():
            for key in dict.fromkeys((*before, *after)):
                yield from _changes(_way(path, key), before.get(key), after.get(key))
        case list(), list() if len(before) == len(after) and any(
            isinstance(each, dict | list) for each in before
        ):
            for at, (one, other) in enumerate(zip(before, after, strict=True)):
                yield from _changes(_way(path, at), one, other)
        case _:
            yield Change(path, _shown(before), _shown(after))


def _way(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def _shown(value: Any) -> str:
    match value:
        case None:
            return _NONE
        case str():
            return value
        case list() if all(isinstance(each, str) for each in value):
            return " ".join(value) or _NONE
    return json.dumps(value, ensure_ascii=False)
