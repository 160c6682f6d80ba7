"""One run of a scenario: a house, what is outside of it, an agent, and what is said."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
import struct
from typing import Any
import zlib

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.components.intent import async_register_timer_handler
from homeassistant.components.intent.timers import TimerEventType
from homeassistant.const import EVENT_CALL_SERVICE, EVENT_STATE_CHANGED
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from bench.agents import AGENTS, CORE, async_add_agent, async_ask, async_tool_names
from bench.clock import Clock
from bench.harm import Course, Told
from bench.home import Home
from bench.house import House, furnished
from bench.obedient import Obedient, Run
from bench.outside import Outside
from bench.scenarios import Said, Scenario
from custom_components.voice_gateway import const
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState

PIN = "pin"
_PATIENCE = 20.0
"""Seconds of the wall that a server's news may take."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What all runs have in common."""

    model: Obedient
    url: str
    clock: Clock
    began: datetime
    outside: Outside
    homes: Sequence[Path]
    satellites: Mapping[str, Sequence[str]]
    """The devices that are satellites, by home."""
    sentences: dict[str, Any] = field(default_factory=dict)
    """Home Assistant's own sentences, by language, as it has read them."""
    read: dict[str, Home] = field(default_factory=dict)

    async def async_run(self, name: str, run: Run) -> Course:
        """Run a scenario in a house that nothing happened in, with one of the agents."""
        self.clock.set(self.began)
        scenario = run.scenario
        await self.outside.async_begin(
            scenario.tools,
            scenario.setup.get("mcp_instructions"),
            scenario.setup.get("search_results", ()),
        )
        home = scenario.house(
            self._home(scenario.home), self.satellites[scenario.home], self.began
        )
        async with furnished(home) as house:
            agent = get_agent_manager(house.hass).default_agent
            assert agent is not None
            agent._lang_intents = self.sentences
            async with _scene(self, house, AGENTS[name], scenario) as scene:
                return await scene.async_play(run)

    def _home(self, name: str) -> Home:
        if name not in self.read:
            found = [path for each in self.homes if (path := each / f"{name}.yaml").exists()]
            if not found:
                raise SystemExit(f"There is no {name}.yaml in {', '.join(map(str, self.homes))}")
            self.read[name] = Home.read(found[0])
        return self.read[name]


def cannot(name: str, scenario: Scenario) -> str | None:
    """Return why an agent has no part in a scenario; None where it has."""
    turns = scenario.turns
    if AGENTS[name] == CORE:
        if any(turn.ai_task for turn in turns):
            return "its AI tasks have no tools"
        if "search_results" in scenario.setup:
            return "it has no web search"
        if scenario.needs or PIN in scenario.setup.get("options", {}):
            return f"it has no {scenario.needs or PIN}"
        return None
    if scenario.needs and not hasattr(const, f"CONF_{scenario.needs.upper()}"):
        return f"it has no {scenario.needs} yet"
    return None


@asynccontextmanager
async def _scene(
    stage: Stage, house: House, domain: str, scenario: Scenario
) -> AsyncGenerator[_Scene]:
    """Set up the agent with the servers, and count from now on."""
    hass, options = house.hass, scenario.setup.get("options", {})
    counted = _Counted(hass)
    for device in stage.satellites[scenario.home]:
        if device in house.device_ids:
            async_register_timer_handler(hass, house.device_ids[device], counted.timer)
    servers = [*dict.fromkeys(tool["server"] for tool in scenario.tools)]
    entries = {each: await _async_add_server(hass, domain, each, stage) for each in servers}
    apis = [*options.get("apis", (llm.LLM_API_ASSIST,))]
    apis += [_api_id(domain, entry.entry_id) for entry in entries.values()]
    more = {PIN: options[PIN]} if PIN in options else {}
    agent = await async_add_agent(
        hass,
        domain,
        stage.url,
        stage.model.model,
        _search(stage) if "search_results" in scenario.setup else {},
        llm_hass_api=apis,
        **more,
    )
    user_id = None
    if "admin" in options:
        groups = [GROUP_ID_ADMIN] if options["admin"] else []
        user_id = (await hass.auth.async_create_user("Bench", group_ids=groups)).id
    names = await async_tool_names(hass)
    mocks = {tool["name"] for tool in scenario.tools}
    stage.model.tool_names = {key: name for key, name in names.items() if key not in mocks}
    stage.model.raw_names = scenario.raw_names
    sessions = {
        each: entry.runtime_data
        for each, entry in entries.items()
        if isinstance(entry.runtime_data, McpSession)
    }
    scene = _Scene(stage, house, agent, counted, sessions, user_id)
    await scene.async_connected()
    try:
        yield scene
    finally:
        for entry in entries.values():
            await hass.config_entries.async_unload(entry.entry_id)


