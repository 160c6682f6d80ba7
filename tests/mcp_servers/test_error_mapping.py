"""What errors of the SDK, and of what is below it, mean."""

from collections.abc import Callable
import errno

import anyio
import httpx2
from mcp import MCPError
from mcp.types import (
    CONNECTION_CLOSED,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    REQUEST_TIMEOUT,
)
import pytest

from custom_components.voice_gateway.mcp_servers.error_mapping import failure_of, library_errors
from custom_components.voice_gateway.mcp_servers.errors import (
    McpError,
    McpHttpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpMoreRights,
    McpRejected,
    McpSessionExpired,
    McpTimeout,
    McpUnauthorized,
    McpUnreachable,
)
from custom_components.voice_gateway.redactor import Redactor


@pytest.mark.parametrize(
    ("code", "message", "kind"),
    [
        (REQUEST_TIMEOUT, "Request 'tools/call' timed out", McpTimeout),
        (CONNECTION_CLOSED, "Connection closed", McpInterrupted),
        (CONNECTION_CLOSED, "SSE stream ended without a response", McpInterrupted),
        (PARSE_ERROR, "Failed to parse JSONRPC message from server", McpInvalidAnswer),
        (INVALID_REQUEST, "Unexpected content type: text/html", McpInvalidAnswer),
    ],
)
def test_the_sdks_own_errors_are_told_by_code_and_words(
    code: int, message: str, kind: type[McpError]
) -> None:
    failure = failure_of(MCPError(code, message))
    assert type(failure) is kind
    assert not failure.repeatable


@pytest.mark.parametrize(
    ("code", "message"),
    [
        # Servers use the SDK's codes for what they please, and its words with codes of their own.
        (REQUEST_TIMEOUT, "The oven is too hot"),
        (INVALID_PARAMS, "The oven's last run timed out"),
        (CONNECTION_CLOSED, "The garage's connection is bad"),
        (INVALID_PARAMS, "Connection closed"),
        (INVALID_PARAMS, "SSE stream is no type of alarm"),
        (PARSE_ERROR, "No such recipe"),
        (INVALID_PARAMS, "Failed to parse the date"),
        (INVALID_REQUEST, "No such list"),
        (INVALID_PARAMS, "Unexpected content type: cake"),
    ],
)
def test_a_servers_own_error_is_told_in_its_words(code: int, message: str) -> None:
    failure = failure_of(MCPError(code, message))
    assert type(failure) is McpRejected
    assert (failure.code, str(failure)) == (code, message)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (TimeoutError(), McpTimeout, "No answer came in time"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "uvx"),
            McpUnreachable,
            "No such file or directory: uvx",
        ),
        (OSError("no route"), McpUnreachable, "no route"),
        (anyio.ClosedResourceError(), McpInterrupted, "The connection ended before"),
        (httpx2.InvalidURL("no port"), McpUnreachable, "no port"),
        (ValueError("embedded null byte"), McpUnreachable, "embedded null byte"),
        (ExceptionGroup("", [TimeoutError()]), McpTimeout, "No answer came in time"),
        # What is known already is the cause, whatever was raised beside it.
        (
            ExceptionGroup("", [OSError("pipe"), McpInterrupted("It broke")]),
            McpInterrupted,
            "It broke",
        ),
    ],
)
def test_errors_below_the_sdk(error: Exception, kind: type[McpError], words: str) -> None:
    failure = failure_of(error)
    assert type(failure) is kind
    assert words in str(failure)


@pytest.mark.parametrize("error", [ValueError("no number"), KeyError("tools")])
def test_what_nobody_knows_is_an_invalid_answer_and_logged(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    assert type(failure_of(error)) is McpInvalidAnswer
    assert "Unexpected error of an MCP connection" in caplog.text


@pytest.mark.parametrize("made", [lambda text: MCPError(INVALID_PARAMS, text), OSError])
def test_no_failure_tells_a_secret(made: Callable[[str], Exception]) -> None:
    redactor = Redactor(["s3cret-key-of-mine"])
    with pytest.raises(McpError) as raised, library_errors(redactor):
        raise made("refused s3cret-key-of-mine")
    assert "s3cret" not in str(raised.value)
    assert "s3cret" not in raised.value.detail
    assert "refused" in raised.value.detail


REQUEST = httpx2.Request("POST", "http://ada:pa55@nas.local:8123/mcp?key=s3cret")


@pytest.mark.parametrize(
    ("kind", "words", "failure", "told"),
    [
        # Nothing was sent: it may be sent again.
        *(
            (kind, words, McpUnreachable, f"No connection to nas.local:8123 ({told})")
            for kind, words, told in (
                (httpx2.ConnectError, "[Errno 111] Connection refused", "Connection refused"),
                (httpx2.ConnectError, "[Errno -2] Name not known", "Name not known"),
                (httpx2.ConnectTimeout, "", "ConnectTimeout"),
                (httpx2.PoolTimeout, "", "PoolTimeout"),
                (httpx2.LocalProtocolError, "odd", "odd"),
                (httpx2.ProxyError, "odd", "odd"),
                (httpx2.UnsupportedProtocol, "odd", "odd"),
            )
        ),
        (httpx2.ReadTimeout, "", McpInterrupted, "The server fell silent before"),
        (httpx2.WriteTimeout, "", McpInterrupted, "The server fell silent before"),
        (httpx2.ReadError, "[Errno 104] Reset", McpInterrupted, "The connection broke (Reset) before"),
        (httpx2.WriteError, "", McpInterrupted, "The connection broke (WriteError) before"),
        (httpx2.RemoteProtocolError, "odd", McpInterrupted, "The connection broke (odd) before"),
    ],
)  # fmt: skip
def test_request_that_was_not_sent_is_told_from_one_that_may_have_arrived(
    kind: type[httpx2.RequestError], words: str, failure: type[McpError], told: str
) -> None:
    """And of the address no more is told than where it is."""
    found = failure_of(kind(words, request=REQUEST))
    assert type(found) is failure
    assert found.repeatable is (failure is McpUnreachable)
    assert str(found).startswith(told)
    assert not any(secret in str(found) for secret in ("pa55", "s3cret", "/mcp"))


@pytest.mark.parametrize(
    ("status", "challenge", "in_session", "kind"),
    [
        (401, "Bearer", False, McpUnauthorized),
        (403, 'Bearer error="insufficient_scope"', False, McpMoreRights),
        (403, "Bearer", False, McpHttpError),
        (404, "", True, McpSessionExpired),
        (404, "", False, McpHttpError),
        (400, "", True, McpHttpError),
        (500, "", True, McpHttpError),
    ],
)
def test_status_is_told_by_what_it_means(
    status: int, challenge: str, in_session: bool, kind: type[McpError]
) -> None:
    headers = {"mcp-session-id": "1"} if in_session else {}
    request = httpx2.Request("POST", "http://nas.local/mcp", headers=headers)
    answer = httpx2.Response(status, headers={"WWW-Authenticate": challenge}, request=request)
    found = failure_of(httpx2.HTTPStatusError("odd", request=request, response=answer))
    assert type(found) is kind
    assert f"HTTP {status}" in str(found)
    assert getattr(found, "challenge", challenge) == challenge
    assert getattr(found, "status", status) == status
