"""The options of benches that take lines of a data set, and the houses that these are about."""

from argparse import ArgumentParser, Namespace
import os
from pathlib import Path

_PATH = "VOICE_GATEWAY_EVAL"


def add_data(parser: ArgumentParser, what: str, folder: str) -> None:
    """Add `--WHAT FILE` and `--homes DIR ...`, which the data set's folder has by default."""
    base = Path(os.environ[_PATH]) if _PATH in os.environ else None
    parser.add_argument(
        f"--{what}",
        type=Path,
        metavar="FILE",
        default=base and base / folder / f"{folder}.jsonl",
        help=f"{what} (default: {folder}/{folder}.jsonl in ${_PATH})",
    )
    parser.add_argument(
        "--homes",
        type=Path,
        nargs="+",
        metavar="DIR",
        default=base and [base / folder / "homes", base / "homes"],
        help=f"houses, one YAML file each (default: {folder}/homes/ and homes/ in ${_PATH})",
    )


def with_data(parser: ArgumentParser, what: str, folder: str) -> Namespace:
    """Return what was given; ends with an error where the lines or houses are nowhere."""
    arguments = parser.parse_args()
    if not (getattr(arguments, what) and arguments.homes):
        parser.error(
            f"set {_PATH} to the folder with {folder}/{folder}.jsonl, {folder}/homes/ and homes/;"
            f" or give --{what} and --homes"
        )
    return arguments
