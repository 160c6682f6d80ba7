"""What of an MCP server's settings is secret, and its texts without that."""

import base64
import binascii
from collections.abc import Iterator, Sequence
from contextlib import suppress
import re
from typing import Any

from yarl import URL

from ..redactor import Redactor
from .settings import CommandServer, UrlServer

# What calls itself a secret is one, however short and plain it is.
_SECRET_NAME = re.compile(
    r"key|token|secret|passw|pwd|auth|credential|bearer|\b(pat|pin)\b", re.IGNORECASE
)
_NAMED = re.compile(
    r"""([\w-]+)["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token)\s+)?([^\s"',;}]+)""", re.IGNORECASE
)
_ADDRESS = re.compile(r"""[\w+.-]+://[^\s"']+""")
# What stands between the words of an argument or a header.
_BETWEEN = re.compile(r"""[\s=,;:"'(){}\[\]]+""")
_PACKAGE = re.compile(r"@?[\w./-]+@[\w.^~-]+")
_WORD = re.compile(r"[\w~+.-]+", re.ASCII)
# Letters of what may be a secret among plain settings.
_LONG = 8
_VERY_LONG = 20
# Parts of a server's description of a tool that are words; others are names, which calls need.
_WORDS = frozenset({"const", "default", "description", "enum", "examples", "title"})


def redactor_of(server: CommandServer | UrlServer) -> Redactor:
    """Return what takes a server's secrets out of texts."""
    match server:
        case CommandServer():
            return Redactor((*_of_environment(server), *_of_arguments(server.args)))
        case UrlServer():
            return Redactor((*_of_address(server.url), *_of_headers(server), *server.secrets))


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
    return [flag[0] for flag in found if flag and not _is_random(flag[0])]


def shown_address(address: str) -> str:
    """Return an address without what may be secret in it."""
    try:
        url = URL(address)
        host = str(url.origin()) if url.host else f"{url.scheme}://"
    except ValueError:
        return "?"
    path = "/".join("…" if len(part) >= _LONG else part for part in url.path.split("/"))
    query = "&".join(f"{name}=…" for name in url.query)
    return f"{host}{path}" + (f"?{query}" if query else "")


def _of_environment(server: CommandServer) -> Iterator[str]:
    """Yield values of the environment: all that are long, but for what is plainly a place."""
    for name, value in server.env.items():
        if _SECRET_NAME.search(name):
            yield value
        elif "://" in value:
            yield from _of_argument(value)
        elif len(value) >= _LONG and not _is_path(value):
            yield value
            yield from _of_argument(value)


def _of_headers(server: UrlServer) -> Iterator[str]:
    """Yield the values of headers, and the words in them behind the first: `Bearer …`."""
    for value in server.headers.values():
        yield value
        words = re.split(r"[\s=;,]+", value)[1:]
        for word in words:
            if len(word) >= _LONG or len(words) == 1:
                yield word
                # A user and a password (RFC 7617).
                with suppress(binascii.Error, UnicodeDecodeError):
                    yield base64.b64decode(word, validate=True).decode().partition(":")[2]


def _of_address(address: str) -> Iterator[str]:
    """Yield a password, the values of a query, and what in a path may be random."""
    try:
        url = URL(address)
    except ValueError:
        yield address
        return
    # Some take a token in the user's place.
    yield (url.user or "") if url.password is None else url.password
    yield from url.query.values()
    yield from filter(_is_random, (*url.parts, url.fragment))


def _of_arguments(args: Sequence[str]) -> Iterator[str]:
    """Yield what in a command's arguments is called a secret, or may be random."""
    is_called_so = False
    for arg in args:
        if is_called_so and not arg.startswith("-"):
            yield arg
        yield from _of_argument(arg)
        is_called_so = bool(_SECRET_NAME.search(arg)) and arg.startswith("-") and "=" not in arg


def _of_argument(arg: str) -> Iterator[str]:
    for address in _ADDRESS.findall(arg):
        yield from _of_address(address)
    rest = _ADDRESS.sub(" ", arg)
    yield from (value for name, value in _NAMED.findall(rest) if _SECRET_NAME.search(name))
    for part in _BETWEEN.split(rest):
        if not _is_path(part):
            whole = () if _PACKAGE.fullmatch(part) else (part,)
            yield from filter(_is_random, (*whole, *_WORD.findall(part)))


def _is_path(text: str) -> bool:
    return text.startswith(("/", "./", "../", "~"))


def _is_random(word: str) -> bool:
    """Tell whether a word may be a secret: no word that people write is like this."""
    digits = sum(map(str.isdigit, word))
    if len(word) < _LONG:
        return False
    return (digits >= 2 and digits < len(word)) or (len(word) >= _VERY_LONG and word.isalnum())
