"""The pages for people: their links lead somewhere, and nothing that people meet is missing."""

from collections.abc import Iterator, Mapping
import json
from pathlib import Path
import re
import tomllib
from typing import Any

import pytest

from custom_components.voice_gateway import const
from custom_components.voice_gateway.flows.recommended_models import RECOMMENDED

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted((*ROOT.glob("*.md"), *DOCS.glob("*.md")))
TEXTS: dict[str, Any] = json.loads(
    (ROOT / "custom_components/voice_gateway/translations/en.json").read_text()
)
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# GitHub's anchors: letters, digits, hyphens and underscores of a heading, spaces as hyphens.
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
NO_ANCHOR = re.compile(r"[^\w\- ]")


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCE.sub("", page.read_text())


def anchors(page: Path) -> set[str]:
    headings = HEADING.findall(prose(page))
    return {NO_ANCHOR.sub("", heading.lower()).replace(" ", "-") for heading in headings}


def labels(form: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of a form's fields, those of its sections too."""
    yield from form.get("data", {}).values()
    for part in form.get("sections", {}).values():
        yield from labels(part)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_to_files_and_headings_that_exist(page: Path) -> None:
    broken = []
    for link in LINK.findall(prose(page)):
        if ":" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize("kind", ["conversation", "ai_task_data"])
def test_every_option_of_agents_and_tasks_is_told(kind: str) -> None:
    told = (DOCS / "options.md").read_text()
    steps = TEXTS["config_subentries"][kind]["step"].values()
    names = {name for step in steps for name in labels(step)}
    assert len(names) > 5
    assert {name for name in names if f"**{name}**" not in told} == set()


def test_every_option_of_servers_is_told() -> None:
    told = (DOCS / "options.md").read_text()
    steps = TEXTS["options"]["step"].values()
    assert {name for step in steps for name in labels(step) if f"**{name}**" not in told} == set()


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("Context length", const.DEFAULTS[const.CONF_NUM_CTX]),
        ("Temperature", const.DEFAULTS[const.CONF_TEMPERATURE]),
        ("Length of an answer", const.DEFAULTS[const.CONF_MAX_TOKENS]),
        ("Tool rounds", const.DEFAULTS[const.CONF_MAX_ROUNDS]),
        ("Time limit", const.DEFAULTS[const.CONF_TIMEOUT]),
        ("Wait before asking it", const.DEFAULTS[const.CONF_FALLBACK_AFTER]),
    ],
)
def test_what_an_option_is_to_begin_with_is_told_as_it_is(name: str, default: float) -> None:
    options = (DOCS / "options.md").read_text()
    line = re.search(rf"^\| \**{name}\** \| (.*?) \|", options, re.MULTILINE)
    assert line
    assert re.match(rf"{default}\b", line[1])


def test_every_model_that_is_recommended_is_told_with_what_it_takes() -> None:
    told = (DOCS / "models.md").read_text()
    rows = re.findall(r"^\| `(\S+)` \| ([\d.]+) GB \| (\d+) GB \|$", told, re.MULTILINE)
    assert rows == [(model.name, f"{model.download:g}", str(model.memory)) for model in RECOMMENDED]


# Questions, results and confirmations that say themselves what they mean.
SELF_EXPLANATORY = re.compile(
    r"ask_(?!heard|server$)|all_right|welcome|done$|left_|was_carried_out|which_one|not_then|wrong_pin"
    r"|nothing_(done|to)|undo|changed_since|not_undone|trial_"
    r"|entry_not|not_connected|notes?_|no_(such_place|speaker)|(not_)?announced|event_|no_such_(event|phone)|which_calendar|(not_)?sent_|music_moved|nothing_plays|no_player|routines?_|alias_|plans_|plan_(end|which|unknown|cancelled|without|agent|id_)"
)


def test_every_message_that_needs_it_is_explained() -> None:
    page = (DOCS / "troubleshooting.md").read_text()
    messages = {
        text["message"]
        for key, text in TEXTS["exceptions"].items()
        if not SELF_EXPLANATORY.match(key)
    }
    assert {message for message in messages if message not in " ".join(page.split())} == set()


def test_every_repair_issue_is_explained() -> None:
    told = (DOCS / "troubleshooting.md").read_text()
    titles = {issue["title"] for issue in TEXTS["issues"].values()}
    assert {title for title in titles if f"“{title}”" not in told} == set()


def test_every_bench_is_told_and_no_other() -> None:
    benches = {
        path.stem.replace("_", "-")
        for path in (ROOT / "bench").glob("[a-z]*.py")
        if "__main__" in path.read_text()
    }
    section = (DOCS / "contributing.md").read_text().partition("## Benches")[2]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == benches
    for page in PAGES:
        named = re.findall(r"script/bench ([a-z][a-z-]*)", page.read_text())
        assert set(named) <= benches, page.name


def test_every_mark_of_tests_is_told() -> None:
    marks = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]
    names = {re.split(r"[:(]", mark)[0] for mark in marks["ini_options"]["markers"]}
    told = (DOCS / "contributing.md").read_text()
    assert {name for name in names if not re.search(rf"^\| `{name}\b", told, re.MULTILINE)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_scripts_that_a_page_names_exist(page: Path) -> None:
    named = set(re.findall(r"(?<![\w/.])script/[\w-]+", page.read_text()))
    assert {script for script in named if not (ROOT / script).exists()} == set()
