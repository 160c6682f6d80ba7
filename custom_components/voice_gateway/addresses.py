"""What in an address is secret, and an address as it may be shown."""

from collections.abc import Iterator
import re

from yarl import URL

# What calls itself a secret is one, however short and plain it is.
_SECRET_NAME = re.compile(
    r"key|token|secret|passw|pwd|auth|credential|bearer|\b(pat|pin|sig|signature)\b", re.IGNORECASE
)

# Letters of what may be a secret among plain words, and of what is one by its length alone.
LONG = 8
_VERY_LONG = 20


def secrets_of_address(address: str) -> Iterator[str]:
    """Yield a password, and what of the query and the path calls itself a secret or may be random.

    Other values of the query are words that answers need: a city, `true`.
    """
    try:
        url = URL(address)
    except ValueError:
        yield address
        return
    # Some take a token in the user's place.
    yield (url.user or "") if url.password is None else url.password
    for name, value in url.query.items():
        if is_secret_name(name) or is_random(value):
            yield value
    yield from filter(is_random, (*url.parts, url.fragment))


def shown_address(address: str) -> str:
    """Return an address without user, password, the values of its query, and long parts of its path."""
    try:
        url = URL(address)
        origin = str(url.origin())
    except ValueError:
        return "…"
    path = "/".join("…" if len(part) >= LONG else part for part in url.path.split("/"))
    query = "&".join(f"{name}=…" for name in url.query)
    return f"{origin}{path}" + (f"?{query}" if query else "")


def is_secret_name(name: str) -> bool:
    """Return True if a variable, an option or a part of a query is called like a secret."""
    return bool(_SECRET_NAME.search(name))


def is_random(word: str) -> bool:
    """Return True if a word may be a secret: people write no words like this."""
    digits = sum(map(str.isdigit, word))
    if len(word) < LONG:
        return False
    return 2 <= digits < len(word) or (len(word) >= _VERY_LONG and word.isalnum())
