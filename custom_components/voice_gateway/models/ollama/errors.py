"""What goes wrong at an Ollama server, or at what answers in its place, and which of our errors it is.

Three libraries take part in a request: `httpx2` makes it, `ollama` and `pydantic` read what comes
back. Nothing but ModelError leaves this folder.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from ...redactor import Redactor
from .. import generation_faults
from ..client import ModelError, Reason
from ..transport import BrokenOff

# Letters of a server's words, or of a library's, that are looked at, and kept for the log.
_LOOKED_AT = 64 * 1024
_KEPT = 500


# What was raised, and what it means: in an answer that comes whole, and in one that is streamed.
_MEANINGS: tuple[tuple[tuple[type[Exception], ...], Reason, Reason], ...] = (
    ((BrokenOff,), Reason.UNREACHABLE, Reason.CONNECTION_LOST),
    ((httpx2.HTTPError, httpx2.InvalidURL, OSError), Reason.UNREACHABLE, Reason.UNREACHABLE),
    (
        # Not JSON, too much of it, or not what the package's types say. The package takes every
        # answer for an object, whatever it is: hence the last two.
        (ValueError, RecursionError, AttributeError, TypeError),
        Reason.NOT_THE_SERVER,
        Reason.CONNECTION_LOST,
    ),
)


@contextmanager
def model_errors(redactor: Redactor, model: str = "", *, streamed: bool = False) -> Iterator[None]:
    """Turn the errors of the libraries into ModelError, without secrets; `model` is asked for."""
    try:
        yield
    except ModelError:
        raise
    except Exception as err:
        if (ours := _model_error(err, model, streamed=streamed)) is None:
            raise
        ours.hide(redactor, _KEPT)
        raise ours from err


def _model_error(err: Exception, model: str, *, streamed: bool) -> ModelError | None:
    """Return what an error of the libraries means; None for any other."""
    import ollama  # noqa: PLC0415 - was loaded with the client that raised

    if isinstance(err, ollama.ResponseError):
        status, words = err.status_code, str(err.error)[:_LOOKED_AT]
        # An error within a stream has no status of its own.
        detail = words if status < 0 else f"HTTP {status}: {words}"
        refused = ModelError(_refusal(status, words.casefold()), detail, model=model)
        generation_faults.note(refused, status, words)
        return refused
    for kinds, whole, stream in _MEANINGS:
        if isinstance(err, kinds):
            # The package replaces what failed by an advice to install Ollama.
            cause = err.__context__ if isinstance(err, ConnectionError) else None
            return ModelError(
                stream if streamed else whole, repr(cause or err)[:_LOOKED_AT], model=model
            )
    return None


def _refusal(status: int, words: str) -> Reason:
    """Return why a server refused a request, or broke off a stream with an error (status -1)."""
    match status:
        case 401 | 403:
            return Reason.UNAUTHORIZED
        case -1 | 400 | 500 if "context" in words and ("length" in words or "size" in words):
            return Reason.CONTEXT_EXCEEDED
        case 400 if "does not support tools" in words:
            return Reason.NO_TOOLS
        case -1 | 400 | 404 | 500 if "model" in words and "not found" in words:
            return Reason.MODEL_NOT_FOUND
        # Of a name that Ollama's library does not have.
        case -1 | 404 | 500 if "pull model manifest" in words and "not exist" in words:
            return Reason.MODEL_NOT_FOUND
        # Redirects are not followed: an Ollama server has none, but pages to log in have.
        case 404 | 405 | 301 | 302 | 303 | 307 | 308:
            return Reason.NOT_THE_SERVER
        case _:
            return Reason.SERVER_ERROR
