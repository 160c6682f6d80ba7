"""What came of a sentence."""

from collections.abc import Mapping
from typing import Any

import pytest

from bench.sentences import Event, Sentence
from bench.verdicts import Course, judge

type States = dict[str, dict[str, Any]]

BEFORE: States = {
    "light.lamp": {"state": "on", "brightness": 200, "friendly_name": "Lamp"},
    "light.wall": {"state": "on", "brightness": 200, "friendly_name": "Wall Light"},
    "todo.list": {"state": "0", "friendly_name": "List"},
}
OFF = {"state": "off"}
LAMP_OFF = {"light.lamp": OFF}


def sentence(now: Mapping[str, Mapping[str, Any]], **more: Any) -> Sentence:
    return Sentence(
        id="1",
        kind="in",
        language="en",
        home="small",
        text="Lamp off",
        from_device=None,
        setup={"light.lamp": {"state": "on"}, "light.wall": {"state": "on"}},
        eager=[],
        promise="",
        now=now,
        **more,
    )


def after(**changes: dict[str, Any]) -> States:
    return {
        entity_id: was | changes.get(entity_id.replace(".", "_"), {})
        for entity_id, was in BEFORE.items()
    }


def test_exactly_what_was_to_change_is_right() -> None:
    verdict = judge(sentence(LAMP_OFF), BEFORE, after(light_lamp=OFF), "Done.")

    assert verdict.right
    assert not verdict.wrong
    assert not verdict.untrue


def test_what_should_not_have_changed_is_wrong_also_beside_what_should() -> None:
    both = after(light_lamp=OFF, light_wall=OFF)

    verdict = judge(sentence(LAMP_OFF), BEFORE, both, "Done.")

    assert [change.partition(":")[0] for change in verdict.wrong_now] == ["light.wall"]
    assert not verdict.right


@pytest.mark.parametrize(("brightness", "right"), [(76, True), (78, True), (79, False)])
def test_brightness_may_be_off_by_two(brightness: int, right: bool) -> None:
    wanted = {"light.lamp": {"state": "on", "attributes": {"brightness": 76}}}

    verdict = judge(
        sentence(wanted), BEFORE, after(light_lamp={"brightness": brightness}), "Brightness set"
    )

    assert verdict.right == right
    assert bool(verdict.wrong_now) != right


def test_other_change_that_is_right_as_well_is_right() -> None:
    either = sentence({}, or_now=[LAMP_OFF])

    assert judge(either, BEFORE, after(light_lamp=OFF), "Done.").right
    assert judge(either, BEFORE, BEFORE, "Shall I?").right
    assert judge(either, BEFORE, after(light_wall=OFF), "Done.").wrong_now


def test_nothing_done_is_told_or_lost_as_the_answer_has_it() -> None:
    told = judge(sentence(LAMP_OFF), BEFORE, BEFORE, "I can't do that.")
    lost = judge(sentence(LAMP_OFF), BEFORE, BEFORE, "I'll do that.")

    assert (told.told, told.lost) == (True, False)
    assert (lost.told, lost.lost) == (False, True)


def test_who_may_ask_is_right_to_ask_and_not_to_be_wrong() -> None:
    asking = sentence({}, may_ask=True, later=[Event(after=60, expect=LAMP_OFF)])
    nothing_later = [Course(missed=["light.lamp"])]

    assert judge(asking, BEFORE, BEFORE, "When?", nothing_later).right
    assert judge(asking, BEFORE, BEFORE, "I will.", nothing_later).lost
    assert judge(asking, BEFORE, after(light_lamp=OFF), "When?").wrong_now


def test_what_goes_wrong_later_is_wrong_and_not_wrong_at_once() -> None:
    verdict = judge(sentence({}), BEFORE, BEFORE, "", [Course(), Course(wrong=["light.wall"])])

    assert verdict.wrong == ["light.wall"]
    assert not verdict.wrong_now
    assert not verdict.right


@pytest.mark.parametrize(
    ("answer", "untrue"),
    [
        ("Turned off the lamp", True),
        ("Done.", True),
        ("The lamp is off.", True),
        ("The lamp is on.", False),
        ("I'll turn off the lamp.", False),
        ("I did not turn off the lamp.", False),
    ],
)
def test_claim_of_what_did_not_happen_is_untrue(answer: str, untrue: bool) -> None:
    assert judge(sentence({}), BEFORE, BEFORE, answer).untrue == untrue


@pytest.mark.parametrize(
    ("answer", "untrue"),
    [
        ("Turned off the lamp", False),
        ("Done.", False),
        ("Turned off the wall light", True),
        ("Turned off the lamp. The wall light is on.", False),
        ("Turned off the lamp. The wall light is off.", True),
    ],
)
def test_claim_is_held_to_what_it_names(answer: str, untrue: bool) -> None:
    assert judge(sentence(LAMP_OFF), BEFORE, after(light_lamp=OFF), answer).untrue == untrue
