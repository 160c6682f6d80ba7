"""Remove known secret values from every text that leaves the integration.

Pure Python. The secrets of an entry are found by `mcp_servers/secrets.py` for MCP servers, and by
`models/provider.py` for model servers.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping
import html
import json
import re
from typing import Any
from urllib.parse import quote, quote_plus, unquote
from weakref import WeakSet

REDACTED = "***"
# Shorter secrets are found as whole words only: "1234" is a PIN, but not in "51234".
_LONG = 8
# Shorter values are not treated as secrets: they occur in ordinary text.
_SHORTEST = 4
# Length of a part of a secret that is redacted: a half, within these limits.
_PART = (9, 32)
# Length of the seeds that locate candidate parts.
_SEED = 5
_PLACES = 16

LIVING: WeakSet[Redactor] = WeakSet()
"""The redactors of all entries; log messages pass through all of them."""


class Redactor:
    """Removes secrets from texts.

    - It finds the secrets, their lines, and any half of them: verbatim, and encoded in JSON, in
      addresses, in HTML, in base64, in hexadecimal digits, and in Python's own notation.
    - It searches a text once for each of these: the cost is linear in its length.
    - It returns a text without secrets unchanged.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Take the secrets; those of less than four characters are ignored."""
        self._secrets: set[str] = set()
        # Each seed, with the forms that contain it and its offsets in them.
        self._seeds: dict[str, list[tuple[str, int]]] = {}
        self._words: re.Pattern[str] | None = None
        self.add(secrets)
        LIVING.add(self)

    def add(self, secrets: Iterable[str]) -> None:
        """Add secrets, for example after a login."""
        new = {line for secret in secrets for line in _lines(secret)} - self._secrets
        if not new:
            return
        self._secrets |= new
        for form in {form for secret in new if len(secret) >= _LONG for form in _forms(secret)}:
            for start, seed in _seeds(form):
                places = self._seeds.setdefault(seed, [])
                # A repetitive secret must not raise the cost of each character.
                if start == 0 or len(places) < _PLACES:
                    places.append((form, start))
        if short := [re.escape(secret) for secret in self._secrets if len(secret) < _LONG]:
            self._words = re.compile(rf"(?<!\w)(?:{'|'.join(short)})(?!\w)")

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        if there := [seed for seed in self._seeds if seed in text]:
            text = "".join(self._pieces(text, re.compile("|".join(map(re.escape, there)))))
        return self._words.sub(REDACTED, text) if self._words else text

    def all(self, value: Any) -> Any:
        """Return a JSON value without secrets in its strings, numbers and keys."""
        match value:
            case str():
                return self.text(value)
            case Mapping():
                return {self.all(name): self.all(part) for name, part in value.items()}
            case list() | tuple():
                return [self.all(part) for part in value]
            case int() | float() if not isinstance(value, bool) and str(value) in self._secrets:
                return REDACTED
            case _:
                return value

    def _pieces(self, text: str, seeds: re.Pattern[str]) -> Iterator[str]:
        """Yield a text in pieces, with a mark in place of each secret and each half of one."""
        shown = place = 0
        while found := seeds.search(text, place):
            start, end = max(
                (
                    _around(text, found.start(), shown, form, at)
                    for form, at in self._seeds[found[0]]
                ),
                key=lambda span: span[1] - span[0],
            )
            place = found.start() + 1
            if end > start:
                yield text[shown:start]
                yield REDACTED
                shown = place = end
        yield text[shown:]


def _lines(secret: str) -> Iterator[str]:
    """Yield the lines of a secret: a server may write them one by one."""
    for line in map(str.strip, secret.splitlines()):
        if len(line) >= _SHORTEST:
            yield line


def _forms(secret: str) -> Iterator[str]:
    """Yield the encodings of a secret."""
    data = secret.encode(errors="surrogatepass")
    yield from (secret, unquote(secret), quote(data), quote(data, safe=""), quote_plus(data))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    yield from (html.escape(secret), repr(secret)[1:-1], repr(data)[2:-1], data.hex())
    # In base64 three bytes are four characters; a secret may begin at each of the three.
    for before in range(3):
        coded = base64.b64encode(bytes(before) + data)
        # Characters that also encode neighbouring bytes vary.
        own = coded[-(-before * 4 // 3) : (before + len(data)) * 4 // 3].decode()
        yield from (own, own.translate(str.maketrans("+/", "-_")))


def _least(form: str) -> int:
    """Return the length from which a part of a form is redacted."""
    fewest, most = _PART
    return min(len(form), max(fewest, min(most, (len(form) + 1) // 2)))


def _seeds(form: str) -> Iterator[tuple[int, str]]:
    """Yield offsets and seeds of a form; every part that is redacted contains one of them."""
    for start in range(0, len(form) - _SEED + 1, _least(form) - _SEED + 1):
        yield start, form[start : start + _SEED]


def _around(text: str, place: int, first: int, form: str, at: int) -> tuple[int, int]:
    """Return the span of a text that matches a form, aligned with `at` in the form at `place`.

    Returns (0, 0) if the span is too short to be redacted.
    """
    start, left = place, at
    while left and start > first and text[start - 1] == form[left - 1]:
        start, left = start - 1, left - 1
    end, right = place, at
    while right < len(form) and end < len(text) and text[end] == form[right]:
        end, right = end + 1, right + 1
    return (start, end) if end - start >= _least(form) else (0, 0)
