"""Sentences in which a moment, a condition, a negation or a question decides what may be done.

The file has a JSON object in each line; its keys are the fields below. States are given as in
tasks of the data set: `state` and `attributes` by entity id.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
import json
from pathlib import Path
from typing import Any, Self

from bench.replay import DONE, steps

type Json = dict[str, Any]
type Given = Mapping[str, Mapping[str, Any]]
"""States of entities: `state`, `attributes`, or both."""

CONTROL = "now"
"""The kind of plain commands, to be done at once."""


class Behaviour(StrEnum):
    """How a model behaves that is played."""

    EAGER = "eager"
    """Calls tools, whatever was said."""
    WRITTEN = "written"
    """Writes the same calls as JSON into its text."""
    PROMISE = "promise"
    """Says what it is going to do."""
    SILENT = "silent"
    """Says nothing."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happens after a sentence, and what is to come of it.

    Either it is a moment, `after` seconds or the `n`-th `sun` (sunset, sunrise) after the sentence;
    or these states are `set`, and `wait` seconds go by. Before that, the house is put into other
    states: `reset`. Then `expect` has come true, and `unchanged` entities have not changed.
    """

    after: float | None = None
    sun: str | None = None
    n: int = 1
    set: Given = field(default_factory=dict)
    wait: float = 0
    reset: Given = field(default_factory=dict)
    expect: Given = field(default_factory=dict)
    unchanged: Sequence[str] = ()

    @property
    def timed(self) -> bool:
        """Whether it is a moment."""
        return self.after is not None or self.sun is not None

    @property
    def tolerance(self) -> float:
        """Seconds by which what is expected may be late."""
        seconds = self.wait if self.after is None and not self.sun else self.after
        return 5 if seconds is not None and seconds < 120 else 60


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, what models make of it, and what has to come of it."""

    id: str
    kind: str
    language: str
    home: str
    text: str
    from_device: str | None
    setup: Given
    eager: Sequence[Json]
    """Calls of an over-eager model, with the intents' names."""
    promise: str
    now: Given
    """What has to have changed right after the sentence."""
    or_now: Sequence[Given] = ()
    """Other changes that are right as well."""
    later: Sequence[Event] = ()
    when: Sequence[Event] = ()
    not_then: Sequence[Event] = ()
    may_ask: bool = False
    """Whether it is right, too, to ask, or to say that it cannot be done."""
    note: str = ""

    @classmethod
    def read_all(cls, path: Path) -> Sequence[Self]:
        """Return the sentences of a file; raises TypeError for a key that is not known."""
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        for record in records:
            for key in ("later", "when", "not_then"):
                record[key] = [Event(**event) for event in record.get(key, ())]
        return [cls(**record) for record in records]

    @property
    def control(self) -> bool:
        """Whether it is a plain command."""
        return self.kind == CONTROL

    @property
    def ahead(self) -> Sequence[Event]:
        """What happens afterwards, moments first; `not_then` comes before `when`."""
        events = [*self.later, *self.not_then, *self.when]
        return sorted(events, key=lambda event: not event.timed)

    def steps(self, behaviour: Behaviour, tools: Mapping[str, str]) -> Sequence[Json]:
        """Return what a model answers, message by message; `tools` are tools' names by intents'."""
        match behaviour:
            case Behaviour.EAGER:
                return steps(DONE, self.eager)
            case Behaviour.WRITTEN:
                calls = [
                    {**call, "name": tools.get(call["name"], call["name"])} for call in self.eager
                ]
                text = "\n".join(json.dumps(call, ensure_ascii=False) for call in calls)
            case Behaviour.PROMISE:
                text = self.promise
            case Behaviour.SILENT:
                text = ""
        return steps(text)
