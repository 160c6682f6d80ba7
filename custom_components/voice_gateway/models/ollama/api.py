"""The `ollama` package's client, hardened against arbitrary servers.

It corrects three weaknesses of the package:

- Its `chat` drops keywords of a tool's schema (`minimum`, `anyOf`, nested `properties`), and lacks
  `truncate` and `shift`, without which a server silently forgets the beginning of a conversation.
  It fails on an empty line, U+0085 within a sentence, and calls whose arguments are a string.
  `OllamaApi.chat_as_given` sends a body unchanged, and yields the chunks unchanged.
- It follows redirects, decompresses content, keeps cookies, and reads as long as bytes come.
  `Transport`, which sends its requests, does none of that.
- Its types for `list` and `show` refuse answers of older servers, which are read as plain objects.

The package takes a quarter of a second to load: this module is imported when a server is first
asked, outside of the event loop. Formats: https://docs.ollama.com/api (docs/api.md, api/types.go).
"""

from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from contextlib import suppress
import json
from typing import Any

import aiohttp
from homeassistant.helpers.json import json_bytes
from homeassistant.util.json import json_loads_object
import httpx2
import ollama
from yarl import URL

from ...logs import guard
from ..errors import IN_STREAM, RequestRejected
from ..transport import Transport

guard("ollama", "httpx2", "httpcore2")


class OllamaApi(ollama.AsyncClient):
    """The package's client of one server.

    - The transport limits the memory of an answer.
    - Data is sent only to the server's address, with no key but the server's.
    """

    def __init__(
        self, session: aiohttp.ClientSession, url: str, api_key: str | None = None
    ) -> None:
        """Take the session, the address, optionally with user and password, and a token."""
        address = URL(url)
        headers = {"Accept-Encoding": "identity"}
        if api_key:
            headers["Authorization"] = f"Bearer {api_key}"
        super().__init__(
            str(address.with_user(None)),
            headers=headers,
            auth=(address.user, address.password or "") if address.user else None,
            follow_redirects=False,
            transport=Transport(session),
            event_hooks={"response": [_raise_refusal]},
        )
        if not api_key:
            # The package takes a key from the environment, which may be another server's.
            self._client.headers.pop("Authorization", None)
        # Built once: building it takes as long as sending the request.
        self._chat_url = self._client.build_request("POST", "/api/chat").url

    async def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the JSON object that answers a request, unchanged."""
        return await self._request(dict[str, Any], method, path, json=body)

    async def chat_as_given(self, body: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Send a chat's body unchanged; yield the chunks of the answer unchanged."""
        async with self._client.stream(
            "POST", self._chat_url, content=json_bytes({**body, "stream": True})
        ) as response:
            async for line in _lines(response.aiter_bytes()):
                try:
                    chunk = json_loads_object(line)
                except ValueError as err:
                    raise ValueError(f"Garbage: {line[:200]!r}") from err
                for key, error in chunk.items():
                    # Some servers put the error into the key: "error parsing tool call".
                    if key.startswith("error") and error:
                        words = error if key == "error" else f"{key}: {error}"
                        raise RequestRejected(IN_STREAM, words, model=str(body["model"]))
                yield chunk


async def _raise_refusal(response: httpx2.Response) -> None:
    """Raise ResponseError for any status but 200: the package accepts a redirect's page."""
    if response.status_code != httpx2.codes.OK:
        await response.aread()
        words: Any = response.text
        with suppress(ValueError):
            words = json_loads_object(words).get("error", words)
        # The error's constructor expects an object in any valid JSON.
        raise ollama.ResponseError(json.dumps({"error": words}), response.status_code)


async def _lines(stream: AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
    """Yield the lines that are not empty; only a line feed ends a line."""
    held = bytearray()
    async for piece in stream:
        held += piece
        if b"\n" in piece:
            *lines, held = held.split(b"\n")
            for line in filter(bytes.strip, map(bytes, lines)):
                yield line
    if held.strip():
        yield bytes(held)
