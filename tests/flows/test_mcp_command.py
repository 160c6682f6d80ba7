"""Adding an MCP server by its command, with real processes."""

from dataclasses import replace
from pathlib import Path
import sys
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers.translation import async_get_translations
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, ServerSettings

from ..mcp_entry import add_server, set_up, set_up_connected
from ..mcp_servers.conftest import TIMINGS, Diary, NewProcesses, everyday, raw, until
from ..mcp_servers.servers import EVERYDAY, RAW
from .forms import begin, change, fill_in, ticks, values

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")

COMMAND = {"command": sys.executable}
INSTRUCTIONS = "server/instructions"
ENV = [{"name": "API_KEY", "value": "a-secret-of-mine"}]


async def test_command_is_tried_then_its_tools_are_chosen_and_offered(hass: HomeAssistant) -> None:
    form = await begin(hass, "mcp_command")
    tools = await fill_in(hass, form, COMMAND | {"args": [RAW, "annotated"], "env": ENV})
    assert tools["step_id"] == "mcp_tools"
    labels, ticked = ticks(tools)
    assert ticked == list(labels)

    done = await fill_in(hass, tools, {"tools": [name for name in labels if name != "wipe"]})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    entry = done["result"]
    assert entry.title == "raw"
    assert entry.data["env"] == {"API_KEY": "a-secret-of-mine"}
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, 30)
    names = [tool.name for tool in entry.runtime_data.offered_tools]
    assert names == ["look", "add", "plain"]


async def test_server_that_ends_at_once_is_shown_with_its_stderr_and_values_are_kept(
    hass: HomeAssistant,
) -> None:
    entered = COMMAND | {"args": [RAW, "exits"], "env": ENV, "cwd": "/"}
    form = await fill_in(hass, await begin(hass, "mcp_command"), entered)
    assert form["errors"] == {"base": "mcp_unreachable"}
    shown = form["description_placeholders"]
    assert shown
    assert shown["reason"] == "The server ended with exit status 1"
    assert "KeyError: 'API_KEY'" in shown["stderr"]
    assert "the key is ***" in shown["stderr"]
    assert values(form) == entered

    tools = await fill_in(hass, form, entered | {"args": [RAW, "annotated"]})
    assert tools["step_id"] == "mcp_tools"


@pytest.mark.parametrize(
    ("entered", "error", "reason"),
    [
        (
            {"command": "no-such-command"},
            "mcp_unreachable",
            "No such file or directory: no-such-command",
        ),
        # An open quote: the whole is a name.
        (
            {"command": 'say "hello'},
            "mcp_unreachable",
            'No such file or directory: say "hello',
        ),
        (COMMAND | {"args": [RAW, "mute"]}, "mcp_unreachable", "No answer came in time"),
        (COMMAND | {"args": [RAW, "no-tools"]}, "mcp_no_tools", "-"),
    ],
)
async def test_command_that_does_not_work_is_said(
    hass: HomeAssistant,
    monkeypatch: pytest.MonkeyPatch,
    entered: dict[str, Any],
    error: str,
    reason: str,
) -> None:
    if "mute" in entered.get("args", ()):
        defaults = ServerSettings.__init__.__kwdefaults__
        assert defaults
        monkeypatch.setitem(defaults, "timings", replace(TIMINGS, connect=0.3))
    form = await fill_in(hass, await begin(hass, "mcp_command"), entered)
    assert form["errors"] == {"base": error}
    assert form["description_placeholders"] == {"reason": reason, "stderr": ""}


async def test_every_failure_has_a_sentence(hass: HomeAssistant) -> None:
    from custom_components.voice_gateway.mcp_servers import errors

    kinds = [kind for kind in vars(errors).values() if hasattr(kind, "key")]
    for category, path in (("config", "config.error"), ("exceptions", "exceptions")):
        texts = await async_get_translations(hass, "en", category, [DOMAIN])
        for kind in kinds:
            if kind is errors.McpError or (category, kind) == ("exceptions", errors.McpNoTools):
                continue
            key = f"component.{DOMAIN}.{path}.{kind.key}"
            assert key in texts or f"{key}.message" in texts, key


