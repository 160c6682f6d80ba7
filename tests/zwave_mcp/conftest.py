"""One open session for all tests."""

from collections.abc import Iterator

import pytest

from tests.zwave_network import ZwaveNetwork

from .session import Session, session


@pytest.fixture(scope="session")
def zwave(
    zwave_network: ZwaveNetwork, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    """Return an open session with a server on that network."""
    stderr = tmp_path_factory.mktemp("zwave") / "stderr.log"
    with session(zwave_network.url, stderr, "--locks", "--log-level", "debug") as opened:
        yield opened


@pytest.fixture(autouse=True)
def _sockets(socket_enabled: None) -> None:
    """Let tests speak to the network on this machine."""
