"""The golden files: one JSON line per sentence, sorted by key, compressed to the same bytes each time."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
import gzip
from itertools import chain
import json
from pathlib import Path

from .cases import Case, Json

COMMITTED = Path(__file__).parents[2] / "tests" / "oracle"
"""The golden files of tests and benches, of the stage that is fast."""
CACHE = Path.home() / ".cache" / "voice-gateway" / "oracle"
"""The golden files of everything else, by default; they are never committed."""
COMMITTED_STAGE = "readings"
_OF_REPOSITORY = ("bench-", "tests-")


def write(stage: str, lines: Iterable[Json], golden: Path) -> Mapping[Path, int]:
    """Write the records of a stage, a file for each set; return the sizes of the files.

    Those of the repository's sets that are no more go; without the evaluation data, theirs stay.
    """
    by_path: dict[Path, list[Json]] = defaultdict(list)
    for line in lines:
        by_path[_path(stage, Case.of_json(line), golden)].append(line)
    for path in _paths(stage, golden):
        if path not in by_path and path.name.startswith(_OF_REPOSITORY):
            path.unlink()
    for path, some in by_path.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(
            json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in some
        )
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return {path: path.stat().st_size for path in sorted(by_path)}


def read(stage: str, golden: Path) -> Sequence[Json]:
    """Return the records of a stage, sorted by key."""
    lines = chain.from_iterable(map(_lines, _paths(stage, golden)))
    return sorted(lines, key=lambda line: str(line["key"]))


def _lines(path: Path) -> Sequence[Json]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def _path(stage: str, case: Case, golden: Path) -> Path:
    is_committed = case.is_of_repository and stage == COMMITTED_STAGE
    folder = COMMITTED if is_committed else golden
    return folder / f"{case.set.replace('/', '-')}.{stage}.jsonl.gz"


def _paths(stage: str, golden: Path) -> Sequence[Path]:
    folders = (COMMITTED, golden) if stage == COMMITTED_STAGE else (golden,)
    return [path for each in folders for path in sorted(each.glob(f"*.{stage}.jsonl.gz"))]
