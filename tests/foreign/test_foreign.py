"""Servers of others: every tool of theirs arrives, and its arguments are at the model as they were."""

from collections.abc import Iterator
import json
import os
from pathlib import Path
from typing import Any

from homeassistant.components.ollama import entity as ollama
from homeassistant.core import HomeAssistant
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import PaginatedRequestParams
import pytest

from custom_components.voice_gateway.json_schema import serialize
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer
from custom_components.voice_gateway.models.functions import to_function

from ..mcp_servers.conftest import StartSession, new_processes, start_session, until  # noqa: F401 - fixtures
from .fetching import FOLDER, HERE, fetch, fetch_python

NODE = "node"
SERVERS: dict[str, tuple[str, ...]] = {
    # Python, with the SDK of the first generation
    "calculator": ("sdk-1/bin/mcp-server-calculator",),
    "duckdb": ("sdk-1/bin/mcp-server-duckdb", "--db-path", "{tmp}/duck.db"),
    "git of SDK 1": ("sdk-1/bin/mcp-server-git",),
    # and of the second
    "git": ("sdk-2/bin/mcp-server-git",),
    "time": ("sdk-2/bin/mcp-server-time",),
    "FastMCP 4": ("sdk-2/bin/python", str(HERE / "weigher.py")),
    # Go and Rust
    "grafana": ("sdk-2/bin/mcp-grafana",),
    "cnb": ("sdk-2/bin/cnb-rs-mcp",),
    # TypeScript
    "everything": ("npm/node_modules/.bin/mcp-server-everything",),
    "filesystem": ("npm/node_modules/.bin/mcp-server-filesystem", "{tmp}"),
    "memory": ("npm/node_modules/.bin/mcp-server-memory",),
    "thinking": ("npm/node_modules/.bin/mcp-server-sequential-thinking",),
    "playwright": ("npm/node_modules/.bin/playwright-mcp",),
    "context7": ("npm/node_modules/.bin/context7-mcp",),
}
# What a server wants to know before it starts; nobody listens there.
ENVIRONMENT = {
    "GRAFANA_URL": "http://127.0.0.1:9",
    "GRAFANA_SERVICE_ACCOUNT_TOKEN": "glsa_abcdefghijklmnop",
    "CNB_TOKEN": "abcdefghijklmnop",
    "PATH": os.environ["PATH"],
}

pytestmark = [pytest.mark.foreign, pytest.mark.usefixtures("socket_enabled")]


@pytest.fixture(scope="session")
def servers() -> Path:
    """Fetch the servers; return the folder where they are."""
    for kind in ("sdk-1", "sdk-2"):
        fetch_python(kind)
    files = [str(HERE / name) for name in ("package.json", "package-lock.json")]
    npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    fetch("npm", "package-lock.json", ["cp", *files, "."], npm)
    return FOLDER


def schemas_in(part: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects in a schema."""
    match part:
        case dict():
            yield part
            for each in part.values():
                yield from schemas_in(each)
        case list():
            for each in part:
                yield from schemas_in(each)


def kinds(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a schema says of the types of arguments, as a model's server is told."""
    return {
        name: (field.get("type"), field.get("enum"), (field.get("items") or {}).get("type"))
        for name, field in schema["properties"].items()
        if isinstance(field, dict) and "type" in field
    }


@pytest.mark.parametrize("name", SERVERS)
async def test_every_tool_arrives_and_its_arguments_as_they_are(
    hass: HomeAssistant,
    start_session: StartSession,  # noqa: F811 - the fixture
    servers: Path,
    name: str,
    tmp_path: Path,
) -> None:
    program, *args = (each.replace("{tmp}", str(tmp_path)) for each in SERVERS[name])
    command = str(servers / program)
    parameters = StdioServerParameters(command=command, args=args, env=ENVIRONMENT, cwd=tmp_path)
    async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
        await client.initialize()
        listed = [tool async for tool in _tools(client)]
    # What can only be called in a way that is not supported is said to be left out.
    tasks = {
        tool.name for tool in listed if tool.execution and tool.execution.task_support == "required"
    }

    session = start_session(
        CommandServer(command=command, args=tuple(args), env=ENVIRONMENT, cwd=str(tmp_path))
    )
    await until(lambda: session.state is SessionState.CONNECTED)
    assert session.skipped_tools.keys() == tasks
    ours = {tool.original_name: tool for tool in session.tools}
    # Some are only for clients that can be asked something.
    names = [tool.name for tool in listed if tool.name not in tasks]
    assert [each for each in ours if each in names] == names
    free = 0
    for tool in listed:
        if tool.name in tasks:
            continue
        schema = tool.input_schema
        assert ours[tool.name].input_schema == schema | {"type": "object"}
        # At every other agent's, by Home Assistant's own way.
        given = ollama._format_tool(ours[tool.name], serialize)["function"]["parameters"]
        assert given == {"type": "object", "properties": {}} | schema
        # At our models: what their format has a word for is said with it, and the rest in words.
        at_model = to_function(ours[tool.name], serialize)["function"]["parameters"]
        assert at_model["properties"].keys() == (schema.get("properties") or {}).keys()
        assert kinds(at_model).items() >= kinds({"properties": {}} | schema).items()
        wanted = [each["additionalProperties"] for each in schemas_in(schema) if _is_free(each)]
        free += len(wanted)
        assert json.dumps(at_model).count("Any names; each value: ") >= len(wanted)
    if name == "FastMCP 4":
        assert free == 2


def _is_free(schema: dict[str, Any]) -> bool:
    return isinstance(schema.get("additionalProperties"), dict) and bool(
        schema["additionalProperties"]
    )


async def _tools(client: ClientSession) -> Any:
    cursor: str | None = None
    while True:
        page = await client.list_tools(params=PaginatedRequestParams(cursor=cursor))
        for tool in page.tools:
            yield tool
        if not (cursor := page.next_cursor):
            return
