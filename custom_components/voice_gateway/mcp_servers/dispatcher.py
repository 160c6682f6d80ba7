"""The SDK's dispatcher of messages, more lenient."""

from collections.abc import Callable
from typing import Any, cast, override

from mcp import MCPError
from mcp.shared.dispatcher import CallOptions
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

from ..redactor import Redactor
from . import lenient_parsing
from .error_mapping import is_end
from .errors import McpInvalidAnswer
from .secrets import clean_tools


class Dispatcher(JSONRPCDispatcher):
    """The SDK's dispatcher: malformed parts of an answer cost only themselves."""

    on_end: Callable[[], None]
    redactor: Redactor
    ended = False

    def __init__(self, *streams: Any) -> None:
        """Take the streams from the server and to it."""
        super().__init__(*streams)
        self.begin_tools()

    def begin_tools(self) -> None:
        """Read the server's tools from the first page on."""
        self.skipped_tools: dict[str, str] = {}
        self.room = lenient_parsing.MAX_TOOLS

    @override
    async def run(self, *args: Any, **kwargs: Any) -> None:
        try:
            await super().run(*args, **kwargs)
        finally:
            self.ended = True
            self.on_end()

    @override
    async def send_raw_request(
        self, method: str, params: Any, opts: CallOptions | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        try:
            raw = await super().send_raw_request(method, params, opts, **kwargs)
        except MCPError as err:
            # Callers get the error before `run` has ended.
            self.ended = self.ended or is_end(err)
            raise
        match method:
            case "tools/list":
                page = lenient_parsing.readable_tools(raw, self.skipped_tools, self.room)
                self.room -= len(page["tools"])
                return cast("dict[str, Any]", clean_tools(page, self.redactor))
            case "tools/call" if lenient_parsing.is_task(raw):
                raise McpInvalidAnswer("the tool is to answer later, which is not supported")
            case "tools/call":
                result = lenient_parsing.readable_result(raw)
            case _:
                result = lenient_parsing.readable_extras(method, raw)
        return cast("dict[str, Any]", self.redactor.all(result))
