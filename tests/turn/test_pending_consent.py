"""Which sentence answers what was asked, and how often a PIN may be wrong."""

from collections.abc import Sequence
from dataclasses import replace
import datetime as dt
from types import SimpleNamespace
from typing import Any, cast

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.nlu.replies import Reply
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.nlu.utterance import Utterance
from custom_components.voice_gateway.tools.consent import PendingCall
from custom_components.voice_gateway.tools.policy.decisions import HEARD, Ask
from custom_components.voice_gateway.turn.chat import Chat
from custom_components.voice_gateway.turn.consent_dialog import (
    PATIENCE,
    QUESTIONS,
    ConsentDialog,
    ConsentStore,
    PendingConsent,
)
from tests.nlu.saying import saying

NOW = dt.datetime(2026, 6, 15, 10, tzinfo=dt.UTC)
SAID = replace(
    saying("unlock the front door", device_id="satellite"),
    satellite_id="assist_satellite.hall",
    context=Context(user_id="anna"),
)
AGENT = SAID.agent_id


def _asked(*names: str, does: str = "unlock") -> PendingCall:
    call = llm.ToolInput("HassTurnOff", {"name": names[0]})
    tool = cast("llm.Tool", type("Tool", (), {"name": "HassTurnOff"})())
    return PendingCall(tool, call, Ask(does=does, names=names))


def _pending(
    *calls: PendingCall, question: str = "Shall I unlock the front door?"
) -> PendingConsent:
    utterance = cast("Utterance", None)
    return PendingConsent(calls or (_asked("Front Door"),), question, utterance, SAID, NOW)


@pytest.mark.parametrize(
    "other",
    [
        {"device_id": "another"},
        {"satellite_id": "assist_satellite.porch"},
        {"satellite_id": None},
        {"agent_id": "conversation.another"},
        {"context": Context(user_id="ben")},
        {"context": Context()},
    ],
)
def test_answer_is_of_who_was_asked_and_where(other: dict[str, Any]) -> None:
    answer = replace(SAID, text="yes", context=Context(user_id="anna"))
    assert _pending().is_for(answer, NOW)
    assert not _pending().is_for(replace(answer, **other), NOW)


def test_answer_comes_in_time() -> None:
    second = dt.timedelta(seconds=1)
    in_time = {
        after: _pending().is_for(SAID, NOW + after)
        for after in (-second, dt.timedelta(), PATIENCE, PATIENCE + second)
    }
    assert list(in_time.values()) == [False, True, True, False]


def test_one_of_several_that_lets_somebody_in_needs_the_pin() -> None:
    harmless, door = _asked("Lamp", does=HEARD), _asked("Front Door")
    assert _pending(harmless, door).is_dangerous
    assert not _pending(harmless).is_dangerous


def test_yes_may_say_again_what_was_said_and_what_was_asked() -> None:
    pending = _pending(question="Really open up?")
    assert pending.reply(Text("yes, the front door", "en")) is Reply.YES
    assert pending.reply(Text("yes, really", "en")) is Reply.YES
    assert pending.reply(Text("yes, the garage", "en")) is Reply.OTHER


def test_some_of_what_was_asked_are_asked_for_alone() -> None:
    front, garage = _asked("Front Door"), _asked("Garage Door")
    pending = _pending(front, garage)
    only = pending.only(Text("only the garage", "en"))
    assert only
    assert only.calls == [garage]
    assert only.signatures < pending.signatures
    assert pending.only(Text("yes", "en")) is None
    assert pending.only(Text("yes, both", "en")) is None


@pytest.mark.parametrize(
    "said", ["yes, just the garage", "yes, the garage door", "yes, open the garage"]
)
def test_a_yes_that_names_one_of_several_is_for_that_one(said: str) -> None:
    front, garage = _asked("Front Door"), _asked("Garage Door")
    pending = _pending(front, garage, question="Shall I unlock the Front Door and the Garage Door?")
    some = pending.only(Text(said, "en"))
    assert some
    assert some.calls == [garage]


def _questions(conversations: Sequence[str]) -> ConsentStore:
    questions = ConsentStore()
    for each in conversations:
        questions.ask(each, _pending())
    return questions


def test_question_is_answered_once_and_in_its_conversation() -> None:
    questions = _questions(["one"])
    assert questions.take("another") is None
    assert questions.is_asked("one")
    assert questions.take("one")
    assert not questions.is_asked("one")
    assert questions.take("one") is None


def test_new_question_takes_the_place_of_the_one_before() -> None:
    questions = _questions(["one"])
    new = _pending(question="Shall I open the garage door?")
    questions.ask("one", new)
    assert questions.take("one") is new
    assert questions.take("one") is None


def test_oldest_question_is_forgotten_where_many_are_asked() -> None:
    many = [str(each) for each in range(31)]
    # What was asked again is new.
    questions = _questions(["old", *many, "old", "new"])
    assert questions.is_asked("old")
    assert questions.is_asked("new")
    assert not questions.is_asked("0")
    assert questions.is_asked("1")


def test_pause_after_three_wrong_pins_doubles_with_each_further_one() -> None:
    questions = ConsentStore()
    pauses = []
    for _ in range(5):
        questions.note_pin(AGENT, NOW, is_right=False)
        pauses.append(questions.pause(AGENT, NOW).total_seconds())
    assert pauses == [0, 0, 30, 60, 120]
    assert questions.pause("conversation.another", NOW) == dt.timedelta()
    # It ends by itself, and what was wrong before still counts.
    later = NOW + dt.timedelta(seconds=121)
    assert questions.pause(AGENT, later) == dt.timedelta()
    questions.note_pin(AGENT, later, is_right=False)
    assert questions.pause(AGENT, later).total_seconds() == 240


def test_pause_is_at_most_a_day() -> None:
    questions = ConsentStore()
    for _ in range(60):
        questions.note_pin(AGENT, NOW, is_right=False)
    assert questions.pause(AGENT, NOW) == dt.timedelta(days=1)


def test_right_pin_forgets_the_wrong_ones() -> None:
    questions = ConsentStore()
    for _ in range(2):
        questions.note_pin(AGENT, NOW, is_right=False)
    questions.note_pin(AGENT, NOW, is_right=True)
    for _ in range(2):
        questions.note_pin(AGENT, NOW, is_right=False)
    assert not questions.pause(AGENT, NOW)


async def test_a_yes_to_our_own_question_is_none_to_the_models(hass: HomeAssistant) -> None:
    """Ours is answered in time and from there, or not at all, though it ends as a model's does."""
    log = SimpleNamespace(conversation_id="hall")
    late = replace(SAID, text="yes")
    question = "Shall I turn on the lamp?"
    chat = cast("Chat", SimpleNamespace(hass=hass, said=late, log=log, asked_before=question))
    assert ConsentDialog(chat, {}).models_question == question
    hass.data[QUESTIONS].ask("hall", _pending())
    asks = ConsentDialog(chat, {})
    assert (asks.pending, asks.models_question) == (None, "")
    assert ConsentDialog(chat, {}).models_question == question
