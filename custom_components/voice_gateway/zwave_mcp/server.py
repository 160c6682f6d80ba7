"""The server's MCP side: the tools and the results of calls."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
import logging
from pathlib import Path
import time
from typing import TYPE_CHECKING, Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from ..version import VERSION
from .answers import NoAnswerError, SpokenResult
from .arguments import checked
from .definitions import definitions

if TYPE_CHECKING:
    from .tools import Tools

_LOGGER = logging.getLogger(__name__)

INSTRUCTIONS = "Names of devices as people say them: name, room or both."

type Context = ServerRequestContext[asyncio.Task[Tools]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The options of a server."""

    url: str
    """The URL of the Z-Wave JS server."""
    names: Path | None = None
    """A file with data about the devices, as for `devices.Given`."""
    language: str = "en"
    """The code of the language of device names."""
    only_exposed: bool = False
    """Whether devices do not exist unless the file permits their use."""
    locks: bool = False
    """Whether there is a tool for entry points."""


def zwave_server(setup: Setup) -> Server[asyncio.Task[Tools]]:
    """Return the server of a network.

    It connects to the network when it runs, and answers its clients before that.
    """
    tools = definitions(locks=setup.locks)

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[*tools.values()])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await _call_tool(tools, context, params)

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[asyncio.Task[Tools]]:
        async with AsyncExitStack() as stack:
            opened = asyncio.create_task(_open(setup, stack))
            yield opened
            await opened

    return Server(
        "zwave",
        version=VERSION,
        title="Z-Wave",
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _open(setup: Setup, stack: AsyncExitStack) -> Tools:
    # The import of the Z-Wave library takes half as long as the rest: the handshake must not wait.
    await asyncio.to_thread(import_module, ".tools", __package__)
    from ..names.matching import matcher  # noqa: PLC0415
    from .devices import Given  # noqa: PLC0415
    from .network import Network  # noqa: PLC0415
    from .tools import Tools  # noqa: PLC0415

    return Tools(
        await stack.enter_async_context(Network(setup.url)),
        Given(setup.names, only_exposed=setup.only_exposed),
        matcher(setup.language),
    )


async def _call_tool(
    known: Mapping[str, Tool], context: Context, params: CallToolRequestParams
) -> CallToolResult:
    started = time.perf_counter()
    try:
        # A cancelled call must not cancel the task that all calls share.
        tools = await asyncio.shield(context.lifespan_context)
        answer = await _answer(known, tools, params)
        failed = False
    except NoAnswerError as error:
        answer, failed = SpokenResult(str(error)), True
    except Exception as error:
        _LOGGER.exception("%s failed", params.name)
        answer, failed = SpokenResult(f"{params.name} failed unexpectedly: {error!r}"), True
    elapsed = (time.perf_counter() - started) * 1000
    _LOGGER.debug("%s %s in %.1f ms: %s", params.name, params.arguments, elapsed, answer.text)
    content: list[ContentBlock] = [TextContent(text=answer.text)]
    more: dict[str, Any] = {} if answer.data is None else {"structured_content": answer.data}
    return CallToolResult(content=content, is_error=failed, **more)


async def _answer(
    known: Mapping[str, Tool], tools: Tools, params: CallToolRequestParams
) -> SpokenResult:
    if params.name not in known:
        raise NoAnswerError(f"There is no tool {params.name}. Tools: {', '.join(known)}.")
    arguments = checked(known[params.name].input_schema, params.arguments or {})
    answer: SpokenResult = await getattr(tools, params.name)(**arguments)
    return answer
