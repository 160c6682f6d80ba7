"""What goes wrong on the way to a server of one's own, and which of our errors it is.

Three libraries take part in a request: `httpx2` makes it, a provider's package reads what comes back,
and Home Assistant's connections carry it. Nothing but ModelError leaves a provider's folder.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2

from ..redactor import Redactor
from .client import ModelError, Reason
from .transport import BrokenOff

# Letters of a server's words, or of a library's, that are looked at, and kept for the log.
LOOKED_AT = 64 * 1024
_KEPT = 500
# What was raised, and what it means: in an answer that comes whole, and in one that is streamed.
_MEANINGS: tuple[tuple[tuple[type[Exception], ...], Reason, Reason], ...] = (
    ((BrokenOff,), Reason.UNREACHABLE, Reason.CONNECTION_LOST),
    ((httpx2.HTTPError, httpx2.InvalidURL, OSError), Reason.UNREACHABLE, Reason.UNREACHABLE),
    (
        # Not JSON, too much of it, or not the protocol's objects.
        (ValueError, RecursionError, AttributeError, TypeError, KeyError),
        Reason.NOT_THE_SERVER,
        Reason.CONNECTION_LOST,
    ),
)

type PackageError = Callable[[Exception, str], ModelError | None]
"""Returns what an error of a provider's package means, for a model; None for any other."""


@contextmanager
def as_model_errors(
    of_package: PackageError, redactor: Redactor, model: str = "", *, streamed: bool = False
) -> Iterator[None]:
    """Turn the errors of the libraries into ModelError, without secrets; `model` is asked for."""
    try:
        yield
    except ModelError as err:
        err.hide(redactor, _KEPT)
        raise
    except Exception as err:
        if (ours := of_package(err, model) or _meaning(err, model, streamed=streamed)) is None:
            raise
        ours.hide(redactor, _KEPT)
        raise ours from err


def _meaning(err: Exception, model: str, *, streamed: bool) -> ModelError | None:
    for kinds, whole, stream in _MEANINGS:
        if isinstance(err, kinds):
            # Ollama's package replaces what failed by an advice to install Ollama.
            cause = err.__context__ if isinstance(err, ConnectionError) else None
            detail = repr(cause or err)[:LOOKED_AT]
            return ModelError(stream if streamed else whole, detail, model=model)
    return None
