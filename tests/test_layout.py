"""The rooms of the integration, and which of them may know which."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

INTEGRATION = Path(__file__).parents[1] / "custom_components" / "voice_gateway"
LEAVES = {
    "addresses",
    "arguments",
    "const",
    "json_schema",
    "logs",
    "redactor",
    "header_values",
    "untrusted_text",
    "texts",
    "version",
    "quoted_answer",
    "text_tool_call",
    "home_entity",
    "speaker",
}
"""Files of the top folder that every room may know."""
MAY_KNOW = {
    "languages": set[str](),
    "names": {"languages"},
    "home": {"languages", "names"},
    "nlu": {"home", "languages", "names"},
    "answers": {"nlu", "home", "languages", "names"},
    "models": set[str](),
    "mcp_servers": set[str](),
    "zwave": {"mcp_servers"},
    "zwave_mcp": {"names"},
    "tools": {"nlu", "home", "languages", "mcp_servers", "names", "answers"},
    "plans": {"nlu", "home", "languages", "names", "tools"},
    "notebook": {"nlu", "home", "languages", "names", "tools"},
    "calendars": {"nlu", "home", "languages", "names", "tools"},
    "shared_tools": {"nlu", "home", "languages", "plans", "answers"},
    "turn": {
        "nlu",
        "home",
        "languages",
        "models",
        "names",
        "calendars",
        "notebook",
        "plans",
        "answers",
        "tools",
    },
    "model_trial": {"models", "names", "turn"},
    "flows": {"mcp_servers", "models", "tools", "turn", "zwave"},
}
"""What each room builds on, the leaves aside; the files of the top folder know them all."""
PURE = {"languages", "names", "zwave_mcp"}
"""They run in a process without Home Assistant."""


def module_of(path: Path) -> str:
    """Return the name of a file's module, from the integration's folder on; a folder's is its own."""
    parts = path.relative_to(INTEGRATION).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(path: Path) -> Iterator[str]:
    """Yield the modules of the integration that a file imports, from the integration's folder on.

    Wherever in the file they are imported: in a function, or for a type checker alone.
    """
    folder = path.relative_to(INTEGRATION).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = ".".join((*folder[: len(folder) - node.level + 1], *(node.module or "").split(".")))
        for name in node.names:
            module = f"{base.strip('.')}.{name.name}".strip(".")
            whole = INTEGRATION / module.replace(".", "/")
            yield module if whole.is_dir() or whole.with_suffix(".py").exists() else base.strip(".")


def files(room: str) -> list[Path]:
    return sorted((INTEGRATION / room).rglob("*.py"))


def test_every_room_is_told_of_here() -> None:
    rooms = {path.parent.name for path in INTEGRATION.glob("*/__init__.py")}
    assert rooms == MAY_KNOW.keys()


def test_no_room_builds_on_one_that_builds_on_it() -> None:
    assert [*TopologicalSorter(MAY_KNOW).static_order()]


@pytest.mark.parametrize("room", MAY_KNOW)
def test_room_knows_only_what_it_builds_on(room: str) -> None:
    known = {name.partition(".")[0] for path in files(room) for name in imports(path)}
    assert known <= MAY_KNOW[room] | {room} | LEAVES


@pytest.mark.parametrize("leaf", sorted(LEAVES))
def test_what_every_room_may_know_knows_no_room(leaf: str) -> None:
    assert set(imports((INTEGRATION / leaf).with_suffix(".py"))) <= LEAVES


@pytest.mark.parametrize("room", sorted(PURE))
def test_pure_room_imports_nothing_of_home_assistant(room: str) -> None:
    for path in files(room):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.ImportFrom(module=str(module), level=0):
                    assert not module.startswith("homeassistant"), path
                case ast.Import(names=names):
                    assert not any(each.name.startswith("homeassistant") for each in names), path


def test_no_module_imports_itself_through_others() -> None:
    graph = {
        module_of(path): set(imports(path)) - {module_of(path)}
        for path in INTEGRATION.rglob("*.py")
    }
    assert [*TopologicalSorter(graph).static_order()]


def test_modules_import_each_other_by_where_they_are() -> None:
    """An import by the whole name would pass by what is checked above."""
    for path in INTEGRATION.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.ImportFrom(module=str(module), level=0):
                    assert not module.startswith("custom_components"), path
                case ast.Import(names=names):
                    assert not any(each.name.startswith("custom_components") for each in names), (
                        path
                    )


@pytest.mark.parametrize(
    "room", sorted({path.parent for path in INTEGRATION.rglob("*/*.py")}), ids=str
)
def test_each_room_says_in_a_line_what_it_is_for(room: Path) -> None:
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text())) or ""
    purpose, _, more = said.partition("\n")
    assert purpose.endswith(".")
    assert not more or more.startswith("\n")


def functions(room: str) -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in files(room):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


READERS = {
    # They read what a model wrote, or a question of an MCP server.
    "turn/claims.py": {"denies", "sure_part"},
}
"""Functions outside of nlu that interpret strings which no user said."""
SAID = {"text", "said", "command", "sentence", "utterance", "spoken"}
CODES = {"code", "language"}


@pytest.mark.parametrize("room", sorted(MAY_KNOW.keys() - {"nlu", "names", "languages"}))
def test_words_of_the_user_are_no_strings_outside_of_nlu(room: str) -> None:
    """What somebody said has its language and its tokens: it is a `Text`, and no string with a code."""
    for path, function in functions(room):
        known = READERS.get(str(path.relative_to(INTEGRATION)), set())
        arguments = (*function.args.args, *function.args.kwonlyargs)
        types = {each.arg: ast.unparse(each.annotation or ast.Constant("")) for each in arguments}
        strings = {name for name in SAID & types.keys() if types[name].startswith("str")}
        is_shown = function.name.endswith("told")  # texts that are passed on as they are
        assert not (strings and CODES & types.keys()) or function.name in known or is_shown, (
            f"{path}: {function.name}"
        )


def test_one_public_name_is_one_class() -> None:
    places: dict[str, list[str]] = {}
    for path in INTEGRATION.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            match node:
                case ast.ClassDef(name=name) | ast.TypeAlias(name=ast.Name(id=name)):
                    if not name.startswith("_"):
                        places.setdefault(name, []).append(module_of(path))
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_predicates_say_when_they_are_true() -> None:
    for path in INTEGRATION.rglob("*.py"):
        assert '"""Tell whether' not in path.read_text(), path


WORD_READERS = {"nlu.phrase_patterns", "nlu.time_expressions", "nlu.tokens"}
"""Modules with which words are read, beside `TokenSequence`."""


def test_answers_read_words_in_one_way() -> None:
    """What answers a question takes its words from `TokenConsumer`, and a time from `TimeReader`."""
    found = {
        path.stem
        for path in files("answers")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.level
        if node.module in WORD_READERS or "TokenSequence" in {each.name for each in node.names}
    }
    assert found == {"token_consumer", "intervals"}


def test_face_of_nlu_gets_no_wider() -> None:
    """Names that other rooms import from nlu: the aim is 20, so this number may only fall."""
    names = {
        (node.module, each.name)
        for path in INTEGRATION.rglob("*.py")
        if path.relative_to(INTEGRATION).parts[0] != "nlu"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.level and (node.module or "").startswith("nlu")
        for each in node.names
    }
    assert len(names) <= 80
