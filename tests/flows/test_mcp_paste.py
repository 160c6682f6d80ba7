"""MCP servers that are pasted as other programs have them."""

import json
import sys
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.flows.mcp_paste import servers_in

from ..mcp_servers.servers import RAW
from .forms import begin, fill_in, ticks, values

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")

RUN = {"command": "uvx", "args": ["mcp-server-time", "--local-timezone=UTC"]}
RUNS = {"name": "time", "command": "uvx", "args": RUN["args"], "env": []}
REMOTE = {"name": "home", "url": "https://mcp.example/mcp", "headers": []}


def as_json(**told: Any) -> str:
    return json.dumps(told)


@pytest.mark.parametrize(
    ("pasted", "servers"),
    [
        # Claude, Cursor, Windsurf, Gemini and most others.
        (as_json(mcpServers={"time": RUN}), [RUNS]),
        (as_json(mcpServers={"home": {"url": REMOTE["url"]}}), [REMOTE]),
        (as_json(mcpServers={"home": {"serverUrl": REMOTE["url"]}}), [REMOTE]),
        (as_json(mcpServers={"home": {"httpUrl": REMOTE["url"], "timeout": 5}}), [REMOTE]),
        # VS Code, in its own file and in that of a workspace; Zed.
        (as_json(inputs=[], servers={"time": {"type": "stdio", **RUN}}), [RUNS]),
        (as_json(mcp={"servers": {"home": {"type": "http", "url": REMOTE["url"]}}}), [REMOTE]),
        (as_json(context_servers={"time": RUN}), [RUNS]),
        (
            as_json(context_servers={"time": {"command": {"path": "uvx", "args": RUN["args"]}}}),
            [RUNS],
        ),
        # Parts of a file.
        (as_json(time=RUN, home={"url": REMOTE["url"]}), [RUNS, REMOTE]),
        (json.dumps(RUN), [{**RUNS, "name": "MCP"}]),
        (f'"time": {json.dumps(RUN)},', [RUNS]),
        (f"\n  {as_json(mcpServers={'time': RUN})}  \n", [RUNS]),
        (
            as_json(mcpServers={"time": {**RUN, "env": {"PORT": 80, "KEY": "k"}, "cwd": "/srv"}}),
            [
                {
                    **RUNS,
                    "env": [{"name": "PORT", "value": "80"}, {"name": "KEY", "value": "k"}],
                    "cwd": "/srv",
                }
            ],
        ),
        (
            as_json(mcpServers={"home": {"url": REMOTE["url"], "headers": {"X-Key": "k"}}}),
            [{**REMOTE, "headers": [{"name": "X-Key", "value": "k"}]}],
        ),
        # What is none.
        ("", []),
        ("uvx mcp-server-time", []),
        ("[]", []),
        ('"text"', []),
        (as_json(mcpServers={}), []),
        (as_json(mcpServers={"odd": {"command": 7}, "odder": {"args": []}}), []),
        pytest.param("[" * 50_000, [], id="deep lists"),
        pytest.param('{"a":' * 5_000 + "{}" + "}" * 5_000, [], id="deep objects"),
    ],
)
def test_servers_are_found_as_programs_have_them(pasted: str, servers: list[Any]) -> None:
    assert list(servers_in(pasted)) == servers


async def test_what_holds_no_server_is_said(hass: HomeAssistant) -> None:
    form = await fill_in(hass, await begin(hass, "mcp_paste"), {"pasted": "{}"})
    assert form["errors"] == {"pasted": "no_servers_pasted"}
    assert values(form) == {"pasted": "{}"}


async def test_servers_are_added_one_after_the_other(hass: HomeAssistant) -> None:
    look = {"command": sys.executable, "args": [RAW, "annotated"], "env": {"API_KEY": "k"}}
    fails = {"command": sys.executable, "args": [RAW, "exits"]}
    pasted = as_json(mcpServers={"Unwanted": look, "Look": look, "Fails": fails})
    several = await fill_in(hass, await begin(hass, "mcp_paste"), {"pasted": pasted})
    assert several["step_id"] == "mcp_servers"
    form = await fill_in(hass, several, {"servers": []})
    assert form["errors"] == {"servers": "no_servers_chosen"}
    tools = await fill_in(hass, form, {"servers": ["Look", "Fails"]})
    assert tools["step_id"] == "mcp_tools"
    done = await fill_in(hass, tools, {"tools": ["look"]})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert done["result"].data["env"] == {"API_KEY": "k"}
    # Nothing is tried before somebody goes on: that may take a while.
    _, flow_id = done["next_flow"]
    flows = hass.config_entries.flow
    following = await flows.async_configure(flow_id)
    assert (following["step_id"], following["description_placeholders"]) == (
        "mcp_next",
        {"name": "Fails"},
    )
    # One that does not work is in the form of its kind, to be mended.
    form = await flows.async_configure(flow_id, {})
    assert (form["step_id"], form["errors"]) == ("mcp_command", {"base": "mcp_unreachable"})
    assert values(form)["args"] == fails["args"]
    tools = await fill_in(hass, form, {"command": sys.executable, "args": [RAW, "everyday"]})
    done = await fill_in(hass, tools, {"tools": ticks(tools)[1][:1]})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert "next_flow" not in done


async def test_what_a_program_asks_for_is_left_to_fill_in(hass: HomeAssistant) -> None:
    for told, step in (
        ({"url": "http://localhost/mcp", "headers": {"X-Key": "Key ${input:key}"}}, "mcp_url"),
        ({**RUN, "env": {"KEY": "${input:key}"}}, "mcp_command"),
    ):
        pasted = as_json(servers={"server": told})
        form = await fill_in(hass, await begin(hass, "mcp_paste"), {"pasted": pasted})
        assert (form["step_id"], form["errors"]) == (step, {"base": "mcp_to_fill_in"})
        assert form["description_placeholders"]
        assert form["description_placeholders"]["reason"] == "${input:key}"
