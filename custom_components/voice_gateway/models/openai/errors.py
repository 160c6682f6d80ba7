"""What goes wrong at a server that speaks OpenAI's protocol, and which of our errors it is.

Servers agree on the shape, `{"error": {"message": …, "type": …, "code": …}}`, and on little else:
the same thing has another status and other words with each. The table has them all.
"""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import generation_faults
from ..client import ModelError, Reason
from ..errors import LOOKED_AT, as_model_errors

if TYPE_CHECKING:
    import openai

# An error within a stream has no status of its own, unless it says one.
IN_STREAM = -1

_ANY: tuple[int, ...] = ()
_FAULTY = (IN_STREAM, 400, 404, 422, 500, 501)
# The statuses, the words one of which is there, and what it means; the first that fits counts.
_REFUSALS: tuple[tuple[tuple[int, ...], tuple[str, ...], Reason], ...] = (
    ((402,), (), Reason.NO_CREDIT),
    (
        _ANY,
        (
            *("insufficient_quota", "insufficient credits", "credit balance", "out of credits"),
            *("exceeded your current quota", "billing_hard_limit", "budget has been exceeded"),
        ),
        Reason.NO_CREDIT,
    ),
    ((401, 403, 407), (), Reason.UNAUTHORIZED),
    # LiteLLM without a database knows one key, and looks for any other one in the database.
    ((400,), ("no_db_connection",), Reason.UNAUTHORIZED),
    (
        (*_FAULTY, 413),
        (
            *("context_length_exceeded", "exceed_context_size", "context size", "context length"),
            *("context window", "prompt is too long", "input is too long", "too many tokens"),
            *("context overflow", "longer than the maximum model length"),
        ),
        Reason.CONTEXT_EXCEEDED,
    ),
    ((413,), (), Reason.CONTEXT_EXCEEDED),
    (
        _FAULTY,
        (
            *("--jinja", "enable-auto-tool-choice", "support tool", "support function call"),
            *("tools are not supported", "tools is not supported", "tool use is not supported"),
            *("tool calling is not supported", "support for tool", "does not support tools"),
        ),
        Reason.NO_TOOLS,
    ),
    (
        _FAULTY,
        (
            *("image input is not supported", "not a multimodal model", "support image"),
            *("images are not supported", "image_url is not supported", "support vision"),
            *("image input modality", "only supports text", "multimodal data provided, but"),
        ),
        Reason.ATTACHMENT,
    ),
    (
        _FAULTY,
        (
            *("model_not_found", "not a valid model", "invalid model", "no models loaded"),
            *(
                "no endpoints found",
                "unknown model",
                "could not load model",
                "failed to load model",
            ),
            *("no such model", "model does not exist", "model not found"),
        ),
        Reason.MODEL_NOT_FOUND,
    ),
    ((404,), ("model",), Reason.MODEL_NOT_FOUND),
    # Redirects are not followed: a model server has none, but pages to log in have.
    ((404, 405, 301, 302, 303, 307, 308), (), Reason.NOT_THE_SERVER),
    ((408, 409, 425, 429, 503, 529), (), Reason.OVERLOADED),
    # A proxy says so of the server behind it.
    ((502, 504, *range(520, 528)), (), Reason.UNREACHABLE),
)
# The same where a page comes back, which no model server writes: a proxy's, or somebody else's.
_PAGES: tuple[tuple[tuple[int, ...], Reason], ...] = (
    ((401, 407), Reason.UNAUTHORIZED),
    ((429,), Reason.OVERLOADED),
    ((500, 502, 503, 504, *range(520, 528)), Reason.UNREACHABLE),
)


class RequestRejected(ModelError):
    """A server refused a request, or broke off a stream with an error.

    `status` is HTTP's, or IN_STREAM; `words` are its message in small letters, and `param` is the
    part of the request that it names, if it does. `context` and `tokens` are how many tokens there may
    be and were, where it counts them; `wait` are the seconds that it asks to wait.
    """

    def __init__(self, status: int, body: Any, *, model: str, page: bool = False) -> None:
        """Take the status, and the error that the body has: an object, or words."""
        error = body if isinstance(body, dict) else {}
        said = error.get("message") or error.get("detail") or body
        self.status = status
        self.param = str(error.get("param") or "")
        self.words = str(said)[:LOOKED_AT].casefold()
        self.context = _count(error.get("n_ctx"))
        self.tokens = _count(error.get("n_prompt_tokens"))
        self.wait: float | None = None
        told = " ".join((self.words, *(str(error.get(key)) for key in ("code", "type"))))
        reason = _of_page(status) if page else _of_refusal(status, told.casefold())
        if reason is Reason.MODEL_NOT_FOUND and not model:
            # Nobody asked for one: it is the path that is not there.
            reason = Reason.NOT_THE_SERVER
        # Which kind of file was not looked at is up to who sent it.
        names = {"mime_type": "image/*"} if reason is Reason.ATTACHMENT else {}
        shown = str(body)[:LOOKED_AT]
        detail = shown if status == IN_STREAM else f"HTTP {status}: {shown}"
        super().__init__(reason, detail, model=model, **names)
        written = str(error.get("failed_generation") or "")
        generation_faults.note(self, status, f"{error.get('code')}: {said}", written)


def _count(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None


def _of_page(status: int) -> Reason:
    return next(
        (reason for statuses, reason in _PAGES if status in statuses), Reason.NOT_THE_SERVER
    )


def _of_refusal(status: int, words: str) -> Reason:
    for statuses, marks, reason in _REFUSALS:
        if (not statuses or status in statuses) and (
            not marks or any(mark in words for mark in marks)
        ):
            return reason
    return Reason.SERVER_ERROR


def _of_package(err: Exception, model: str) -> ModelError | None:
    """Return what an error of the package means; None for any other."""
    import openai  # noqa: PLC0415 - was loaded with the client that raised

    match err:
        case openai.APIStatusError():
            return _refused(err, model)
        case openai.APIConnectionError():
            cause = err.__cause__ or err
            return ModelError(Reason.UNREACHABLE, repr(cause)[:LOOKED_AT], model=model)
        case openai.APIError():
            code = err.body.get("code") if isinstance(err.body, dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else IN_STREAM
            return RequestRejected(status, err.body or err.message, model=model)
    return None


model_errors = partial(as_model_errors, _of_package)
"""Turn the errors of the libraries into ModelError: see `as_model_errors`."""


def _refused(err: openai.APIStatusError, model: str) -> RequestRejected:
    page = "html" in err.response.headers.get("content-type", "")
    body = err.body if err.body is not None else err.response.text.strip()
    refused = RequestRejected(err.status_code, body, model=model, page=page)
    with suppress(KeyError, ValueError):
        refused.wait = max(0.0, float(err.response.headers["retry-after"]))
    return refused
