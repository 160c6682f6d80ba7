"""Addresses of servers, in the forms that people enter."""

import ipaddress
import re

from yarl import URL

_OLLAMA_PORT = 11434
# A suffix that people copy along with the address: the path of an endpoint of OpenAI's protocol.
_ASKED = re.compile(r"/(chat/completions|completions|models|responses|embeddings)/?$")
# The version at the end of an address, which most have.
_VERSION = re.compile(r"/v\d+\w*$")
_LOCAL = (".local", ".lan", ".home", ".internal", ".arpa")


def web_url(address: str, scheme: str = "http") -> URL | None:
    """Return an address, with `scheme` by default; None if it is invalid."""
    address = address.strip()
    try:
        url = URL(address if "://" in address else f"{scheme}://{address}")
        is_host = url.scheme in ("http", "https") and url.host and " " not in url.host
        return url.with_fragment(None) if is_host else None
    except ValueError:
        return None


def is_same_host(entered: str | None, known: str | None) -> bool:
    """Return True if an address has a known one's host, which may receive its key; or for none."""
    hosts = [url and url.host for url in map(web_url, filter(None, (entered, known)))]
    return entered == known or (len(hosts) == 2 and hosts[0] is not None and hosts[0] == hosts[1])


def ollama_url(address: str) -> str | None:
    """Return a server's address as scheme, host and port; None if it is invalid.

    People enter `192.168.1.5`, `nas:11434`, `http://nas:11434/`, or the address of the API.
    """
    if (url := web_url(address)) is None:
        return None
    if url.explicit_port is None and "://" not in address:
        url = url.with_port(_OLLAMA_PORT)
    path = url.path.removesuffix("/").removesuffix("/api").removesuffix("/v1")
    return str(url.with_path(path)).rstrip("/")


def openai_urls(address: str) -> list[str]:
    """Return a server's possible addresses for an entered one: usually up to its version.

    People enter `192.168.1.5:8080`, `http://nas:8080/v1/`, `openrouter.ai/api`, or an endpoint.
    """
    if (url := web_url(address, _scheme(address))) is None:
        return []
    path = _ASKED.sub("", url.path.rstrip("/")).rstrip("/")
    plain = str(url.with_path(path)).rstrip("/")
    return [plain, f"{plain}/v1"] if _VERSION.search(path) else [f"{plain}/v1", plain]


def _scheme(address: str) -> str:
    """Return the scheme for an address without one: encrypted on the internet."""
    url = web_url(address)
    host = (url and url.host) or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        is_name = "." in host and not host.endswith(_LOCAL)
        return "https" if is_name and url and url.explicit_port is None else "http"
    return "http"
