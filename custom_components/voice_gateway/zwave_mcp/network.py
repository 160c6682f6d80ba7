"""The Z-Wave network, live in memory: one websocket connection to a Z-Wave JS server."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
import logging
import time
from typing import Any, Self, cast

from aiohttp import ClientError, ClientSession
from zwave_js_server.client import Client
from zwave_js_server.const import CommandClass
from zwave_js_server.exceptions import (
    BaseZwaveJSServerError,
    CannotConnect,
    FailedZWaveCommand,
    InvalidServerVersion,
)
from zwave_js_server.model.driver import Driver
from zwave_js_server.model.node import Node
from zwave_js_server.model.value import Value

from .answers import NoAnswerError
from .readings import READERS

_LOGGER = logging.getLogger(__name__)

CONNECT_TIMEOUT = 5.0  # seconds until the server greets
STATE_TIMEOUT = 30.0  # seconds until it has sent the whole network's state
# Seconds between two attempts to connect. A server that shuts down still accepts connections.
SHORTEST_PAUSE = 0.2
LONGEST_PAUSE = 30.0
PATIENCE = 5.0  # seconds that a request waits for a connection attempt

# Z-Wave JS' error codes that mean that the device was not reached, from zwave-js'
# core/src/error/ZWaveError.ts: NodeTimeout, MessageDropped, CallbackNOK, MessageExpired.
NOT_REACHED = {201, 202, 204, 215}


class NotConfirmedError(NoAnswerError):
    """The result of a command is unknown: the device may have received it."""


class NotReachedError(NoAnswerError):
    """A device did not acknowledge a command."""


class Network:
    """The network behind one Z-Wave JS server.

    - There is one connection. It is restored after a loss, at first almost at once, then after
      pauses that grow to half a minute, and at once for each request.
    - The device states that the server sends are kept in memory; to read them takes no request.
    - A request never hangs: without a connection it fails with the reason within a few seconds.
    """

    def __init__(self, url: str) -> None:
        """Connect to the Z-Wave JS server at `url` (ws:// or wss://) while in `async with`."""
        self._url = url
        self.revision = 0  # increases with every event of a device
        self._driver: Driver | None = None
        self._heard: dict[str, float] = {}
        self._learning: asyncio.Task[None] | None = None
        self._trouble = f"no Z-Wave JS server answers at {url}"
        self._failures = 0
        self._changed = asyncio.Condition()
        self._asked = asyncio.Event()

    async def __aenter__(self) -> Self:
        """Start to connect, without waiting for it."""
        self._task = asyncio.create_task(self._stay_connected())
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the connection."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def driver(self) -> Driver:
        """Return the current network; raises NoAnswerError if there is no connection."""
        if self._driver is None:
            failures = self._failures
            self._asked.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE), self._changed:
                    await self._changed.wait_for(
                        lambda: self._driver is not None or self._failures > failures
                    )
        if self._driver is None:
            raise NoAnswerError(f"Z-Wave is not available: {self._trouble}.")
        return self._driver

    async def ages_known(self) -> None:
        """Wait until the ages of values are known, shortly after each connection."""
        if self._learning:
            await asyncio.wait([self._learning], timeout=PATIENCE)

    def age(self, value: Value) -> float | None:
        """Return the seconds since a device reported a value, or None if unknown."""
        utterance = self._heard.get(value.value_id)
        return None if utterance is None else max(0.0, time.time() - utterance)

    async def ask[T](self, request: Awaitable[T], within: float) -> T:
        """Return the server's answer to a request.

        Raises:
            NotReachedError: the device did not acknowledge it.
            NotConfirmedError: no answer within `within` seconds, or the connection was lost.
            NoAnswerError: the server or the device refused, with its message.
        """
        try:
            async with asyncio.timeout(within):
                return await request
        except asyncio.CancelledError:
            # The client library cancels pending requests when it loses the connection.
            if (task := asyncio.current_task()) and task.cancelling():
                raise
            raise NotConfirmedError("the connection to Z-Wave JS was lost") from None
        except ConnectionError:
            # It has just been lost, and the client library has not noticed yet.
            raise NotConfirmedError("the connection to Z-Wave JS was lost") from None
        except TimeoutError:
            raise NotConfirmedError(f"nothing came back within {within:.0f} seconds") from None
        except FailedZWaveCommand as error:
            _LOGGER.debug("Z-Wave JS: %s", error)
            if error.zwave_error_code in NOT_REACHED:
                raise NotReachedError("it does not answer") from error
            raise NoAnswerError(error.zwave_error_message) from error
        except BaseZwaveJSServerError as error:
            _LOGGER.debug("Z-Wave JS: %s", error)
            raise NoAnswerError(str(error) or "the connection to Z-Wave JS was lost") from error

    async def poll(self, value: Value, within: float) -> Any:
        """Poll a device for a value; return its answer, or None. Raises as `ask`."""
        request = {"command": "node.poll_value", **_address(value)}
        # The library's own method drops the server's answer.
        answer = await self.ask(value.node.client.async_send_command(request), within)
        return answer.get("value")

    async def _stay_connected(self) -> None:
        pause, told = SHORTEST_PAUSE, ""
        async with ClientSession() as session:
            while True:
                try:
                    await self._connection(session)
                except (BaseZwaveJSServerError, ClientError, OSError) as error:
                    self._trouble = _trouble(self._url, error)
                except Exception:
                    # Whatever answers at the other end, the next attempt may find another server.
                    _LOGGER.exception("Unexpected error in the connection to %s", self._url)
                    self._trouble = f"what answers at {self._url} is not a Z-Wave JS server"
                if self._driver is not None:
                    self._driver = None
                    pause, told = SHORTEST_PAUSE, ""
                if self._trouble != told:
                    _LOGGER.warning("Not connected: %s", self._trouble)
                    told = self._trouble
                self._failures += 1
                async with self._changed:
                    self._changed.notify_all()
                self._asked.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._asked.wait(), pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    async def _connection(self, session: ClientSession) -> None:
        """Connect, and stay until the connection ends."""
        client = Client(self._url, session)
        ready = asyncio.Event()
        async with asyncio.timeout(CONNECT_TIMEOUT):
            await client.connect()
        listening = asyncio.create_task(client.listen(ready))
        listening.add_done_callback(lambda _: ready.set())
        try:
            async with asyncio.timeout(STATE_TIMEOUT):
                await ready.wait()
            if client.driver:
                await self._went_live(client.driver, listening)
            await asyncio.wait([listening])
            self._trouble = f"the connection to {self._url} was lost"
            if not listening.cancelled():
                listening.result()
        finally:
            tasks = [task for task in (listening, self._learning) if task]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _went_live(self, driver: Driver, listening: asyncio.Task[None]) -> None:
        self._heard.clear()
        # The controller was reset, or restarts: all known data is void.
        driver.once("driver ready", lambda _: listening.cancel())
        driver.controller.on("node added", lambda event: self._follow(event["node"]))
        driver.controller.on("node removed", self._notice)
        for node in driver.controller.nodes.values():
            self._follow(node)
        self._learning = asyncio.create_task(self._learn_ages(driver))
        async with self._changed:
            self._driver = driver
            self._changed.notify_all()
        _LOGGER.info("Connected to %s: %d nodes", self._url, len(driver.controller.nodes))

    def _follow(self, node: Node) -> None:
        self._notice({})
        for event in ("value added", "value updated"):
            node.on(event, self._hear)
        for event in ("value removed", "metadata updated", "ready"):
            node.on(event, self._notice)

    def _hear(self, event: dict[str, Any]) -> None:
        value: Value = event["value"]
        self._heard[value.value_id] = time.time()
        if value.command_class == CommandClass.NODE_NAMING:
            # The library's nodes keep their first name and location.
            cast("dict[str, Any]", value.node.data)[str(value.property_)] = value.value
        self._notice(event)

    def _notice(self, _: dict[str, Any]) -> None:
        self.revision += 1

    async def _learn_ages(self, driver: Driver) -> None:
        """Request the report times of values that are older than this connection.

        Device after device, so that other requests need not wait behind a thousand of these.
        """
        for node in list(driver.controller.nodes.values()):
            values = [
                value
                for value in node.values.values()
                if value.command_class in READERS and value.value is not None
            ]
            await asyncio.gather(*map(self._learn_age, values))

    async def _learn_age(self, value: Value) -> None:
        request = {"command": "node.get_value_timestamp", **_address(value)}
        with suppress(BaseZwaveJSServerError):
            # The library's own method fails if there is no time, as after an unconfirmed command.
            answer = await value.node.client.async_send_command(request)
            if (utterance := answer.get("timestamp")) is not None:
                self._heard.setdefault(value.value_id, utterance / 1000)


def _address(value: Value) -> dict[str, Any]:
    """Return the identification of a value in a request to the server."""
    keys = ("commandClass", "endpoint", "property", "propertyKey")
    held = {key: held for key, held in value.data.items() if key in keys}
    return {"nodeId": value.node.node_id, "valueId": held}


def _trouble(url: str, error: Exception) -> str:
    """Return in words why there is no connection."""
    match error:
        case InvalidServerVersion():
            return (
                f"Z-Wave JS server {error.server_version} speaks API schema "
                f"{error.server_max_schema_version}, schema {error.required_schema_version} is "
                "needed; update Z-Wave JS"
            )
        case CannotConnect():
            return f"no Z-Wave JS server answers at {url}"
        case TimeoutError():
            return f"the Z-Wave JS server at {url} does not answer"
    return f"the connection to {url} failed: {error}"
