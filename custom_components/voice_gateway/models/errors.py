"""What goes wrong on the way to a model's server, and which of our errors it is.

Nothing but ModelError leaves a provider's folder. Servers agree on the shape of a refusal,
`{"error": {"message": …, "type": …, "code": …}}`, and on little else: the same thing has another
status and other words with each. Anthropic's: https://platform.claude.com/docs/en/api/errors.

A server that cannot read what its model wrote is not faulty; the model is asked once more. Servers
say so in many words, as a status or in the stream:

    error parsing tool call: raw='{"name": "Lamp"}]', err=invalid character ']'         Ollama
    XML syntax error on line 4: element <parameter> closed by </function>
    Failed to parse input at pos 12: <tool_call>{"name": …                              llama.cpp
    unexpected tokens remaining in message header                                       vLLM
    Failed to call a function. See 'failed_generation' for more details.                Groq
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
import re
import sys
from typing import Any

import httpx2

from ..redactor import Redactor
from .client import ModelError, Reason
from .transport import BrokenOff

# Letters of a server's words, or of a library's, that are looked at, and kept for the log.
_LOOKED_AT = 64 * 1024
_KEPT = 500
# An error within a stream has no status of its own, unless it says one.
IN_STREAM = -1

type _Refusals = tuple[tuple[tuple[int, ...], str, Reason], ...]
"""Statuses, words of which some are there, and what it means; the first that fits counts."""

_ANY: tuple[int, ...] = ()
_FAULTY = (IN_STREAM, 400, 404, 422, 500, 501)
_REFUSALS: _Refusals = (
    ((402,), "", Reason.NO_CREDIT),
    (
        _ANY,
        (
            r"insufficient_quota|insufficient credits|credit balance|out of credits|billing_error"
            r"|exceeded your current quota|billing_hard_limit|budget has been exceeded"
        ),
        Reason.NO_CREDIT,
    ),
    ((401, 403, 407), "", Reason.UNAUTHORIZED),
    # LiteLLM without a database knows one key, and looks for any other one in the database.
    ((400,), "no_db_connection", Reason.UNAUTHORIZED),
    ((IN_STREAM,), "authentication_error|permission_error", Reason.UNAUTHORIZED),
    (
        (*_FAULTY, 413),
        (
            r"context_length_exceeded|exceed_context_size|context (?:size|length|window|overflow)"
            r"|exceed context limit|(?:prompt|input) is too long|too many tokens"
            r"|longer than the maximum model length"
        ),
        Reason.CONTEXT_EXCEEDED,
    ),
    ((413,), "", Reason.CONTEXT_EXCEEDED),
    (
        _FAULTY,
        (
            r"--jinja|enable-auto-tool-choice|support(?: for)? tool|support function call"
            r"|(?:tools (?:are|is)|tool use is|tool calling is) not supported|does not support tools"
        ),
        Reason.NO_TOOLS,
    ),
    (
        _FAULTY,
        (
            r"(?:image input is|images are|image_url is) not supported|not a multimodal model"
            r"|support (?:image|vision)|image input modality|only supports text"
            r"|multimodal data provided, but"
        ),
        Reason.ATTACHMENT,
    ),
    (
        _FAULTY,
        (
            r"model_not_found|not a valid model|invalid model|no models loaded|no endpoints found"
            r"|unknown model|(?:could not|failed to) load model|no such model|model does not exist"
            # Ollama's, the second of a name that its library does not have.
            r"|model ['\"`]?[^\s'\"`]+['\"`]? not found|pull model manifest.*not exist"
        ),
        Reason.MODEL_NOT_FOUND,
    ),
    ((404,), "model", Reason.MODEL_NOT_FOUND),
    # Redirects are not followed: a model server has none, but pages to log in have.
    ((404, 405, 301, 302, 303, 307, 308), "", Reason.NOT_THE_SERVER),
    ((408, 409, 425, 429, 503, 529), "", Reason.OVERLOADED),
    (_ANY, "rate_limit_error|overloaded_error|timeout_error", Reason.OVERLOADED),
    # A proxy says so of the server behind it.
    ((502, 504, *range(520, 528)), "", Reason.UNREACHABLE),
    (_ANY, "", Reason.SERVER_ERROR),
)
# The same where a page comes back, which no model server writes: a proxy's, or somebody else's.
_PAGES: _Refusals = (
    ((401, 407), "", Reason.UNAUTHORIZED),
    ((429,), "", Reason.OVERLOADED),
    ((500, 502, 503, 504, *range(520, 528)), "", Reason.UNREACHABLE),
    (_ANY, "", Reason.NOT_THE_SERVER),
)
# What else was raised, and what it means: in an answer that comes whole, and in one that is streamed.
_MEANINGS: tuple[tuple[tuple[type[Exception], ...], Reason, Reason], ...] = (
    ((BrokenOff, httpx2.StreamError), Reason.UNREACHABLE, Reason.CONNECTION_LOST),
    ((httpx2.HTTPError, httpx2.InvalidURL, OSError), Reason.UNREACHABLE, Reason.UNREACHABLE),
    (
        # Not JSON, too much of it, or not the protocol's objects.
        (ValueError, RecursionError, AttributeError, TypeError, KeyError),
        Reason.NOT_THE_SERVER,
        Reason.CONNECTION_LOST,
    ),
)

# What went wrong, and of what; and what a request has, which is then what is wrong.
_FAILED = re.compile(
    r"pars(?:e|ing)|decod|unmarshal|malformed|unterminated|unexpected|mismatch|incomplete|extract"
    r"|convert|invalid|not (?:return )?(?:a )?valid|unbalanced|unclosed|unmatched|expect(?:ed|ing)\b"
    r"|syntax error|validation failed|not (?:match|conform)|fail\w* to (?:call|generate)|must be"
    r"|unknown (?:tool|function|channel)|no (?:valid )?(?:tool|function) call|after object|eof while|extra data"
)
_GENERATED = re.compile(
    r"tool|function|json|xml|\btokens?\b|message header|harmony|output|generat|input at|channel"
    r"|model(?:'s)? (?:response|reply|answer|message|produced|wrote)|malformed_response|the answer"
    r"|line \d+,? col|key:value"
)
_ASKED = re.compile(
    r"grammar|schema|template|request|messages\b|struct field|image|unknown field|load"
)
# A refused request is its own fault, unless this is said.
_CERTAIN = re.compile(
    r"tool_use_failed|failed_generation|unexpected tokens?\b"
    r"|(?:tool|function)[ _]calls?\b.*(?:pars|malformed|invalid|fail)"
    r"|(?:pars\w*|malformed|invalid|fail\w*)\b.*\b(?:tool|function)[ _]call"
)
_QUOTED = re.compile(r"raw='(?P<raw>.*)', err|[<\[{].*[>\]}]", re.DOTALL)
_REFUSED = (400, 422)


class RequestRejected(ModelError):
    """A server refused a request, or broke off a stream with an error.

    `status` is HTTP's, or IN_STREAM; `words` are its message in small letters, and `param` is the
    part of the request that it names, if it does. `context` and `tokens` are how many tokens there may
    be and were, where it counts them. `may_pass` says whether the same request may be taken later, and
    `wait` after how many seconds, where the server says so.
    """

    def __init__(self, status: int, body: Any, *, model: str, page: bool = False) -> None:
        """Take the status, and the error that the body has: an object, or words."""
        error = body if isinstance(body, dict) else {}
        said = error.get("message") or error.get("detail") or body
        self.status = status
        self.param = str(error.get("param") or "")
        self.words = str(said)[:_LOOKED_AT].casefold()
        self.context, self.tokens = (
            count if type(count := error.get(name)) is int and count > 0 else None
            for name in ("n_ctx", "n_prompt_tokens")
        )
        told = " ".join((self.words, *(str(error.get(key)) for key in ("code", "type"))))
        reason = next(
            reason
            for statuses, marks, reason in (_PAGES if page else _REFUSALS)
            if (not statuses or status in statuses) and re.search(marks, told.casefold())
        )
        if reason is Reason.MODEL_NOT_FOUND and not model:
            # Nobody asked for one: it is the path that is not there.
            reason = Reason.NOT_THE_SERVER
        # Which kind of file was not looked at is up to who sent it.
        names = {"mime_type": "image/*"} if reason is Reason.ATTACHMENT else {}
        shown = str(body)[:_LOOKED_AT]
        detail = shown if status == IN_STREAM else f"HTTP {status}: {shown}"
        super().__init__(reason, detail, model=model, **names)
        self.may_pass = reason is Reason.OVERLOADED
        self.wait: float | None = None
        # OpenRouter says within what the server behind it said, a router as a fault of that server.
        words = f"{error.get('code')}: {said} {error.get('metadata') or ''}"
        is_of_gateway = status == httpx2.codes.BAD_GATEWAY and not page
        if reason is Reason.SERVER_ERROR or is_of_gateway:
            self.of_generation = _is_of_generation(status, words.casefold())
        if self.of_generation:
            found = _QUOTED.search(words)
            quoted = found["raw"] or found[0] if found else ""
            self.written = str(error.get("failed_generation") or quoted)


def _is_of_generation(status: int, said: str) -> bool:
    """Return True if a server says, with an HTTP status or within a stream, what a model wrote wrong."""
    if status in _REFUSED:
        return _CERTAIN.search(said) is not None
    return bool(_FAILED.search(said) and _GENERATED.search(said)) and not _ASKED.search(said)


@contextmanager
def as_model_errors(
    package: str, redactor: Redactor, model: str = "", *, streamed: bool = False
) -> Iterator[None]:
    """Turn errors of a provider's package, and below it, into ModelErrors without secrets."""
    try:
        yield
    except ModelError as err:
        err.hide(redactor, _KEPT)
        raise
    except Exception as err:
        ours = _of_package(package, err, model) or _meaning(err, model, streamed)
        if ours is None:
            raise
        ours.hide(redactor, _KEPT)
        raise ours from err


