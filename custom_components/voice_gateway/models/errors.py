"""Map the errors of providers' packages and model servers to ModelError.

Only ModelError leaves a provider's folder. Servers agree on the shape of a refusal,
`{"error": {"message": …, "type": …, "code": …}}`, and on little else: each reports the same error
with another status and another text. Anthropic's:
https://platform.claude.com/docs/en/api/errors.

If a server cannot parse its model's output, the request is repeated once. Servers report this in
many ways, as a status or in the stream:

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

# Maximum characters of an error text that are searched, and kept for the log.
_LOOKED_AT = 64 * 1024
_KEPT = 500
# The status of an error within a stream, unless the error gives one.
IN_STREAM = -1

type _Refusals = tuple[tuple[tuple[int, ...], str, Reason], ...]
"""Statuses, a pattern of the error text, and the reason; the first match counts."""

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
    # LiteLLM without a database knows one key, and looks up any other one in the database.
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
            # Ollama's; the second is for a name that its library does not have.
            r"|model ['\"`]?[^\s'\"`]+['\"`]? not found|pull model manifest.*not exist"
        ),
        Reason.MODEL_NOT_FOUND,
    ),
    ((404,), "model", Reason.MODEL_NOT_FOUND),
    # Redirects are not followed: model servers send none, but login pages do.
    ((404, 405, 301, 302, 303, 307, 308), "", Reason.NOT_THE_SERVER),
    ((408, 409, 425, 429, 503, 529), "", Reason.OVERLOADED),
    (_ANY, "rate_limit_error|overloaded_error|timeout_error", Reason.OVERLOADED),
    # A proxy reports these for the server behind it.
    ((502, 504, *range(520, 528)), "", Reason.UNREACHABLE),
    (_ANY, "", Reason.SERVER_ERROR),
)
# The same for HTML pages, which come from proxies or other servers, but never from model servers.
_PAGES: _Refusals = (
    ((401, 407), "", Reason.UNAUTHORIZED),
    ((429,), "", Reason.OVERLOADED),
    ((500, 502, 503, 504, *range(520, 528)), "", Reason.UNREACHABLE),
    (_ANY, "", Reason.NOT_THE_SERVER),
)
# The reasons of other exceptions: for an answer that comes whole, and for a streamed one.
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

# A generation error has a word for a failure and one for the output, and none for the request.
_FAILED = re.compile(
    r"pars(?:e|ing)|decod|unmarshal|deserializ|malformed|unterminated|unexpected|mismatch|incomplete|extract"
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
# With a status of `_REFUSED`, the request itself is at fault, unless the error has these words.
_CERTAIN = re.compile(
    r"tool_use_failed|failed_generation|unexpected tokens?\b"
    r"|(?:tool|function)[ _]calls?\b.*(?:pars|malformed|invalid|fail)"
    r"|(?:pars\w*|malformed|invalid|fail\w*)\b.*\b(?:tool|function)[ _]call"
)
_QUOTED = re.compile(r"raw='(?P<raw>.*)', err|[<\[{].*[>\]}]", re.DOTALL)
_REFUSED = (400, 422)


class RequestRejected(ModelError):
    """A server refused a request, or broke off a stream with an error.

    `status` is HTTP's, or IN_STREAM; `words` is its message in lower case, and `param` the part of
    the request that it names, if any. `context` and `tokens` are the limit and the number of
    tokens, if the server reports them. `may_pass` is True if the same request may succeed later,
    and `wait` the number of seconds until then, if the server gives it.
    """

    def __init__(self, status: int, body: Any, *, model: str, page: bool = False) -> None:
        """Take the status, and the error in the body: an object or a text."""
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
            # The request named no model: the path does not exist.
            reason = Reason.NOT_THE_SERVER
        # The error does not name the type of the attachment.
        names = {"mime_type": "image/*"} if reason is Reason.ATTACHMENT else {}
        shown = str(body)[:_LOOKED_AT]
        detail = shown if status == IN_STREAM else f"HTTP {status}: {shown}"
        super().__init__(reason, detail, model=model, **names)
        self.may_pass = reason is Reason.OVERLOADED
        self.wait: float | None = None
        # OpenRouter nests the error of the server behind it; a router reports it as that server's.
        words = f"{error.get('code')}: {said} {error.get('metadata') or ''}"
        is_of_gateway = status == httpx2.codes.BAD_GATEWAY and not page
        if reason is Reason.SERVER_ERROR or is_of_gateway:
            self.of_generation = _is_of_generation(status, words.casefold())
        if self.of_generation:
            found = _QUOTED.search(words)
            quoted = found["raw"] or found[0] if found else ""
            self.written = str(error.get("failed_generation") or quoted)


def _is_of_generation(status: int, said: str) -> bool:
    """Return True if an error text, with its status, is about invalid output of the model."""
    if status in _REFUSED:
        return _CERTAIN.search(said) is not None
    return bool(_FAILED.search(said) and _GENERATED.search(said)) and not _ASKED.search(said)


@contextmanager
def as_model_errors(
    package: str, redactor: Redactor, model: str = "", *, streamed: bool = False
) -> Iterator[None]:
    """Turn errors of a provider's package and its libraries into ModelErrors without secrets."""
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
    """Return a package's error as ModelError, else None; `openai` and `anthropic` are alike."""
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
    # Failures of Anthropic's own servers are brief.
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
            # Ollama's package replaces the error by the advice to install Ollama.
            cause = err.__context__ if isinstance(err, ConnectionError) else None
            detail = repr(cause or err)[:_LOOKED_AT]
            return ModelError(stream if streamed else whole, detail, model=model)
    return None
