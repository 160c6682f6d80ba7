"""For tests without Home Assistant."""

import pytest


@pytest.fixture(autouse=True)
def _custom_integrations(socket_enabled: None) -> None:
    """Leave Home Assistant out, and let processes and servers on this machine talk."""
