"""Capabilities of a model, as its server reports them and as requests revealed them."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
import math
from typing import Any

from homeassistant.components import conversation

from .client import ModelError, Reason
from .text.thinking import ThinkingHabit

# Bytes of UTF-8 per token. English and JSON have 3 to 5, other alphabets and scripts about 3.
_BYTES_AT_LEAST = 3.0
_BYTES_AT_MOST = 6.0
# Share by which a request may differ from the one whose tokens the server counted.
_MARGIN = 0.1
# Minimum bytes of a request to learn from: smaller ones are mostly template.
_WORTH_LEARNING = 1000


@dataclass(slots=True)
class TokenEstimate:
    """Estimates tokens from bytes without the tokenizer; more precise after a server's count."""

    per_byte: float | None = None
    """From the server's last count."""

    def learn(self, size: int, tokens: int | None) -> None:
        """Take a server's token count of a request of `size` bytes."""
        if tokens and size >= _WORTH_LEARNING:
            self.per_byte = tokens / size

    def at_most(self, size: int) -> int:
        """Return an upper bound of the tokens in `size` bytes."""
        per_byte = self.per_byte * (1 + _MARGIN) if self.per_byte else 1 / _BYTES_AT_LEAST
        return math.ceil(size * per_byte)

    def at_least(self, size: int) -> int:
        """Return a lower bound of the tokens in `size` bytes."""
        per_byte = self.per_byte * (1 - _MARGIN) if self.per_byte else 1 / _BYTES_AT_MOST
        return math.floor(size * per_byte)


@dataclass(slots=True)
class LearnedCapabilities:
    """The capabilities of a model, remembered between requests."""

    calls_tools: bool = True
    sees: bool = True
    """Whether it accepts images."""
    has_system: bool = True
    """Whether its template supports a system prompt."""
    takes_format: bool = True
    """Whether its server can constrain its output to a JSON schema."""
    thought_in: str = ""
    """The field that held thinking, if any did."""
    tells_weights: bool = True
    """Whether its server reports token probabilities."""
    thinking: ThinkingHabit = field(default_factory=ThinkingHabit)
    tokens: TokenEstimate = field(default_factory=TokenEstimate)
    _rounds: deque[bool] = field(default_factory=lambda: deque(maxlen=20))

    def learn(
        self, refused: ModelError, body: dict[str, Any], schema: Mapping[str, Any] | None
    ) -> bool:
        """Learn from a refusal under a `schema`; return True if a reduced request may succeed."""
        is_held = "format" in body
        if schema is not None:
            # A request that fails without the format, too, fails for another reason.
            self.takes_format = not (is_held and refused.reason is Reason.SERVER_ERROR)
        return is_held and not self.takes_format

    def note_results(self, content: Sequence[conversation.Content]) -> None:
        """Record whether the last calls of a conversation succeeded."""
        latest = takewhile(lambda part: part.role != "assistant", reversed(content))
        results = [part.result for part in latest if part.role == "tool_result"]
        if results:
            self._rounds.append(not any(result.error for result in results))

    @property
    def fails_often(self) -> bool:
        """Return True if calls failed in half of its last messages."""
        failed = self._rounds.count(False)
        return len(self._rounds) >= 8 and 2 * failed >= len(self._rounds)
