"""The results of a tool: an answer, or an error with the reason."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SpokenResult:
    """An answer in words that can be spoken unchanged.

    `data` is the same for programs, if they need it. It stays small: some clients show it to their
    model beside the text.
    """

    text: str
    data: dict[str, Any] | None = None


class NoAnswerError(Exception):
    """A tool cannot do its task; the message is a sentence for the caller."""
