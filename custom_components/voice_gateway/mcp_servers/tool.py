"""A server's tool as a tool of Home Assistant."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from enum import StrEnum
from functools import cached_property, partial
import hashlib
import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, override

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import Unauthorized, UnknownUser
from homeassistant.helpers import llm

from ..arguments import correct_for
from ..const import DOMAIN
from ..json_schema import JsonSchema, shortened
from ..logs import logger_of
from .elicitation import AskUser, ElicitationQuestion, OpenCall
from .errors import McpRejected
from .names import Naming

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Tool, ToolAnnotations

_LOGGER = logger_of(__name__)

# Characters, some 100 tokens: a model chooses a tool by its first sentences.
DESCRIPTION_LENGTH = 400
# Characters of a server's instructions, some 500 tokens: they are in every prompt.
_INSTRUCTIONS_LENGTH = 2000

type Synonyms = Mapping[str, Mapping[str, str]]
"""Aliases of tools' arguments, and the real arguments, by the server's name of a tool."""
NO_SYNONYMS: Mapping[str, Any] = MappingProxyType({})

type CallTool = Callable[..., Awaitable[CallToolResult]]
"""Calls a tool: takes the server's name for it, its arguments, and `ask` for questions."""


EXTRA = "voice_gateway/extra"
"""The metadata key of an `Extra` in a definition; servers' own metadata are not read."""


class Extra(StrEnum):
    """An item that is not a tool on its server, and offered as one."""

    PROMPT = "prompt"
    RESOURCES = "resources"
    # The server's instructions. Not offered as a tool, but ticked like one.
    INSTRUCTIONS = "instructions"


class McpTool(llm.Tool):
    """A tool of an MCP server.

    - `parameters` and `input_schema` hold the server's JSON schema unchanged.
    - `name` is the name for models; `original_name` is the server's.
    - Once its description has changed, or it is no longer ticked, no agent calls it.
    - Arguments are corrected against the schema, whoever calls; the server validates them, and its
      message about them is returned word for word.
    """

    integration = DOMAIN
    timeout: float | None = None
    """Seconds after which the caller gives up, if its server has limits of its own."""
    server_title = ""
    """Its server's name, as people know it."""
    is_withdrawn: Callable[[McpTool], bool] | None = None
    """Return True if agents may no longer use it: a conversation keeps tools from its beginning."""
    server = ""
    """The prefix of its name if another tool has that already."""

    def __init__(
        self,
        definition: Tool,
        name: str,
        call: CallTool,
        synonyms: Mapping[str, str] = NO_SYNONYMS,
    ) -> None:
        """Take its definition, its name for models, its function, and its arguments' aliases."""
        self.name = name
        self.original_name = definition.name
        self.title = definition.title or getattr(definition.annotations, "title", None)
        self.description = _description(definition)
        self.input_schema = definition.input_schema
        self.parameters = JsonSchema(definition.input_schema, names=partial(_other_names, synonyms))
        self.annotations = _annotations(definition.annotations)
        # Only the server's own hints about the tool's effects.
        said = definition.annotations
        self.declared: dict[str, Any] = said.model_dump(exclude_none=True) if said else {}
        self.extra: Extra | None = (definition.meta or {}).get(EXTRA)
        """Its kind on the server, if it is not a tool there."""
        texts = (definition.name, definition.title, definition.description)
        extra = [self.extra] if self.extra else []
        self._said: list[Any] = [*texts, definition.input_schema, self.declared, *extra]
        self._call = call

    def renamed(self, name: str) -> Self:
        """Return the same tool under another name."""
        tool = copy(self)
        tool.name = name
        return tool

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the tool itself, which is immutable: a copied trace would copy its session."""
        return self

    @property
    def is_silent(self) -> bool:
        """Return True if these are the instructions of a server that gives none."""
        return self.extra is Extra.INSTRUCTIONS and not self.description

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all the server's texts about the tool."""
        return hashlib.sha256(json.dumps(self._said, sort_keys=True).encode()).hexdigest()

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Call the tool; raises `McpError`, and `Unauthorized` as `async_is_admin` does."""
        await async_is_admin(hass, llm_context.context)
        unanswered: list[str] = []

        async def ask(question: ElicitationQuestion) -> None:
            unanswered.append(question.message)

        result = await _result(self._checked(tool_input.tool_args, ask))
        if unanswered:
            said = f'The service asked "{unanswered[-1]}". Nobody could answer that here.'
            result.data = {**result.data, "not_answered": said}
        return result

    async def async_open(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> OpenCall:
        """Begin a call during which its server may ask something; raises as `async_call` does."""
        await async_is_admin(hass, llm_context.context)
        call = partial(self._checked, tool_input.tool_args)
        return OpenCall(hass, f"{self.name} {tool_input.id}", call)

    async def async_next(self, opened: OpenCall) -> llm.ToolResult | ElicitationQuestion:
        """Return the next question of such a call, or its result."""
        return await _result(opened.async_next())

    async def _checked(self, tool_args: dict[str, Any], ask: AskUser) -> CallToolResult:
        """Call it, if agents may still use it."""
        if self.is_withdrawn and self.is_withdrawn(self):
            raise McpRejected("This tool may not be used any more")
        return await self.async_run(tool_args, ask)

    async def async_run(
        self, tool_args: dict[str, Any], ask: AskUser | None = None
    ) -> CallToolResult:
        """Call the tool and return the server's complete result; raises `McpError`."""
        corrected, changes = correct_for(self, tool_args)
        if changes:
            _LOGGER.debug("%s: arguments corrected: %s", self.name, ", ".join(changes))
        return await self._call(self.original_name, corrected, ask=ask)