async def _async_add_server(hass: HomeAssistant, domain: str, name: str, stage: Stage) -> Any:
    """Set up an MCP server as the agent's users would."""
    url = stage.outside.mcp_url(name)
    if domain == CORE:
        entry = common.MockConfigEntry(domain="mcp", title=name, data={"url": url})
    else:
        data = {const.CONF_KIND: const.EntryKind.MCP_URL, "url": url, "headers": {}}
        entry = common.MockConfigEntry(domain=domain, title=name, data=data)
    entry.add_to_hass(hass)
    if not await hass.config_entries.async_setup(entry.entry_id):
        raise RuntimeError(f"{name} could not be set up; --verbose shows why")
    await hass.async_block_till_done()
    return entry


def _api_id(domain: str, entry_id: str) -> str:
    return f"{'mcp' if domain == CORE else domain}-{entry_id}"


def _search(stage: Stage) -> Mapping[str, str]:
    return {
        const.CONF_SEARCH_PROVIDER: const.SearchProvider.SEARXNG,
        const.CONF_SEARXNG_URL: stage.outside.url,
    }


class _Counted:
    """What is no state of the house, since it began."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.timers = 0
        self.broadcasts = 0
        self.ran: dict[str, int] = {}
        hass.bus.async_listen(EVENT_CALL_SERVICE, self._called)
        hass.bus.async_listen(EVENT_STATE_CHANGED, self._changed)
        hass.bus.async_listen("script_started", self._started)

    @callback
    def timer(self, event_type: TimerEventType, _: object) -> None:
        """Count timers."""
        self.timers += event_type is TimerEventType.STARTED

    @callback
    def _called(self, event: Event[Any]) -> None:
        self.broadcasts += event.data["domain"] == "assist_satellite"

    @callback
    def _started(self, event: Event[Any]) -> None:
        self._ran(event.data["entity_id"])

    @callback
    def _changed(self, event: Event[Any]) -> None:
        # The state of these is when they last ran.
        if event.data["entity_id"].startswith(("scene.", "button.")) and event.data["old_state"]:
            self._ran(event.data["entity_id"])

    def _ran(self, entity_id: str) -> None:
        self.ran[entity_id] = self.ran.get(entity_id, 0) + 1


@dataclass(slots=True)
class _Scene:
    """A house with an agent, while things are said."""

    stage: Stage
    house: House
    agent: str
    counted: _Counted
    sessions: Mapping[str, McpSession]
    user_id: str | None
    conversation_id: str | None = None

    async def async_play(self, run: Run) -> Course:
        """Say all of a run."""
        before = self._states()
        told: list[Told] = []
        first_reply = len(run.turns) - len(run.reply.turns if run.reply else ())
        for number, turn in enumerate(run.turns):
            if turn.wait_s:
                await self._async_wait(turn.wait_s)
            self.stage.model.begin(turn.model)
            told.append(await self._async_say(run, turn, is_reply=number >= first_reply))
            answer = run.scenario.if_asked
            if told[-1].asked and answer and run.reply is None:
                # The model goes on with what it says, as it was not told of the question's end.
                told.append(await self._async_say(run, turn, answer, is_reply=True))
            await self._async_turned(number + 1)
        return Course(run, before, told, await self.stage.outside.async_calls())

    async def async_connected(self) -> None:
        """Wait until all servers are there."""
        for session in self.sessions.values():

            def is_there(session: McpSession = session) -> bool:
                session.async_retry()
                return session.state is SessionState.CONNECTED

            await _until(is_there)
        await self.house.hass.async_block_till_done()

    async def _async_say(
        self, run: Run, turn: Said, answer: str | None = None, *, is_reply: bool
    ) -> Told:
        """Say a turn's sentence, or an answer to what it came to."""
        if turn.silence:
            return await self._told("", "", False, turn, is_reply)
        if turn.ai_task and not answer:
            said = str(turn.ai_task["instructions"])
            return await self._told(said, await self._async_task(turn.ai_task), False, turn, is_reply)
        if turn.conversation == "new":
            self.conversation_id = None
        device = turn.from_device
        spoken = await async_ask(
            self.house.hass,
            self.agent,
            answer or turn.user or "",
            self.house.device_ids[device] if device else None,
            self.conversation_id,
            language=run.scenario.language,
            user_id=self.user_id,
        )
        self.conversation_id = spoken.conversation_id
        texts = {step["content"].strip() for each in run.turns for step in each.model}
        asked = spoken.listens and spoken.speech.strip() not in texts
        notes = [f"{call.tool_name}({call.tool_args})" for call in spoken.calls]
        notes += [f"→ {error}" for error in spoken.errors]
        said = answer or turn.user or ""
        return await self._told(said, spoken.speech, asked, turn, is_reply, notes)

    async def _told(
        self,
        said: str,
        speech: str,
        asked: bool,
        turn: Said,
        is_reply: bool,
        notes: Sequence[str] = (),
    ) -> Told:
        calls = len(await self.stage.outside.async_calls())
        states = self._states()
        return Told(said, speech, asked, states, calls, turn.attacks, is_reply, notes)

    async def _async_task(self, task: Mapping[str, Any]) -> str:
        """Have an AI task done; return what came of it."""
        hass = self.house.hass
        data = {key: value for key, value in task.items() if key != "attachments"}
        data["entity_id"] = _task_entity(hass)
        data.setdefault("task_name", "bench")
        if structure := data.get("structure"):
            data["structure"] = {key: _field(kind) for key, kind in structure.items()}
        if attachments := task.get("attachments"):
            data["attachments"] = await _async_pictures(hass, attachments)
        try:
            result = await hass.services.async_call(
                "ai_task", "generate_data", data, blocking=True, return_response=True
            )
        except HomeAssistantError as err:
            return f"raised {err!r}"
        finally:
            await hass.async_block_till_done()
        return str(result and result["data"])

    async def _async_wait(self, seconds: float) -> None:
        """Let time go by; servers, which have none meanwhile, are there again afterwards."""
        clock = self.stage.clock
        await clock.async_move(self.house.hass, clock.now() + timedelta(seconds=seconds))
        await self.async_connected()

    async def _async_turned(self, turns: int) -> None:
        """Let servers' tools change after a turn, and the agent hear of it."""
        before = {name: session.tools for name, session in self.sessions.items()}
        for name in await self.stage.outside.async_turned(turns):
            if (session := self.sessions.get(name)) is not None:

                def heard(session: McpSession = session, name: str = name) -> bool:
                    return session.tools is not before[name]

                await _until(heard)
        await self.house.hass.async_block_till_done()

    def _states(self) -> dict[str, dict[str, Any]]:
        """Return the house as it is, with what is no state of it."""
        states = self.house.states()
        for entity_id, state in states.items():
            device: Any = self.house.devices.get(entity_id)
            match entity_id.partition(".")[0]:
                case "todo":
                    items = device.todo_items or ()
                    state["items"] = [
                        each.summary for each in items if each.status != "completed"
                    ]
                case "calendar":
                    state["events"] = [each.as_dict() for each in device.events]
                case "script" | "scene" | "button":
                    state["ran"] = self.counted.ran.get(entity_id, 0)
        states["timers"] = {"started": self.counted.timers}
        states["broadcasts"] = {"made": self.counted.broadcasts}
        return states


