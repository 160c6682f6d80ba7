"""Records how each known sentence is understood, and compares later versions of the product with that.

    python -m script.oracle record     writes the golden files
    python -m script.oracle compare    exits 1 if something differs that is not accepted

Sentences are those of the tests and the benches, whose golden files are committed, and those of the
evaluation data. The stage `readings` takes minutes: clauses and times (reading), Home Assistant's
recognition, the entities meant, decisions about obvious calls and their opposites (verdicts, reasons),
answers to questions. The stage `turns` takes several times as long: what whole turns do and say.
`compare` plays the sentences and calls of the golden files, whatever tests there are now.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
import os
from pathlib import Path
from time import perf_counter

from . import from_benches, from_data, from_tests, golden, work
from .cases import Case, Json, without_duplicates
from .differences import ACCEPTED, Accepted, Difference, differences

_DATA = "VOICE_GATEWAY_EVAL"
_THIRD = 3
"""Of the repository's sentences, turns are played for every third."""


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    stages = [*work.STAGES] if arguments.stage == "all" else [arguments.stage]
    if arguments.command == "record":
        for stage in stages:
            _record(stage, arguments)
        return 0
    differing = [stage for stage in stages if _compare(stage, arguments)]
    return int(bool(differing))


def _record(stage: str, arguments: argparse.Namespace) -> None:
    """Write the golden files of a stage."""
    started = perf_counter()
    lines = work.play(stage, _cases(stage, arguments.data), arguments.data, arguments.jobs)
    sizes = golden.write(stage, lines, arguments.golden)
    for path, size in sizes.items():
        print(f"{size:10,} {path}")
    print(f"{stage}: {len(lines)} sentences in {perf_counter() - started:.0f} s")


def _cases(stage: str, data: Path | None) -> Sequence[Case]:
    """Return the sentences to record, sorted by key."""
    found = [*from_tests.cases(), *from_benches.cases(), *(from_data.cases(data) if data else ())]
    cases = sorted(without_duplicates(found), key=lambda case: case.key)
    if stage == golden.COMMITTED_STAGE:
        return cases
    own = [case for case in cases if case.is_of_repository]
    return [*own[::_THIRD], *(case for case in cases if not case.is_of_repository)]


def _compare(stage: str, arguments: argparse.Namespace) -> bool:
    """Compare the product with the golden files of a stage; return True if it differs."""
    started = perf_counter()
    before = golden.read(stage, arguments.golden)[:: arguments.sample]
    cases = map(Case.of_json, before)
    after = {
        str(line["key"]): line for line in work.play(stage, cases, arguments.data, arguments.jobs)
    }
    facets = [each for each in work.FACETS[stage] if arguments.facet in (None, each)]
    found = [each for line in before for each in differences(line, after[str(line["key"])], facets)]
    left, taken = _without_accepted(found, Accepted.read_all(arguments.accepted))
    _report(left, taken, before, arguments.show)
    seconds = perf_counter() - started
    print(f"{stage}: {len(left)} differences in {len(before)} sentences, {seconds:.0f} s")
    return bool(left)


def _without_accepted(
    found: Iterable[Difference], accepted: Sequence[Accepted]
) -> tuple[Sequence[Difference], Counter[str]]:
    """Return the differences that are not accepted, and how often each entry accepted something."""
    left: list[Difference] = []
    taken: Counter[str] = Counter()
    for difference in found:
        rest: Difference | None = difference
        for entry in accepted:
            if rest is None:
                break
            smaller = entry.left_of(rest)
            taken[entry.name] += smaller is not rest
            rest = smaller
        if rest:
            left.append(rest)
    return left, taken


def _report(
    left: Sequence[Difference], taken: Counter[str], lines: Sequence[Json], most: int
) -> None:
    """Print counts by set and facet, the accepted differences, and the first of the others."""
    sizes = Counter(line["set"] for line in lines)
    counts = Counter((each.line["set"], each.facet) for each in left)
    for (name, facet), count in sorted(counts.items()):
        print(f"{count:6} of {sizes[name]:5} {name:16} {facet}")
    for name, count in sorted(taken.items()):
        print(f"{count:6} accepted: {name}")
    for difference in left[:most]:
        print(difference)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m script.oracle",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=("record", "compare"))
    parser.add_argument("--stage", choices=(*work.STAGES, "all"), default="readings")
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get(_DATA) and Path(os.environ[_DATA]),
        help=f"the evaluation data (default: ${_DATA})",
    )
    parser.add_argument(
        "--golden",
        type=Path,
        default=golden.CACHE,
        help=f"golden files that are not committed (default: {golden.CACHE})",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="every N-th sentence")
    parser.add_argument("--facet", help="compare only this facet")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="(default: 20)")
    parser.add_argument("--accepted", type=Path, default=ACCEPTED, help=argparse.SUPPRESS)
    return parser.parse_args()
