"""README and docs/security.md claim nothing without a place in the code, and a test or a bench that shows it."""

from collections.abc import Container
import re

import pytest

from tests.rows import rows

from .test_requirements import TESTS, marks_of

ROOT = TESTS.parent
CODE = ROOT / "custom_components" / "voice_gateway"
ROW = re.compile(r"^\| “(.+)” \| `(.+?)` \| (.+?) \|$", re.MULTILINE)
POINT = re.compile(r"^- (.+?)(?=\n(?:- |\n|#|\Z))", re.MULTILINE | re.DOTALL)
FIGURE = re.compile(r"\d[\d.]* ?(?:%|GB|commands|billion|cores)")
BENCH = "script/bench "
LIMIT = "A limit"


def faults(readme: str, claims: str) -> list[str]:
    """Say which claims are not on the page, and what is named there and does not exist."""
    text = _plain(readme)
    rows = ROW.findall(claims)
    quotes = [_plain(quote) for quote, _, _ in rows]
    tests = marks_of(TESTS)
    return [
        *(f"Not in the README: {quote}" for quote in quotes if quote not in text),
        *(f"No such place: {place}" for _, place, _ in rows if not _exists(place)),
        *(f"Does not exist: {shown}" for _, _, shown in rows if not _shows(shown, tests)),
        *(
            f"Not on the page: {point}"
            for point in map(_plain, POINT.findall(readme))
            if not any(quote in point for quote in quotes)
        ),
        *(
            f"Not on the page: {figure}"
            for figure in FIGURE.findall(text)
            if not any(figure in quote for quote in quotes)
        ),
    ]


def _plain(markdown: str) -> str:
    """Return words as they are read: without links, emphasis and line breaks."""
    without_code = re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)
    linked = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", without_code)
    return " ".join(linked.replace("*", "").replace("`", "").split())


def _exists(place: str) -> bool:
    return any((root / place).exists() for root in (CODE, ROOT))


def _shows(shown: str, tests: Container[str]) -> bool:
    name = shown.strip("`")
    if name.startswith(BENCH):
        bench = name.removeprefix(BENCH).replace("-", "_")
        return (ROOT / "bench" / f"{bench}.py").exists()
    return name == LIMIT or name in tests or (TESTS / name).is_file()


@pytest.mark.parametrize(
    ("page", "claims"),
    [("README.md", "readme_claims.md"), ("docs/security.md", "security_claims.md")],
)
def test_page_claims_what_is_shown(page: str, claims: str) -> None:
    assert faults((ROOT / page).read_text(), (TESTS / claims).read_text()) == []


README = "# A\n\n- **It is quick**, with\n  [two](x.md) words of 90 %.\n- And small.\n"
PAGE = "| “quick, with two words of 90 %” | `turn/turn.py` | `script/bench turn` |\n| “small” | `script` | A limit |\n"


@rows(
    ("old", "new", "fault"),
    [
        ("", "", None),
        ("quick, with", "slow, with", "Not in the README: slow, with two words of 90 %"),
        ("turn/turn.py", "turn/tern.py", "No such place: turn/tern.py"),
        ("bench turn", "bench tern", "Does not exist: `script/bench tern`"),
        ("A limit", "`test_no.py::test_no`", "Does not exist: `test_no.py::test_no`"),
        (" of 90 %", "", "Not on the page: 90 %"),
        ("| “small” | `script` | A limit |\n", "", "Not on the page: And small."),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(old: str, new: str, fault: str | None) -> None:
    said = faults(README, PAGE.replace(old, new, 1))
    assert fault in said if fault else not said