async def _result[Asked](call: Awaitable[CallToolResult | Asked]) -> llm.ToolResult | Asked:
    # The SDK, which it needs, is loaded when a server is connected.
    from mcp.types import CallToolResult  # noqa: PLC0415

    from .requests import tool_result  # noqa: PLC0415

    try:
        result = await call
    except McpRejected as err:
        return llm.ToolResult(data={"error": err.detail}, error=True)
    return tool_result(result) if isinstance(result, CallToolResult) else result


def make_tools(
    definitions: Iterable[Tool],
    call: CallTool,
    *,
    naming: Naming | None = None,
    timeout: float | None = None,
    synonyms: Synonyms = NO_SYNONYMS,
) -> list[McpTool]:
    """Return a server's tools in its order, under valid and unique names."""
    naming = naming or Naming()
    by_original: dict[str, Tool] = {}
    for definition in definitions:
        if by_original.setdefault(definition.name, definition) is not definition:
            _LOGGER.warning("Tool %s is there twice: the first one is kept", definition.name)
    tools: dict[str, McpTool] = {}
    for original, definition in by_original.items():
        name = naming.name(original, tools)
        tools[name] = McpTool(definition, name, call, synonyms.get(original, NO_SYNONYMS))
        tools[name].timeout = timeout
        tools[name].server = naming.server
    return list(tools.values())


def _other_names(synonyms: Mapping[str, str], name: str) -> Iterator[str]:
    """Yield the possible arguments for a name: synonyms, or the camelCase of its snake_case."""
    if name in synonyms:
        yield synonyms[name]
    first, *others = name.split("_")
    yield first + "".join(part[:1].upper() + part[1:] for part in others)


def _description(definition: Tool) -> str:
    """Return a tool's description, short enough for a prompt; else its title or its name."""
    words = (definition.description or "").strip()
    if not words:
        return definition.title or re.sub(r"[_\W]+", " ", definition.name).strip().capitalize()
    return shortened(words, DESCRIPTION_LENGTH)


def _annotations(declared: ToolAnnotations | None) -> llm.ToolAnnotations:
    """Return a server's hints about a tool's effects; the default is the least safe case."""
    hints = ("read_only", "destructive", "idempotent", "open_world")
    given = {name: getattr(declared, f"{name}_hint", None) for name in hints}
    found = llm.ToolAnnotations(**{name: hint for name, hint in given.items() if hint is not None})
    # By the protocol this hint means something only for tools that write.
    return replace(found, destructive=found.destructive and not found.read_only)


def about_itself(instructions: str | None) -> McpTool:
    """Return a server's instructions, if any, as an item to tick, again after each change."""
    # The SDK is loaded when a server is connected.
    from mcp.types import Tool  # noqa: PLC0415

    words = (instructions or "").strip()
    if len(words) > _INSTRUCTIONS_LENGTH:
        words = f"{words[:_INSTRUCTIONS_LENGTH].rstrip()} […]"
    meta = {EXTRA: Extra.INSTRUCTIONS}
    # A name that no tool can have.
    definition = Tool(name="server/instructions", description=words, input_schema={}, _meta=meta)
    tool = McpTool(definition, "instructions", _never)
    tool.description = words
    return tool


async def _never(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("instructions are only read")


async def async_is_admin(hass: HomeAssistant, context: Context | None) -> bool:
    """Return True if the request comes from an administrator, or from no user: an automation.

    Raises `Unauthorized` for a user who may not control everything: a server has no entities by
    which Home Assistant could decide, and may do anything.
    """
    if context is None or context.user_id is None:
        return True
    if (user := await hass.auth.async_get_user(context.user_id)) is None:
        raise UnknownUser(context=context)
    if not user.permissions.access_all_entities(POLICY_CONTROL):
        raise Unauthorized(context=context, permission=POLICY_CONTROL)
    return user.is_admin
