"""Texts: in every language the same ones, with the same placeholders, and as hassfest wants them."""

from collections.abc import Iterator
from functools import reduce
import json
from pathlib import Path
import re
from typing import Any

LANGUAGES = ("en", "de", "fr", "es", "nl", "pl", "it")
"""Those that have to be there; each that is there has to be complete."""

PREFIX = "component::voice_gateway::"
_REFERENCE = re.compile(r"\[%key:([a-z0-9_:]+)%\]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
# What hassfest refuses in any language, and what would break the sentence when it is filled in.
# Rules: https://github.com/home-assistant/core/blob/dev/script/hassfest/translations.py
_REFUSED = {
    "is empty, or begins or ends with a space": re.compile(r"^(\s|$)|\s$"),
    "holds an address, which belongs in a placeholder": re.compile(
        r"\b(\w+://|www\.)([\w-]+\.)+[a-z]{2,5}\b", re.IGNORECASE
    ),
    "has a placeholder in single quotes": re.compile(r"'\{"),
    "holds HTML": re.compile(r"<[a-z].*?>", re.IGNORECASE),
    "has braces that are no placeholder": re.compile(r"^(?!([^{}]|\{[^\W\d]\w*\})*$)"),
}

type Texts = dict[str, Any]


def read(path: Path) -> Texts:
    """Return a JSON file's object."""
    content: Texts = json.loads(path.read_text("utf-8"))
    return content


def english(strings: Texts, problems: list[str]) -> Texts:
    """Return `strings.json` with its references replaced; adds those to nowhere to `problems`."""

    def text_of(match: re.Match[str]) -> str:
        path = match[1].removeprefix(PREFIX).split("::")
        try:
            return str(reduce(lambda part, key: part[key], path, strings))
        except KeyError:
            problems.append(f"strings.json: nothing at {match[1]}")
            return ""

    def resolved(texts: Texts) -> Texts:
        return {
            key: _replaced(value, text_of) if isinstance(value, str) else resolved(value)
            for key, value in texts.items()
        }

    return resolved(strings)


def _replaced(text: str, text_of: Any) -> str:
    # A reference may lead to another one.
    for _ in range(3):
        text = _REFERENCE.sub(text_of, text)
    return text


def leaves(texts: Texts, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text with the keys that lead to it, joined by dots."""
    for key, value in texts.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def placeholders(text: str) -> set[str]:
    """Return the names of a text's placeholders."""
    return set(_PLACEHOLDER.findall(text))


def check_languages(texts: Texts, folder: Path) -> Iterator[str]:
    """Find what a language lacks or has too much beside English, and texts that are refused."""
    wanted = dict(leaves(texts))
    for language in LANGUAGES:
        if not (folder / f"{language}.json").exists():
            yield f"translations: there is no {language}.json"
    for file in sorted(folder.glob("*.json")):
        found = dict(leaves(read(file)))
        yield from (f"{file.name}: no text for {key}" for key in sorted(wanted.keys() - found))
        yield from (
            f"{file.name}: text for nothing: {key}" for key in sorted(found.keys() - wanted)
        )
        for key in sorted(wanted.keys() & found):
            if placeholders(wanted[key]) != placeholders(found[key]):
                yield f"{file.name}: other placeholders in {key}"
        for key, text in found.items():
            for fault, refused in _REFUSED.items():
                if refused.search(text):
                    yield f"{file.name}: {key} {fault}"
