"""Names of third-party tools: valid for every provider, and different from Home Assistant's."""

from collections.abc import Container
from dataclasses import dataclass
import hashlib
import re
from typing import Self

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util import slugify

# The characters that every provider accepts; Anthropic takes 128 of them, OpenAI 64.
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_-]")
_NAME_LENGTH = 64
_FRONT_LENGTH = 24
_DIGEST_LENGTH = 6
# The separator of a tool's origin and its name, in Home Assistant's own names and in ours.
BETWEEN = "__"
# The prefix of all of Home Assistant's intents, including those of later versions.
_INTENT = re.compile(r"(?:^|_)hass[a-z]")


def folded(name: str) -> str:
    """Return a name without differences that models confuse: case, numbers of separators."""
    return re.sub("[_-]+", "_", name.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """The naming of a server's tools."""

    server: str = "mcp"
    """The prefix of a name that another tool has already."""
    prefix: str = ""
    front: str = "mcp"
    """The prefix of a name in Home Assistant's format: the user's prefix, else the server."""
    intents: frozenset[str] = frozenset()

    @classmethod
    def of(cls, hass: HomeAssistant, title: str, prefix: str = "") -> Self:
        """Return the naming for a server with this title, with the user's prefix."""
        # Home Assistant's own tools have the domains of its integrations as prefixes.
        domains = hass.config.components
        server = front_of(title, domains)
        front = front_of(prefix, domains) if prefix else server
        return cls(server=server, prefix=prefix, front=front, intents=intent_names(hass))

    def name(self, original: str, taken: Container[str] = ()) -> str:
        """Return the name for a tool; the same one for the same tool every time.

        A name in Home Assistant's format, `todo__get_items` or `HassTurnOn`, gets a prefix.
        """
        name = _FORBIDDEN.sub("_", f"{self.prefix}_{original}" if self.prefix else original)
        if BETWEEN in name or is_intent(name, self.intents):
            name = f"{self.front}{BETWEEN}{_FORBIDDEN.sub('_', original)}"
        return fitting(name, original, taken)


def front_of(title: str, domains: Container[str] = ()) -> str:
    """Return the prefix for a server's tools: it is no integration's domain."""
    name = re.sub("_+", "_", slugify(title))[:_FRONT_LENGTH].strip("_") or "mcp"
    return f"{name}_mcp" if name in domains else name


def intent_names(hass: HomeAssistant) -> frozenset[str]:
    """Return the names of the existing intents, folded."""
    return frozenset(folded(handler.intent_type) for handler in intent.async_get(hass))


def is_intent(name: str, intents: Container[str]) -> bool:
    """Return True if a name is an intent's, with or without a prefix."""
    name = folded(name)
    return bool(_INTENT.search(name)) or name in intents or name.removeprefix("intent_") in intents


def fitting(name: str, original: str, taken: Container[str] = ()) -> str:
    """Return a name, ending with a digest of the original if it is too long or taken."""
    if len(name) <= _NAME_LENGTH and name not in taken:
        return name
    digest = hashlib.sha256(original.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{name[: _NAME_LENGTH - _DIGEST_LENGTH - 1]}_{digest}"
