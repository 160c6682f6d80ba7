"""The secrets in an MCP server's settings, and their redaction."""

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
# The separators of words in an argument or a header.
_BETWEEN = re.compile(r"""[\s=,;:"'(){}\[\]]+""")
_PACKAGE = re.compile(r"@?[\w./-]+@[\w.^~-]+")
# Options of `uv`, `npx`, `docker run` and `python` that take no value, a package or a folder: the next
# argument is a name that messages need, and not the value of a setting.
_LAUNCHER_OPTIONS = frozenset(
    ("--directory", "--from", "--project", "--rm", "--with", "--yes", "-i", "-it", "-m", "-y")
)
_WORD = re.compile(r"[\w~+.-]+", re.ASCII)
# Texts in a server's description of a tool; other parts are names, which calls need.
_WORDS = frozenset({"const", "default", "description", "enum", "examples", "title"})


def redactor_of(server: CommandServer | UrlServer) -> Redactor:
    """Return the redactor of a server's secrets."""
    match server:
        case CommandServer():
            return Redactor((*_of_environment(server), *_of_arguments(server.args)))
        case UrlServer():
            return Redactor(
                (*secrets_of_address(server.url), *_of_headers(server), *server.secrets)
            )


def clean_tools(tools: Any, redactor: Redactor) -> Any:
    """Return a server's descriptions of tools, with secrets redacted in their texts."""
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
    """Yield the values of the environment: only the owner knows which variables are secret."""
    for name, value in server.env.items():
        if is_secret_name(name) or not is_public(value):
            yield value
            yield from _of_argument(value)


def _of_headers(server: UrlServer) -> Iterator[str]:
    """Yield the values of headers, and the words in them after the first: `Bearer …`."""
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
    """Yield the values of a command's options, and possibly random parts of other arguments."""
    option = ""
    for arg in args:
        if arg.startswith("-"):
            option, _, value = arg.partition("=")
            given = option
        else:
            is_value = option not in ("", *_LAUNCHER_OPTIONS) and not _PACKAGE.fullmatch(arg)
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
