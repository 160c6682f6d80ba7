"""What goes wrong at Anthropic's API: what it means, and when to ask once more.

Source: https://platform.claude.com/docs/en/api/errors.
"""

import json
from typing import TYPE_CHECKING

import httpx2

from ..backoff import backoff
from ..client import ModelError, Reason
from ..transport import BrokenOff, TooLong

if TYPE_CHECKING:
    import anthropic

# Letters of the API's words that are looked at, and kept for the log.
_LOOKED_AT = 64 * 1024
KEPT = 500
_BUSY = ("rate_limit_error", "overloaded_error", "timeout_error")
_TOO_LONG = ("prompt is too long", "exceed context limit", "context window", "too many tokens")


def model_error(err: Exception, model: str) -> ModelError | None:
    """Return what an error of the package or of its HTTP client means; None for any other."""
    import anthropic  # noqa: PLC0415 - was loaded with the client that raised

    match err:
        case anthropic.APIStatusError():
            detail = f"HTTP {err.status_code}: {err.type}: {err.message[:_LOOKED_AT]}"
            return ModelError(_reason(err), detail, model=model)
        case anthropic.APIConnectionError():
            cause = type(err.__cause__ or err).__name__
            return ModelError(Reason.UNREACHABLE, cause, model=model)
        case httpx2.HTTPError() | httpx2.StreamError() | BrokenOff() | TooLong():
            return ModelError(Reason.CONNECTION_LOST, type(err).__name__, model=model)
        case json.JSONDecodeError() | UnicodeDecodeError():
            return ModelError(Reason.CONNECTION_LOST, f"Garbage: {type(err).__name__}", model=model)
        case anthropic.AnthropicError():
            return ModelError(Reason.SERVER_ERROR, type(err).__name__, model=model)
        case AttributeError() | TypeError():
            # The package takes an answer as it comes, also that of somebody else.
            return ModelError(Reason.NOT_THE_SERVER, repr(err), model=model)
    return None


def _reason(err: anthropic.APIStatusError) -> Reason:
    """Return why the API refused a request or broke off an answer; the type says more than the status."""
    words = err.message.casefold()
    match err.type, err.status_code:
        case "billing_error", _:
            return Reason.NO_CREDIT
        case _, 400 | 402 if "credit balance" in words:
            return Reason.NO_CREDIT
        case (("authentication_error" | "permission_error"), _):
            return Reason.UNAUTHORIZED
        case _, 401 | 403:
            return Reason.UNAUTHORIZED
        case _, 404 if "model" in words:
            return Reason.MODEL_NOT_FOUND
        case _, 404 | 405:
            return Reason.NOT_THE_SERVER
        case _, 413:
            return Reason.CONTEXT_EXCEEDED
        case _, 400 if any(part in words for part in _TOO_LONG):
            return Reason.CONTEXT_EXCEEDED
        case _ if err.type in _BUSY or err.status_code in (408, 409, 429, 503, 504, 529):
            return Reason.OVERLOADED
        case _:
            return Reason.SERVER_ERROR


def worth_waiting(err: Exception, attempt: int) -> float | None:
    """Return how many seconds to wait after an error; None where waiting does not help."""
    import anthropic  # noqa: PLC0415 - was loaded with the client that raised

    match err:
        case anthropic.APIStatusError():
            return (_asked_for(err) or backoff(attempt)) if _may_pass(err) else None
        case anthropic.APIConnectionError():
            # A connection that was kept open may have been closed meanwhile.
            lost = isinstance(err.__cause__, httpx2.ReadError | httpx2.RemoteProtocolError)
            return 0 if lost and not attempt else None
    return None


def _may_pass(err: anthropic.APIStatusError) -> bool:
    """Return True if the same request may succeed later."""
    if (said := err.response.headers.get("x-should-retry")) is not None:
        return bool(said == "true")
    return (
        err.type in (*_BUSY, "api_error")
        or err.status_code in (408, 409, 429)
        or err.status_code >= 500
    )


def _asked_for(err: anthropic.APIStatusError) -> float | None:
    """Return how many seconds the API asks to wait, if it does."""
    try:
        return max(0.0, float(err.response.headers["retry-after"]))
    except KeyError, ValueError:
        return None
