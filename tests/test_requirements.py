"""The page of the requirements, and the marks of the tests that show them, hold together."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
import re

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS / "requirements.md"
SECTION = re.compile(r"^## ([A-Z]): ", re.MULTILINE)
ROW = re.compile(r"^\| ([A-Z])(\d+) \| .+? \| (.*?) *\|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py::\w+)`")

type Marks = Mapping[str, set[str]]
"""Tests, as `folder/file.py::name` below `tests`, with the requirements that each is marked with."""


@cache
def marks_of(folder: Path) -> Marks:
    """Return the tests in a folder, read from their sources: whatever is selected of them to run."""
    return {
        f"{path.relative_to(folder).as_posix()}::{name}": ids
        for path in sorted(folder.rglob("test_*.py"))
        if "node_modules" not in path.parts
        for name, ids in _tests(ast.parse(path.read_text()))
    }


def _tests(module: ast.Module) -> Iterator[tuple[str, set[str]]]:
    of_all = {
        id_
        for line in module.body
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "pytestmark"
        for id_ in _ids(line.value)
    }
    for line in module.body:
        if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef) and line.name.startswith(
            "test"
        ):
            yield line.name, of_all.union(*map(_ids, line.decorator_list))


def _ids(mark: ast.expr) -> list[str]:
    """Return the requirements that an expression marks a test with."""
    match mark:
        case ast.Call(func=func, args=ids) if ast.unparse(func) == "pytest.mark.requirement":
            return [ast.literal_eval(each) for each in ids]
    return []


def faults(page: str, marks: Marks) -> list[str]:
    """Say what is missing on a page, or in the marks of the tests."""
    faults: list[str] = []
    known: set[str] = set()
    _, *parts = SECTION.split(page)
    for section, text in zip(parts[::2], parts[1::2], strict=True):
        rows = ROW.findall(text)
        if not rows:
            faults.append(f"Section {section} has no requirement")
        for place, (letter, number, shown) in enumerate(rows, 1):
            id_ = f"{letter}{number}"
            if id_ != f"{section}{place}":
                faults.append(f"{section}{place} is missing: {id_} stands in its place")
            faults += _faults_of(id_, shown, marks)
            known.add(id_)
    return faults + [
        f"{id_} is not on the page, and a mark of {test}"
        for test, ids in marks.items()
        for id_ in sorted(ids - known)
    ]


def _faults_of(id_: str, shown: str, marks: Marks) -> Iterator[str]:
    if not shown:
        yield f"{id_} has neither a test nor a reason why there is none"
    for test in TEST.findall(shown):
        if test not in marks:
            yield f"{id_} names {test}, which does not exist"
        elif id_ not in marks[test]:
            yield f'{id_} names {test}, which has no @pytest.mark.requirement("{id_}")'


def test_every_requirement_has_a_test_that_is_marked_with_it_or_a_reason() -> None:
    assert faults(PAGE.read_text(), marks_of(TESTS)) == []


GOOD = """# Requirements
## A: the tools
| | Requirement | Shown by |
|---|---|---|
| A1 | One | `tools/test_one.py::test_one` |
| A2 | Two | Done otherwise |
"""
ONE = "tools/test_one.py::test_one"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("", "", None),
        ("| Done otherwise |", "| |", "A2 has neither a test nor a reason why there is none"),
        ("| A1 | One |", "| A3 | One |", "A1 is missing: A3 stands in its place"),
        (f"`{ONE}`", "`test_two.py::test_two`", "A1 names test_two.py::test_two, which does not exist"),
        ("Done", f"`{ONE}`", f'A2 names {ONE}, which has no @pytest.mark.requirement("A2")'),
        ("| A1 | One |", "|", f"A1 is not on the page, and a mark of {ONE}"),
        (GOOD[GOOD.index("| A1") :], "", "Section A has no requirement"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(old: str, new: str, fault: str | None, tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "test_one.py").write_text(
        '@pytest.mark.requirement("A1")\n@pytest.mark.live\nasync def test_one() -> None: ...\n'
    )
    said = faults(GOOD.replace(old, new, 1), marks_of(tmp_path))
    assert fault in said if fault else not said
