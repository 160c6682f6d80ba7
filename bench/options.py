"""The options of benches that take lines of a data set, and the houses that these are about."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
import hashlib
import os
from pathlib import Path
from typing import Self
import zlib

from bench.home import Home

_PATH = "VOICE_GATEWAY_EVAL"


def add_data(parser: ArgumentParser, what: str, folder: str, file: str = "") -> None:
    """Add `--WHAT FILE` and `--homes DIR ...`, which the data set's folder has by default.

    `file` is the name of the lines' file without its ending, if not the folder's.
    """
    base = Path(os.environ[_PATH]) if _PATH in os.environ else None
    lines = f"{folder}/{file or folder}.jsonl"
    parser.add_argument(
        f"--{what}",
        type=Path,
        metavar="FILE",
        default=base and base / lines,
        help=f"{what} (default: {lines} in ${_PATH})",
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
            f"set {_PATH} to the folder with {folder}/, its lines and homes/; or give --{what} and --homes"
        )
    return arguments


def home_of(folders: Sequence[Path], name: str) -> Home:
    """Return a house by its name; ends the program where no folder has it."""
    for folder in folders:
        if (path := folder / f"{name}.yaml").exists():
            return Home.read(path)
    raise SystemExit(f"There is no {name}.yaml in {', '.join(map(str, folders))}")


@dataclass(frozen=True, slots=True)
class Part:
    """The K-th of N parts of a data set, by a hash: those of one part can be looked at, others not."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the part that "K/N" means; raises ArgumentTypeError for anything else."""
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise ArgumentTypeError(f"{text} is not like 1/3")
        return cls(int(number), int(of))

    def __contains__(self, key: str) -> bool:
        """Return True if what has this id is in the part."""
        return zlib.crc32(key.encode()) % self.of == self.number - 1


def sample[T](items: Iterable[T], key: Callable[[T], str], size: int | None) -> Sequence[T]:
    """Return so many items, always the same ones, from all over; all of them in their order without a size."""
    if not size:
        return [*items]
    return sorted(items, key=lambda item: hashlib.sha256(key(item).encode()).digest())[:size]
