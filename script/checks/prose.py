"""Plain English wherever people read: docs, docstrings, comments and the integration's own texts."""

import ast
from collections.abc import Iterator, Mapping
import io
import json
from pathlib import Path
import re
import tokenize
import tomllib

_PHRASES: Mapping[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[
    "phrases"
]
_PATTERNS = [(re.compile(phrase, re.IGNORECASE), advice) for phrase, advice in _PHRASES.items()]
_QUOTED = re.compile(r"“[^”]*”|`[^`]*`|\"[^\"]*\"")


def check_prose(checkout: Path, integration: Path) -> Iterator[str]:
    """Yield each phrase of `prose.toml` in the pages, the code's docstrings and comments, and the texts."""
    for page in (*checkout.glob("*.md"), *(checkout / "docs").glob("*.md")):
        yield from _found(page, [(1, page.read_text("utf-8"))])
    for file in sorted(integration.rglob("*.py")):
        yield from _found(file, prose_of(file.read_text("utf-8")))
    strings = integration / "strings.json"
    yield from _found(
        strings, [(1, text) for text in _leaves(json.loads(strings.read_text("utf-8")))]
    )


def prose_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of Python code, each with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _found(file: Path, texts: list[tuple[int, str]] | Iterator[tuple[int, str]]) -> Iterator[str]:
    for line, text in texts:
        # What users say is quoted as they say it.
        plain = _QUOTED.sub(lambda quote: re.sub(r"[^\n]", "…", quote[0]), text)
        for pattern, advice in _PATTERNS:
            for match in pattern.finditer(plain):
                at = line + plain.count("\n", 0, match.start())
                yield f"{file.name}:{at}: “{match[0]}”: write {advice}"


def _leaves(value: object) -> Iterator[str]:
    match value:
        case dict():
            for each in value.values():
                yield from _leaves(each)
        case str():
            yield value
