"""An account at Anthropic, over real HTTP: its models, and what its errors mean."""

import asyncio
import logging
from typing import Any

from aiohttp import web
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.models import api_server
from custom_components.voice_gateway.models.anthropic.server import AnthropicServer
from custom_components.voice_gateway.models.client import ModelError, Reason
from custom_components.voice_gateway.text_tool_call import UnreadCall
from tests.anthropic import (
    KEY,
    MODEL,
    OVERLOADED,
    PlayedAnthropic,
    answer,
    begun,
    call,
    error,
    error_event,
    model_info,
    says,
    text,
)
from tests.ollama import Fault
from tests.rows import rows

from .model import ask, client, said

# Not worth a wait in a test.
SOON = {"retry_after": "0.01"}


async def failure(hass: HomeAssistant, *played: Any, api: PlayedAnthropic) -> ModelError:
    """Return what a client makes of answers that fail."""
    api.answers(*played)
    with pytest.raises(ModelError) as caught:
        await ask(client(hass))
    return caught.value


async def test_models_are_those_of_the_api_with_what_each_can_do(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    old: dict[str, Any] = {
        "thinking": ("enabled", "disabled"),
        "schemas": False,
        "sees": False,
        "searches": False,
    }
    anthropic.models = {
        "a": model_info("a", "Claude A"),
        "b": model_info("b", "Claude B", thinking=("adaptive",)),
        "c": model_info("c", "Claude C", **old) | {"max_tokens": 4096},
    }
    a, b, c = await AnthropicServer(hass, KEY).models()
    assert (a.id, a.name, a.max_tokens) == ("a", "Claude A", 64000)
    assert a.thinking == {"adaptive", "disabled"}
    assert "low" in a.efforts
    assert b.thinking == {"adaptive"}
    assert b.thinks
    assert c.thinking == {"enabled", "disabled"}
    assert (a.sees_images, a.reads_pdfs, a.searches_web, a.follows_schemas) == (True,) * 4
    assert (c.sees_images, c.reads_pdfs, c.searches_web, c.follows_schemas) == (False,) * 4


async def test_model_of_which_nothing_is_told_is_asked_for_nothing_special(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.models[MODEL] |= {"capabilities": None}
    (model,) = await AnthropicServer(hass, KEY).models()
    assert not model.thinks
    assert not model.searches_web
    assert not model.follows_schemas


async def test_wrong_key_is_told_apart(hass: HomeAssistant, anthropic: PlayedAnthropic) -> None:
    anthropic.key = "another"
    with pytest.raises(ModelError) as caught:
        await AnthropicServer(hass, KEY).models()
    assert caught.value.reason is Reason.UNAUTHORIZED
    with pytest.raises(ModelError) as caught:
        await ask(client(hass))
    assert caught.value.reason is Reason.UNAUTHORIZED


@pytest.mark.parametrize("key", ["sk-ant-\nsecret", "sk-ant-šecret"])
async def test_key_that_cannot_be_sent_is_refused_and_told_to_nobody(
    hass: HomeAssistant,
    anthropic: PlayedAnthropic,
    caplog: pytest.LogCaptureFixture,
    key: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ModelError) as caught:
        await AnthropicServer(hass, key).models()
    assert "ecret" not in f"{caught.value.detail}{caught.value.__cause__}{caplog.text}"


async def test_key_is_in_no_log(
    hass: HomeAssistant, anthropic: PlayedAnthropic, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    anthropic.answers(error(500, "api_error", "Broken", **SOON), says("Hi."))
    deltas, _ = await ask(client(hass))
    assert said(deltas) == ["Hi."]
    assert KEY not in caplog.text


async def test_server_that_is_not_there(hass: HomeAssistant, anthropic: PlayedAnthropic) -> None:
    await anthropic.stop()
    with pytest.raises(ModelError) as caught:
        await AnthropicServer(hass, KEY).models()
    assert caught.value.reason is Reason.UNREACHABLE


@rows(
    ("refusal", "reason"),
    [
        ((400, "invalid_request_error", "prompt is too long: 9 > 8"), Reason.CONTEXT_EXCEEDED),
        ((400, "invalid_request_error", "max_tokens: too small"), Reason.SERVER_ERROR),
        ((400, "invalid_request_error", "Your credit balance is too low"), Reason.NO_CREDIT),
        ((401, "authentication_error", "invalid x-api-key"), Reason.UNAUTHORIZED),
        ((402, "billing_error", "Pay"), Reason.NO_CREDIT),
        ((403, "permission_error", "Not yours"), Reason.UNAUTHORIZED),
        ((404, "not_found_error", "model: gone"), Reason.MODEL_NOT_FOUND),
        ((404, "not_found_error", "Not Found"), Reason.NOT_THE_SERVER),
        ((413, "request_too_large", "Request exceeds the maximum size"), Reason.CONTEXT_EXCEEDED),
    ],
)
async def test_what_refusals_mean_and_that_they_are_not_tried_again(
    hass: HomeAssistant,
    anthropic: PlayedAnthropic,
    refusal: tuple[int, str, str],
    reason: Reason,
) -> None:
    err = await failure(hass, error(*refusal), api=anthropic)
    assert err.reason is reason
    assert refusal[2] in err.detail
    assert len(anthropic.chats) == 1


@pytest.mark.parametrize(
    ("refusal", "reason"),
    [
        ((429, "rate_limit_error", "Later"), Reason.OVERLOADED),
        ((529, "overloaded_error", "Later"), Reason.OVERLOADED),
        ((504, "timeout_error", "Later"), Reason.OVERLOADED),
        ((500, "api_error", "Later"), Reason.SERVER_ERROR),
    ],
)
async def test_busy_api_is_asked_again_for_some_time_and_then_the_user_is_told(
    hass: HomeAssistant,
    anthropic: PlayedAnthropic,
    monkeypatch: pytest.MonkeyPatch,
    refusal: tuple[int, str, str],
    reason: Reason,
) -> None:
    monkeypatch.setattr(api_server, "_PATIENCE", 0.1)
    monkeypatch.setattr(api_server, "_FIRST_WAIT", 0.01)
    err = await failure(hass, *[error(*refusal) for _ in range(9)], api=anthropic)
    assert err.reason is reason
    assert 2 < len(anthropic.chats) < 9


async def test_busy_api_is_asked_again_after_as_long_as_it_says(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    loop = asyncio.get_running_loop()
    anthropic.answers(
        error(429, "rate_limit_error", "Later", retry_after="0.2"),
        error(529, *OVERLOADED, **SOON),
        says("At last."),
    )
    began = loop.time()
    deltas, _ = await ask(client(hass))
    assert said(deltas) == ["At last."]
    # The stream of an agent begins once, however often it is tried.
    assert [delta for delta in deltas if "role" in delta] == [{"role": "assistant"}]
    assert loop.time() - began > 0.2
    assert anthropic.chats[0] == anthropic.chats[1] == anthropic.chats[2]


async def test_who_asks_for_a_minute_is_not_waited_for(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    async with asyncio.timeout(30):
        err = await failure(
            hass, error(429, "rate_limit_error", "Later", retry_after="60"), api=anthropic
        )
    assert err.reason is Reason.OVERLOADED
    assert len(anthropic.chats) == 1


async def test_api_that_forbids_another_attempt_is_obeyed(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    await failure(hass, error(529, *OVERLOADED, x_should_retry="false"), api=anthropic)
    assert len(anthropic.chats) == 1


async def test_overload_before_anything_was_said_is_tried_again(
    hass: HomeAssistant, anthropic: PlayedAnthropic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_server, "_FIRST_WAIT", 0.01)
    anthropic.answers(
        [*begun(input_tokens=500), error_event(*OVERLOADED)],
        answer(text("Here."), input_tokens=7, output_tokens=3),
    )
    deltas, completion = await ask(client(hass))
    assert said(deltas) == ["Here."]
    assert completion.prompt_tokens == 7


async def test_overload_in_the_middle_of_an_answer_is_told_and_not_tried_again(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    err = await failure(hass, [*begun(text("Well, ")), error_event(*OVERLOADED)], api=anthropic)
    assert err.reason is Reason.OVERLOADED
    assert len(anthropic.chats) == 1


@rows(
    "stream",
    [
        [*begun(text("Hel")), Fault.CUT],
        begun(text("Hello")),
        [*begun(), b"event: content_block_start\ndata: {garbage\n\n"],
        [*begun(), b"event: content_block_start\ndata: \xff\n\n"],
        [],
        [*begun(), b"data: " + b"a" * (5 << 20)],
        [*begun(), *([b":" + b"a" * 1_000_000 + b"\n"] * 33)],
    ],
)
async def test_answer_without_its_end_is_a_lost_connection(
    hass: HomeAssistant, anthropic: PlayedAnthropic, stream: list[Any]
) -> None:
    err = await failure(hass, stream, api=anthropic)
    assert err.reason is Reason.CONNECTION_LOST


async def test_what_answers_leads_nowhere_else(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    elsewhere = web.Response(status=307, headers={"Location": "/elsewhere/v1/messages"})
    err = await failure(hass, elsewhere, says("Gotcha."), api=anthropic)
    assert err.reason is Reason.NOT_THE_SERVER
    assert len(anthropic.chats) == 1


async def test_server_that_hangs_up_before_it_answers_is_asked_once_more(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    class HangsUp(web.Response):
        async def prepare(self, request: web.BaseRequest) -> None:
            assert request.transport
            request.transport.close()

    anthropic.answers(HangsUp(), says("Sorry, yes?"))
    deltas, _ = await ask(client(hass))
    assert said(deltas) == ["Sorry, yes?"]
    err = await failure(hass, HangsUp(), HangsUp(), api=anthropic)
    assert err.reason is Reason.UNREACHABLE


async def test_who_is_not_listened_to_any_more_stops(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    anthropic.answers([*begun(text("Once upon a time")), Fault.HANG])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await ask(client(hass))
    async with asyncio.timeout(30):
        await anthropic.abandoned.wait()


@pytest.mark.parametrize("path", ["/v1/models", f"/v1/models/{MODEL}"])
async def test_page_of_somebody_else_is_an_error(
    hass: HomeAssistant, anthropic: PlayedAnthropic, path: str
) -> None:
    page = web.Response(text="<html>Log in to the WLAN</html>", content_type="text/html")
    anthropic.whole[path] = page
    server = AnthropicServer(hass, KEY)
    if path == "/v1/models":
        with pytest.raises(ModelError) as caught:
            await server.models()
        assert caught.value.reason is Reason.NOT_THE_SERVER
    else:
        assert (await server.known(MODEL)).model.name == MODEL


async def test_call_whose_arguments_cannot_be_read_is_given_as_it_was_written(
    hass: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    """The tool refuses it, and the model reads why."""
    broken = call("turn_on", name="Lamp")
    broken.deltas.pop()
    broken.deltas.pop()
    anthropic.answers(answer(text("Well. "), broken, stop="tool_use"))
    deltas, completion = await ask(client(hass))
    (made,) = [each for delta in deltas for each in delta.get("tool_calls") or ()]
    assert isinstance(made, UnreadCall)
    assert completion.finish_reason == "stop"
