"""Homes in several processes at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
import sys

_LARGEST = 250
"""Items that are played in one home before another process may take over."""


def play_by_home[T, R](
    play: Callable[[Sequence[T]], Sequence[R]],
    items: Iterable[T],
    home: Callable[[T], str],
    jobs: int,
) -> Sequence[R]:
    """Return what `play` returns of items of one home each, which stay in their order.

    `play` runs in another process: it, its items and its results are pickled.
    """
    parts = sorted(_parts(items, home), key=len, reverse=True)
    results: list[R] = []
    with ProcessPoolExecutor(jobs, get_context("fork")) as processes:
        running = [processes.submit(play, part) for part in parts]
        for number, done in enumerate(as_completed(running), 1):
            results += done.result()
            if sys.stderr.isatty():
                print(f"\r{number} of {len(parts)} parts", end="", file=sys.stderr, flush=True)
    return results


def _parts[T](items: Iterable[T], home: Callable[[T], str]) -> Iterator[Sequence[T]]:
    by_home: dict[str, list[T]] = defaultdict(list)
    for item in items:
        by_home[home(item)].append(item)
    for some in by_home.values():
        for first in range(0, len(some), _LARGEST):
            yield some[first : first + _LARGEST]
