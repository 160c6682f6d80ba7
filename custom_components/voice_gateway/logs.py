"""Loggers that apply the redactors of all entries."""

from collections.abc import Mapping
from contextlib import suppress
import json
import logging
import traceback
from typing import Any, override

from .redactor import LIVING, REDACTED

# Ends of the names of secret arguments; `code` is an alarm's.
_SECRETS = ("token", "password", "passwd", "secret", "api_key", "apikey", "authorization", "pin")
_CODE = "code"
# Maximum characters of a JSON text whose content is redacted.
_LOOKED_INTO = 64 * 1024


class _WithoutSecrets(logging.Filter):
    """Removes the secrets of all entries from log messages and tracebacks."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        if (clean := _clean(said)) != said:
            record.msg, record.args = clean, ()
        if trace and (clean := _clean(trace)) != trace:
            # Each handler would format the exception again.
            record.msg, record.args = f"{record.getMessage()}\n{clean}", ()
            record.exc_info = record.exc_text = None
        return True


_FILTER = _WithoutSecrets()


def logger_of(name: str) -> logging.Logger:
    """Return the logger of this name, with secrets redacted."""
    logger = logging.getLogger(name)
    logger.addFilter(_FILTER)
    return logger


def guard(*packages: str) -> None:
    """Redact secrets in the existing loggers of packages.

    A filter applies only to the logger that it was added to, not to its children.
    """
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(tuple(f"{package}." for package in packages)) or name in packages:
            logger_of(name)


class Loggable:
    """A value for the log, which is redacted only when it is formatted."""

    def __init__(self, value: Any) -> None:
        """Take the value."""
        self._value = value

    @override
    def __str__(self) -> str:
        return str(loggable(self._value))


def loggable(value: Any) -> Any:
    """Return arguments, a result or a model's message without the values of secret names."""
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
