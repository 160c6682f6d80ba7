"""The `openai` package's client, hardened against arbitrary servers.

The package was made for one server in the cloud, which is corrected here:

- It takes keys, an organisation and whole headers from the environment, and sends each server
  details of its computer. Only headers meant for the server are sent.
- It follows redirects and reads answers without a limit. `Transport` sends its requests.
- Its types only have the fields of OpenAI's own API. Requests and answers are plain objects here,
  which keep other servers' fields and are parsed in a fifth of the time.

The package takes a second to load: this module is imported when a server is first asked, outside of
the event loop.
"""

from typing import Any

import aiohttp
import httpx2
from openai import AsyncOpenAI, AsyncStream
from yarl import URL

from ...logs import guard
from ..transport import Transport

guard("openai", "httpx2", "httpcore2")

type Stream = AsyncStream[object]
# The headers that are sent; others from the package or the environment are removed.
_SENT = (
    *("accept", "accept-encoding", "authorization", "content-length", "content-type"),
    *("host", "user-agent"),
)
# The package requires a key; the header is set here.
_NO_KEY = "none"


class OpenAIApi(AsyncOpenAI):
    """The package's client of one server.

    - The transport limits the memory of an answer.
    - Data is sent only to the server's address, with no key but the server's.
    """

    def __init__(self, session: aiohttp.ClientSession, url: str, api_key: str) -> None:
        """Take the session, the address up to `/v1`, optionally with a user, and a key or ""."""
        address = URL(url)
        basic = address.user and aiohttp.encode_basic_auth(address.user, address.password or "")
        authorization = f"Bearer {api_key}" if api_key else basic or ""
        headers = {"Accept-Encoding": "identity", "Authorization": authorization}
        super().__init__(
            api_key=api_key or _NO_KEY,
            base_url=str(address.with_user(None)),
            default_headers=headers,
            max_retries=0,
            timeout=None,
            http_client=httpx2.AsyncClient(
                transport=Transport(session),
                follow_redirects=False,
                trust_env=False,
                event_hooks={"request": [_only_ours]},
            ),
        )
        # The address above `/v1`, where servers describe themselves.
        self.above = address.with_user(None).parent if address.name == "v1" else None

    async def ask(self, path: str) -> Any:
        """Return the JSON that answers a request, unchanged."""
        return await self.get(path, cast_to=object)

    async def stream(self, body: dict[str, Any]) -> Stream:
        """Send a chat's body unchanged; return the stream of the answer's chunks."""
        return await self.post(
            "/chat/completions",
            cast_to=object,
            body={**body, "stream": True},
            stream=True,
            stream_cls=AsyncStream[object],
        )


async def _only_ours(request: httpx2.Request) -> None:
    """Remove the headers of a request that are not meant for the server."""
    for name in list(request.headers):
        if name.lower() not in _SENT or not request.headers[name]:
            del request.headers[name]