@pytest.mark.parametrize(
    ("line", "args", "split"),
    [
        (f"{sys.executable} {RAW}", ["annotated"], [RAW, "annotated"]),
        (f'"{sys.executable}" "{RAW}" annotated', [], [RAW, "annotated"]),
    ],
)
async def test_whole_line_can_be_pasted(
    hass: HomeAssistant, line: str, args: list[str], split: list[str]
) -> None:
    tools = await fill_in(hass, await begin(hass, "mcp_command"), {"command": line, "args": args})
    done = await fill_in(hass, tools, {"tools": ["look"]})
    assert (done["data"]["command"], done["data"]["args"]) == (sys.executable, split)


async def test_command_may_have_spaces_in_its_path_and_a_working_directory(
    hass: HomeAssistant, tmp_path: Path
) -> None:
    program = tmp_path / "my server"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} raw.py annotated\n")
    program.chmod(0o755)
    entered = {"command": str(program), "cwd": str(Path(RAW).parent)}
    tools = await fill_in(hass, await begin(hass, "mcp_command"), entered)
    assert tools["step_id"] == "mcp_tools"


async def test_ticks_tell_titles_and_effects(hass: HomeAssistant) -> None:
    tools = await fill_in(
        hass, await begin(hass, "mcp_command"), COMMAND | {"args": [RAW, "annotated"]}
    )
    labels, _ = ticks(tools)
    assert labels == {
        "look": "Look around (look): reads only",
        "wipe": "wipe: can delete or overwrite",
        "add": "add",
        "plain": "plain",
        INSTRUCTIONS: "Its instructions for models",
    }


async def test_tools_that_cannot_be_used_are_named(hass: HomeAssistant) -> None:
    tools = await fill_in(
        hass, await begin(hass, "mcp_command"), COMMAND | {"args": [RAW, "odd-tools"]}
    )
    names = ["first", "no_type", "odd_extras", "last", INSTRUCTIONS]
    assert list(ticks(tools)[0]) == names
    placeholders = tools["description_placeholders"]
    assert placeholders
    assert "`no_schema`, `null_schema`, `text_schema`" in placeholders["skipped"]


async def test_at_least_one_tool_is_wanted(hass: HomeAssistant) -> None:
    tools = await fill_in(
        hass, await begin(hass, "mcp_command"), COMMAND | {"args": [RAW, "annotated"]}
    )
    # What is only read by models is none.
    for chosen in ([], [INSTRUCTIONS]):
        again = await fill_in(hass, tools, {"tools": chosen})
        assert again["errors"] == {"tools": "no_tools_chosen"}
    done = await fill_in(hass, again, {"tools": ["look"]})
    assert done["options"]["excluded_tools"] == ["wipe", "add", "plain", INSTRUCTIONS]
    assert [*done["options"]["ticked_tools"]] == ["look"]


async def test_same_command_is_refused_before_it_is_started(
    hass: HomeAssistant, diary: Diary
) -> None:
    server = raw("annotated", diary)
    add_server(hass, server)
    same = {"command": server.command, "args": list(server.args)}
    result = await fill_in(hass, await begin(hass, "mcp_command"), same)
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"
    assert diary.count("start") == 0


async def reconfigure(hass: HomeAssistant, entry: Any) -> Any:
    """Open the form that changes a server."""
    return await entry.start_reconfigure_flow(hass)


async def test_changed_command_is_tried_and_used(hass: HomeAssistant) -> None:
    entry = add_server(
        hass, replace(raw("annotated"), env={"A": "1"}), options={"excluded_tools": ["act"]}
    )
    await set_up_connected(hass, entry)
    form = await reconfigure(hass, entry)
    shown = values(form)
    assert shown["args"] == [RAW, "annotated"]
    assert shown["env"] == [{"name": "A", "value": "1"}]

    failed = await fill_in(hass, form, shown | {"args": [RAW, "exits"], "cwd": "/"})
    assert failed["errors"] == {"base": "mcp_unreachable"}
    assert values(failed)["args"] == [RAW, "exits"]

    # It has other tools, of which one was left out before.
    tools = await fill_in(hass, failed, COMMAND | {"args": [RAW, "modern"]})
    assert tools["step_id"] == "mcp_tools"
    assert ticks(tools)[1] == ["ping_me", "process", "hang", "count"]
    done = await fill_in(hass, tools, {"tools": ["process", "count"]})
    assert done["reason"] == "reconfigure_successful"
    await hass.async_block_till_done()
    assert entry.data["env"] == {}
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, 30)
    names = [tool.name for tool in entry.runtime_data.offered_tools]
    assert names == ["process", "count"]


