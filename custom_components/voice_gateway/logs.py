"""What is logged, held to the redactors of all entries."""

import logging
import traceback
from typing import override

from .redactor import LIVING


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


def _clean(text: str) -> str:
    for redactor in list(LIVING):
        text = redactor.text(text)
    return text
