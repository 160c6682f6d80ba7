"""A Z-Wave network without hardware beside the house, for the Z-Wave tools."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from script.house.failure import HouseError
from tests.zwave_network import ZwaveNetworkError, zwave_network


@asynccontextmanager
async def zwave_server() -> AsyncGenerator[str]:
    """Start a simulated network, and yield the address of its Z-Wave JS server.

    It ends with the block, or with this process. Raises HouseError where it cannot be started.
    """
    network = zwave_network()
    try:
        # To install Node's packages takes a while at the first time.
        running = await asyncio.to_thread(network.__enter__)
    except ZwaveNetworkError as err:
        raise HouseError(f"There is no Z-Wave network: {err}.") from err
    try:
        yield running.url
    finally:
        await asyncio.to_thread(network.__exit__, None, None, None)
