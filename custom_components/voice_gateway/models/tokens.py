"""How many tokens a request takes, without the model's tokenizer."""

from dataclasses import dataclass
import math

# Bytes of UTF-8 per token. English and JSON have 3 to 5, other alphabets and scripts about 3.
_BYTES_AT_LEAST = 3.0
_BYTES_AT_MOST = 6.0
# How far a request may differ from the one that was counted.
_MARGIN = 0.1
# Smaller requests are mostly template.
_WORTH_LEARNING = 1000


@dataclass(slots=True)
class TokenEstimate:
    """Estimates tokens from bytes, better once a server has counted some."""

    per_byte: float | None = None
    """As counted last."""

    def learn(self, size: int, tokens: int | None) -> None:
        """Take what a server counted for a request of so many bytes."""
        if tokens and size >= _WORTH_LEARNING:
            self.per_byte = tokens / size

    def at_most(self, size: int) -> int:
        """Return the tokens that so many bytes surely fit in."""
        per_byte = self.per_byte * (1 + _MARGIN) if self.per_byte else 1 / _BYTES_AT_LEAST
        return math.ceil(size * per_byte)

    def at_least(self, size: int) -> int:
        """Return the tokens that so many bytes surely take."""
        per_byte = self.per_byte * (1 - _MARGIN) if self.per_byte else 1 / _BYTES_AT_MOST
        return math.floor(size * per_byte)
