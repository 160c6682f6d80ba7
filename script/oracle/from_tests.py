"""The sentences of the tests: the strings in their tables that look like something somebody says.

They are collected by the shape of the source, not by the names of tables: a test that is moved or renamed
loses no sentence.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
import re
import tomllib
from typing import Any

from .cases import LANGUAGES, Case
from .homes import SATELLITE

TESTS = Path(__file__).parents[2] / "tests"
_FOLDERS = ("heard", "nlu", "questions", "answers", "plans", "turn", "tools")
_OF_DEMO = ("turn", "tools")
"""Folders whose English sentences are about Home Assistant's demo."""
_LONGEST = 400
_NO_SENTENCE = re.compile(r"[_{}<>/\\=|+\[\]]|\w\.\w\w")
"""Ids, templates, paths, and the descriptions of clauses in tables."""
_BEGIN = re.compile(r"[¿¡\"'„“«]?\w")
_EARLIER = " | "
_CALLS = ("call", "written", "ToolInput", "WrittenCall")


def cases() -> Iterator[Case]:
    """Yield the sentences of the tests' tables and lists."""
    for folder in _FOLDERS:
        for path in sorted((TESTS / folder).rglob("*.py")):
            own = path.stem.rpartition("_")[2]
            language = own if own in LANGUAGES else "en"
            for texts, spoken, calls in said_in(ast.parse(path.read_text("utf-8")), language):
                yield _case(folder, texts, spoken, calls)
        for path in sorted((TESTS / folder).rglob("*.t*")):
            for text in _listed(path) if path.stem in LANGUAGES else ():
                yield _case(folder, [text], path.stem, ())


def _listed(path: Path) -> Sequence[str]:
    """Return the sentences of a list of them, or of a table whose rows begin with one."""
    text = path.read_text("utf-8")
    if path.suffix == ".toml":
        return [row[0] for row in tomllib.loads(text)["said"]]
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _case(
    folder: str, texts: Sequence[str], language: str, calls: Sequence[Mapping[str, Any]]
) -> Case:
    *earlier, text = texts
    home = "demo" if folder in _OF_DEMO and language == "en" else language
    return Case(
        set=f"tests/{folder}",
        text=text,
        language=language,
        home=f"own:{home}",
        device=SATELLITE if "in here" in text else None,
        earlier=earlier,
        calls=[*map(dict, calls)],
    )


type Said = tuple[Sequence[str], str, Sequence[Mapping[str, Any]]]
"""The user's sentences in order, their language, and the calls of a table's row."""


def said_in(node: ast.AST, language: str) -> Iterator[Said]:
    """Yield the sentences below a node of a test's source."""
    match node:
        case ast.Constant(value=str(text)):
            if is_sentence(text):
                yield text.split(_EARLIER), language, ()
        case ast.Dict(keys=keys, values=values):
            yield from _of_table(keys, values, language)
        case ast.Tuple(elts=elements):
            yield from _of_row(elements, language)
        case ast.Call(args=arguments, keywords=keywords):
            named = [each.value for each in keywords if each.arg == "language"]
            of_call = _language([*named, *arguments], language)
            for each in arguments:
                yield from said_in(each, of_call)
        case ast.Expr(value=ast.Constant()) | ast.JoinedStr() | ast.Assert():
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from said_in(child, language)


def _of_table(
    keys: Sequence[ast.expr | None], values: Sequence[ast.expr], language: str
) -> Iterator[Said]:
    """Yield the sentences of a dictionary, whose keys may be sentences or languages."""
    for key, value in zip(keys, values, strict=True):
        if key is not None:
            yield from said_in(key, language)
        yield from said_in(value, _language([key], language))


def _of_row(elements: Sequence[ast.expr], language: str) -> Iterator[Said]:
    """Yield the sentences of a row: the first one alone, as others tell what is to come of it."""
    language = _language(elements, language)
    calls = [call for each in elements if (call := _call(each))]
    texts = [each for each in elements if isinstance(each, ast.Constant)]
    first = next((each.value for each in texts if is_sentence(each.value)), None)
    if isinstance(first, str):
        yield first.split(_EARLIER), language, calls
    for each in elements:
        if not isinstance(each, ast.Constant) and not _call(each):
            yield from said_in(each, language)


def _call(node: ast.expr) -> Mapping[str, Any] | None:
    """Return the call of Home Assistant's tool that stands in a row of a table."""
    match node:
        case ast.Call(
            func=ast.Name(id=name) | ast.Attribute(attr=name),
            args=[ast.Constant(value=str(tool))],
            keywords=keywords,
        ) if name in _CALLS:
            try:
                arguments = {str(each.arg): ast.literal_eval(each.value) for each in keywords}
            except ValueError:
                return None
            return {"name": tool.rpartition("__")[2], "arguments": arguments}
    return None


def _language(nodes: Iterable[ast.expr | None], otherwise: str) -> str:
    found = (each.value for each in nodes if isinstance(each, ast.Constant))
    return next((str(each) for each in found if each in LANGUAGES), otherwise)


def is_sentence(text: object) -> bool:
    """Return True for a text that somebody may say: several words, and no identifier, path or template."""
    if not isinstance(text, str) or len(text) > _LONGEST or "\n" in text:
        return False
    plain = text.replace(_EARLIER, " ")
    return bool(_BEGIN.match(plain)) and len(plain.split()) > 1 and not _NO_SENTENCE.search(plain)
