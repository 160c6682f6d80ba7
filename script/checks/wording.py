"""What hassfest accepts as a text, in every language, and where it wants more than a name.

Rules: https://github.com/home-assistant/core/blob/dev/script/hassfest/translations.py
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
import re
from string import Formatter
from typing import override

from .texts import leaves, read

# An address with a name; one with numbers only is an example that needs no translation.
_ADDRESS = re.compile(
    r"\b(?:(?:https?|ftps?|scp|mqtts?|socks5|socket)://|www\.)(?:[\w-]+\.)+[a-z]{2,5}\b",
    re.IGNORECASE,
)
_QUOTED_PLACEHOLDER = re.compile(r"'\{")


def check_wording(folder: Path) -> Iterator[str]:
    """Find texts that hassfest refuses in any language's file."""
    for file in sorted(folder.glob("*.json")):
        texts = read(file)
        for path, text in leaves(texts):
            yield from (f"{file.name}: {path} {fault}" for fault in _faults(text))
        for key, selector in texts.get("selector", {}).items():
            for field, said in selector.get("fields", {}).items():
                if not (said.get("name") and said.get("description")):
                    yield f"{file.name}: selector.{key}.fields.{field} lacks a name or a description"


def _faults(text: str) -> Iterator[str]:
    if text != text.strip():
        yield "begins or ends with a space"
    if _ADDRESS.search(text):
        yield "holds an address, which belongs in a placeholder"
    if _QUOTED_PLACEHOLDER.search(text):
        yield "has a placeholder in single quotes"
    if _Tags.of(text):
        yield "holds HTML"
    try:
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError:
        yield "has braces that are no placeholder"
    else:
        yield from (
            f"has {{{name}}}, which is no name" for name in names if not name.isidentifier()
        )


class _Tags(HTMLParser):
    """Notes the tags of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one."""
        self.found.append(tag)

    @classmethod
    def of(cls, text: str) -> list[str]:
        """Return the names of a text's tags."""
        tags = cls()
        tags.feed(text)
        return tags.found
