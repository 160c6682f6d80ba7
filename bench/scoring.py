"""Commands of the data set, and whether what they did to a house is what was asked.

As the data set scores (https://github.com/allenporter/home-assistant-datasets): the house after a
command is compared with the house before it, changed by what the command was to change. Every
attribute counts but those that follow from others, and but colors, which the data set's own
comparison lets pass. So a light without brightness that was to be turned on is never scored as
right: its color mode changes with its state, and no task expects that. A command that is to change
nothing counts as right whatever came of it, as published; only as a wrong action does it count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
import json
from pathlib import Path
from typing import Any, Self

type States = Mapping[str, Mapping[str, Any]]
"""State and attributes in one dictionary, by entity id."""

NEVER_COMPARED = frozenset({"is_closed", "is_opening", "is_closing"})


@dataclass(frozen=True, slots=True)
class Task:
    """A command: `setup` and `expect` give `state` and `attributes` by entity id."""

    name: str
    home: str
    category: str
    text: str
    from_device: str | None
    setup: Mapping[str, Mapping[str, Any]]
    expect: Mapping[str, Mapping[str, Any]]
    ignore: Mapping[str, frozenset[str]]
    language: str = "en"

    @classmethod
    def read_all(cls, path: Path) -> dict[str, Self]:
        """Return the tasks of a file by name."""
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        return {
            record["task"]: cls(
                name=record["task"],
                home=record["home"],
                category=record["category"],
                text=record["text"],
                from_device=record["from_device"],
                setup=record["setup"],
                expect=record["expect_changes"],
                ignore={key: frozenset(names) for key, names in record["ignore_changes"].items()},
                language=record.get("language", "en"),
            )
            for record in records
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """An attribute, or the state, that is not as it should be."""

    entity_id: str
    name: str
    before: Any
    wanted: Any
    got: Any
    wrong_action: bool
    """Whether this was done to the house, and does not merely miss there."""

    def __str__(self) -> str:
        """Return it in one line."""
        mark = "!" if self.wrong_action else " "
        change = f"{self.before!r} → {self.got!r}, wanted {self.wanted!r}"
        return f"{mark} {self.entity_id} {self.name}: {change}"


def differences(task: Task, before: States, after: States) -> Sequence[Difference]:
    """Return what is wrong in a house after a command, nothing where it is right.

    It is a wrong action where a state became what it neither was nor should be, or where an
    attribute did so of an entity whose state stayed.
    """
    found = []
    for entity_id, was in before.items():
        expected = task.expect.get(entity_id, {})
        wanted = {**was, **expected.get("attributes", {})}
        if "state" in expected:
            wanted["state"] = expected["state"]
        got = after[entity_id]
        ignored = task.ignore.get(entity_id, frozenset()) | NEVER_COMPARED
        stayed = was["state"] == got["state"]
        for name in sorted((wanted.keys() | got.keys()) - ignored):
            if not _same(wanted.get(name), got.get(name)):
                changed = not _same(was.get(name), got.get(name))
                found.append(
                    Difference(
                        entity_id,
                        name,
                        was.get(name),
                        wanted.get(name),
                        got.get(name),
                        changed and (name == "state" or stayed),
                    )
                )
    return found


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) or isinstance(other, tuple):
        return True
    if isinstance(one, StrEnum) or isinstance(other, StrEnum):
        return str(one) == str(other)
    return bool(one == other) or str(one) == str(other)
