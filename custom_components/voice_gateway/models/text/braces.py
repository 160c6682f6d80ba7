"""Where a piece of JSON ends, without reading it."""


class Braces:
    """Counts braces and brackets, but those in strings, through a text that comes in pieces."""

    def __init__(self) -> None:
        """Begin before the first brace."""
        self._depth = 0
        self._in_string = False
        self._escaped = False

    def end_in(self, piece: str) -> int | None:
        """Return where in a piece the first brace's counterpart ends; None if not in it."""
        for position, character in enumerate(piece):
            if self._escaped:
                self._escaped = False
            elif character == "\\":
                self._escaped = True
            elif self._in_string:
                self._in_string = character != '"'
            elif character == '"':
                self._in_string = True
            elif character in "{}[]":
                self._depth += 1 if character in "{[" else -1
                if self._depth == 0:
                    return position + 1
        return None
