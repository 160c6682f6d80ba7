"""Fixtures for all tests."""

import pytest

# Before the test helpers' own folder of custom components comes first in the path.
import custom_components  # noqa: F401


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switches for what takes a real model, or minutes."""
    parser.addoption("--live", action="store_true", help="run tests that need a real model")
    parser.addoption("--soak", action="store_true", help="run tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not asked for."""
    for mark in ("live", "soak"):
        if not config.getoption(f"--{mark}"):
            skip = pytest.mark.skip(reason=f"needs --{mark}")
            for item in items:
                if mark in item.keywords:
                    item.add_marker(skip)


@pytest.fixture(autouse=True)
def _custom_integrations(enable_custom_integrations: None) -> None:
    """Let Home Assistant see custom_components."""
