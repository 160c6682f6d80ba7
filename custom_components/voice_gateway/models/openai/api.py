"""The `openai` package's client, made safe for whatever answers at a server's address.

It was made for one server in the cloud. So that a house can rely on it:

- It takes keys, an organisation and whole headers from the environment, and tells each server of the
  computer that it runs on. Only what is meant for the server is sent.
- It follows whatever a server sends for as long as it comes. `Transport` carries its requests.
- Its types know the fields of OpenAI's own API. Requests and answers are plain objects here, which
  have more fields with other servers, and are read in a fifth of the time.

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
# What of a request's headers is sent, whatever else the package or the environment adds.
_SENT = (
    *("accept", "accept-encoding", "authorization", "content-length", "content-type"),
    *("host", "user-agent"),
)
# The package insists on a key; the header is ours.
_NO_KEY = "none"


class OpenAIApi(AsyncOpenAI):
    """The package's client of one server.

    - No answer takes more memory than the transport's limits say.
    - Nothing is sent anywhere but to the server's address, and no key but the server's.
    """

    def __init__(self, session: aiohttp.ClientSession, url: str, api_key: str) -> None:
        """Take the connections, the address up to `/v1`, maybe with a name, and a key or none."""
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
        # Above `/v1`, where servers tell of themselves.
        self.above = address.with_user(None).parent if address.name == "v1" else None

    async def ask(self, path: str) -> Any:
        """Return the JSON that answers a request, as it came."""
        return await self.get(path, cast_to=object)

    async def stream(self, body: dict[str, Any]) -> Stream:
        """Send a chat's body as it is; return the stream of its answer's chunks, as they come."""
        return await self.post(
            "/chat/completions",
            cast_to=object,
            body={**body, "stream": True},
            stream=True,
            stream_cls=AsyncStream[object],
        )


async def _only_ours(request: httpx2.Request) -> None:
    """Leave out of a request what is not for the server."""
    for name in list(request.headers):
        if name.lower() not in _SENT or not request.headers[name]:
            del request.headers[name]
