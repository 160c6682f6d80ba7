"""`ai_task.evaluate` as automations ask for it: yes or no, a choice, a score, and what goes wrong."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
import json
import math
from pathlib import Path
from typing import Any

from homeassistant.components import ai_task
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import DOMAIN, EntryKind
from custom_components.voice_gateway.models.logprobs import likely, weights_of
from tests.rows import rows

from . import ollama, openai
from .model_servers import ModelServer, Said, serving
from .ollama import Fault
from .task import TASK, add_task
from .test_ai_task import PICTURE, PICTURE_ID, attached

YES_NO = {"type": "noul", "instructions": "Is the door open?"}
CHOICE = {
    "type": "choice",
    "instructions": "Who is it?",
    "criteria": {"post": "Brings a letter", "guest": "Is invited", "other": "Anybody else"},
}
SCORE = {"type": "score", "instructions": "How loud is it?", "criteria": ["silent", "some", "loud"]}
STATE = {"door": "open", "bell": 3}


@pytest.fixture(params=[EntryKind.OLLAMA, EntryKind.OPENAI])
async def telling(
    request: pytest.FixtureRequest, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[ModelServer]:
    """A model server of each provider that can tell how likely it finds what it writes."""
    async with serving(request.param, monkeypatch) as server:
        yield server


def tells(server: ModelServer, *places: dict[str, float]) -> Any:
    """Return an answer of the likeliest tokens, telling how likely each was at its place."""
    pieces = []
    for shares in places:
        best = max(shares, key=shares.__getitem__)
        told = [{"token": name, "logprob": math.log(share)} for name, share in shares.items()]
        entry = {"token": best, "logprob": math.log(shares[best]), "top_logprobs": told}
        pieces.append(_piece(server, best, [entry]))
    end = [ollama.done()] if server.kind is EntryKind.OLLAMA else openai.end()
    return [*pieces, *end]


def _piece(server: ModelServer, text: str, told: Any) -> bytes:
    if server.kind is EntryKind.OLLAMA:
        message = {"role": "assistant", "content": text}
        return ollama.line(model=ollama.MODEL, message=message, done=False, logprobs=told)
    choice = {"index": 0, "delta": {"content": text}, "logprobs": {"content": told}}
    return openai.event({"object": "chat.completion.chunk", "choices": [choice]})


async def evaluate(hass: HomeAssistant, state: Any = STATE, **questions: Any) -> dict[str, Any]:
    """Ask as an automation does; return the answers."""
    response = await hass.services.async_call(
        "ai_task",
        "evaluate",
        {"task_name": "Test", "entity_id": TASK, "state": state, "questions": questions},
        blocking=True,
        return_response=True,
    )
    assert response
    answers: Any = response["answers"]
    return dict(answers)


def said(server: ModelServer, number: int) -> list[Said]:
    return server.conversation(server.requests[number])


async def test_answers_are_as_likely_as_the_server_tells(
    hass: HomeAssistant, telling: ModelServer
) -> None:
    await add_task(hass, telling)
    state = hass.states.get(TASK)
    assert state
    assert state.attributes[ATTR_SUPPORTED_FEATURES] & ai_task.AITaskEntityFeature.EVALUATE
    telling.answers(
        tells(telling, {"Yes": 0.7, " yes": 0.06, "No": 0.04, "Maybe": 0.2}),
        # Some write other things before the word.
        tells(telling, {"**": 0.9, "A": 0.1}, {"B": 0.95, "C": 0.05, "a": 0.1}),
        tells(telling, {"A": 0.02, "C": 0.93, "B": 0.05}),
    )
    answers = await evaluate(hass, door=YES_NO, who=CHOICE, noise=SCORE)
    assert answers["door"] == {"type": "noul", "noul": pytest.approx(0.95)}
    assert answers["who"]["choice"] == "guest"
    assert answers["who"]["probabilities"] == pytest.approx(
        {"post": 0, "guest": 0.95, "other": 0.05}
    )
    assert answers["noise"]["score"] == pytest.approx(1.91)
    assert answers["noise"]["probabilities"] == pytest.approx([0.02, 0.05, 0.93])
    # Each question costs a word, after data that are the same: the server has them read.
    assert [request["top_logprobs"] for request in telling.requests] == [20, 20, 20]
    assert not any(request.get("tools") for request in telling.requests)
    texts = [said(telling, number)[-1].text for number in range(3)]
    data = texts[0][: texts[0].index("Is the door open?")]
    assert '"door":"open"' in data
    assert all(text.startswith(data) for text in texts)
    assert "B: guest (Is invited)" in texts[1]


async def test_a_model_that_is_unsure_looks_for_what_tells_it(
    hass: HomeAssistant, telling: ModelServer
) -> None:
    await add_task(hass, telling)
    telling.answers(
        tells(telling, {"No": 0.55, "Yes": 0.45}),
        telling.says("door: open"),
        tells(telling, {"Yes": 0.8, "No": 0.2}),
    )
    answers = await evaluate(hass, door=YES_NO)
    assert answers["door"]["noul"] == pytest.approx(0.8)
    assert ["logprobs" in request for request in telling.requests] == [True, False, True]
    told = said(telling, 2)
    assert [each.who for each in told] == ["user", "model", "user"]
    assert told[1].text == "door: open"
    assert "Is the door open?" in told[2].text
    # All but the last words is what the server has just read.
    assert told[:1] == said(telling, 1)


async def test_what_was_likely_counts_where_the_second_look_tells_nothing(
    hass: HomeAssistant, telling: ModelServer
) -> None:
    """It may quote without end, and then say something else."""
    await add_task(hass, telling)
    telling.answers(
        tells(telling, {"No": 0.55, "Yes": 0.45}),
        telling.says(" ".join(f"line {number}" for number in range(400))),
        tells(telling, {"The": 0.9, "Yes": 0.1}),
    )
    assert (await evaluate(hass, door=YES_NO))["door"]["noul"] == pytest.approx(0.45)
    assert len(said(telling, 2)[1].text) <= 400


async def test_what_was_likely_counts_where_the_second_look_fails(
    hass: HomeAssistant, telling: ModelServer
) -> None:
    await add_task(hass, telling)
    telling.answers(
        tells(telling, {"No": 0.55, "Yes": 0.45}), *[telling.message(Fault.CUT, ends=None)] * 3
    )
    assert (await evaluate(hass, door=YES_NO))["door"]["noul"] == pytest.approx(0.45)


async def test_where_nothing_is_told_the_model_is_asked_for_percentages(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    data = {
        "question_1": {"Yes": 80, "No": 20},
        "question_2": {"A": 10, "B": 10, "C": 30},
        "question_3": {"A": 0, "B": 0, "C": 100},
    }
    tells_nothing = [model_server.says("Yes.")] * 3
    # Of the first question it is learned that nothing is told.
    tried = tells_nothing[:1] if model_server.kind is not EntryKind.ANTHROPIC else []
    model_server.answers(*tried, model_server.says(json.dumps(data)))
    answers = await evaluate(hass, door=YES_NO, who=CHOICE, noise=SCORE)
    assert answers["door"]["noul"] == pytest.approx(0.8)
    assert answers["who"]["choice"] == "other"
    assert answers["who"]["probabilities"]["post"] == pytest.approx(0.2)
    assert answers["noise"]["score"] == pytest.approx(2)
    assert len(model_server.requests) == len(tried) + 1
    schema = model_server.structure(model_server.requests[-1])
    assert schema
    assert [*schema["properties"]] == [*data]
    # It stays known.
    before = len(model_server.requests)
    model_server.answers(model_server.says('{"question_1": {"Yes": 0, "No": 5}}'))
    assert (await evaluate(hass, door=YES_NO))["door"]["noul"] == 0
    assert len(model_server.requests) == before + 1


async def test_a_question_of_which_something_else_is_likely_is_asked_otherwise(
    hass: HomeAssistant, telling: ModelServer
) -> None:
    await add_task(hass, telling)
    telling.answers(
        tells(telling, {"Yes": 0.9, "No": 0.1}),
        tells(telling, {"The": 0.95, "A": 0.05}),
        telling.says('{"question_1": {"A": 0, "B": 0, "C": 0}}'),
        telling.says('{"question_1": {"A": 0, "B": 100, "C": 0}}'),
    )
    answers = await evaluate(hass, door=YES_NO, who=CHOICE)
    assert answers["door"]["noul"] == pytest.approx(0.9)
    assert answers["who"]["choice"] == "guest"
    # Percentages that say nothing were told to be wrong.
    assert "all percentages are 0" in json.dumps(telling.requests[-1])


async def test_more_choices_than_a_server_tells_of_are_asked_for_at_once(
    hass: HomeAssistant, telling: ModelServer
) -> None:
    await add_task(hass, telling)
    many = {f"option {number}": "Something" for number in range(1, 31)}
    given = {str(number): 100 if number == 27 else 0 for number in range(1, 31)}
    telling.answers(telling.says(json.dumps({"question_1": given})))
    question = {"type": "choice", "instructions": "Which?", "criteria": many}
    assert (await evaluate(hass, which=question))["which"]["choice"] == "option 27"
    assert "logprobs" not in telling.requests[0]


async def test_a_server_that_refuses_to_tell_is_asked_without(
    hass: HomeAssistant, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(EntryKind.OPENAI, monkeypatch) as server:
        server.server.takes = {
            *("model", "messages", "stream", "temperature", "max_tokens", "response_format")
        }
        await add_task(hass, server)
        server.answers(server.says("Yes"), server.says('{"question_1": {"Yes": 70, "No": 30}}'))
        assert (await evaluate(hass, door=YES_NO))["door"]["noul"] == pytest.approx(0.7)
        server.answers(server.says('{"question_1": {"Yes": 70, "No": 30}}'))
        before = len(server.requests)
        await evaluate(hass, door=YES_NO)
        assert len(server.requests) == before + 1


async def test_a_picture_is_looked_at(
    hass: HomeAssistant, model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.see(sees=True)
    (tmp_path / "door.png").write_bytes(PICTURE)
    hass.config.media_dirs = {"local": str(tmp_path)}
    assert await async_setup_component(hass, "media_source", {})
    await add_task(hass, model_server)
    answer = '{"question_1": {"Yes": 100, "No": 0}}'
    model_server.answers(*[model_server.says(answer)] * 2)
    response = await hass.services.async_call(
        "ai_task",
        "evaluate",
        {
            "task_name": "Test",
            "entity_id": TASK,
            "questions": {"door": YES_NO},
            "attachments": attached(PICTURE_ID, "image/png"),
        },
        blocking=True,
        return_response=True,
    )
    assert response == {"answers": {"door": {"noul": 1.0, "type": "noul"}}}
    assert all(len(model_server.files(request)) == 1 for request in model_server.requests)


@rows("why", ["broken", "cut", "hang"])
async def test_failure_is_told_in_time(
    hass: HomeAssistant, model_server: ModelServer, why: str
) -> None:
    await add_task(hass, model_server, timeout=0.4)
    match why:
        case "broken":
            model_server.answers(*[model_server.refusal("broken")] * 3)
        case "cut":
            model_server.answers(*[model_server.message(Fault.CUT, ends=None)] * 3)
        case _:
            model_server.answers(model_server.message(Fault.HANG, ends=None))
    with pytest.raises(HomeAssistantError) as caught:
        await evaluate(hass, door=YES_NO)
    assert caught.value.translation_domain == DOMAIN


async def test_who_asked_and_went_away_is_not_answered(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(hass, model_server)
    begun, never = asyncio.Event(), asyncio.Event()

    def answer() -> Iterator[ollama.Step]:
        begun.set()
        yield never

    model_server.answers(answer())
    asking = hass.async_create_task(evaluate(hass, door=YES_NO))
    await begun.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    # Nobody else is asked then.
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("shares", "answers", "weights"),
    [
        # What is likelier than each answer is what it would say: the rest of it tells nothing.
        ({"Sí": 0.6, "No": 0.3}, ("Yes", "No"), None),
        ({"Ja": 0.5, "No": 0.2, "Yes": 0.1}, ("Yes", "No"), None),
        ({"The": 0.8, "A": 0.15}, ("A", "B"), None),
        ({"Maybe": 0.4, "Yes": 0.35, " yes": 0.2}, ("Yes", "No"), [1, 0]),
        ({"Yes": 0.08, "Well": 0.05, "No": 0.02}, ("Yes", "No"), [0.8, 0.2]),
    ],
)
def test_what_would_be_said_instead_makes_no_answer_certain(
    shares: dict[str, float], answers: tuple[str, str], weights: list[float] | None
) -> None:
    found = weights_of([shares], answers)
    assert (found and [*found.values()]) == (weights and pytest.approx(weights))


@pytest.mark.parametrize(
    ("told", "weights"),
    [
        ([], None),
        (None, None),
        ("Yes", None),
        ([3, {"token": 3}, {"token": "Yes"}, {"token": "Yes", "logprob": "0"}], None),
        ([{"token": "Yes", "logprob": 0.5}], None),
        ([{"token": "Yes", "logprob": float("nan")}], None),
        ([{"token": "Yes", "logprob": float("-inf")}], None),
        ([{"token": "Yes", "logprob": 0}], [1, 0]),
        ([{"token": "▁Y", "logprob": 0}], None),
        ([{"token": "y", "logprob": -0.1}], [1, 0]),
        ([{"token": "not", "logprob": 0}], None),
        ([{"token": "\n\n", "logprob": 0}, {"token": '"NO', "logprob": 0}], [0, 1]),
        ([{"token": "<think>", "logprob": 0}, {"token": "No", "logprob": 0}], None),
        ([{"token": "Yes", "logprob": -0.7, "top_logprobs": {"No": -0.7}}], [1, 0]),
    ],
)
def test_what_a_server_tells_is_read_as_far_as_it_is_sure(told: Any, weights: Any) -> None:
    found = weights_of([*likely(told)], ["Yes", "No"])
    assert found == (None if weights is None else dict(zip(("Yes", "No"), weights, strict=True)))
