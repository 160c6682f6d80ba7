"""The sentences of the benches."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
import tomllib
from typing import Any

from bench.demo_commands import COMMANDS

from .cases import LANGUAGES, Case
from .homes import own_home

BENCH = Path(__file__).parents[2] / "bench"
_WISHES_HOME = "generated:40"


def cases() -> Iterator[Case]:
    """Yield the sentences of all benches that have some of their own."""
    yield from _wishes()
    yield from _misheard()
    for language, rows in _toml("past").items():
        for text, *_ in rows:
            yield Case(set="bench/past", text=text, language=language, home=f"own:{language}")
    for command in COMMANDS:
        yield Case(set="bench/demo", text=command.text, language="en", home="own:demo")
    for text in _toml("evaluate")["questions"]:
        yield Case(set="bench/evaluate", text=text, language="en", home="own:en")


def _wishes() -> Iterator[Case]:
    """Yield wishes and small talk; the area where somebody speaks has no satellite there."""
    data = _toml("wishes")
    for said in (*data["wish"], *data["talk"]):
        yield Case(
            set="bench/wishes",
            text=said["text"],
            language=said["language"],
            home=_WISHES_HOME,
            calls=said.get("calls", ()),
        )


def _misheard() -> Iterator[Case]:
    """Yield the templates of spoken commands with the names of a home filled in."""
    for language, by_domain in _toml("misheard").items():
        if language not in LANGUAGES:
            continue
        home = own_home(language)
        names = {each.domain: each.name for each in reversed(home.entities)}
        names["area"] = home.areas[0].name
        for domain, deeds in by_domain.items():
            if domain in names:
                for template in _templates(deeds):
                    text = template.format(name=names[domain], area=names["area"])
                    yield Case(
                        set="bench/misheard", text=text, language=language, home=f"own:{language}"
                    )


def _templates(deeds: Mapping[str, Any]) -> Sequence[str]:
    lists = [each for each in deeds.values() if isinstance(each, list)]
    return [template for each in lists for template in each if isinstance(template, str)]


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((BENCH / f"{name}.toml").read_text("utf-8"))