def _of_package(name: str, err: Exception, model: str) -> ModelError | None:
    """Return what an error of a package means; None for another. `openai` and `anthropic` are alike."""
    package: Any = sys.modules.get(name)
    if package and name == "ollama" and isinstance(err, package.ResponseError):
        return RequestRejected(err.status_code, err.error, model=model)
    if not package or name == "ollama" or not isinstance(err, package.APIError):
        return None
    if isinstance(err, package.APIConnectionError):
        return ModelError(Reason.UNREACHABLE, repr(err.__cause__ or err)[:_LOOKED_AT], model=model)
    response: httpx2.Response | None = getattr(err, "response", None)
    body: Any = err.body
    if isinstance(body, dict):
        body = body.get("error", body)
    headers = response.headers if response is not None else {}
    if response is None or response.is_success:
        code = body.get("code") if isinstance(body, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else IN_STREAM
        refused = RequestRejected(status, body or err.message, model=model)
    else:
        page = "html" in headers.get("content-type", "")
        body = response.text.strip() if body is None else body
        refused = RequestRejected(response.status_code, body, model=model, page=page)
    # Anthropic's own failures are brief.
    is_brief = refused.status >= 500 or getattr(err, "type", None) == "api_error"
    refused.may_pass |= is_brief and name == "anthropic"
    with suppress(KeyError, ValueError):
        refused.wait = max(0.0, float(headers["retry-after"]))
    if (said := headers.get("x-should-retry")) is not None:
        refused.may_pass = said == "true"
    return refused


def _meaning(err: Exception, model: str, streamed: bool) -> ModelError | None:
    for kinds, whole, stream in _MEANINGS:
        if isinstance(err, kinds):
            # Ollama's package replaces what failed by an advice to install Ollama.
            cause = err.__context__ if isinstance(err, ConnectionError) else None
            detail = repr(cause or err)[:_LOOKED_AT]
            return ModelError(stream if streamed else whole, detail, model=model)
    return None
