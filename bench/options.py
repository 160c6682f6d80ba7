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


def add_commands(parser: ArgumentParser) -> None:
    """Add `--homes DIR`, `--tasks FILE` and `--recorded FILE ...`: commands, and models' answers."""
    base = Path(os.environ[_PATH]) if _PATH in os.environ else None
    parser.add_argument(
        "--homes",
        type=Path,
        metavar="DIR",
        default=base and base / "homes",
        help=f"houses, one YAML file each (default: homes/ in ${_PATH})",
    )
    parser.add_argument(
        "--tasks",
        type=Path,
        metavar="FILE",
        default=base and base / "tasks.jsonl",
        help=f"commands (default: tasks.jsonl in ${_PATH})",
    )
    parser.add_argument(
        "--recorded",
        type=Path,
        nargs="+",
        metavar="FILE",
        default=sorted((base / "recorded").glob("*.jsonl")) if base else None,
        help=f"models' recorded answers (default: recorded/*.jsonl in ${_PATH})",
    )
    parser.add_argument("--task", metavar="TEXT", help="only tasks with this in their names")


def check_commands(parser: ArgumentParser, arguments: Namespace, instead: str = "") -> None:
    """End with an error where commands, houses or answers are nowhere.

    `instead` is an option that stands in for recorded answers.
    """
    answers = arguments.recorded or (instead and getattr(arguments, instead))
    if not (arguments.homes and arguments.tasks and answers):
        other = f" or --{instead}" if instead else ""
        parser.error(
            f"set {_PATH} to the data set's folder, with homes/, tasks.jsonl and recorded/; or give"
            f" --homes, --tasks, and --recorded{other}"
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
