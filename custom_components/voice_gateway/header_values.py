"""What can stand in a header of a request."""

from collections.abc import Mapping
import re

# RFC 9110, section 5.1.
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def is_sendable(value: str) -> bool:
    """Return True if a key, a token or another header's value can be sent.

    What can't be is shown by the errors of HTTP clients, letter by letter.
    """
    return value.isascii() and value.isprintable()


def are_sendable(headers: Mapping[str, str]) -> bool:
    """Return True if all of these headers can be sent."""
    return all(_NAME.fullmatch(name) and is_sendable(value) for name, value in headers.items())
