"""The server's MCP side: which tools there are, and what a call gives back."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib import import_module
import logging
from pathlib import Path
import time
from typing import TYPE_CHECKING

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from .answers import Answer, NoAnswerError
from .arguments import checked
from .definitions import BY_NAME, DEFINITIONS

if TYPE_CHECKING:
    from .tools import Tools

_LOGGER = logging.getLogger(__name__)

VERSION = "0.1.0"
INSTRUCTIONS = "Names of devices as people say them: name, room or both."

type Context = ServerRequestContext[asyncio.Task[Tools]]


def zwave_server(url: str, names: Path | None, language: str) -> Server[asyncio.Task[Tools]]:
    """Return the server of the network behind the Z-Wave JS server at `url`.

    It connects when it is run, and answers its clients before that. `names` is a file with the
    devices' names, as `devices.GivenNames` has it. `language` is the code of the one in which devices
    are spoken of.
    """
    return Server(
        "zwave",
        version=VERSION,
        title="Z-Wave",
        instructions=INSTRUCTIONS,
        lifespan=_lifespan(url, names, language),
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )


def _lifespan(
    url: str, names: Path | None, language: str
) -> Callable[[object], AbstractAsyncContextManager[asyncio.Task[Tools]]]:
    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[asyncio.Task[Tools]]:
        async with AsyncExitStack() as stack:
            tools = asyncio.create_task(_open(url, names, language, stack))
            yield tools
            await tools

    return lifespan


async def _open(url: str, names: Path | None, language: str, stack: AsyncExitStack) -> Tools:
    # To import what talks to Z-Wave takes as long as half of the rest: no handshake waits for it.
    await asyncio.to_thread(import_module, ".tools", __package__)
    from ..names.matching import matcher  # noqa: PLC0415
    from .devices import GivenNames  # noqa: PLC0415
    from .network import Network  # noqa: PLC0415
    from .tools import Tools  # noqa: PLC0415

    return Tools(
        await stack.enter_async_context(Network(url)), GivenNames(names), matcher(language)
    )


async def _list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=DEFINITIONS)


async def _call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
    started = time.perf_counter()
    try:
        # A call that is cancelled must not take what all calls share with it.
        tools = await asyncio.shield(context.lifespan_context)
        answer = await _answer(tools, params)
        failed = False
    except NoAnswerError as error:
        answer, failed = Answer(str(error)), True
    except Exception as error:
        _LOGGER.exception("%s failed", params.name)
        answer, failed = Answer(f"{params.name} failed unexpectedly: {error!r}"), True
    elapsed = (time.perf_counter() - started) * 1000
    _LOGGER.debug("%s %s in %.1f ms: %s", params.name, params.arguments, elapsed, answer.text)
    content: list[ContentBlock] = [TextContent(text=answer.text)]
    if answer.data is None:
        return CallToolResult(content=content, is_error=failed)
    return CallToolResult(content=content, structured_content=answer.data, is_error=failed)


async def _answer(tools: Tools, params: CallToolRequestParams) -> Answer:
    if params.name not in BY_NAME:
        raise NoAnswerError(f"There is no tool {params.name}. Tools: {', '.join(BY_NAME)}.")
    arguments = checked(BY_NAME[params.name].input_schema, params.arguments or {})
    return await tools.by_name[params.name](**arguments)
