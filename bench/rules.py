"""The policy's rules, each of which can be switched off to see what it is worth."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any

from custom_components.voice_gateway.tools import policy


def add_option(parser: ArgumentParser) -> None:
    """Add `--without RULE` to a bench's options."""
    parser.add_argument(
        "--without", metavar="RULE", help="without a rule of ours on what may be called"
    )


def switch_off(parser: ArgumentParser, name: str | None) -> None:
    """Let calls be made as if there were no such rule; end the program where there is none."""
    if name is None:
        return
    rules: Sequence[Callable[..., Any]] = vars(policy).get("RULES", ())
    left = tuple(rule for rule in rules if rule.__name__ != name)
    if len(left) == len(rules):
        there = ", ".join(rule.__name__ for rule in rules)
        parser.error(f"there is no rule {name}; there are: {there or 'none'}")
    vars(policy)["RULES"] = left


def switch_all_off() -> None:
    """Let every call be made, as if there were no rules."""
    vars(policy)["RULES"] = ()
