"""A server's prompts and resources, as tools that only read.

https://modelcontextprotocol.io/specification/2025-11-25/server/prompts and …/server/resources
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from mcp import MCPError, types
from mcp.client.session import ClientSession
from pydantic import ValidationError

from ..logs import logger_of
from ..untrusted_text import sentence
from .requests import Send
from .tool import EXTRA, Extra

_LOGGER = logger_of(__name__)

# The lists of a server: its capability for each, and how many are used; the others are left out.
_LISTS = {
    "prompts": ("prompts", 50),
    "resources": ("resources", 100),
    "resource_templates": ("resources", 100),
}
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
        self.tools: list[types.Tool] = []
        self._lists: dict[str, list[Any]] = {name: [] for name in _LISTS}
        self._is_silent = False

    async def read(self, session: ClientSession) -> None:
        """Read the current lists; a list that fails stays unchanged."""
        if self._is_silent:
            return
        try:
            async with asyncio.timeout(_PATIENCE):
                for name, (capability, most) in _LISTS.items():
                    if getattr(session.server_capabilities, capability, None):
                        await self._read(session, name, most)
        except TimeoutError:
            self._is_silent = True
            _LOGGER.debug("The server does not list its prompts and resources")
        self.tools = [*map(_prompt_tool, self._lists["prompts"])]
        if self._lists["resources"] or self._lists["resource_templates"]:
            which = {"description": "Its address or name. Without one, all are listed."}
            schema = {"type": "object", "properties": {_WHICH: {"type": "string", **which}}}
            words = "Read one of the service's resources."
            self.tools.append(_tool(_READER, Extra.RESOURCES, words, schema))

    async def _read(self, session: ClientSession, name: str, most: int) -> None:
        try:
            self._lists[name] = await all_pages(getattr(session, f"list_{name}"), name, most)
        except (MCPError, ValidationError) as err:
            _LOGGER.debug("The server's %s can't be listed: %s", name, err)

    def wanted(self, name: str, arguments: dict[str, Any]) -> Send | None:
        """Return the request for a call of one of the tools; None for one of the server's own."""
        for prompt in self._lists["prompts"]:
            if name == f"{_BEFORE}{prompt.name}":
                texts = {key: str(value) for key, value in arguments.items() if value is not None}
                return _reading("get_prompt", prompt.name, texts)
        if name != _READER or name not in {tool.name for tool in self.tools}:
            return None
        if which := str(arguments.get(_WHICH) or "").strip():
            return _reading("read_resource", self._address(which))
        return self._listed

    def _address(self, which: str) -> str:
        """Return the address of the resource with this name, or else the words: they may be one."""
        resources: list[types.Resource] = self._lists["resources"]
        if which in {each.uri for each in resources}:
            return which
        named = (
            each.uri
            for each in resources
            if which.casefold() in (each.name.casefold(), (each.title or "").casefold())
        )
        return next(named, which)

    async def _listed(self, *_: Any, **__: Any) -> types.CallToolResult:
        lines = [_line(each, each.uri) for each in self._lists["resources"]]
        if templates := self._lists["resource_templates"]:
            lines.append("Of these, fill in what stands in braces:")
            lines += [_line(each, each.uri_template) for each in templates]
        return types.CallToolResult(content=[types.TextContent(text="\n".join(lines))])


async def all_pages(read: Callable[..., Awaitable[Any]], field: str, most: int) -> list[Any]:
    """Return a server's list from all pages, but no more than `most`; raises the SDK's errors."""
    found: list[Any] = []
    cursors: set[str | None] = set()
    cursor: str | None = None
    # A paginator that runs in a circle must not keep a connection from being used.
    while cursor not in cursors and len(found) < most:
        cursors.add(cursor)
        page = await read(params=types.PaginatedRequestParams(cursor=cursor))
        found += getattr(page, field)
        cursor = page.next_cursor or None
    return found[:most]


def _prompt_tool(prompt: types.Prompt) -> types.Tool:
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
    name, description = f"{_BEFORE}{prompt.name}", f"Get a prepared text: {about}"
    return _tool(name, Extra.PROMPT, description, schema, prompt.title)


def _tool(
    name: str, extra: Extra, description: str, schema: dict[str, Any], title: str | None = None
) -> types.Tool:
    return types.Tool(
        name=name,
        title=title,
        description=description,
        input_schema=schema,
        # By the protocol: tools write, resources do not.
        annotations=types.ToolAnnotations(read_only_hint=True),
        _meta={EXTRA: extra},
    )


def _reading(method: str, *what: Any) -> Send:
    """Return the request that a method of the SDK's session makes for a prompt or a resource."""

    async def send(
        session: ClientSession, _: Any, **rest: Any
    ) -> types.CallToolResult | types.InputRequiredResult:
        found = await getattr(session, method)(*what, allow_input_required=True, **rest)
        match found:
            case types.InputRequiredResult():
                return found
            case types.GetPromptResult():
                return types.CallToolResult(content=list(_said(found)))
        return types.CallToolResult(
            content=[types.EmbeddedResource(resource=each) for each in found.contents]
        )

    return send


def _said(prompt: types.GetPromptResult) -> Iterator[types.ContentBlock]:
    """Yield the parts of a prompt; with their roles, if it is a conversation."""
    is_conversation = len({message.role for message in prompt.messages}) > 1
    for message in prompt.messages:
        if is_conversation:
            yield types.TextContent(text=f"[{message.role}]")
        yield message.content


def _line(listed: types.Resource | types.ResourceTemplate, address: str) -> str:
    about = f": {sentence(listed.description, _DESCRIPTION)}" if listed.description else ""
    return f"- {sentence(listed.title or listed.name, _NAME)} ({address}){about}"
