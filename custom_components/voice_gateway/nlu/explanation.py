"""The analysis of an utterance as plain data: for traces, diagnostics and people."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ..home.exposed import Exposed
from .anaphora import Anaphora
from .categories import has_universal_quantifier
from .entity_linking import EntityLinker
from .predicates import Predicate
from .tokenizer import Text
from .utterance import Utterance

_MOST = 6
"""The most candidates of a reference that are listed: "all lights" may be a hundred."""
_PAIRS = 1_000
"""Entities times clauses for which references are linked: a turn does this in the event loop."""


def explain(utterance: Utterance, *, most: int = _MOST, is_bounded: bool = True) -> dict[str, Any]:
    """Return the tokens, spans, clauses and references of an utterance, as JSON data.

    It contains the user's words and names of exposed devices. Clauses and times omit default values
    (false, empty, None). `most` candidates of each reference are listed, the others counted.
    `is_bounded`: a large home gets no references, and no spans of names.
    """
    home, reading = utterance.home, utterance.intent_match
    area = home.areas.get(utterance.area_id or "")
    pairs = len(home.entities) * len(utterance.parsed.clauses)
    is_linked = not is_bounded or pairs <= _PAIRS
    return {
        "text": str(utterance.text),
        "language": utterance.text.code,
        "area": area.name if area else utterance.area_id,
        "tokens": [token.text for token in utterance.text.tokens],
        "spans": [*_spans(utterance), *(_mentions(utterance) if is_linked else ())],
        "act": str(utterance.parsed.act),
        "status": str(utterance.status),
        "clauses": [
            {
                **_plain(clause),
                "desired_states": sorted(Predicate.of(text).states()),
                "references": _references(text, utterance.link(text), most) if is_linked else None,
            }
            for clause in utterance.parsed.clauses
            for text in (clause.command or clause.text,)
        ],
        "unmet_condition": _plain(utterance.unmet_condition),
        "antecedents": [each.entity_id for each in utterance.antecedents],
        "home_assistant": reading
        and {
            "intent": reading.intent_type,
            "slots": _plain(reading.slots),
            "unknown": _plain(reading.unknown),
            "exact": reading.is_exact,
        },
    }


def _spans(utterance: Utterance) -> Iterator[dict[str, Any]]:
    """Yield the spans of the utterance: label, words, and further attributes."""
    times = (each for clause in utterance.parsed.clauses for each in clause.times)
    for moment in dict.fromkeys((each.type, each.text, each.condition) for each in times):
        type_, text, condition = map(str, moment)
        if text:
            yield {"label": "time", "text": text, "type": type_}
        if condition:
            yield {"label": "condition", "text": condition, "type": type_}
    for number in sorted(utterance.text.numbers):
        yield {"label": "quantity", "text": f"{number:g}"}


def _mentions(utterance: Utterance) -> Iterator[dict[str, Any]]:
    """Yield the names, areas and categories in the sentence."""
    whole = utterance.link(utterance.text)
    for entity in sorted(whole.named):
        yield {"label": "name", "text": entity.names[0], "entity_id": entity.entity_id}
    for area_id in sorted(whole.areas):
        yield {"label": "area", "text": whole.home.all_areas[area_id].name}
    for category in whole.categories:
        yield {
            "label": "category",
            "text": " ".join(category.words),
            "domains": sorted(category.domains),
            "plural": category.is_plural,
        }


def _references(text: Text, linker: EntityLinker, most: int) -> dict[str, Any]:
    """Return the entities that a text can refer to, the surest first."""
    entities, found = linker.home.entities, sorted(linker.named)
    if linker.has_mention or linker.sense_domains:
        others = [
            each for each in entities if each not in linker.named and linker.is_candidate(each)
        ]
        found += sorted(others, key=linker.may_refer_to, reverse=True)
        found = found or [*filter(linker.may_refer_to, entities)]
    candidates = [
        {"entity_id": each.entity_id, "name": each.names[0], "certainty": _certainty(linker, each)}
        for each in found[:most]
    ]
    unknown = map(linker.unknown_modifier, entities) if linker.categories else ()
    return {
        "candidates": candidates,
        "more": len(found) - len(candidates),
        "all": has_universal_quantifier(text),
        "anaphor": Anaphora.of(text).refers_back,
        "unknown": [
            " ".join((*each.modifiers, *each.words))
            for each in dict.fromkeys(filter(None, unknown))
        ],
    }


def _certainty(linker: EntityLinker, entity: Exposed) -> str:
    """Return the certainty of a candidate: "sure", "likely" or "possible"."""
    if linker.surely_refers_to(entity):
        return "sure"
    return "likely" if linker.may_refer_to(entity) else "possible"


def _plain(value: Any) -> Any:
    """Return a value as JSON data; a dataclass without its default values."""
    match value:
        case str():
            return str(value)
        case bool() | int() | float() | None:
            return value
        case Mapping():
            return {str(key): _plain(each) for key, each in value.items()}
        case Iterable():
            return [_plain(each) for each in value]
        case _ if is_dataclass(value):
            known = {each.name: getattr(value, each.name) for each in fields(value)}
            usual = {each.name: each.default for each in fields(value)}
            kept = {name: one for name, one in known.items() if one != usual[name] or name == "act"}
            return {name: _plain(one) for name, one in kept.items()}
        case _:
            return str(value)