async def _until(condition: Callable[[], object]) -> None:
    """Wait until something is so, by the wall's clock, which goes on as it does."""
    async with asyncio.timeout(_PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event of its own
            await asyncio.sleep(0.01)


def _task_entity(hass: HomeAssistant) -> str:
    entities = er.async_get(hass).entities.values()
    return next(each.entity_id for each in entities if each.domain == "ai_task")


def _field(kind: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a field of a structure: of a selector by its name, or as the service wants it."""
    return {"selector": {kind: {}}, "required": True} if isinstance(kind, str) else kind


async def _async_pictures(
    hass: HomeAssistant, attachments: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, str]]:
    """Return what is sent along, all as pictures: nothing else is seen by Ollama's models."""
    folder = Path(hass.config.config_dir, "media")
    hass.config.media_dirs = {"local": str(folder)}
    if not await async_setup_component(hass, "media_source", {}):
        raise RuntimeError("media_source could not be set up")
    sent = []
    for number, attachment in enumerate(attachments):
        picture = _png(str(attachment.get("text", "")))
        name = f"{number}.png"

        def write(name: str = name, picture: bytes = picture) -> None:
            folder.mkdir(exist_ok=True)
            Path(folder, name).write_bytes(picture)

        await hass.async_add_executor_job(write)
        where = f"media-source://media_source/local/{name}"
        sent.append({"media_content_id": where, "media_content_type": "image/png"})
    return sent


def _png(text: str) -> bytes:
    """Return a picture of one point that says a text of itself (PNG, iTXt)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    said = b"Description\0\0\0\0\0" + text.encode()
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            chunk(b"IHDR", header),
            chunk(b"iTXt", said),
            chunk(b"IDAT", zlib.compress(b"\0\0")),
            chunk(b"IEND", b""),
        )
    )
