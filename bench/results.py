"""How results are printed: a line each, with both sides and their ratio."""

from collections.abc import Mapping, Sequence
import math
from statistics import median


def line(name: str, values: Mapping[str, float], unit: str, n: int, digits: int = 3) -> str:
    """Return `NAME core=… voice_gateway=… unit=… ratio=… n=…`; the ratio is the last to the first."""
    words = [name, *(f"{side}={value:.{digits}f}" for side, value in values.items())]
    words.append(f"unit={unit}")
    if len(values) > 1:
        first, *_, last = values.values()
        words.append(f"ratio={last / first if first else math.inf if last else math.nan:.2f}")
    return " ".join((*words, f"n={n}"))


def medians(name: str, runs: Mapping[str, Sequence[float]], unit: str, digits: int = 3) -> str:
    """Return the line of the medians, and a line of the smallest and largest of each side."""
    values = {side: median(each) for side, each in runs.items()}
    spread = ", ".join(
        f"{side} {min(each):.{digits}f} to {max(each):.{digits}f}" for side, each in runs.items()
    )
    n = min(len(each) for each in runs.values())
    return f"{line(name, values, unit, n, digits)}\n#   {spread} {unit}"
