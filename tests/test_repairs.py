"""The repair issue of a server that stays away, and what can be done about it."""

from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
import sys
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.translation import async_get_translations
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer

from .mcp_entry import add_server, set_up, set_up_connected
from .mcp_servers.conftest import TIMINGS, raw, until
from .mcp_servers.servers import RAW

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")


def issue(hass: HomeAssistant) -> ir.IssueEntry | None:
    """Return the issue that there is."""
    issues = list(ir.async_get(hass).issues.values())
    assert len(issues) < 2
    return issues[0] if issues else None


def mend(program: Path) -> None:
    """Put a server that works in a program's place."""
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {RAW} annotated\n")
    program.chmod(0o755)


def fail_otherwise(program: Path) -> None:
    """Give a program another reason not to work."""
    program.write_text("#!/bin/sh\nexit 5\n")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a program that says why it does not work."""
    program = tmp_path / "server"
    program.write_text('#!/bin/sh\necho "no such \\`\\`\\`database\\`\\`\\`" >&2\nexit 4\n')
    program.chmod(0o755)
    return program


@pytest.fixture
async def absent(hass: HomeAssistant, program: Path) -> Any:
    """Return the entry of such a program, after three attempts."""
    entry = add_server(hass, CommandServer(command=str(program)), "Cellar")
    session = await set_up(hass, entry)
    session.settings = replace(session.settings, timings=replace(TIMINGS, slow_attempts=(600,)))
    await until(lambda: session.state is SessionState.FAILED)
    return entry


@pytest.fixture
async def fix(hass: HomeAssistant, hass_client: Any, absent: Any) -> Any:
    """Return a function that takes a step of the fix flow, as the frontend does."""
    assert await async_setup_component(hass, "repairs", {})
    client = await hass_client()
    flow: dict[str, Any] = {}

    async def step(choice: str | None = None) -> dict[str, Any]:
        found = issue(hass)
        url = "/api/repairs/issues/fix"
        if choice is None:
            assert found
            body = {"handler": DOMAIN, "issue_id": found.issue_id}
        else:
            url, body = f"{url}/{flow['flow_id']}", {"next_step_id": choice}
        response = await client.post(url, json=body)
        assert response.status == HTTPStatus.OK
        flow.update(await response.json())
        return flow

    return step


@pytest.mark.requirement("G10")
async def test_issue_tells_reason_stderr_and_what_still_works(
    hass: HomeAssistant, program: Path
) -> None:
    await set_up_connected(hass, add_server(hass, raw("annotated"), "Attic"))
    entry = add_server(hass, CommandServer(command=str(program)), "Cellar")
    session = await set_up(hass, entry)
    assert session.attempts < 3
    assert issue(hass) is None
    await until(lambda: session.state is SessionState.FAILED)
    found = issue(hass)
    assert found
    assert found.translation_placeholders == {
        "name": "Cellar",
        "reason": "`The server ended with exit status 4`",
        "stderr": "\n\n```\nno such '''database'''\n```",
        "others": "Attic",
    }


async def test_issue_goes_when_the_server_comes(hass: HomeAssistant, program: Path) -> None:
    entry = add_server(hass, CommandServer(command=str(program)))
    session = await set_up(hass, entry)
    await until(lambda: session.state is SessionState.FAILED)
    assert issue(hass)
    mend(program)
    await until(lambda: session.state is SessionState.CONNECTED)
    assert issue(hass) is None


async def test_refused_credentials_are_no_issue_but_asked_for(hass: HomeAssistant) -> None:
    entry = add_server(hass, UrlServer(url="http://127.0.0.1:1/mcp"))
    session = await set_up(hass, entry)
    await until(lambda: session.state is SessionState.FAILED)
    found = issue(hass)
    assert found
    assert found.translation_key == "mcp_url_failed"


async def test_trying_again_fixes_it_or_says_what_is_wrong_now(
    hass: HomeAssistant, absent: Any, program: Path, fix: Any
) -> None:
    menu = await fix()
    assert (menu["type"], menu["step_id"]) == ("menu", "init")
    assert menu["menu_options"] == ["retry", "reconfigure"]
    assert menu["description_placeholders"]["reason"] == "`The server ended with exit status 4`"

    fail_otherwise(program)
    menu = await fix("retry")
    assert menu["step_id"] == "still_failing"
    assert menu["description_placeholders"]["reason"] == "`The server ended with exit status 5`"

    mend(program)
    done = await fix("retry")
    assert done["type"] == "create_entry"
    assert absent.runtime_data.state is SessionState.CONNECTED
    assert issue(hass) is None


async def test_server_that_came_back_meanwhile_is_fixed(
    hass: HomeAssistant, absent: Any, program: Path, fix: Any
) -> None:
    await fix()
    mend(program)
    absent.runtime_data.async_retry()
    await until(lambda: absent.runtime_data.state is SessionState.CONNECTED)
    done = await fix("retry")
    assert done["type"] == "create_entry"


async def test_settings_are_opened_and_the_issue_stays_until_it_works(
    hass: HomeAssistant, absent: Any, program: Path, fix: Any
) -> None:
    await fix()
    result = await fix("reconfigure")
    assert (result["type"], result["reason"]) == ("abort", "reconfigure")
    kind, flow_id = result["next_flow"]
    assert kind == "config_flow"
    assert issue(hass)
    form = hass.config_entries.flow.async_get(flow_id)
    assert form["step_id"] == "mcp_command_reconfigure"
    entered = {"command": sys.executable, "args": [RAW, "annotated"]}
    done = await hass.config_entries.flow.async_configure(flow_id, entered)
    assert done["reason"] == "reconfigure_successful"
    await hass.async_block_till_done()
    await until(lambda: absent.runtime_data.state is SessionState.CONNECTED)
    assert issue(hass) is None


@pytest.mark.parametrize("kind", ["mcp_url", "mcp_command"])
async def test_issue_has_all_its_words(hass: HomeAssistant, kind: str) -> None:
    texts = await async_get_translations(hass, "en", "issues", [DOMAIN])
    key = f"component.{DOMAIN}.issues.{kind}_failed"
    assert texts[f"{key}.title"] == "{name} can't be used"
    for step in ("init", "still_failing"):
        description = texts[f"{key}.fix_flow.step.{step}.description"]
        for placeholder in ("{reason}", "{stderr}", "{others}"):
            assert placeholder in description
        assert texts[f"{key}.fix_flow.step.{step}.menu_options.retry"] == "Try again now"
