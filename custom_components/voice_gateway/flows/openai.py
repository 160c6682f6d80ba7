"""The form for a server that speaks OpenAI's protocol."""

from collections.abc import Iterator, Mapping
import ipaddress
import re
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigFlowResult
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType
import probatio
from yarl import URL

from ..const import CONF_KIND, LOGGER, EntryKind
from ..header_values import is_sendable
from ..models.client import ModelError, Reason
from ..models.openai.server import OpenAIServer
from .steps import Steps

_KEY = {
    probatio.Optional(CONF_API_KEY): TextSelector(
        TextSelectorConfig(type=TextSelectorType.PASSWORD)
    )
}
_SERVER = {probatio.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL))}
_ERRORS = {
    Reason.UNREACHABLE: "openai_unreachable",
    Reason.UNAUTHORIZED: "server_unauthorized",
    Reason.NOT_THE_SERVER: "openai_not_the_server",
    Reason.OVERLOADED: "openai_overloaded",
}
_OTHER_ERROR = "server_error"
# What people copy along with the address: the end of what the protocol asks for.
_ASKED = re.compile(r"/(chat/completions|completions|models|responses|embeddings)/?$")
# The end of an address that names the protocol's version, as most do.
_VERSION = re.compile(r"/v\d+\w*$")


class OpenAISteps(Steps):
    """The steps that add a server, or change how it is reached."""

    async def async_step_openai(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a server's address, and find out what is there."""
        errors: dict[str, str] = {}
        if user_input is not None:
            found, errors = await self._async_find_openai(user_input[CONF_URL], user_input)
            if found:
                self._async_abort_entries_match({CONF_URL: found.url})
                return self.async_create_entry(title=found.title, data=found.data)
        return self._form("openai", _SERVER | _KEY, user_input, errors)

    async def async_step_openai_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for another address or key of a server."""
        entry = self._get_reconfigure_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            found, errors = await self._async_find_openai(user_input[CONF_URL], user_input)
            if found:
                others = (other for other in self._async_current_entries() if other is not entry)
                if any(other.data.get(CONF_URL) == found.url for other in others):
                    return self.async_abort(reason="already_configured")
                return self.async_update_and_abort(
                    entry, data=found.data, title=_new_title(entry, found)
                )
        return self._form("openai_reconfigure", _SERVER | _KEY, user_input or entry.data, errors)

    async def async_step_openai_reauth(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for a key: the server refused the one that there is, or that there is none."""
        entry = self._get_reauth_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            found, errors = await self._async_find_openai(entry.data[CONF_URL], user_input)
            if found:
                return self.async_update_and_abort(entry, data=found.data)
        return self._form("openai_reauth", _KEY, user_input, errors, {"url": entry.data[CONF_URL]})

    async def _async_find_openai(
        self, address: str, user_input: Mapping[str, Any]
    ) -> tuple[_Found | None, dict[str, str]]:
        """Return what is at an address, or the form's errors."""
        key = user_input.get(CONF_API_KEY, "").strip()
        if not (urls := list(addresses(address))):
            return None, {CONF_URL: "invalid_url"}
        if not is_sendable(key):
            return None, {CONF_API_KEY: "invalid_characters"}
        reasons: list[Reason] = []
        for url in urls:
            server = OpenAIServer(self.hass, url, key)
            try:
                return _Found(url, key, await server.tried()), {}
            except ModelError as err:
                LOGGER.debug("Nothing at the address as %d: %s", len(reasons), err.detail)
                reasons.append(err.reason)
            if reasons[-1] is not Reason.NOT_THE_SERVER:
                break
        return None, {"base": _ERRORS.get(reasons[-1], _OTHER_ERROR)}


class _Found:
    """A server that answers."""

    def __init__(self, url: str, key: str, kind: str) -> None:
        """Take where it is, its key, and what it is."""
        self.url = url
        self.title = _title(kind, url)
        self.data: dict[str, Any] = {CONF_KIND: EntryKind.OPENAI, CONF_URL: url}
        if key:
            self.data[CONF_API_KEY] = key


def addresses(address: str) -> Iterator[str]:
    """Yield where a server may be, for an address as people give it: up to its version, as a rule.

    They give `192.168.1.5:8080`, `http://nas:8080/v1/`, `openrouter.ai/api`, or what a program asks.
    """
    address = address.strip()
    try:
        url = URL(address if "://" in address else f"{_scheme(address)}://{address}")
        if url.scheme not in ("http", "https") or not url.host or " " in url.host:
            return
        path = _ASKED.sub("", url.path.rstrip("/")).rstrip("/")
        plain = str(url.with_path(path).with_query(None).with_fragment(None)).rstrip("/")
    except ValueError:
        return
    both = (plain, f"{plain}/v1")
    yield from both if _VERSION.search(path) else reversed(both)


def _scheme(address: str) -> str:
    """Return how an address without a scheme is meant: encrypted where it is on the internet."""
    host = URL(f"http://{address}").host or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        is_name = "." in host and not host.endswith(
            (".local", ".lan", ".home", ".internal", ".arpa")
        )
        return "https" if is_name and URL(f"http://{address}").explicit_port is None else "http"
    return "http"


def _new_title(entry: ConfigEntry[Any], found: _Found) -> str:
    """Return how an entry is called from now on: a name that the user gave stays."""
    host = URL(entry.data[CONF_URL]).host
    return found.title if entry.title.endswith(f"({host})") else entry.title


def _title(kind: str, url: str) -> str:
    """Return how an entry is called: what is there, and where."""
    return f"{kind} ({URL(url).host})"
