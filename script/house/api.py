"""Home Assistant's own interfaces, as its frontend uses them."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from typing import Any

import aiohttp

from script.house.failure import HouseError

_POLL = 0.1
READY_TIMEOUT = 120

type Json = dict[str, Any]


async def sign_up(url: str, user: str, password: str) -> str:
    """Wait for a new Home Assistant, become its first user, and return an access token.

    Waits for ever; raises HouseError when it is not new.
    """
    client_id = f"{url}/"
    names = {"name": user.capitalize(), "username": user, "password": password, "language": "en"}
    async with aiohttp.ClientSession(url) as session:
        code = None
        while code is None:
            code = await _auth_code(session, {**names, "client_id": client_id})
        grant = {"grant_type": "authorization_code", "code": code, "client_id": client_id}
        async with session.post("/auth/token", data=grant) as response:
            token: str = (await response.json())["access_token"]
        # Until these are done, the frontend asks for them.
        headers = {"Authorization": f"Bearer {token}"}
        for step, body in (
            ("analytics", {}),
            ("integration", {"client_id": client_id, "redirect_uri": client_id}),
        ):
            async with session.post(
                f"/api/onboarding/{step}", json=body, headers=headers
            ) as response:
                response.raise_for_status()
    return token


async def _auth_code(session: aiohttp.ClientSession, user: Json) -> str | None:
    """Return the first user's code; None where Home Assistant does not listen yet."""
    try:
        async with session.post("/api/onboarding/users", json=user) as response:
            if response.status == HTTPStatus.OK:
                code: str = (await response.json())["auth_code"]
                return code
            if response.status == HTTPStatus.FORBIDDEN:
                raise HouseError("This Home Assistant has a user already.")
    except aiohttp.ClientConnectionError:
        pass
    await asyncio.sleep(_POLL)
    return None


async def listens(url: str, token: str) -> str:
    """Wait for a Home Assistant that knows a token, and return the token. Waits for ever."""
    async with aiohttp.ClientSession(url, headers={"Authorization": f"Bearer {token}"}) as session:
        while True:
            try:
                async with session.get("/api/") as response:
                    if response.ok:
                        return token
            except aiohttp.ClientConnectionError:
                pass
            await asyncio.sleep(_POLL)


@asynccontextmanager
async def sign_in(url: str, token: str) -> AsyncGenerator[Api]:
    """Talk to a Home Assistant, once it has started completely."""
    headers = {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession(url, headers=headers) as session:
        api = Api(url, token, session, await _socket(session, token))
        await until("Home Assistant did not finish starting", api.running)
        yield api


async def _socket(session: aiohttp.ClientSession, token: str) -> aiohttp.ClientWebSocketResponse:
    """Return a websocket that is signed in; it ends with its session."""
    socket = await session.ws_connect("/api/websocket", max_msg_size=0)
    await socket.receive_json()
    await socket.send_json({"type": "auth", "access_token": token})
    if (await socket.receive_json())["type"] != "auth_ok":
        raise HouseError("Home Assistant refused the token that it gave.")
    return socket


@dataclass(slots=True)
class Api:
    """A Home Assistant to which this program is signed in.

    One thing is asked at a time: a second command while events are read would get lost.
    """

    url: str
    token: str
    session: aiohttp.ClientSession
    socket: aiohttp.ClientWebSocketResponse
    _ids: count[int] = field(default_factory=lambda: count(1))

    async def post(self, path: str, body: Json) -> Json:
        """Post to the REST API; raises HouseError with its words when it refuses."""
        answer: Json = await self._request("POST", path, body)
        return answer

    async def get(self, path: str) -> Any:
        """Get from the REST API; raises HouseError with its words when it refuses."""
        return await self._request("GET", path)

    async def _request(self, method: str, path: str, body: Json | None = None) -> Any:
        async with self.session.request(method, path, json=body) as response:
            if not response.ok:
                said = (await response.text())[:500]
                raise HouseError(f"Home Assistant refused {path}: {response.status} {said}")
            return await response.json()

    async def command(self, type_: str, **arguments: Any) -> Any:
        """Run a websocket command and return its result; raises HouseError when it fails."""
        number = await self._send(type_, arguments)
        async for message in self._messages(number):
            if message["type"] == "result":
                return message["result"]
        raise AssertionError("unreachable")

    async def events(self, type_: str, **arguments: Any) -> AsyncGenerator[Json]:
        """Run a websocket command and yield its events; raises HouseError when it fails."""
        number = await self._send(type_, arguments)
        async with aclosing(self._messages(number)) as messages:
            async for message in messages:
                if message["type"] == "event":
                    yield message["event"]

    async def _send(self, type_: str, arguments: Json) -> int:
        number = next(self._ids)
        command = {"id": number, "type": type_, **arguments}
        try:
            await self.socket.send_json(command)
        except ConnectionError:
            # Home Assistant gives up on who does not read for more than a minute.
            self.socket = await _socket(self.session, self.token)
            await self.socket.send_json(command)
        return number

    async def _messages(self, number: int) -> AsyncGenerator[Json]:
        while True:
            try:
                message: Json = await self.socket.receive_json()
            except TypeError as err:
                raise HouseError("Home Assistant closed the connection.") from err
            if message.get("id") != number:
                continue  # the rest of a subscription that nobody reads any more
            if message["type"] == "result" and not message["success"]:
                error = message["error"]
                raise HouseError(f"Home Assistant said {error['code']}: {error['message']}")
            yield message

    async def states(self) -> dict[str, Json]:
        """Return all entities' states by entity id."""
        return {state["entity_id"]: state for state in await self.command("get_states")}

    async def act(self, action: str, entity_id: str, **data: Any) -> None:
        """Perform an action such as `light.turn_on` and wait until it is done."""
        domain, _, service = action.partition(".")
        await self.command(
            "call_service",
            domain=domain,
            service=service,
            service_data=data,
            target={"entity_id": entity_id},
        )

    async def running(self) -> bool:
        """Tell whether Home Assistant has started completely."""
        config = await self.command("get_config")
        return bool(config["state"] == "RUNNING")


async def until[T](
    otherwise: str, ask: Callable[[], Awaitable[T | None]], timeout: float = READY_TIMEOUT
) -> T:
    """Ask until there is an answer; raises HouseError(otherwise) after `timeout` seconds."""
    try:
        async with asyncio.timeout(timeout):
            while True:
                if answer := await ask():
                    return answer
                await asyncio.sleep(_POLL)
    except TimeoutError:
        raise HouseError(f"{otherwise} within {timeout:.0f} seconds.") from None
