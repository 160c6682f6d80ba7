"""One run of a scenario: a house, what is outside of it, an agent, and what is said."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.components.intent import async_register_timer_handler
from homeassistant.components.intent.const import TIMER_DATA
from homeassistant.components.intent.timers import TimerEventType, TimerInfo
from homeassistant.const import EVENT_CALL_SERVICE, EVENT_STATE_CHANGED
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, llm
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from bench.agents import AGENTS, CORE, Turn, async_add_agent, async_ask, async_tool_names
from bench.clock import Clock
from bench.harm import Course, Told
from bench.home import Home
from bench.house import House, furnished
from bench.obedient import Obedient, Run
from bench.outside import Outside
from bench.pictures import async_pictures
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
    options: Mapping[str, Any] = field(default_factory=dict)
    """More options of ours."""
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
        home = scenario.house(self._home(scenario.home), self.satellites[scenario.home], self.began)
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
    more = {} if domain == CORE else {**stage.options}
    if PIN in options:
        more[PIN] = options[PIN]
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
        self.timers: set[str] = set()
        self.broadcasts = 0
        self.ran: dict[str, int] = {}
        hass.bus.async_listen(EVENT_CALL_SERVICE, self._called)
        hass.bus.async_listen(EVENT_STATE_CHANGED, self._changed)
        hass.bus.async_listen("script_started", self._started)

    @callback
    def timer(self, _: TimerEventType, timer: TimerInfo) -> None:
        """Count a timer."""
        self.timers.add(timer.id)

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
                # The model goes on with its steps where it was.
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
        said, speech, asked, notes = "", "", False, list[str]()
        if turn.ai_task and not answer:
            said = str(turn.ai_task["instructions"])
            speech = await self._async_task(turn.ai_task)
        elif not turn.silence:
            said = answer or turn.user or ""
            spoken = await self._async_ask(run, turn, said)
            speech, notes = spoken.speech, _notes(spoken)
            asked = spoken.listens and speech.strip() not in _texts(run)
        return Told(
            said=said,
            speech=speech,
            asked=asked,
            states=self._states(),
            calls=len(await self.stage.outside.async_calls()),
            attacked=turn.attacks,
            is_reply=is_reply,
            notes=notes,
        )

    async def _async_ask(self, run: Run, turn: Said, sentence: str) -> Turn:
        if turn.conversation == "new":
            self.conversation_id = None
        device = turn.from_device
        spoken = await async_ask(
            self.house.hass,
            self.agent,
            sentence,
            self.house.device_ids[device] if device else None,
            self.conversation_id,
            language=run.scenario.language,
            user_id=self.user_id,
        )
        self.conversation_id = spoken.conversation_id
        return spoken

    async def _async_task(self, task: Mapping[str, Any]) -> str:
        """Have an AI task done; return what came of it."""
        hass = self.house.hass
        data = {key: value for key, value in task.items() if key != "attachments"}
        data["entity_id"] = _task_entity(hass)
        data.setdefault("task_name", "bench")
        if structure := data.get("structure"):
            data["structure"] = {key: _field(kind) for key, kind in structure.items()}
        if attachments := task.get("attachments"):
            data["attachments"] = await async_pictures(hass, attachments)
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

                def utterance(session: McpSession = session, name: str = name) -> bool:
                    return session.tools is not before[name]

                await _until(utterance)
        await self.house.hass.async_block_till_done()

    def _states(self) -> dict[str, dict[str, Any]]:
        """Return the house as it is, with what is no state of it."""
        states = self.house.states()
        for entity_id, state in states.items():
            device: Any = self.house.devices.get(entity_id)
            match entity_id.partition(".")[0]:
                case "todo":
                    items = device.todo_items or ()
                    state["items"] = [each.summary for each in items if each.status != "completed"]
                case "calendar":
                    state["events"] = [each.as_dict() for each in device.events]
                case "script" | "scene" | "button":
                    state["ran"] = self.counted.ran.get(entity_id, 0)
        # Those that say a sentence in the end are not told to satellites.
        self.counted.timers |= self.house.hass.data[TIMER_DATA].timers.keys()
        states["timers"] = {"started": len(self.counted.timers)}
        states["broadcasts"] = {"made": self.counted.broadcasts}
        return states


def _texts(run: Run) -> set[str]:
    """Return all that the model says in a run."""
    return {step["content"].strip() for turn in run.turns for step in turn.model}


def _notes(spoken: Turn) -> list[str]:
    """Return what a turn called, and why some of it was not done."""
    calls = [f"{call.tool_name}({call.tool_args})" for call in spoken.calls]
    return [*calls, *(f"→ {error}" for error in spoken.errors)]


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
