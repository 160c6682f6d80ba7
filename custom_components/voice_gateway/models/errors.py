"""Map the errors of requests and model servers to ModelError.

Servers agree on the shape of a refusal, `{"error": {"message": …, "type": …, "code": …}}`, and on
little else: each reports the same error with another status and another text. Anthropic's:
https://platform.claude.com/docs/en/api/errors.

If a server cannot parse its model's output, the request is repeated once. Servers report this in
many ways, as a status or in the stream:

    error parsing tool call: raw='{"name": "Lamp"}]', err=invalid character ']'         Ollama
    unexpected tokens remaining in message header                                       vLLM
"""

from collections.abc import Iterator
from contextlib import contextmanager
import re
from typing import Any

import aiohttp

from ..redactor import Redactor
from .client import ModelError, Reason

# Maximum characters of an error text that are searched, and kept for the log.
_LOOKED_AT = 64 * 1024
_KEPT = 500
# The status of an error within a stream, unless the error gives one.
IN_STREAM = -1


class BrokenOff(Exception):
    """The connection ended before the answer was complete."""


type _Refusals = tuple[tuple[tuple[int, ...], str, Reason], ...]
"""Statuses, a pattern of the error text, and the reason; the first match counts."""

_ANY: tuple[int, ...] = ()
_FAULTY = (IN_STREAM, 400, 404, 422, 500, 501)
_NO_CREDIT = (
    r"insufficient_quota|insufficient credits|credit balance|out of credits|billing_error"
    r"|exceeded your current quota|billing_hard_limit|budget has been exceeded"
)
_TOO_LONG = (
    r"context_length_exceeded|exceed_context_size|context (?:size|length|window|overflow)"
    r"|exceed context limit|(?:prompt|input) is too long|too many tokens"
    r"|longer than the maximum model length"
)
_NO_TOOLS = (
    r"--jinja|enable-auto-tool-choice|support(?: for)? tool|support function call"
    r"|(?:tools (?:are|is)|tool use is|tool calling is) not supported|does not support tools"
)
_NO_SIGHT = (
    r"(?:image input is|images are|image_url is) not supported|not a multimodal model"
    r"|support (?:image|vision)|image input modality|only supports text|multimodal data provided, but"
)
# The last line is Ollama's; its second part is for a name that its library does not have.
_NO_MODEL = (
    r"model_not_found|not a valid model|invalid model|no models loaded|no endpoints found"
    r"|unknown model|(?:could not|failed to) load model|no such model|model does not exist"
    r"|model ['\"`]?[^\s'\"`]+['\"`]? not found|pull model manifest.*not exist"
)
_REFUSALS: _Refusals = (
    ((402,), "", Reason.NO_CREDIT),
    (_ANY, _NO_CREDIT, Reason.NO_CREDIT),
    ((401, 403, 407), "", Reason.UNAUTHORIZED),
    # LiteLLM without a database knows one key, and looks up any other one in the database.
    ((400,), "no_db_connection", Reason.UNAUTHORIZED),
    ((IN_STREAM,), "authentication_error|permission_error", Reason.UNAUTHORIZED),
    ((*_FAULTY, 413), _TOO_LONG, Reason.CONTEXT_EXCEEDED),
    ((413,), "", Reason.CONTEXT_EXCEEDED),
    (_FAULTY, _NO_TOOLS, Reason.NO_TOOLS),
    (_FAULTY, _NO_SIGHT, Reason.ATTACHMENT),
    (_FAULTY, _NO_MODEL, Reason.MODEL_NOT_FOUND),
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
# Not JSON, too much of it, or not the protocol's objects.
_MALFORMED = (ValueError, RecursionError, AttributeError, TypeError, KeyError)
# The reasons of other exceptions: for an answer that comes whole, and for a streamed one.
_MEANINGS: tuple[tuple[tuple[type[Exception], ...], Reason, Reason], ...] = (
    ((BrokenOff,), Reason.UNREACHABLE, Reason.CONNECTION_LOST),
    ((aiohttp.ClientError, OSError), Reason.UNREACHABLE, Reason.UNREACHABLE),
    (_MALFORMED, Reason.NOT_THE_SERVER, Reason.CONNECTION_LOST),
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
    the request that it names. `context` and `tokens` are the limit and the number of tokens.
    `may_pass` is True if the same request may succeed later, after `wait` seconds.
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
        if reason is Reason.SERVER_ERROR or (status == 502 and not page):
            told = words.casefold()
            needed = (_CERTAIN,) if status in _REFUSED else (_FAILED, _GENERATED)
            is_of_request = status not in _REFUSED and _ASKED.search(told)
            self.of_generation = all(each.search(told) for each in needed) and not is_of_request
        if self.of_generation:
            found = _QUOTED.search(words)
            quoted = found["raw"] or found[0] if found else ""
            self.written = str(error.get("failed_generation") or quoted)


@contextmanager
def as_model_errors(
    redactor: Redactor, model: str = "", *, streamed: bool = False
) -> Iterator[None]:
    """Turn the errors of a request into ModelErrors without secrets."""
    try:
        yield
    except ModelError as err:
        err.detail = redactor.text(err.detail)[:_KEPT]
        raise
    except Exception as err:
        for kinds, *reasons in _MEANINGS:
            if isinstance(err, kinds):
                detail = redactor.text(repr(err)[:_LOOKED_AT])[:_KEPT]
                raise ModelError(reasons[streamed], detail, model=model) from err
        raise
