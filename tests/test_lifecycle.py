"""Adding, reloading and removing leaves nothing behind, however often.

`--soak` does it 200 times for each kind of entry, and says how memory grew.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
import logging
from pathlib import Path
import sys
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation.trace import async_clear_traces
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import Context, HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
import psutil  # type: ignore[import-untyped]
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import UrlServer
from custom_components.voice_gateway.turn.action_history import DEEDS

from .flows.forms import GROUPS, begin, fill_in, ticks
from .mcp_servers.conftest import NewProcesses, until
from .mcp_servers.servers import RAW
from .ollama import MODEL, PlayedOllama
from .remains import remains
from .zwave_network import ZwaveNetwork

pytest_plugins = ("tests.mcp_fixtures", "tests.zwave_network.fixture")

FEW, MANY = 1, 200
# After so many cycles memory is looked at, when Home Assistant has forgotten what it will forget.
ROUND = 40
# Bytes by which a cycle may grow the process. Home Assistant remembers a deleted device and each of
# its entities for thirty days; of an agent these are eight, of some 4 KiB each.
GROWTH = 64 * 1024
CONNECTS = 60  # seconds

type Cycle = Callable[[HomeAssistant], Awaitable[None]]

cycles = pytest.mark.parametrize(
    "times", [FEW, pytest.param(MANY, marks=[pytest.mark.soak, pytest.mark.timeout(0)])]
)


@pytest.fixture(autouse=True)
def _nothing_kept(hass: HomeAssistant, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Keep files in a folder that was empty, and no errors for a report of the log."""
    hass.config.config_dir = str(tmp_path)
    caplog.set_level(logging.CRITICAL)


async def repeat(
    hass: HomeAssistant, cycle: Cycle, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Go through a cycle many times; fail where anything is left that was not there after the first.

    What there is once, as the integration's actions, has come by then.
    """
    await cycle(hass)
    before = await _settled(hass, None)
    process, sizes = psutil.Process(), []
    for number in range(1, times + 1):
        await cycle(hass)
        if number % ROUND == 0:
            await _settled(hass, before)
            sizes.append(process.memory_info().rss)
    assert await _settled(hass, before) - before == Counter()
    if times == MANY:
        growth = (sizes[-1] - sizes[0]) / (times - ROUND)
        with capsys.disabled():
            print(f"\n{times} cycles: {growth / 1024:.1f} KiB each")  # noqa: T201
        assert growth < GROWTH


async def _settled(hass: HomeAssistant, before: Counter[str] | None) -> Counter[str]:
    """Return what there is when all that ends by itself has ended."""
    await hass.async_block_till_done()
    # Home Assistant forgets conversations after some minutes, and writes its files after some more.
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(hours=1), fire_all=True)
    await hass.async_block_till_done()
    # It keeps the last turns for its debug view.
    async_clear_traces()
    deadline = hass.loop.time() + 60
    # A connection's end has no event of its own.
    while (found := remains(hass)) - (before or found) and hass.loop.time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    return found


async def _remove(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    result = await hass.config_entries.async_remove(entry.entry_id)
    assert not result["require_restart"]
    await hass.async_block_till_done()
    assert not hass.config_entries.async_entries(DOMAIN)


@cycles
async def test_agent_leaves_nothing_behind(
    home: HomeAssistant, ollama: PlayedOllama, times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async def hears(entry: ConfigEntry[Any]) -> None:
        (agent,) = (
            entity.entity_id
            for entity in er.async_entries_for_config_entry(er.async_get(home), entry.entry_id)
            if entity.domain == conversation.DOMAIN
        )
        result = await conversation.async_converse(
            home, "how are you", None, Context(), agent_id=agent
        )
        assert result.response.speech["plain"]["speech"] == "OK."

    async def cycle(hass: HomeAssistant) -> None:
        done = await fill_in(hass, await begin(hass, "ollama"), {"url": ollama.url})
        assert done["type"] is FlowResultType.CREATE_ENTRY
        entry: ConfigEntry[Any] = done["result"]
        _, flow_id = done["next_flow"]
        values = {"model": MODEL, "llm_hass_api": ["assist"], **GROUPS}
        made = await hass.config_entries.subentries.async_configure(flow_id, values)
        assert made["type"] is FlowResultType.CREATE_ENTRY
        await hass.async_block_till_done()
        await hears(entry)
        assert await hass.config_entries.async_reload(entry.entry_id)
        await hears(entry)
        await _remove(hass, entry)
        # What was last said somewhere is remembered until a restart, of so many places.
        hass.data.pop(DEEDS)
        ollama.chats.clear()
        ollama.reads.clear()

    await repeat(home, cycle, times, capsys)


async def _mcp_cycle(hass: HomeAssistant, kind: str, user_input: dict[str, Any]) -> None:
    """Add an MCP server, let it connect, reload it, let it connect again, remove it."""
    done = await fill_in(hass, await begin(hass, kind), user_input)
    done = await fill_in(hass, done, {"tools": ticks(done)[1]})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    entry: ConfigEntry[Any] = done["result"]
    await _connected(hass, entry)
    assert await hass.config_entries.async_reload(entry.entry_id)
    await _connected(hass, entry)
    await _remove(hass, entry)


async def _connected(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    assert entry.state is ConfigEntryState.LOADED
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, CONNECTS)
    await hass.async_block_till_done()


@cycles
async def test_server_by_command_leaves_nothing_behind(
    hass: HomeAssistant,
    quick_servers: NewProcesses,
    times: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def cycle(hass: HomeAssistant) -> None:
        await _mcp_cycle(hass, "mcp_command", {"command": sys.executable, "args": [RAW, "plain"]})
        assert not quick_servers()

    await repeat(hass, cycle, times, capsys)


@cycles
async def test_server_by_url_leaves_nothing_behind(
    hass: HomeAssistant,
    quick_servers: NewProcesses,
    shared: UrlServer,
    times: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def cycle(hass: HomeAssistant) -> None:
        await _mcp_cycle(hass, "mcp_url", {"url": shared.url})

    await repeat(hass, cycle, times, capsys)


@cycles
async def test_server_that_fails_leaves_nothing_behind(
    hass: HomeAssistant,
    quick_servers: NewProcesses,
    tmp_path: Path,
    times: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Neither does its repair issue."""
    script, source = tmp_path / "server.py", Path(RAW).read_text()  # noqa: ASYNC240

    async def cycle(hass: HomeAssistant) -> None:
        script.write_text(source)
        form = await begin(hass, "mcp_command")
        args = [str(script), "plain"]
        done = await fill_in(hass, form, {"command": sys.executable, "args": args})
        done = await fill_in(hass, done, {"tools": ticks(done)[1]})
        entry: ConfigEntry[Any] = done["result"]
        await _connected(hass, entry)
        script.unlink()
        assert await hass.config_entries.async_reload(entry.entry_id)
        await until(lambda: entry.runtime_data.state is SessionState.FAILED, CONNECTS)
        assert any(name.startswith("registered mcp_server_") for name in remains(hass))
        await _remove(hass, entry)

    await repeat(hass, cycle, times, capsys)


@cycles
async def test_zwave_tools_leave_nothing_behind(
    hass: HomeAssistant,
    zwave_network: ZwaveNetwork,
    quick_servers: NewProcesses,
    times: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def cycle(hass: HomeAssistant) -> None:
        await _mcp_cycle(hass, "zwave", {"url": zwave_network.url})
        assert not quick_servers()

    await repeat(hass, cycle, times, capsys)
