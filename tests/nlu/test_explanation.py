"""How a sentence was read, as plain data."""

from collections.abc import Mapping
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from custom_components.voice_gateway.nlu import explanation
from custom_components.voice_gateway.nlu.explanation import explain
from tests.rows import rows

from .saying import hears, unread

BED, KITCHEN = "light.bed_light", "light.kitchen_lights"
WINDOW = "cover.kitchen_window"


def clause(
    act: str, *flags: str, times: tuple[str, ...] = (), states: str = "", sure: str = ""
) -> tuple[Any, ...]:
    """Return a clause in short: the types of its times, its states, and the device it surely means."""
    return act, {*flags}, times, states, sure


def in_short(explained: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return an explained clause in short."""
    flags = {name for name, value in explained.items() if value is True} | (
        {"exclusion"} & explained.keys()
    )
    times = tuple(each["type"] for each in explained.get("times", ()))
    candidates = explained["references"]["candidates"]
    sure = (each["entity_id"] for each in candidates if each["certainty"] == "sure")
    return clause(
        explained["act"],
        *flags,
        times=times,
        states=" ".join(explained["desired_states"]),
        sure=" ".join(sure),
    )


LATER = [clause("command", times=("in",), states="off", sure=BED)]


@rows(
    ("language", "text", "clauses"),
    [
        ("en", "turn off the bed light in ten minutes", LATER),
        ("de", "Schalte Bed Light in zehn Minuten aus", LATER),
        ("es", "Apaga Bed Light dentro de diez minutos", LATER),
        ("fr", "Éteins Bed Light dans dix minutes", LATER),
        ("it", "Spegni Bed Light tra dieci minuti", LATER),
        ("nl", "Zet Bed Light over tien minuten uit", LATER),
        ("pl", "Wyłącz Bed Light za dziesięć minut", LATER),
        (
            "en",
            "I left the bed light on, open the kitchen window",
            [
                clause("statement", states="on", sure=BED),
                clause("command", states="open", sure=WINDOW),
            ],
        ),
        (
            "en",
            "don't turn off the bed light",
            [clause("command", "negated", states="off", sure=BED)],
        ),
        (
            "en",
            "leave the bed light on",
            [clause("command", "keeps_state", states="on", sure=BED)],
        ),
        (
            "en",
            "turn off all the lights except the bed light",
            [clause("command", "exclusion", states="off")],
        ),
        (
            "en",
            "tell Anna that the bed light is off",
            [clause("command", "has_recipient", states="off", sure=BED)],
        ),
        (
            "en",
            "if the kitchen window is open, close it",
            [clause("command", times=("if",), states="closed")],
        ),
    ],
)
async def test_clauses_are_told_with_what_they_refer_to(
    home: HomeAssistant, language: str, text: str, clauses: list[tuple[Any, ...]]
) -> None:
    explained = explain(unread(home, text, language=language))
    assert [in_short(each) for each in explained["clauses"]] == clauses
    assert json.loads(json.dumps(explained)) == explained


async def test_spans_say_what_is_what(home: HomeAssistant) -> None:
    explained = explain(unread(home, "dim the kitchen lights to 40 percent until sunset"))
    spans = {each["label"]: each for each in explained["spans"] if each["text"] != "Kitchen"}
    assert spans["time"]["text"] == "until sunset"
    assert spans["quantity"]["text"] == "40"
    assert spans["name"]["entity_id"] == KITCHEN
    assert spans["category"]["domains"] == ["light"]
    assert explained["tokens"][:4] == ["dim", "the", "kitchen", "lights"]


async def test_home_assistants_own_recognition_is_told(home: HomeAssistant) -> None:
    explained = explain(await hears(home, "turn on the bed light"))
    slots = {"name": "Bed Light", "domain": ["light"]}
    assert explained["home_assistant"] == {
        "intent": "HassTurnOn",
        "slots": slots,
        "unknown": {},
        "exact": True,
    }
    assert explain(await hears(home, "lucem accende", language="la"))["home_assistant"] is None


async def test_condition_that_is_not_met_is_told(home: HomeAssistant) -> None:
    text = "if the bed light is on, turn on the kitchen lights"
    explained = explain(await hears(home, text))
    assert explained["unmet_condition"] == {"is_so": False, "name": "Bed Light", "state": "Off"}


async def test_of_many_candidates_some_are_named_and_the_others_counted(
    home: HomeAssistant,
) -> None:
    (told,) = explain(unread(home, "turn off all lights"), most=2)["clauses"]
    found = told["references"]
    assert len(found["candidates"]) == 2
    assert found["more"] > 2
    assert found["all"]


async def test_references_are_left_out_where_they_would_hold_the_event_loop(
    home: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    utterance = await hears(home, "turn on the bed light")
    monkeypatch.setattr(explanation, "_PAIRS", 1)
    (told,) = explain(utterance)["clauses"]
    assert told["references"] is None
    (told,) = explain(utterance, is_bounded=False)["clauses"]
    assert told["references"]["candidates"]


async def test_unknown_device_and_pronoun_are_told(home: HomeAssistant) -> None:
    (porch,) = explain(unread(home, "turn off the porch light"))["clauses"]
    assert porch["references"]["unknown"] == ["porch light"]
    (it,) = explain(unread(home, "turn it off"))["clauses"]
    assert it["references"]["anaphor"]
    assert it["references"]["candidates"] == []


async def test_speakers_area_is_told_by_its_name(home: HomeAssistant) -> None:
    area = ar.async_get(home).async_get_area_by_name("Bedroom")
    assert area
    assert explain(unread(home, "lights off", area_id=area.id))["area"] == "Bedroom"
