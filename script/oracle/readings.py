"""The stage "readings": what each sentence is understood to say, without any turn."""

from collections.abc import Mapping, Sequence

from bench.stage import Stage

from . import calls as probes
from .cases import Case, Json
from .product import Listener, Understanding, reading_of

FACETS = ("raised", "reading", "recognition", "entities", "verdicts", "reasons", "answer")
_NONE = "-"
_CELLS = {
    "native": (False, False),
    "written": (True, False),
    "native_read": (False, True),
    "written_read": (True, True),
}
"""Who makes a call and after what: whether it is written as text, and third-party text was read."""


async def async_play(stage: Stage, cases: Sequence[Case]) -> Sequence[Json]:
    """Return the records of sentences of one home, in its order."""
    lines: list[Json] = []
    listener = Listener.of(stage.house.hass)
    for language in dict.fromkeys(case.language for case in cases):
        # The word lists of a language are loaded by its first sentence.
        await listener.async_understand("xyz", language, None)
    stray = next((each.name for each in stage.house.home.entities if each.domain == "light"), "")
    for case in cases:
        await stage.async_begin(case.setup, case.now)
        line: Json = {}
        try:
            await _async_fill(line, stage, listener, case, stray)
        except Exception as err:  # noqa: BLE001 - that a version raises is a difference
            line["raised"] = repr(err)
        lines.append(line)
    return lines


async def _async_fill(line: Json, stage: Stage, listener: Listener, case: Case, stray: str) -> None:
    """Fill in the facets of a sentence."""
    device_id = stage.house.device_ids.get(case.device or "")
    line["reading"] = reading_of(case.text, case.language, listener.names)
    understood = await listener.async_understand(case.text, case.language, device_id, case.earlier)
    line["recognition"] = understood.recognition()
    line["entities"] = understood.entities()
    calls = case.calls or probes.obvious(line["recognition"], understood.aimed_at(), stray)
    line["verdicts"], line["reasons"] = {}, {}
    for number, call in enumerate(probes.to_probe(calls)):
        key = f"{number} {call['name']}"
        line["verdicts"][key], line["reasons"][key] = await _async_cells(understood, call)
    line["answer"] = await understood.answer()
    line["calls"] = [*calls]


async def _async_cells(
    understood: Understanding, call: Json
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return what is decided of a call and why; cells like the native one's are left out."""
    cells = {
        name: await understood.decision(call, is_written=is_written, is_tainted=is_tainted)
        for name, (is_written, is_tainted) in _CELLS.items()
    }
    verdicts = {name: verdict for name, (verdict, _) in cells.items()}
    return _apart(verdicts), _apart({name: reason for name, (_, reason) in cells.items()})


def _apart(cells: Mapping[str, str]) -> Mapping[str, str]:
    """Return the native cell, and those that differ from it."""
    first = cells["native"]
    if not any(cells.values()):
        return {}
    return {
        name: cell or _NONE for name, cell in cells.items() if name == "native" or cell != first
    }
