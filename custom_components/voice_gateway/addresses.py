"""Find the secrets in a URL, and redact a URL for display."""

from collections.abc import Iterator
import re
from zoneinfo import available_timezones

from yarl import URL

# A value whose name marks it as a secret is one, however short and plain it is.
_SECRET_NAME = re.compile(
    r"key|token|secret|passw|pwd|auth|credential|bearer|\b(pat|pin|sig|signature)\b", re.IGNORECASE
)

_PUBLIC = re.compile(
    r"""
    | true | false | yes | no | on | off | none | null | auto | default
    | debug | info | warn(ing)? | error | critical | trace | production | development | test
    | stdio | sse | https? | streamable-http | json | text | metric | imperial
    | \d{1,3} | \d{1,3}(\.\d{1,3}){3}(:\d+)? | localhost(:\d+)?
    | [a-z]{2,3}([-_][A-Za-z]{2,4})?(\.UTF-?8)? | C\.UTF-8
    | [~.]{0,2}/[\w./-]*
    """,
    re.IGNORECASE | re.VERBOSE,
)

# Minimum length of a possible secret, and of one that is recognized by its length alone.
LONG = 8
_VERY_LONG = 20


def secrets_of_address(address: str) -> Iterator[str]:
    """Yield the password, the values of the query, the fragment, and random parts of the path.

    Values of a closed set are not secret: `true`, a language, a time zone.
    """
    try:
        url = URL(address)
    except ValueError:
        yield address
        return
    # Some servers take a token as the user name.
    yield (url.user or "") if url.password is None else url.password
    for name, value in (*url.query.items(), ("", url.fragment)):
        if is_secret_name(name) or not is_public(value):
            yield value
    yield from filter(is_random, url.parts)


def shown_address(address: str) -> str:
    """Return an address without user, password, the query's values, and long parts of the path."""
    try:
        url = URL(address)
        origin = str(url.origin())
    except ValueError:
        return "…"
    path = "/".join("…" if len(part) >= LONG else part for part in url.path.split("/"))
    query = "&".join(f"{name}=…" for name in url.query)
    return f"{origin}{path}" + (f"?{query}" if query else "")


def is_secret_name(name: str) -> bool:
    """Return True if the name of a variable, an option or a query parameter marks a secret."""
    return bool(_SECRET_NAME.search(name))


def is_public(value: str) -> bool:
    """Return True if a setting's value is of a well-known closed set, a short number or a path."""
    return bool(_PUBLIC.fullmatch(value)) or value in available_timezones()


def is_random(word: str) -> bool:
    """Return True if a word may be a random secret, by its length and its digits."""
    digits = sum(map(str.isdigit, word))
    if len(word) < LONG:
        return False
    return 2 <= digits < len(word) or (len(word) >= _VERY_LONG and word.isalnum())
