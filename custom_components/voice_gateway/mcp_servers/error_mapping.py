"""The mapping of errors of the SDK, and of the libraries below it, to ours."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
import logging

import anyio
import httpx2
from mcp import MCPError
from mcp.types import CONNECTION_CLOSED, INVALID_REQUEST, PARSE_ERROR, REQUEST_TIMEOUT
from pydantic import ValidationError

from ..logs import guard, logger_of
from ..redactor import Redactor
from .errors import (
    McpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpRejected,
    McpTimeout,
    McpUnreachable,
)
from .http import answer_failure, http_failure

_LOGGER = logger_of(__name__)

# The words for the end of a connection for an unknown reason.
END = "The server closed the connection"
# The beginning of the SDK's words for an invalid HTTP answer.
_OF_ADDRESS = (httpx2.InvalidURL, UnicodeError)
_NO_ANSWER = ("Unexpected content type: ", "server answered a request with 202 Accepted")


# Set in the tasks of our own connections, and during other tasks' calls over them.
_IS_OURS: ContextVar[bool] = ContextVar("_IS_OURS", default=False)


def _is_wanted(record: logging.LogRecord) -> bool:
    """Return False for errors of our connections, which we report ourselves."""
    return not (_IS_OURS.get() and (record.exc_info or record.levelno >= logging.ERROR))


guard("mcp", "client", "httpx2", "httpcore2")
for _name in ("mcp.client.sse", "mcp.client.streamable_http", "client"):
    logging.getLogger(_name).addFilter(_is_wanted)


@contextmanager
def library_errors(redactor: Redactor) -> Generator[None]:
    """Turn every exception of the SDK and the libraries below it into an `McpError`, redacted."""
    token = _IS_OURS.set(True)
    try:
        yield
    except asyncio.CancelledError as err:
        # A transport that fails cancels the task that opened it: this is not a requested
        # cancellation.
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise McpInterrupted("The connection broke") from err
    except Exception as err:
        failure = failure_of(err)
        failure.hide(redactor)
        raise failure from err
    finally:
        _IS_OURS.reset(token)


def failure_of(err: Exception) -> McpError:
    """Return the failure for an exception of the SDK, or of the libraries below it."""
    match err:
        case ExceptionGroup():
            ours = err.subgroup(McpError) or err
            return failure_of(ours.exceptions[0])
        case McpError():
            return err
        case MCPError():
            return _protocol_failure(err)
        case httpx2.HTTPError():
            return http_failure(err)
        case TimeoutError():
            return McpTimeout("No answer came in time")
        case OSError():
            return McpUnreachable(f"{err.strerror or err}: {err.filename or ''}".rstrip(": "))
        case anyio.BrokenResourceError() | anyio.ClosedResourceError() | anyio.EndOfStream():
            return McpInterrupted("The connection ended")
        case ValidationError():
            first = err.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            return McpInvalidAnswer(f"{place}: {first['msg']}")
        case httpx2.InvalidURL() | ValueError() if isinstance(
            err, _OF_ADDRESS
        ) or "null byte" in str(err):
            return McpUnreachable(str(err))
    _LOGGER.error("Unexpected error of an MCP connection", exc_info=err)
    return McpInvalidAnswer(str(err) or type(err).__name__)


def _protocol_failure(err: MCPError) -> McpError:
    code, words = err.code, err.message
    # Servers use the SDK's own codes (-32000, -32001) for other purposes, so its words decide.
    if failure := answer_failure(code, words, err.data):
        return failure
    if code == REQUEST_TIMEOUT and words.endswith(" timed out"):
        return McpTimeout("No answer came in time")
    if is_end(err):
        return McpInterrupted(END)
    if code == CONNECTION_CLOSED and words.startswith("SSE stream "):
        return McpInterrupted(f"The connection broke ({words})")
    # The SDK's own words for unreadable data: pages of them, and none is the server's.
    if code == PARSE_ERROR and words.startswith("Failed to parse "):
        return McpInvalidAnswer("it can't be read as a message of the protocol")
    if code == INVALID_REQUEST and words.startswith(_NO_ANSWER):
        return McpInvalidAnswer(words)
    return McpRejected(words, code=code)


def is_end(err: MCPError) -> bool:
    """Return True if the whole connection has ended."""
    return err.code == CONNECTION_CLOSED and err.message == "Connection closed"
