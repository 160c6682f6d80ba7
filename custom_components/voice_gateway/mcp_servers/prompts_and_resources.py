"""A server's prompts and resources, as tools that only read.

https://modelcontextprotocol.io/specification/2025-11-25/server/prompts and …/server/resources
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.types import (
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    GetPromptResult,
    PaginatedRequestParams,
    Prompt,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError

from ..logs import logger_of
from .requests import RequestSpec
from .tool import EXTRA, Extra

_LOGGER = logger_of(__name__)

# Of one server; the others are left out.
_PROMPTS = 50
_RESOURCES = 100
# Characters of a name and of a description in the list of resources.
_NAME = 100
_DESCRIPTION = 200
# Seconds that a server may take to list both. One that does not answer is not asked again.
_PATIENCE = 5
# The prefix of a prompt's name: a tool may have the same name.
_BEFORE = "prompt/"
_READER = "resources/read"
_WHICH = "resource"


class Extras:
    """A server's prompts and resources.

    - Each prompt is a tool with its arguments, whose result is its text.
    - One tool reads all resources, by their address or name, or lists them. Its description does
      not change with them.
    - Servers without prompts or resources have no such tool.
    - A server that can't list them loses only them.
    """

    def __init__(self) -> None:
        """Begin with nothing read."""
        self.tools: list[Tool] = []
        self._prompts: dict[str, Prompt] = {}
        self._resources: list[Resource] = []
        self._templates: list[ResourceTemplate] = []
        self._is_silent = False
        self._read_at = 0.0

    async def read(self, session: ClientSession) -> None:
        """Read the current lists; a list that fails stays unchanged."""
        offered = session.server_capabilities
        if self._is_silent or offered is None or not (offered.prompts or offered.resources):
            return
        self._read_at = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(_PATIENCE):
                if offered.prompts:
                    await self._read_prompts(session)
                if offered.resources:
                    await self._read_resources(session)
        except TimeoutError:
            self._is_silent = True
            _LOGGER.debug("The server does not list its prompts and resources")
        self.tools = [_prompt_tool(*each) for each in self._prompts.items()]
        if self._resources or self._templates:
            self.tools.append(_reader())

    async def _read_prompts(self, session: ClientSession) -> None:
        found = await _read(session.list_prompts, "prompts", _PROMPTS)
        if found is not None:
            # The first of two with the same name.
            self._prompts = {}
            for prompt in found:
                self._prompts.setdefault(f"{_BEFORE}{prompt.name}", prompt)

    async def _read_resources(self, session: ClientSession) -> None:
        found = await _read(session.list_resources, "resources", _RESOURCES)
        self._resources = self._resources if found is None else found
        found = await _read(session.list_resource_templates, "resource_templates", _RESOURCES)
        self._templates = self._templates if found is None else found

    def is_stale(self, seconds: float) -> bool:
        """Return True if a list was read so many seconds ago or more."""
        now = asyncio.get_running_loop().time()
        return bool(self.tools) and now - self._read_at >= seconds

    def wanted(self, name: str, arguments: dict[str, Any]) -> RequestSpec | CallToolResult | None:
        """Return the request for a call of one of the tools, or its result if it is known.

        None for a tool of the server's own.
        """
        if prompt := self._prompts.get(name):
            return _of_prompt(prompt.name, arguments)
        if name != _READER or not (self._resources or self._templates):
            return None
        if which := str(arguments.get(_WHICH) or "").strip():
            return _of_resource(self._address(which))
        return CallToolResult(content=[TextContent(text="\n".join(self._lines()))])

    def _address(self, which: str) -> str:
        """Return the address of the resource with this name, or else the words: they may be one."""
        if which in {each.uri for each in self._resources}:
            return which
        named = (
            each.uri
            for each in self._resources
            if which.casefold() in (each.name.casefold(), (each.title or "").casefold())
        )
        return next(named, which)

    def _lines(self) -> Iterator[str]:
        for each in self._resources:
            yield _line(each, each.uri)
        if self._templates:
            yield "Of these, fill in what stands in braces:"
        for template in self._templates:
            yield _line(template, template.uri_template)


async def _read(read: Callable[..., Awaitable[Any]], field: str, most: int) -> list[Any] | None:
    """Return a server's list from all pages, but no more than `most`; None if it fails."""
    try:
        return await all_pages(read, field, most)
    except (MCPError, ValidationError) as err:
        _LOGGER.debug("The server's %s can't be listed: %s", field, err)
        return None


async def all_pages(read: Callable[..., Awaitable[Any]], field: str, most: int) -> list[Any]:
    """Return a server's list from all pages, but no more than `most`; raises the SDK's errors."""
    found: list[Any] = []
    cursors: set[str | None] = set()
    cursor: str | None = None
    # A paginator that runs in a circle must not keep a connection from being used.
    while cursor not in cursors and len(found) < most:
        cursors.add(cursor)
        page = await read(params=PaginatedRequestParams(cursor=cursor))
        found += getattr(page, field)
        cursor = page.next_cursor or None
    return found[:most]


def _prompt_tool(name: str, prompt: Prompt) -> Tool:
    about = prompt.description or prompt.title or prompt.name
    arguments = prompt.arguments or []
    schema = {
        "type": "object",
        "properties": {
            each.name: {"type": "string", "description": each.description or each.name}
            for each in arguments
        },
        "required": [each.name for each in arguments if each.required],
    }
    return _tool(name, Extra.PROMPT, f"Get a prepared text: {about}", schema, prompt.title)


def _reader() -> Tool:
    which = {"type": "string", "description": "Its address or name. Without one, all are listed."}
    schema = {"type": "object", "properties": {_WHICH: which}}
    return _tool(_READER, Extra.RESOURCES, "Read one of the service's resources.", schema)


def _tool(
    name: str, extra: Extra, description: str, schema: dict[str, Any], title: str | None = None
) -> Tool:
    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=schema,
        # By the protocol: tools write, resources do not.
        annotations=ToolAnnotations(read_only_hint=True),
        _meta={EXTRA: extra},
    )


def _of_prompt(name: str, arguments: dict[str, Any]) -> RequestSpec:
    texts = {key: str(value) for key, value in arguments.items() if value is not None}

    async def send(session: ClientSession, _: Any, **rest: Any) -> Any:
        return await session.get_prompt(name, texts, allow_input_required=True, **rest)

    def result(prompt: GetPromptResult) -> CallToolResult:
        return CallToolResult(content=list(_said(prompt)))

    return RequestSpec(send=send, result=result)


def _said(prompt: GetPromptResult) -> Iterable[ContentBlock]:
    """Yield the parts of a prompt; with their roles, if it is a conversation."""
    is_conversation = len({message.role for message in prompt.messages}) > 1
    for message in prompt.messages:
        if is_conversation:
            yield TextContent(text=f"[{message.role}]")
        yield message.content


def _of_resource(address: str) -> RequestSpec:
    async def send(session: ClientSession, _: Any, **rest: Any) -> Any:
        return await session.read_resource(address, allow_input_required=True, **rest)

    def result(read: ReadResourceResult) -> CallToolResult:
        return CallToolResult(content=[EmbeddedResource(resource=each) for each in read.contents])

    return RequestSpec(send=send, result=result)


def _line(listed: Resource | ResourceTemplate, address: str) -> str:
    name = _short(listed.title or listed.name, _NAME)
    about = f": {_short(listed.description, _DESCRIPTION)}" if listed.description else ""
    return f"- {name} ({address}){about}"


def _short(text: str, length: int) -> str:
    words = " ".join(text[: 2 * length].split())
    return words if len(words) <= length else f"{words[:length]} […]"
