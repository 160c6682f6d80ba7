"""How a tool call runs, whatever the tool does."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
import logging
from typing import Any, override

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import llm
import httpx2
from mcp.types import CallToolResult, TextContent, Tool
import probatio
import pytest

from custom_components.voice_gateway.const import DOMAIN, SLOW_TOOL
from custom_components.voice_gateway.mcp_servers.errors import McpRejected
from custom_components.voice_gateway.mcp_servers.names import Naming
from custom_components.voice_gateway.mcp_servers.tool import make_tools
from custom_components.voice_gateway.models.history import result_text
from custom_components.voice_gateway.tools import invocation as module
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.builtin.speaker_volume import SpeakerVolumeTool
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.journal import Journal
from tests.extra_tools import API_ID, ExtraTool, add_tools

CONTEXT = llm.LLMContext(
    platform=DOMAIN, context=None, language="en", assistant="conversation", device_id=None
)

IN_DOUBT = ". It may have been done: do not call it again, and tell the user so"


async def executor_of(hass: HomeAssistant, *tools: llm.Tool) -> ToolExecutor:
    add_tools(hass, *tools)
    return await AgentAPI(hass, [API_ID], BuiltinTools(hass, {})).async_get_api_instance(CONTEXT)


def next_turn(executor: ToolExecutor, seconds: float = 60) -> ToolExecutor:
    ends = executor.api.hass.loop.time() + seconds
    return executor.for_turn(executor.utterance, Journal(), ends)


async def run(executor: ToolExecutor, tool: str, /, **arguments: Any) -> str:
    """Call a tool and return what the model reads."""
    return result_text(await executor.async_call_tool(llm.ToolInput(tool, arguments)))


class Plain(ExtraTool):
    """A tool that returns what it has as it is, as Home Assistant lets it."""

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> Any:
        return self._does()


def raising(err: BaseException) -> Callable[..., Any]:
    def does(*_: Any, **__: Any) -> Any:
        raise err

    return does


@pytest.mark.requirement("B1")
@pytest.mark.requirement("B2")
@pytest.mark.requirement("B3")
@pytest.mark.requirement("B4")
@pytest.mark.requirement("C11")
async def test_call_reaches_the_tool_by_name_with_its_arguments_as_they_are(
    hass: HomeAssistant,
) -> None:
    tool = ExtraTool("greet", lambda **arguments: {"greeted": list(arguments.values())})
    executor = await executor_of(hass, tool)
    arguments = {"name": "Ada", "deep": {"a": [1, {"b": None}]}}
    assert await run(executor, "greet", **arguments) == '{"greeted":["Ada",{"a":[1,{"b":null}]}]}'
    (received,) = tool.calls
    assert received.tool_args == arguments


@pytest.mark.requirement("F2")
async def test_argument_names_of_foreign_tools_are_passed_as_given(hass: HomeAssistant) -> None:
    """Not even camelCase that the tool has is taken for what the model called it."""
    schema = {probatio.Optional("deviceName"): str, probatio.Optional("inner_part"): dict}
    parameters = probatio.Schema(schema, extra=probatio.ALLOW_EXTRA)
    tools = ExtraTool("typed", lambda **_: {}, parameters=parameters), ExtraTool("open", dict)
    executor = await executor_of(hass, *tools)
    arguments = {"device_name": "lamp", "inner_part": {"some_key": 1}, "other_name": "x"}
    for tool in tools:
        executor = next_turn(executor)
        assert not (await run(executor, tool.name, **arguments)).startswith("Error")
        assert [call.tool_args for call in tool.calls] == [arguments]
    # Nor where something else is corrected.
    in_text = {"device_name": "light", "inner_part": '{"some_key": 1}'}
    await run(next_turn(executor), "typed", **in_text)
    assert tools[0].calls[-1].tool_args == in_text | {"inner_part": {"some_key": 1}}


@pytest.mark.requirement("F2")
async def test_argument_names_of_builtin_tools_are_passed_as_given(hass: HomeAssistant) -> None:
    executor = await executor_of(hass, SpeakerVolumeTool())
    text = await run(executor, "control_speaker_volume", action="get", some_volume=5)
    assert "some_volume" in text


async def test_arguments_are_corrected_against_the_tools_schema(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components")
    schema = {
        probatio.Required("rooms"): [str],
        probatio.Optional("pin"): int,
        probatio.Optional("when"): str,
    }
    tool = ExtraTool("lock", lambda **_: {}, parameters=probatio.Schema(schema))
    executor = await executor_of(hass, tool)
    assert await run(executor, "lock", rooms='["hall"]', pin="493817", when=None) == "{}"
    assert await run(executor, "lock", rooms="hall", pin=493817) == "{}"
    assert [call.tool_args for call in tool.calls] == [{"rooms": ["hall"], "pin": 493817}]
    assert "rooms: string → array, pin: string → integer, when: null → left out" in caplog.text
    assert "493817" not in caplog.text
    assert executor.journal.corrections == 1


async def test_arguments_of_an_mcp_server_are_corrected_once(hass: HomeAssistant) -> None:
    asked: list[dict[str, Any]] = []

    async def server(_: str, arguments: dict[str, Any], **__: object) -> CallToolResult:
        asked.append(arguments)
        return CallToolResult(content=[TextContent(type="text", text="Done")])

    schema = {"type": "object", "properties": {"deviceName": {"type": "string"}}}
    executor = await executor_of(
        hass, *make_tools([Tool(name="verify", input_schema=schema)], server)
    )
    assert await run(executor, "verify", device_name=7) == "Done"
    assert asked == [{"deviceName": "7"}]
    assert executor.journal.corrections == 1


@pytest.mark.requirement("A7")
async def test_tool_gets_its_own_name_whatever_the_model_called_it(hass: HomeAssistant) -> None:
    tool = ExtraTool("intent__HassTurnOn", lambda **_: {})
    executor = await executor_of(hass, tool)
    await run(executor, "hassturnon")
    assert tool.calls[0].tool_name == "intent__HassTurnOn"


@pytest.mark.requirement("B8")
@pytest.mark.requirement("L4")
async def test_unknown_tool_is_an_error_that_names_those_that_exist(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    executor = await executor_of(hass, ExtraTool("one", dict), ExtraTool("two", dict))
    text = await run(executor, "sing")
    assert text.startswith('Error: Unknown tool "sing"')
    assert "one, two" in text
    assert any(r.levelname == "WARNING" and "sing" in r.message for r in caplog.records)


@pytest.mark.requirement("B5")
@pytest.mark.requirement("B6")
@pytest.mark.requirement("L1", "L5")
async def test_tool_that_hangs_is_cancelled_after_its_time(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    cancelled = asyncio.Event()

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    executor = await executor_of(hass, ExtraTool("hang", hang))
    assert executor.timeout == 30
    executor.timeout = 0.05
    text = await run(executor, "hang")
    assert text == f"Error: hang did not answer within 0 seconds{IN_DOUBT}"
    await asyncio.wait_for(cancelled.wait(), 10)
    assert "hang was cancelled after" in caplog.text


async def hang(*_: Any, **__: Any) -> Any:
    await asyncio.Event().wait()


@pytest.mark.requirement("B6")
async def test_tool_has_no_more_time_than_its_turn(hass: HomeAssistant) -> None:
    """Whatever its server allows it."""
    definition = Tool(name="hang_there", input_schema={"type": "object"})
    tools = ExtraTool("hang", hang), *make_tools([definition], hang, timeout=20)
    executor = await executor_of(hass, *tools)
    for tool in tools:
        for is_heard in (False, True):
            executor = replace(next_turn(executor, 0.05), is_heard=is_heard)
            async with asyncio.timeout(10):
                assert (await run(executor, tool.name)).startswith("Error: ")


@pytest.mark.requirement("B9")
@pytest.mark.requirement("B10")
@pytest.mark.requirement("B12")
@pytest.mark.requirement("D9")
@pytest.mark.parametrize(
    ("raised", "text"),
    [
        (HomeAssistantError("The lamp is jammed"), "The lamp is jammed"),
        (HomeAssistantError(), "work failed unexpectedly"),
        (ValueError("internal"), "work failed unexpectedly"),
        (KeyError("internal"), "work failed unexpectedly"),
        (Unauthorized(), "This user may not use work"),
        (TimeoutError(), f"work did not answer in time{IN_DOUBT}"),
        (asyncio.CancelledError(), f"work did not answer in time{IN_DOUBT}"),
        (ConnectionRefusedError(111, "refused"), "work is unavailable: no connection"),
        (aiohttp.ServerDisconnectedError(), f"The connection to work broke{IN_DOUBT}"),
        (httpx2.ConnectError("refused"), "work is unavailable: no connection"),
    ],
)
async def test_tool_that_raises_is_an_error_in_friendly_words(
    hass: HomeAssistant, raised: BaseException, text: str
) -> None:
    executor = await executor_of(hass, ExtraTool("work", raising(raised)))
    assert await run(executor, "work") == f"Error: {text}"


@pytest.mark.requirement("B9")
async def test_what_broke_in_a_tool_is_in_the_log(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    executor = await executor_of(hass, ExtraTool("work", raising(ZeroDivisionError("why"))))
    await run(executor, "work")
    (record,) = logged(caplog, "ERROR")
    assert "work" in record.message
    assert record.exc_info
    assert "why" in str(record.exc_info[1])


@pytest.mark.requirement("B11")
@pytest.mark.parametrize("arguments", [{}, {"level": "loud", "name": "Radio"}])
async def test_wrong_arguments_are_an_error_that_names_the_required_ones(
    hass: HomeAssistant, arguments: dict[str, Any]
) -> None:
    schema = probatio.Schema(
        {
            probatio.Required("level"): int,
            probatio.Required("name"): str,
            probatio.Optional("mute"): bool,
        }
    )
    executor = await executor_of(hass, ExtraTool("set", lambda **_: {}, parameters=schema))
    text = await run(executor, "set", **arguments)
    assert text.startswith("Error: ")
    assert text.endswith("Required: level, name")


@pytest.mark.requirement("D12")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"result": "It is on"}, "It is on"),
        ({"result": "It is on", "since": 7}, '{"result":"It is on","since":7}'),
        ({}, "{}"),
        ([1, 2], "[1,2]"),
        ("plain text", "plain text"),
        (None, "null"),
        ({"odd": {1, 2}}, '{"odd":[1,2]}'),
        ({"odd": complex(1, 2)}, "{'odd': (1+2j)}"),
        (llm.ToolResult(data={"error": "No"}, error=True), "Error: No"),
        (llm.ToolResult(data={"error": "E", "error_text": "No"}, error=True), "Error: No"),
        (llm.ToolResult(data={"code": 5}, error=True), 'Error: {"code":5}'),
        (llm.ToolResult(data="No", error=True), "Error: No"),  # type: ignore[arg-type]
    ],
)
async def test_whatever_a_tool_returns_is_text_for_the_model(
    hass: HomeAssistant, data: Any, text: str
) -> None:
    executor = await executor_of(
        hass, ExtraTool("work", lambda: data), Plain("plain", lambda: data)
    )
    assert await run(executor, "work") == text
    assert await run(next_turn(executor), "plain") == text


@pytest.mark.requirement("L6")
@pytest.mark.requirement("D4")
async def test_what_is_being_read_counts_before_it_is_there(hass: HomeAssistant) -> None:
    """Another server may be told of it as soon as it is asked for."""
    counts: list[bool] = []
    tool = ExtraTool("read_mail", lambda **_: counts.append(tools.taint.holds_of_others("web")))
    tools = await executor_of(hass, tool)
    assert not tools.taint.holds_of_others("web")
    await run(tools, "read_mail")
    assert counts == [True]


async def test_several_calls_run_at_the_same_time(hass: HomeAssistant) -> None:
    both = asyncio.Barrier(2)

    async def meet(number: int) -> dict[str, int]:
        await both.wait()
        return {"number": number}

    executor = await executor_of(hass, ExtraTool("meet", meet))
    async with asyncio.timeout(5):
        texts = await asyncio.gather(
            run(executor, "meet", number=1), run(executor, "meet", number=2)
        )
    assert list(texts) == ['{"number":1}', '{"number":2}']


async def test_same_call_in_the_same_turn_is_made_once(hass: HomeAssistant) -> None:
    tool = ExtraTool("toggle", lambda **_: {"result": str(len(tool.calls))})
    executor = await executor_of(hass, tool)
    texts = await asyncio.gather(*(run(executor, "toggle", name="Lamp") for _ in range(3)))
    assert texts == ["1"] * 3
    assert await run(executor, "toggle", name="Fan") == "2"
    executor = next_turn(executor)
    assert await run(executor, "toggle", name="Lamp") == "3"


async def test_call_that_failed_may_be_tried_again(hass: HomeAssistant) -> None:
    def does() -> dict[str, str]:
        if len(tool.calls) == 1:
            raise HomeAssistantError("Busy")
        return {"result": "Done now"}

    tool = ExtraTool("work", does)
    executor = await executor_of(hass, tool)
    assert await run(executor, "work") == "Error: Busy"
    assert await run(executor, "work") == "Done now"


async def test_call_that_may_have_been_executed_is_not_made_again(hass: HomeAssistant) -> None:
    tool = ExtraTool("order", lambda **_: asyncio.Event().wait())
    executor = await executor_of(hass, tool)
    executor.timeout = 0.05
    text = f"Error: order did not answer within 0 seconds{IN_DOUBT}"
    assert [await run(executor, "order", what="pizza") for _ in range(2)] == [text] * 2
    assert len(tool.calls) == 1


def logged(caplog: pytest.LogCaptureFixture, level: str) -> list[logging.LogRecord]:
    """Return our records of a level: on a busy machine asyncio warns that something "took" long."""
    return [each for each in caplog.records if DOMAIN in each.name and each.levelname == level]


def timed(caplog: pytest.LogCaptureFixture) -> str:
    """Return the line of the log that tells how long the only call took."""
    (record,) = [each for each in logged(caplog, "DEBUG") if "took" in each.message]
    assert " ms" in record.message
    return record.message


@pytest.mark.requirement("B7", "I1")
async def test_log_tells_name_arguments_duration_and_result_without_secrets(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", f"custom_components.{DOMAIN}")
    tool = ExtraTool("log_in", lambda **_: {"access_token": "t0ken", "user": "Grace", "list": [1]})
    executor = await executor_of(hass, tool)
    await run(executor, "log_in", name="Ada", password="pa55", more=[{"api_key": "k3y"}])
    line = timed(caplog)
    for part in ("log_in", "Ada", "Grace"):
        assert part in line
    ours = "".join(each.message for each in caplog.records if DOMAIN in each.name)
    assert not any(secret in ours for secret in ("t0ken", "pa55", "k3y"))


@pytest.mark.requirement("I2")
@pytest.mark.parametrize(
    "does",
    [
        pytest.param(raising(HomeAssistantError("It is jammed")), id="told"),
        pytest.param(raising(ValueError("It is jammed")), id="unexpected"),
        pytest.param(raising(probatio.Invalid("It is jammed")), id="refused"),
        pytest.param(lambda: llm.ToolResult({"error": "It is jammed"}, error=True), id="result"),
        pytest.param(asyncio.Event().wait, id="cancelled"),
    ],
)
async def test_call_that_fails_is_timed_too(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture, does: Callable[..., Any]
) -> None:
    caplog.set_level("DEBUG", f"custom_components.{DOMAIN}")
    executor = await executor_of(hass, ExtraTool("work", does))
    executor.timeout = 0.05
    assert (await run(executor, "work")).startswith("Error: ")
    assert "work" in timed(caplog)


@pytest.mark.requirement("I3")
async def test_slow_tool_is_a_warning(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert SLOW_TOOL == 1.0
    executor = await executor_of(hass, ExtraTool("work", dict))
    monkeypatch.setattr(module, "SLOW_TOOL", 600.0)
    await run(executor, "work")
    assert not logged(caplog, "WARNING")
    monkeypatch.setattr(module, "SLOW_TOOL", 0.0)
    await run(executor, "work", more="work")
    (record,) = logged(caplog, "WARNING")
    assert "work" in record.message
    assert " ms" in record.message


async def test_call_that_is_broken_off_frees_who_waits_for_the_same(hass: HomeAssistant) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    tool = ExtraTool("hang", hang)
    executor = await executor_of(hass, tool)
    first = asyncio.create_task(run(executor, "hang"))
    await started.wait()
    second = asyncio.create_task(run(executor, "hang"))
    await asyncio.sleep(0)
    first.cancel()
    assert (await asyncio.wait_for(second, 10)).startswith("Error: ")
    with pytest.raises(asyncio.CancelledError):
        await first
    # Nothing of it acts any more.
    await asyncio.wait_for(ended.wait(), 10)
    # It may have been done, and is not done again.
    assert executor.journal.is_in_doubt
    assert (await run(executor, "hang")).endswith(IN_DOUBT)
    assert len(tool.calls) == 1


async def test_who_waits_for_the_same_call_may_be_broken_off_and_the_call_goes_on(
    hass: HomeAssistant,
) -> None:
    go_on = asyncio.Event()

    async def work() -> dict[str, str]:
        await go_on.wait()
        return {"result": "Done now"}

    executor = await executor_of(hass, ExtraTool("work", work))
    first, second, third = (asyncio.create_task(run(executor, "work")) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    go_on.set()
    async with asyncio.timeout(10):
        assert [await first, await third] == ["Done now"] * 2


@pytest.mark.requirement("B5")
async def test_a_servers_own_time_limit_holds_for_its_tools(hass: HomeAssistant) -> None:
    async def slow(name: str, arguments: dict[str, Any], **_: object) -> Any:
        await (asyncio.Event().wait() if arguments else asyncio.sleep(0.3))
        raise McpRejected("Done late", code=0)

    definition = Tool(name="slow", input_schema={"type": "object"})
    patient, hasty = (
        make_tools([definition], slow, naming=Naming(prefix=prefix), timeout=seconds)[0]
        for prefix, seconds in (("patient", 20.0), ("hasty", 0.05))
    )
    executor = await executor_of(hass, patient, hasty)
    executor.timeout = 0.1
    assert await run(executor, "patient_slow") == "Error: Done late"
    executor = next_turn(executor)
    assert "did not answer within" in await run(executor, "hasty_slow", for_ever=True)
