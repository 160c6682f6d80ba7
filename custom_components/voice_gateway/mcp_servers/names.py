"""What others' tools are called: by names that every provider takes, and never as Home Assistant's."""

from collections.abc import Container
from dataclasses import dataclass
import hashlib
import re
from typing import Self

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util import slugify

# What every provider takes: Anthropic 128 and OpenAI 64 characters of these.
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_-]")
_NAME_LENGTH = 64
_FRONT_LENGTH = 24
_DIGEST_LENGTH = 6
# Between who offers a tool and what it is called, in Home Assistant's own names and in ours.
BETWEEN = "__"
# All intents of Home Assistant's are called so, those too that a later version brings.
_INTENT = re.compile(r"(?:^|_)hass[a-z]")


def folded(name: str) -> str:
    """Return a name without what models mix up: case, and how many underscores or hyphens."""
    return re.sub("[_-]+", "_", name.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """How a server's tools are called."""

    server: str = "mcp"
    """What stands before a name that is another's already."""
    prefix: str = ""
    front: str = "mcp"
    """What stands before a name as Home Assistant gives them: the prefix, else the server."""
    intents: frozenset[str] = frozenset()

    @classmethod
    def of(cls, hass: HomeAssistant, title: str, prefix: str = "") -> Self:
        """Return how the tools of a server with this title are called, with the user's prefix."""
        # By the domains of its integrations Home Assistant calls its own tools.
        domains = hass.config.components
        server = front_of(title, domains)
        front = front_of(prefix, domains) if prefix else server
        return cls(server=server, prefix=prefix, front=front, intents=intent_names(hass))

    def name(self, original: str, taken: Container[str] = ()) -> str:
        """Return the name for a tool; the same one for the same tool every time.

        A name as Home Assistant gives them, `todo__get_items` or `HassTurnOn`, gets one in front.
        """
        name = _FORBIDDEN.sub("_", f"{self.prefix}_{original}" if self.prefix else original)
        if BETWEEN in name or is_intent(name, self.intents):
            name = f"{self.front}{BETWEEN}{_FORBIDDEN.sub('_', original)}"
        return fitting(name, original, taken)


def front_of(title: str, domains: Container[str] = ()) -> str:
    """Return what stands before the names of a server's tools: it is no integration's domain."""
    name = re.sub("_+", "_", slugify(title))[:_FRONT_LENGTH].strip("_") or "mcp"
    return f"{name}_mcp" if name in domains else name


def intent_names(hass: HomeAssistant) -> frozenset[str]:
    """Return the names of the intents that there are, folded."""
    return frozenset(folded(handler.intent_type) for handler in intent.async_get(hass))


def is_intent(name: str, intents: Container[str]) -> bool:
    """Return True if a name is that of an intent, with or without what stands before it."""
    name = folded(name)
    return bool(_INTENT.search(name)) or name in intents or name.removeprefix("intent_") in intents


def fitting(name: str, original: str, taken: Container[str] = ()) -> str:
    """Return a name that is neither too long nor taken: else it ends with a digest of the original."""
    if len(name) <= _NAME_LENGTH and name not in taken:
        return name
    digest = hashlib.sha256(original.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{name[: _NAME_LENGTH - _DIGEST_LENGTH - 1]}_{digest}"
