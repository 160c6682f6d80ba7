"""What was entered as a secret leaves in no way: real servers tell theirs, and all of it is read."""

import base64
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
import json
import logging
import re
import sys
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.components.conversation import trace as conversation_trace
from homeassistant.components.trace.const import DATA_TRACE
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.diagnostics import async_get_config_entry_diagnostics
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    UrlServer,
)
from custom_components.voice_gateway.redactor import Redactor
from custom_components.voice_gateway.tools.builtin import web_search

from .agent import add_agent
from .flows.forms import begin, change, fill_in
from .mcp_entry import add_server, set_up, set_up_connected
from .mcp_servers.conftest import TIMINGS, until
from .mcp_servers.servers import LEAKY
from .ollama import PlayedOllama, call, calls, says

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")

KEY = 'sk-live-RET+0123456789/"\\äöü'
LINES = ("Mb9vQ2xhdGUgb3BlbiBzZXNhbWU7", "Zm9ydHkgdGhpZXZlcyBpbiBhIGphcg")
PIN = "4711"
COMMAND_SECRETS = (
    KEY, KEY[: len(KEY) // 2 + 1], KEY[len(KEY) // 2 :], *LINES, PIN,
    base64.b64encode(KEY.encode()).decode(), KEY.encode().hex(),
)  # fmt: skip
ARGUMENTS = {
    ("--header", "Authorization: Bearer {}"): "openSesame11",
    ("--header=Authorization: Bearer {}",): "openSesame12",
    ("-H", "X-API-Key: {}"): "plain-but-named",
    ("{}",): "openSesame13",
    ("--pat", "{}"): "named-as-well",
    ("-p", "{}"): "openSesame14",
    ("--bearer", "{}"): "the-bearer-of-it",
    ("postgres://me:{}@db/house",): "pass-of-base",
    ('{{"token": "{}"}}',): "token-in-json",
    ("-c", "API_TOKEN={} serve"): "token-in-shell",
    ("--api-key={}",): "key-after-equals",
    ("--url", "https://example.com/hooks/{}/run"): "openSesame15",
    ("--url", "https://example.com/?sig={}"): "in-a-query",
}
FORMS = (
    "plain", "json", "json in json", "repr", "url", "form", "html", "base64", "basic",
    "basic of two", "hex", "first half", "second half", "a line of several", "a number",
)  # fmt: skip


@dataclass
class Everything:
    """All that leaves, as text."""

    hass: HomeAssistant
    caplog: pytest.LogCaptureFixture
    seen: list[str] = field(default_factory=list)

    def add(self, *more: Any) -> None:
        """Add what a form shows, an error says, or a model is told."""
        self.seen += (each if isinstance(each, str) else _text(each) for each in more)

    def add_form(self, form: Any) -> None:
        """Add what a form shows beside what was entered into it."""
        self.add(form.get("errors"), form.get("description_placeholders"), form.get("context"))

    async def text(self) -> str:
        """Return it all: with the log, issues, states, diagnostics, devices and traces."""
        hass = self.hass
        for entry in hass.config_entries.async_entries(DOMAIN):
            self.add(await async_get_config_entry_diagnostics(hass, entry), entry.title)
        self.add([repr(issue) for issue in ir.async_get(hass).issues.values()])
        self.add([state.as_dict() for state in hass.states.async_all()])
        self.add([repr(device) for device in dr.async_get(hass).devices])
        self.add([repr(each._events) for each in conversation_trace.async_get_traces()])
        self.add([trace.as_extended_dict() for runs in hass.data.get(DATA_TRACE, {}).values()
                  for trace in runs.all_traces()])  # fmt: skip
        # With what handlers write of exceptions.
        self.add(self.caplog.text)
        return "\n".join(self.seen)


def _text(value: Any) -> str:
    """Return a value as it would be sent; what JSON escapes is shown both ways."""
    return f"{json.dumps(value, default=str)}\n{json.dumps(value, default=str, ensure_ascii=False)}\n{value}"


@pytest.fixture
async def everything(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> AsyncGenerator[Everything]:
    """Return all that leaves; everything is logged that anybody logs, the SDK's too."""
    assert await async_setup_component(hass, "trace", {})
    # But what the servers of these tests log of themselves.
    caplog.handler.addFilter(lambda record: record.name != "aiohttp.access")
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("httpx2").setLevel(logging.DEBUG)
        yield Everything(hass, caplog)
    logging.getLogger("httpx2").setLevel(logging.WARNING)


def check(text: str, secrets: Mapping[str, str], ways: tuple[str, ...]) -> None:
    """Hold all that left to the secrets; each way must have been gone, or nothing was shown."""
    not_gone = [way for way in ways if way not in text]
    assert not not_gone
    found = {name: around for name, secret in secrets.items() if (around := _around(text, secret))}
    assert not found


def _around(text: str, secret: str) -> list[str]:
    # A PIN's digits stand by chance within an identifier, which is no secret told.
    digits = rf"(?<![0-9a-f]){secret}(?![0-9a-f])" if secret == PIN else re.escape(secret)
    pieces = re.split(digits, text)
    return [f"{left[-200:]}»{right[:60]}" for left, right in pairwise(pieces)][:3]


async def test_program_that_tells_its_secrets(
    hass: HomeAssistant, everything: Everything, ollama: PlayedOllama
) -> None:
    args = [part.format(secret) for parts, secret in ARGUMENTS.items() for part in parts]
    env = {"API_KEY": KEY, "PRIVATE_KEY": "\n".join(("-- BEGIN --", *LINES)), "PIN": PIN}
    server = CommandServer(command=sys.executable, args=(LEAKY, *args), env=env)
    entry = add_server(hass, server, options={"timeout": 2})
    session = await set_up_connected(hass, entry)
    agent = await add_agent(hass, ollama.url, tools=[f"{DOMAIN}-{entry.entry_id}"])

    # What a model is told, and what it makes of it.
    for name in ("leak", "error", "rejects", "structured"):
        for form in FORMS if name == "leak" else ("plain", "json"):
            ollama.answers(calls(call(name, form=form)), says("I looked."))
            answer = await agent.hears(f"use the tool {name} with the form {form}")
            everything.add([repr(each) for each in answer.log])
    everything.add(ollama.chats)

    # What an automation is told.
    action = {
        "action": f"{DOMAIN}.call_tool",
        "data": {"server": entry.entry_id, "tool": "{{ tool }}", "arguments": {}},
        "response_variable": "told",
        "continue_on_error": True,
    }
    script = {"told": {"sequence": [action, {"stop": "", "response_variable": "told"}]}}
    assert await async_setup_component(hass, "script", {"script": script})
    for tool in ("leak", "structured", "error", "rejects"):
        told: Any
        try:
            told = await hass.services.async_call(
                "script", "told", {"tool": tool}, blocking=True, return_response=True
            )
        except HomeAssistantError as err:
            told = str(err)
        everything.add(told)
    for tool, words in (("rejects", "rejects plain"), ("mute", "on its standard output")):
        data = {"server": entry.entry_id, "tool": tool}
        with pytest.raises(HomeAssistantError, match=words) as raised:
            await hass.services.async_call(DOMAIN, "call_tool", data, blocking=True)
        everything.add(str(raised.value), repr(raised.value))

    # And how it ends.
    assert session.stderr
    with pytest.raises(HomeAssistantError, match="exit status 3"):
        await session.async_call("die", {})
    ways = (
        *(f"leak {form}: " for form in FORMS), *(f"stderr {form}: " for form in FORMS),
        "stderr lines", "stderr arguments", "stderr long", "stdout noise", "notification",
        "error plain", "rejects plain", "rejects json", "structured plain", "mute plain",
        "description leak", "description schema", "title ***", "skipped ***", "instructions: ",
        "version ***", "leaky ***",
    )  # fmt: skip
    secrets = {secret: secret for secret in (*COMMAND_SECRETS, *ARGUMENTS.values())}
    check(await everything.text(), secrets, ways)


async def test_program_that_fails_is_shown_without_secrets(
    hass: HomeAssistant, everything: Everything
) -> None:
    env = {"API_KEY": KEY, "PRIVATE_KEY": "\n".join(("-- BEGIN --", *LINES)), "PIN": PIN}
    server = CommandServer(command=sys.executable, args=(LEAKY, "--broken"), env=env)
    rows = [{"name": name, "value": value} for name, value in env.items()]
    entered = {"command": sys.executable, "args": [LEAKY, "--broken"], "env": rows}
    form = await fill_in(hass, await begin(hass, "mcp_command"), entered)
    assert form["errors"] == {"base": "mcp_unreachable"}
    everything.add_form(form)
    session = await set_up(hass, entry := add_server(hass, server))
    await until(lambda: session.state is SessionState.FAILED)
    assert ir.async_get(hass).issues
    everything.add_form(await fill_in(hass, await change(hass, entry), entered))
    secrets = {secret: secret for secret in COMMAND_SECRETS}
    check(await everything.text(), secrets, ("exit: ***", "stdout noise: ***", "stderr lines"))


async def test_pasted_servers_that_fail_are_shown_without_secrets(
    hass: HomeAssistant, everything: Everything
) -> None:
    """One alone is tried at once; of several the next ones are, each in its own flow."""
    env = {"API_KEY": KEY, "PRIVATE_KEY": "\n".join(("-- BEGIN --", *LINES)), "PIN": PIN}
    leaky = {"command": sys.executable, "args": [LEAKY, "--broken"], "env": env}
    header = {"url": "http://127.0.0.1:9/mcp", "headers": {"X-API-Key": "openSesame42"}}
    for servers in ({"leaky": leaky}, {"at an address": header}):
        pasted = json.dumps({"mcpServers": servers})
        form = await fill_in(hass, await begin(hass, "mcp_paste"), {"pasted": pasted})
        assert form["errors"] == {"base": "mcp_unreachable"}
        everything.add_form(form)
    several = json.dumps({"mcpServers": {"leaky": leaky, "at an address": header}})
    form = await fill_in(hass, await begin(hass, "mcp_paste"), {"pasted": several})
    everything.add_form(form)
    form = await fill_in(hass, form, {"servers": ["leaky"]})
    everything.add_form(form)
    # What is no JSON is not told, either.
    form = await fill_in(hass, await begin(hass, "mcp_paste"), {"pasted": several[:-3]})
    everything.add_form(form)
    secrets = {secret: secret for secret in (*COMMAND_SECRETS, "openSesame42")}
    check(await everything.text(), secrets, ("exit: ***",))


@dataclass
class Mirror:
    """A server at an address that answers with what it was asked with, in one of many ways."""

    way: str = ""
    url: str = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a request: all headers and the address are in what it says."""
        told = f"{self.way}: {dict(request.headers)} {request.url} {request.raw_path}"
        if request.method != "POST":
            return web.Response(status=405, text=told)
        message = await request.json()
        return self._answers(told, message)[self.way]()

    def _answers(self, told: str, message: Any) -> dict[str, Callable[[], web.Response]]:
        head = {"jsonrpc": "2.0", "id": message.get("id")}
        introduction = head | _introduction(message, told)
        event = f"event: {told}\ndata: {told}\n\n"

        def said(status: int, **more: Any) -> Callable[[], web.Response]:
            return lambda: web.Response(status=status, **more)

        def json_of(value: Any, **more: Any) -> Callable[[], web.Response]:
            return lambda: web.json_response(value, **more)

        return {
            "status 401": said(401, text=told, headers={"WWW-Authenticate": told}),
            "status 403": said(403, text=told),
            "status 500": said(500, text=told),
            "JSON of a refusal": json_of({"error_description": told}, status=400),
            "reason of a status": said(502, reason=told),
            "redirect": said(307, headers={"Location": f"https://example.com/?{told}"}),
            "error of the protocol": json_of(head | {"error": {"code": -32000, "message": told}}),
            "another type": said(200, body=b"", headers={"Content-Type": told}),
            "garbage": said(200, text=told, content_type="application/json"),
            "no such event": said(200, text=event, content_type="text/event-stream"),
            "session": json_of(introduction, headers={"Mcp-Session-Id": told}),
            "introduction": json_of(introduction),
        }


def _introduction(message: Any, told: str) -> dict[str, Any]:
    match message["method"]:
        case "initialize":
            info = {"name": told, "version": told, "title": told}
            return {
                "result": {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}},
                    "serverInfo": info,
                    "instructions": told,
                }
            }
        case "tools/list":
            return {
                "result": {
                    "tools": [{"name": "look", "description": told, "inputSchema": {}}],
                    "nextCursor": None,
                }
            }
        case "tools/call":
            return {"result": {"content": [{"type": "text", "text": told}]}}
        case _:
            return {"error": {"code": -32601, "message": told}}


WAYS = (
    "status 401", "status 403", "status 500", "JSON of a refusal", "reason of a status", "redirect",
    "error of the protocol", "another type", "garbage", "no such event", "session", "introduction",
)  # fmt: skip


@pytest.fixture
async def mirror() -> AsyncGenerator[Mirror]:
    """Return a server that tells what it was asked with."""
    mirror = Mirror()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", mirror.answer)
    async with TestServer(app, host="127.0.0.1") as server:
        mirror.url = str(server.make_url("")).rstrip("/")
        yield mirror


async def test_address_that_tells_what_it_was_asked_with(
    hass: HomeAssistant, everything: Everything, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Some of its answers are none, and all of them are waited for.
    defaults = ServerSettings.__init__.__kwdefaults__
    assert defaults
    monkeypatch.setitem(defaults, "timings", replace(TIMINGS, connect=0.5, wait=0.3))
    secrets = {
        "password": "pass-of-user", "path": "private_zctpwlX7ZkIAr7oq", "query": "key-in-query",
        "token": "token-of-bearer", "header": "header-of-key", "user": "dXNlcjpwYXNzLW9mLWJhc2ljcw",
        "basic": "pass-of-basics",
    }  # fmt: skip
    bare = f"{mirror.url}/s/{secrets['path']}/mcp?key={secrets['query']}"
    # A user in the address is sent in the token's place.
    url = bare.replace("http://", f"http://me:{secrets['password']}@")
    headers = {"X-API-Key": secrets["header"], "X-Login": f"Basic {secrets['user']}=="}
    rows = [{"name": name, "value": value} for name, value in headers.items()]
    entered = {"url": url, "access_token": secrets["token"], "headers": rows}
    for way in WAYS:
        mirror.way = way
        form = await fill_in(hass, await begin(hass, "mcp_url"), entered)
        everything.add_form(form)
    mirror.way = "introduction"
    headers["Authorization"] = f"Bearer {secrets['token']}"
    session = await set_up(hass, add_server(hass, UrlServer(url=bare, headers=headers)))
    await until(lambda: session.state is SessionState.CONNECTED)
    everything.add((await session.async_call("look", {})).model_dump())
    for way in WAYS:
        mirror.way = way
        try:
            everything.add((await session.async_call("look", {}, timeout=0.3)).model_dump())
        except HomeAssistantError as err:
            everything.add(str(err))
    # What is no answer is not repeated.
    told = tuple(f"{way}: " for way in WAYS if way != "garbage")
    check(await everything.text(), secrets, told)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("ollama", ("/api/chat: ", "/api/version: ")),
        ("openai", ("/v1/chat/completions: ", "/v1/models: ")),
    ],
)
async def test_model_server_that_tells_what_it_was_asked_with(
    hass: HomeAssistant,
    everything: Everything,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    told: tuple[str, ...],
) -> None:
    secrets = {"key": "key-of-ollama", "password": "pass-of-user", "brave": "key-of-brave"}

    async def answer(request: web.Request) -> web.Response:
        sent = f"{request.path}: {dict(request.headers)}"
        statuses = {"/api/chat": 500, "/v1/chat/completions": 500, "/search": 401}
        status = statuses.get(request.path, 200)
        return web.json_response({"error": sent, "version": sent}, status=status)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app, host="127.0.0.1") as server:
        url = str(server.make_url("")).rstrip("/")
        monkeypatch.setattr(web_search, "BRAVE_URL", f"{url}/search")
        address = url.replace("http://", f"http://me:{secrets['password']}@")
        form = await fill_in(
            hass, await begin(hass, kind), {"url": address, "api_key": secrets["key"]}
        )
        everything.add_form(form)
        # A user in the address is sent in the key's place.
        url += "/v1" if kind == "openai" else ""
        data = {"kind": kind, "url": url, "api_key": secrets["key"]}
        options = {"search_provider": "brave", "brave_api_key": secrets["brave"]}
        agent = await add_agent(hass, Played(data), provider_options=options)
        everything.add((await agent.hears("tell me a story")).speech)
        check(await everything.text(), secrets, told)


@dataclass
class Played:
    """A model server as `add_agent` takes it."""

    data: Mapping[str, Any]
    model: str = "qwen3:1.7b"


async def test_what_cannot_be_sent_is_refused_in_the_form(
    hass: HomeAssistant, everything: Everything, mirror: Mirror
) -> None:
    """The errors of HTTP clients show it letter by letter."""
    mirror.way = "introduction"
    url = f"{mirror.url}/mcp"
    for number, odd in enumerate(("\n", "\r", "\0", "\x1b", "ä", "\u202e")):
        key = f"openSesame{number}{odd}0123456789"
        row = [{"name": "X-API-Key", "value": key}]
        for choice, entered, field_name in (
            ("mcp_url", {"url": url, "access_token": key}, "access_token"),
            ("mcp_url", {"url": url, "headers": row}, "headers"),
            ("ollama", {"url": url, "api_key": key}, "api_key"),
            ("openai", {"url": url, "api_key": key}, "api_key"),
            ("anthropic", {"api_key": key}, "api_key"),
        ):
            form = await fill_in(hass, await begin(hass, choice), entered)
            assert form["errors"] == {field_name: "invalid_characters"}
    nul = {"command": sys.executable, "env": [{"name": "A", "value": "openSesame7\0"}]}
    form = await fill_in(hass, await begin(hass, "mcp_command"), nul)
    assert form["errors"] == {"env": "invalid_characters"}
    # Entries that were there before the form looked.
    before = UrlServer(url=url, headers={"Authorization": "Bearer openSesame8\n0123456789"})
    session = await set_up(hass, add_server(hass, before))
    await until(lambda: session.last_error)
    everything.add(str(session.last_error))
    check(await everything.text(), {"key": "openSesame"}, ("a character that can't be sent",))


def test_texts_without_secrets_stay_as_they_are_and_cost_little() -> None:
    redactor = Redactor([KEY, "correct horse battery staple", *LINES, PIN])
    for text in ("", "correct", "That is a correct answer.", "at 14711 or 47110", "x" * 100_000):
        assert redactor.text(text) is text or redactor.text(text) == text
    assert redactor.all({"pin": 4711, "n": 47, "ok": True}) == {"pin": "***", "n": 47, "ok": True}
