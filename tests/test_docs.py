"""Each link of the pages leads somewhere: to a file of the repository, and to a heading of it."""

from collections.abc import Iterator
from pathlib import Path
import re

from .test_requirements import TESTS

ROOT = TESTS.parent
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def broken(page: Path) -> Iterator[str]:
    """Say which links of a page lead nowhere."""
    for file, anchor in LINK.findall(page.read_text()):
        target = page.parent / file if file else page
        if not target.exists():
            yield f"{page.name}: no file {file}"
        elif anchor and anchor not in set(map(_anchor, HEADING.findall(target.read_text()))):
            yield f"{page.name}: {target.name} has no heading {anchor}"


def _anchor(heading: str) -> str:
    """Return a heading's name in an address, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_links_lead_somewhere() -> None:
    assert [fault for page in PAGES for fault in broken(page)] == []


def test_broken_links_are_said(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# One, two\n")
    page = tmp_path / "page.md"
    page.write_text("[a](other.md#one-two) [b](no.md) [c](other.md#three) [d](#me)\n## Me\n")
    assert list(broken(page)) == [
        "page.md: no file no.md",
        "page.md: other.md has no heading three",
    ]
