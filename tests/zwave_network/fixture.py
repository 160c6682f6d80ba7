"""The simulated network as a fixture: a plugin of the test modules that use it, one for all."""

from collections.abc import Iterator

import pytest

from . import ZwaveNetwork, missing, zwave_network as started_network


@pytest.fixture(scope="session")
def zwave_network() -> Iterator[ZwaveNetwork]:
    """Return a running network with the devices of `house.mjs`; each test leaves them as it likes."""
    if reason := missing():
        pytest.skip(reason)
    with started_network() as network:
        yield network
