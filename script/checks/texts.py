"""Texts: in every language the same ones, with the same placeholders, and none that nobody shows."""

from collections.abc import Iterator
from functools import reduce
import json
from pathlib import Path
import re
from typing import Any

from .code import Code

LANGUAGES = ("en", "de", "fr", "es", "nl", "pl", "it")
"""Those that have to be there; each that is there has to be complete."""

PREFIX = "component::voice_gateway::"
_REFERENCE = re.compile(r"\[%key:([a-z0-9_:]+)%\]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
# Home Assistant's own words in the files, and names of flows that it begins by itself.
_GIVEN = {
    "abort", "application_credentials", "config", "config_subentries", "create_entry", "data",
    "data_description", "description", "entity", "entry_type", "error", "exceptions", "fields",
    "fix_flow", "info", "init", "initiate_flow", "issues", "menu_option_descriptions",
    "menu_options", "message", "name", "options", "progress", "reconfigure", "sections",
    "selector", "services", "state", "state_attributes", "step", "system_health", "title",
    "unit_of_measurement", "user",
}  # fmt: skip

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
    """Compare every language with English: the same keys, the same placeholders."""
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
            if not found[key].strip():
                yield f"{file.name}: an empty text for {key}"
            elif placeholders(wanted[key]) != placeholders(found[key]):
                yield f"{file.name}: other placeholders in {key}"


def check_unused(texts: Texts, code: Code) -> Iterator[str]:
    """Find texts under keys that the code names nowhere."""
    # Actions and entities are compared with their own files.
    shown = {key: part for key, part in texts.items() if key not in ("services", "entity")}
    for path, _ in leaves(shown):
        for key in path.split("."):
            if key not in _GIVEN and not code.names(key):
                yield f"strings.json: nothing shows {path}"
                break
