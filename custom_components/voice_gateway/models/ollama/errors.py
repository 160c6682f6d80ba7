"""What an Ollama server refuses, or what answers in its place, and which of our errors it is."""

from functools import partial

from .. import generation_faults
from ..client import ModelError, Reason
from ..errors import LOOKED_AT, as_model_errors


def _of_package(err: Exception, model: str) -> ModelError | None:
    """Return what an error of the package means; None for any other."""
    import ollama  # noqa: PLC0415 - was loaded with the client that raised

    if not isinstance(err, ollama.ResponseError):
        return None
    status, words = err.status_code, str(err.error)[:LOOKED_AT]
    # An error within a stream has no status of its own.
    detail = words if status < 0 else f"HTTP {status}: {words}"
    refused = ModelError(_refusal(status, words.casefold()), detail, model=model)
    generation_faults.note(refused, status, words)
    return refused


model_errors = partial(as_model_errors, _of_package)
"""Turn the errors of the libraries into ModelError: see `as_model_errors`."""


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
