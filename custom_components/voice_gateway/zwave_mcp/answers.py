"""What a tool gives back: an answer, or the reason why there is none."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SpokenResult:
    """An answer in words that can be said as they are.

    `data` is the same for programs, where a program has a use for it. It stays small: some clients
    show it to their model beside the text.
    """

    text: str
    data: dict[str, Any] | None = None


class NoAnswerError(Exception):
    """A tool cannot do what it was asked; the message is a sentence for the one who asked."""
