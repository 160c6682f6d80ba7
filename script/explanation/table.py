"""An explanation as a table that is read in a terminal."""

from collections.abc import Iterator, Mapping
import json
from textwrap import wrap
from typing import Any

_WIDTH = 100
_LABEL = 16
"""Characters of the column on the left."""
_OWN_LINES = frozenset(("text", "command", "act", "times", "references", "desired_states"))
"""What of a clause is told in a line of its own, or in words."""

type Row = tuple[str, str]
"""A label, and what it is; a title where that is empty."""


def table(found: Mapping[str, Any]) -> str:
    """Return an explanation as lines of at most 100 characters."""
    return "\n".join(line for row in _rows(found) for line in _lines(*row)).lstrip("\n")


def _lines(label: str, text: str) -> Iterator[str]:
    if not text:
        yield f"\n{label}"
        return
    begin = f"  {label:<{_LABEL - 2}} "
    rest = " " * len(begin)
    yield from wrap(text, _WIDTH, initial_indent=begin, subsequent_indent=rest)


def _rows(found: Mapping[str, Any]) -> Iterator[Row]:
    where = f"; speaker in {found['area']}" if found["area"] else ""
    yield "SENTENCE", ""
    yield "text", found["text"]
    yield "read as", f"{found['act']}, language {found['language'] or 'unknown'}{where}"
    yield "tokens", " · ".join(found["tokens"])
    yield "SPANS", ""
    for span in found["spans"]:
        more = [span.get("type"), span.get("entity_id"), ", ".join(span.get("domains", ()))]
        yield span["label"], " — ".join(filter(None, (span["text"], *more)))
    for number, clause in enumerate(found["clauses"], 1):
        yield from _clause(number, clause)
    yield from _conditions(found)
    yield "HOME ASSISTANT", ""
    yield "intent", _reading(found["home_assistant"])
    yield "DECISIONS", ""
    for number, decision in enumerate(found["decisions"], 1):
        yield f"clause {number}", _decision(decision)
    yield "WITHOUT A MODEL", ""
    yield from _outcome(found["without_model"])


def _clause(number: int, clause: Mapping[str, Any]) -> Iterator[Row]:
    yield f"CLAUSE {number}", ""
    yield "text", clause["text"]
    if clause["command"] != clause["text"]:
        yield "command", clause["command"] or "none"
    flags = (
        name.replace("_", " ") if value is True else f"{name.replace('_', ' ')}: {value}"
        for name, value in clause.items()
        if name not in _OWN_LINES
    )
    yield "act", ", ".join((clause["act"], *flags))
    if states := clause["desired_states"]:
        yield "states", ", ".join(states)
    for moment in clause.get("times", ()):
        yield "time", _moment(moment)
    yield from _references(clause["references"])


def _moment(moment: Mapping[str, Any]) -> str:
    more = (f"{name}={value}" for name, value in moment.items() if name not in ("type", "text"))
    return ", ".join((f"{moment['type']}: {moment.get('text', '')}", *more))


def _references(found: Mapping[str, Any]) -> Iterator[Row]:
    for each in found["candidates"]:
        yield each["certainty"], f"{each['name']} — {each['entity_id']}"
    if found["more"]:
        yield "", f"and {found['more']} more"
    told = [name for name in ("all", "anaphor") if found[name]]
    told += (f"unknown: {each}" for each in found["unknown"])
    if told:
        yield "reference", ", ".join(told)


def _conditions(found: Mapping[str, Any]) -> Iterator[Row]:
    if unmet := found["unmet_condition"]:
        yield "CONDITION", ""
        yield "not met", ", ".join(f"{name}: {value}" for name, value in unmet.items())


def _reading(reading: Mapping[str, Any] | None) -> str:
    if reading is None:
        return "none of its sentences fits"
    exact = "exact" if reading["exact"] else "not exact"
    unknown = "".join(f", unknown {name}: {text!r}" for name, text in reading["unknown"].items())
    return f"{_call(reading['intent'], reading['slots'])}, {exact}{unknown}"


def _decision(decision: Mapping[str, Any]) -> str:
    if (call := decision["call"]) is None:
        return "no obvious call"
    instead, why = decision["instead"], decision["why"]
    divergences = dict.fromkeys(decision["divergences"])
    told = (
        f"{_call(**call)} → {decision['decision']}",
        f"as {_call(**instead)}" if instead else "",
        f"({why})" if why else "",
        f"by {', '.join(divergences)}" if divergences else "",
    )
    return " ".join(filter(None, told))


def _outcome(outcome: Mapping[str, Any]) -> Iterator[Row]:
    for call in outcome["calls"]:
        yield "call", _call(**call)
    for plan in outcome["plans"]:
        yield "plan", plan
    yield "answer", outcome["answer"] or "none: the model is asked"


def _call(tool: str, arguments: Mapping[str, Any]) -> str:
    given = (f"{name}={json.dumps(each, ensure_ascii=False)}" for name, each in arguments.items())
    return f"{tool}({', '.join(given)})"
