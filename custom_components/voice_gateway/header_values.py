"""Validate the headers of HTTP requests."""

from collections.abc import Mapping
import re

# RFC 9110, section 5.1.
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def is_sendable(value: str) -> bool:
    """Return True if a key, a token or another value can be sent in a header.

    HTTP clients quote an invalid value, which may be secret, in their errors.
    """
    return value.isascii() and value.isprintable()


def are_sendable(headers: Mapping[str, str]) -> bool:
    """Return True if all of these headers can be sent."""
    return all(_NAME.fullmatch(name) and is_sendable(value) for name, value in headers.items())
