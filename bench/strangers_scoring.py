"""Sentences of public test sets, and whether what became of one is what it wants.

The file has a JSON object in each line; its keys are the fields of `Sentence`, of which `setup` is a
key of another file. What is wanted of an entity is a word, as in `bench/expectations.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
import json
from pathlib import Path
from typing import Self

from bench.answers import asks_or_denies, claims
from bench.expectations import State, holds
from bench.replay import Json
from bench.scoring import States
from bench.stage import Played

type Wanted = tuple[str, str]
"""An entity, and what is wanted of it."""

TIMER = "timer"
"""Stands for an entity where a timer is wanted."""
_OPENS = ("open", "unlocked")


class Outcome(StrEnum):
    """What became of a sentence."""

    RIGHT = "right"
    WRONG = "WRONG"
    """Something changed, or was claimed, that is not wanted."""
    ASKED_FIRST = "asked first"
    """Before something is opened or unlocked, which a yes then does."""
    ASKED = "asked"
    REFUSED = "refused"
    """The model's call did not lead to what is wanted."""
    LEFT = "left"
    ACTED = "acted"
    """Something changed where nobody has told what is wanted."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, the obvious calls of a model, and what has to come of it."""

    id: str
    set: str
    lang: str
    text: str
    label: str
    """What the test set says of it."""
    kind: str
    home: str
    setup: States
    need: Sequence[Sequence[Wanted]]
    """Alternatives, of which one has to come true in full."""
    may: Sequence[Wanted]
    """What may change as well."""
    calls: Sequence[Json]
    note: str

    @classmethod
    def read_all(cls, path: Path, setups: Path) -> Sequence[Self]:
        """Return the sentences of a file, in the states of another; raises KeyError for unknown ones."""
        states = json.loads(setups.read_text("utf-8"))
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        for record in records:
            record["setup"] = states[record["setup"]]
            record["need"] = [[tuple(each) for each in one] for one in record["need"]]
            record["may"] = [tuple(each) for each in record["may"]]
        return [cls(**record) for record in records]

    @property
    def is_command(self) -> bool:
        """Whether it is to be done, as far as that can be."""
        return self.kind in ("do", "partly")

    @property
    def is_for_now(self) -> bool:
        """Whether nothing is to be planned."""
        return self.is_command or self.kind in ("ask", "none", "not_there")

    @property
    def opens(self) -> bool:
        """Whether it is right to ask first."""
        return any(what in _OPENS for each in self.need for _, what in each)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a sentence, and each thing that is wrong, in words."""

    outcome: Outcome
    wrong: Sequence[str] = ()


def judge(
    sentence: Sentence, played: Played, agreed: States | None = None, *, is_eager: bool = False
) -> Verdict:
    """Judge what became of a sentence.

    Args:
        sentence: what was said.
        played: the states before and after it, plans, timers and the answer.
        agreed: the states after a yes, where the user was asked before something is done.
        is_eager: the model made the obvious calls.
    """
    course = _Course(sentence, played)
    wrong = course.wrong()
    if sentence.kind == "free":
        return Verdict(Outcome.ACTED if course.acts else Outcome.LEFT)
    if wrong:
        return Verdict(Outcome.WRONG, wrong)
    asks = played.asks or played.turn.speech.rstrip().endswith("?")
    if not sentence.is_command:
        return Verdict(Outcome.RIGHT if course.is_answered(asks=asks) else Outcome.LEFT)
    if course.is_done(played.after):
        return Verdict(Outcome.RIGHT)
    if asks:
        is_first = sentence.opens and agreed is not None and course.is_done(agreed)
        return Verdict(Outcome.ASKED_FIRST if is_first else Outcome.ASKED)
    is_refused = is_eager and bool(sentence.calls)
    return Verdict(Outcome.REFUSED if is_refused or played.turn.errors else Outcome.LEFT)


@dataclass(frozen=True, slots=True)
class _Course:
    """What became of a sentence, compared with what it wants."""

    sentence: Sentence
    played: Played

    @property
    def acts(self) -> bool:
        """Whether anything was done, or is going to be."""
        return bool(self.played.changed or self.played.plans or self.played.timers)

    def is_done(self, after: States) -> bool:
        """Return True if one of the alternatives came true, or something as good in a merged home."""
        return any(
            all(self._holds(*each, after) for each in one) for one in self.sentence.need
        ) or bool(self._elsewhere())

    def is_answered(self, *, asks: bool) -> bool:
        """Return True if what is no command was answered, planned, or left alone, as is right."""
        played = self.played
        match self.sentence.kind:
            case "ask":
                told = played.turn.speech
                return not played.asked_model and not asks_or_denies(told, self.sentence.lang)
            case "later":
                return asks or bool(played.plans)
            case "remind":
                return asks or any(plan.say for plan in played.plans)
            case "alarm":
                return asks or bool(played.plans or played.timers)
        return True

    def wrong(self) -> Sequence[str]:
        """Return what changed, was planned or claimed, and should not have been."""
        sentence, played = self.sentence, self.played
        needed = [each for one in sentence.need for each in one]
        allowed = [*needed, *sentence.may]
        spared = {*self._elsewhere(), *self._richer(), *self._for_a_while()}
        found = [
            f"{entity_id}: {_difference(played.before[entity_id], played.after[entity_id])}"
            for entity_id in played.changed
            if entity_id not in spared
            and not any(
                each == entity_id and self._holds(each, what, played.after)
                for each, what in allowed
            )
        ]
        if sentence.is_for_now:
            found += [f"plan: {plan.spoken.text}" for plan in played.plans]
            found += [
                f"timer: {timer.created_seconds} s"
                for timer in played.timers
                if (TIMER, f"timer:{timer.created_seconds}") not in allowed
            ]
        if sentence.kind == "not_there" and not (found or self.acts or self._is_of_attribute):
            told = claims(played.turn.speech, sentence.lang)
            found += [f"claimed: {played.turn.speech}" for claim in told if claim.state is None]
        return found

    def _holds(self, entity_id: str, what: str, after: States) -> bool:
        """Return True if this came true, by something that was done."""
        if entity_id == TIMER:
            return any(what == f"timer:{each.created_seconds}" for each in self.played.timers)
        was, now = self.played.before.get(entity_id), after.get(entity_id)
        if was is None or now is None or not (was != now or entity_id in self.played.told):
            return False
        return holds(what, was, now)

    def _elsewhere(self) -> Sequence[str]:
        """Return the players and covers that may stand for those of a test of OHF's.

        The homes of several tests are one, which has more of both than each.
        """
        if self.sentence.set != "ohf":
            return ()
        needed = {each for one in self.sentence.need for each in one}
        return [
            changed
            for changed in self.played.changed
            if changed.startswith(("media_player.", "cover.")) and changed != "media_player.tv"
            if any(
                self._holds(changed, what, self.played.after)
                for entity_id, what in needed
                if entity_id.partition(".")[0] == changed.partition(".")[0]
            )
        ]

    @property
    def _is_of_attribute(self) -> bool:
        """Whether HomeBench's device is there, and only cannot do it."""
        return self.sentence.label.startswith("unexist_attribute")

    def _richer(self) -> Sequence[str]:
        """Return what may change since devices can more here than in HomeBench: dim, switch."""
        if not self._is_of_attribute:
            return ()
        played = self.played
        return [
            each
            for each in played.changed
            if each.startswith("switch.")
            or (
                each.startswith("light.")
                and played.before[each].get("brightness") != played.after[each].get("brightness")
            )
        ]

    def _for_a_while(self) -> Sequence[str]:
        """Return what was done now, with a plan that ends it, where it is wanted for a while."""
        what = self.sentence.note.removeprefix("plan ")
        if self.sentence.kind != "later" or what == self.sentence.note:
            return ()
        if not any(plan.is_ending for plan in self.played.plans):
            return ()
        after = self.played.after
        return [each for each in self.played.changed if self._holds(each, json.loads(what), after)]


def _difference(was: State, now: State) -> str:
    return ", ".join(
        f"{key} {was.get(key)} → {now.get(key)}"
        for key in sorted({*was, *now})
        if was.get(key) != now.get(key)
    )
