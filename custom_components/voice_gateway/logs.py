"""What is logged, held to the redactors of all entries."""

from collections.abc import Mapping
from contextlib import suppress
import json
import logging
import traceback
from typing import Any, override

from .redactor import LIVING, REDACTED

# How arguments are called whose values nobody may read; a code is that of an alarm.
_SECRETS = ("token", "password", "passwd", "secret", "api_key", "apikey", "authorization", "pin")
_CODE = "code"
# Characters of a result that is JSON as text, and is looked into.
_LOOKED_INTO = 64 * 1024


class _WithoutSecrets(logging.Filter):
    """Takes the secrets of all entries out of what is logged, and out of tracebacks."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        if (clean := _clean(said)) != said:
            record.msg, record.args = clean, ()
        if trace and (clean := _clean(trace)) != trace:
            # Each handler would write down the exception anew.
            record.msg, record.args = f"{record.getMessage()}\n{clean}", ()
            record.exc_info = record.exc_text = None
        return True


_FILTER = _WithoutSecrets()


def logger_of(name: str) -> logging.Logger:
    """Return the logger of this name, which logs no secret."""
    logger = logging.getLogger(name)
    logger.addFilter(_FILTER)
    return logger


def guard(*packages: str) -> None:
    """Let the loggers that packages have now log no secret.

    They are no children of ours: a filter is asked only by the logger that it was given to.
    """
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(tuple(f"{package}." for package in packages)) or name in packages:
            logger_of(name)


class Loggable:
    """A value for the log, which is looked into only where it is written down."""

    def __init__(self, value: Any) -> None:
        """Take the value."""
        self._value = value

    @override
    def __str__(self) -> str:
        return str(loggable(self._value))


def loggable(value: Any) -> Any:
    """Return arguments, a result or a model's message without what is called a secret."""
    match value:
        case Mapping():
            return {
                name: REDACTED if _is_secret(str(name)) else loggable(part)
                for name, part in value.items()
            }
        case list():
            return [loggable(part) for part in value]
        case str() if value[:1] in ("{", "[") and len(value) <= _LOOKED_INTO:
            with suppress(ValueError, RecursionError):
                return loggable(json.loads(value))
    return value


def _is_secret(name: str) -> bool:
    return (name := name.casefold()).endswith(_SECRETS) or name == _CODE


def _clean(text: str) -> str:
    for redactor in list(LIVING):
        text = redactor.text(text)
    return text
