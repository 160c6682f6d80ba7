"""What of an MCP server's settings is secret, and its texts without that."""

import base64
import binascii
from collections.abc import Iterator, Sequence
from contextlib import suppress
import re
from typing import Any

from ..addresses import LONG, is_public, is_random, is_secret_name, secrets_of_address
from ..redactor import Redactor
from .settings import CommandServer, UrlServer

_NAMED = re.compile(
    r"""([\w-]+)["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token)\s+)?([^\s"',;}]+)""", re.IGNORECASE
)
_ADDRESS = re.compile(r"""[\w+.-]+://[^\s"']+""")
# What stands between the words of an argument or a header.
_BETWEEN = re.compile(r"""[\s=,;:"'(){}\[\]]+""")
_PACKAGE = re.compile(r"@?[\w./-]+@[\w.^~-]+")
# Options of what starts programs, behind which the program or its place stands.
_OF_STARTERS = frozenset(
    ("--directory", "--from", "--project", "--rm", "--with", "--yes", "-i", "-it", "-m", "-y")
)
_WORD = re.compile(r"[\w~+.-]+", re.ASCII)
# Parts of a server's description of a tool that are words; others are names, which calls need.
_WORDS = frozenset({"const", "default", "description", "enum", "examples", "title"})


def redactor_of(server: CommandServer | UrlServer) -> Redactor:
    """Return what takes a server's secrets out of texts."""
    match server:
        case CommandServer():
            return Redactor((*_of_environment(server), *_of_arguments(server.args)))
        case UrlServer():
            return Redactor(
                (*secrets_of_address(server.url), *_of_headers(server), *server.secrets)
            )


def clean_tools(tools: Any, redactor: Redactor) -> Any:
    """Return tools as a server describes them, without secrets where they have words."""
    match tools:
        case dict():
            return {
                name: redactor.all(part) if name in _WORDS else clean_tools(part, redactor)
                for name, part in tools.items()
            }
        case list():
            return [clean_tools(part, redactor) for part in tools]
        case _:
            return tools


def flags(args: Sequence[str]) -> list[str]:
    """Return the names of a command's options, without their values."""
    found = (re.match(r"--[A-Za-z][\w-]*(?==|$)|-[A-Za-z]", arg) for arg in args)
    return [flag[0] for flag in found if flag and not is_random(flag[0])]


def _of_environment(server: CommandServer) -> Iterator[str]:
    """Yield the values of the environment: whatever a variable is called, only its owner knows what it is for."""
    for name, value in server.env.items():
        if is_secret_name(name) or not is_public(value):
            yield value
            yield from _of_argument(value)


def _of_headers(server: UrlServer) -> Iterator[str]:
    """Yield the values of headers, and the words in them behind the first: `Bearer …`."""
    for value in server.headers.values():
        yield value
        words = re.split(r"[\s=;,]+", value)[1:]
        for word in words:
            if len(word) >= LONG or len(words) == 1:
                yield word
                # A user and a password (RFC 7617).
                with suppress(binascii.Error, UnicodeDecodeError):
                    yield base64.b64decode(word, validate=True).decode().partition(":")[2]


def _of_arguments(args: Sequence[str]) -> Iterator[str]:
    """Yield the values of a command's options, and what may be random in its other arguments."""
    option = ""
    for arg in args:
        if arg.startswith("-"):
            option, _, value = arg.partition("=")
            given = option
        else:
            is_value = option not in ("", *_OF_STARTERS) and not _PACKAGE.fullmatch(arg)
            given, option, value = option, "", arg if is_value else ""
        if value and (is_secret_name(given) or not is_public(value)):
            # "sid=…" is a name with its value.
            yield from (value, *(each for each in value.split("=")[1:] if each))
        yield from _of_argument(arg)


def _of_argument(arg: str) -> Iterator[str]:
    for address in _ADDRESS.findall(arg):
        yield from secrets_of_address(address)
    rest = _ADDRESS.sub(" ", arg)
    yield from (value for name, value in _NAMED.findall(rest) if is_secret_name(name))
    for part in _BETWEEN.split(rest):
        if not part.startswith(("/", "./", "../", "~")):
            whole = () if _PACKAGE.fullmatch(part) else (part,)
            yield from filter(is_random, (*whole, *_WORD.findall(part)))
