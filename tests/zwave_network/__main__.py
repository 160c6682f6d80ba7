"""Run the simulated network until it is interrupted."""

from contextlib import suppress
import signal
import sys

from . import ZwaveNetworkError, zwave_network

signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    with zwave_network("--port", "3000", *sys.argv[1:]) as network, suppress(KeyboardInterrupt):
        print(f"Z-Wave JS server: {network.url}")  # noqa: T201
        print(f"What happens in the house: POST {network.control}/COMMAND")  # noqa: T201
        signal.pause()
except ZwaveNetworkError as error:
    sys.exit(str(error))
