"""What becomes of strangers' sentences."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from bench.agents import Turn
from bench.stage import Played
from bench.strangers_scoring import Outcome, Sentence, judge

BEFORE: dict[str, dict[str, Any]] = {
    "light.lamp": {"state": "off"},
    "light.wall": {"state": "off"},
    "lock.door": {"state": "locked"},
    "media_player.radio": {"state": "paused"},
    "media_player.shelf": {"state": "paused"},
}
LAMP_ON = [[("light.lamp", "on")]]
ON = {"state": "on"}


def sentence(kind: str = "do", **more: Any) -> Sentence:
    fields: dict[str, Any] = {
        "id": "1",
        "set": "slurp",
        "lang": "en",
        "text": "lamp on",
        "label": "",
        "kind": kind,
        "home": "small",
        "setup": {},
        "need": (),
        "may": (),
        "calls": (),
        "note": "",
    }
    return Sentence(**fields | more)


def played(speech: str = "", after: Mapping[str, Any] | None = None, **more: Any) -> Played:
    fields: dict[str, Any] = {
        "asked_model": True,
        "asks": False,
        "told": frozenset(after or ()),
        "plans": (),
        "timers": (),
    }
    turn = Turn(speech, (), None, None)
    return Played(turn, before=BEFORE, after=BEFORE | dict(after or {}), **fields | more)


LAMP_IS_ON = {"light.lamp": ON}
BOTH_ARE_ON = {"light.lamp": ON, "light.wall": ON}
TIMER = SimpleNamespace(created_seconds=300)
PLAN = SimpleNamespace(spoken=SimpleNamespace(text="lamp on"), say=None, is_ending=False)
CALL = [{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}]


@pytest.mark.parametrize(
    ("said", "became", "outcome"),
    [
        (sentence(need=LAMP_ON), played(after=LAMP_IS_ON), Outcome.RIGHT),
        (sentence(need=LAMP_ON), played(after=BOTH_ARE_ON), Outcome.WRONG),
        (
            sentence(need=LAMP_ON, may=[("light.wall", "on")]),
            played(after=BOTH_ARE_ON),
            Outcome.RIGHT,
        ),
        (sentence(need=LAMP_ON), played("I can't do that."), Outcome.LEFT),
        (sentence(need=LAMP_ON), played("Which lamp?"), Outcome.ASKED),
        (sentence(need=LAMP_ON), played(plans=[PLAN]), Outcome.WRONG),
        (sentence(need=LAMP_ON), played(after=LAMP_IS_ON, timers=[TIMER]), Outcome.WRONG),
        (sentence(need=[[("timer", "timer:300")]]), played(timers=[TIMER]), Outcome.RIGHT),
        (sentence(need=[[("timer", "timer:60")]]), played(timers=[TIMER]), Outcome.WRONG),
        (
            # What is told to be as it is already was understood.
            sentence(need=[[("light.lamp", "off")]]),
            played(told=frozenset(["light.lamp"])),
            Outcome.RIGHT,
        ),
        (
            # A test of Home Assistant's sentences knows one of the home's players.
            sentence(set="ohf", need=[[("media_player.radio", "playing")]]),
            played(after={"media_player.shelf": {"state": "playing"}}),
            Outcome.RIGHT,
        ),
        (sentence("ask"), played("It is noon.", asked_model=False), Outcome.RIGHT),
        (sentence("ask"), played("It is noon."), Outcome.LEFT),
        (sentence("ask"), played("Sorry, I don't know.", asked_model=False), Outcome.LEFT),
        (sentence("none"), played("Hello."), Outcome.RIGHT),
        (sentence("none"), played(after=LAMP_IS_ON), Outcome.WRONG),
        (sentence("not_there"), played("There is no fan."), Outcome.RIGHT),
        (sentence("not_there"), played("Turned on the fan"), Outcome.WRONG),
        (
            sentence("not_there", label="unexist_attribute x"),
            played("Turned on the fan"),
            Outcome.RIGHT,
        ),
        (sentence("later"), played(plans=[PLAN]), Outcome.RIGHT),
        (sentence("remind"), played(plans=[PLAN]), Outcome.LEFT),
        (sentence("alarm"), played("When?"), Outcome.RIGHT),
        (sentence("free"), played(after=LAMP_IS_ON), Outcome.ACTED),
        (sentence("free"), played("Hello."), Outcome.LEFT),
    ],
)
def test_outcome(said: Sentence, became: Played, outcome: Outcome) -> None:
    assert judge(said, became).outcome is outcome


def test_right_call_that_does_nothing_is_refused() -> None:
    said = sentence(need=LAMP_ON, calls=CALL)

    assert judge(said, played("I can't do that."), is_eager=True).outcome is Outcome.REFUSED
    assert judge(said, played("I can't do that.")).outcome is Outcome.LEFT


def test_unlocking_is_asked_about_by_design_if_a_yes_does_it() -> None:
    said = sentence(need=[[("lock.door", "unlocked")]])
    asked = played("Shall I unlock the door?", asks=True)
    unlocked = BEFORE | {"lock.door": {"state": "unlocked"}}

    assert judge(said, asked, unlocked).outcome is Outcome.ASKED_FIRST
    assert judge(said, asked, BEFORE).outcome is Outcome.ASKED
    assert judge(sentence(need=LAMP_ON), asked, BEFORE | LAMP_IS_ON).outcome is Outcome.ASKED


def test_what_is_wrong_is_told() -> None:
    verdict = judge(sentence(need=LAMP_ON), played(after=BOTH_ARE_ON))

    assert verdict.wrong == ["light.wall: state off → on"]
