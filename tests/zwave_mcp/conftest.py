"""One simulated network and one open session for all tests; each leaves its devices as it likes."""

from collections.abc import Iterator

import pytest

from tests.zwave_network import ZwaveNetwork, missing, zwave_network as started_network

from .session import Session, session


@pytest.fixture(scope="session")
def zwave_network() -> Iterator[ZwaveNetwork]:
    """Return a running network with the devices of `house.mjs`."""
    if reason := missing():
        pytest.skip(reason)
    with started_network() as network:
        yield network


@pytest.fixture(scope="session")
def zwave(
    zwave_network: ZwaveNetwork, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    """Return an open session with a server on that network."""
    stderr = tmp_path_factory.mktemp("zwave") / "stderr.log"
    with session(zwave_network.url, stderr, "--log-level", "debug") as opened:
        yield opened


@pytest.fixture(autouse=True)
def _sockets(socket_enabled: None) -> None:
    """Let tests speak to the network on this machine."""