async def test_command_is_not_changed_to_that_of_another_server(hass: HomeAssistant) -> None:
    add_server(hass, everyday())
    entry = add_server(hass, raw("annotated"))
    form = await reconfigure(hass, entry)
    result = await fill_in(hass, form, COMMAND | {"args": [EVERYDAY, "stdio"]})
    assert result["reason"] == "already_configured"


async def test_unchanged_command_ends_the_wait_of_a_server_that_was_away(
    hass: HomeAssistant, tmp_path: Path
) -> None:
    program = tmp_path / "server"
    entry = add_server(hass, CommandServer(command=str(program)))
    session = await set_up(hass, entry)
    session.settings = replace(session.settings, timings=replace(TIMINGS, slow_attempts=(600,)))
    await until(lambda: session.state is SessionState.FAILED)
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {RAW} annotated\n")
    program.chmod(0o755)
    form = await reconfigure(hass, entry)
    done = await fill_in(hass, form, {"command": str(program)})
    assert done["reason"] == "reconfigure_successful"
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, 30)


async def test_options_change_tools_time_limit_and_prefix(
    hass: HomeAssistant, quick_servers: NewProcesses
) -> None:
    entry = add_server(hass, raw("annotated"), options={"excluded_tools": ["wipe", "gone"]})
    await set_up_connected(hass, entry)
    form: Any = await hass.config_entries.options.async_init(entry.entry_id)
    assert form["step_id"] == "mcp_server"
    assert ticks(form)[1] == ["look", "add", "plain", INSTRUCTIONS]

    for wrong, field, error in (
        ({"tools": []}, "tools", "no_tools_chosen"),
        ({"prefix": "at home"}, "prefix", "invalid_prefix"),
    ):
        entered = {"tools": ["look"], "timeout": 7, "prefix": "home"} | wrong
        form = await hass.config_entries.options.async_configure(form["flow_id"], entered)
        assert form["errors"] == {field: error}

    done = await hass.config_entries.options.async_configure(
        form["flow_id"], {"tools": ["look", "wipe"], "timeout": 7, "prefix": "home"}
    )
    assert done["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    # A tool that is not there at the moment stays left out.
    assert entry.options["excluded_tools"] == ["gone", "add", "plain", INSTRUCTIONS]
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, 30)
    session = entry.runtime_data
    assert [tool.name for tool in session.offered_tools] == ["home_look", "home_wipe"]
    assert session.settings.timeout == 7
    assert len(quick_servers()) == 1


async def test_options_of_a_server_that_was_never_connected_have_no_tools(
    hass: HomeAssistant,
) -> None:
    entry = add_server(hass, raw("exits"), options={"excluded_tools": ["wipe"]})
    await set_up(hass, entry)
    form: Any = await hass.config_entries.options.async_init(entry.entry_id)
    assert set(values(form)) == {"new_readers", "timeout", "prefix", "only_agents_tools"}
    await hass.config_entries.options.async_configure(form["flow_id"], {"timeout": 5})
    await hass.async_block_till_done()
    kept = {"timeout": 5, "new_readers": False, "only_agents_tools": False}
    assert entry.options == {**kept, "excluded_tools": ["wipe"]}


async def test_stored_secrets_are_not_shown_and_kept(hass: HomeAssistant) -> None:
    env = {"API_KEY": "a-secret-of-mine", "TOKEN": "another-of-mine", "LANG": "C.UTF-8"}
    args = (RAW, "annotated", "--password", "third-of-mine", "--pat", "fourth-of-mine")
    entry = add_server(hass, CommandServer(command=sys.executable, args=args, env=env))
    form = await change(hass, entry)
    shown = {name: value for name, value in values(form).items() if value is not None}
    assert "of-mine" not in str(shown)
    assert {"name": "LANG", "value": "C.UTF-8"} in shown["env"]
    # One is replaced, one is added before the others.
    shown["env"] = [{"name": "TOKEN", "value": "new"}, shown["env"][0]]
    shown["args"] = [*shown["args"][:2], "--more", *shown["args"][2:]]
    failed = await fill_in(hass, form, shown | {"command": "/does/not/exist"})
    assert "of-mine" not in str(values(failed))
    await fill_in(hass, failed, shown)
    await hass.async_block_till_done()
    assert entry.data["env"] == {"TOKEN": "new", "API_KEY": "a-secret-of-mine"}
    assert entry.data["args"] == [*args[:2], "--more", *args[2:]]
