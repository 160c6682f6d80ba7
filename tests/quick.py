"""What each test would otherwise do again for its Home Assistant, most of the time that it takes."""

import asyncio
from collections.abc import Callable, Iterator
import gc
from itertools import count
import os
from pathlib import Path
from unittest.mock import patch

from homeassistant.components.conversation.default_agent import DefaultAgent, LanguageIntents
import pytest

MEASURED: dict[str, str] = {}
"""The environment of a process whose coverage is measured, where that is measured."""
TESTS_PER_COLLECTION = 20


@pytest.fixture(autouse=True)
async def enable_event_loop_debug() -> None:
    """Let asyncio check what it checks when debugging, as the test helpers do.

    It checks by a field of its own. By this method others ask, and each future would keep the
    stack that it was made in: a third of a test's time, and seen only in a failure's message.
    """
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    loop.get_debug = lambda: False  # type: ignore[method-assign]


@pytest.fixture(autouse=True, scope="session")
def _sentences_are_parsed_once() -> Iterator[None]:
    """Have the sentences of a language parsed once, as long as they are the same."""
    load = DefaultAgent._load_intents
    loaded: dict[object, LanguageIntents | None] = {}

    def of_language(agent: DefaultAgent, language: str) -> LanguageIntents | None:
        # A test may add sentences of its own, in either place.
        folder = Path(agent.hass.config.path("custom_sentences"))
        files = frozenset((file, file.stat().st_mtime_ns) for file in folder.rglob("*.yaml"))
        key = (language, files, repr(agent._config_intents_config))
        if key not in loaded:
            loaded[key] = load(agent, language)
        return loaded[key]

    with patch.object(DefaultAgent, "_load_intents", of_language):
        yield


@pytest.fixture(autouse=True, scope="module")
def garbage_collection() -> Iterator[Callable[[], object]]:
    """Collect garbage before a module, as the test helpers do, and after some of its tests.

    Left to itself, Python would look through the objects of all tests before again and again: a
    quarter of the time. What a collection leaves, as the words of a language, is not looked at again.
    """

    def collect() -> None:
        gc.collect()
        gc.freeze()

    collect()
    gc.disable()
    done = count(1)
    yield lambda: None if next(done) % TESTS_PER_COLLECTION else collect()
    gc.enable()


@pytest.fixture(autouse=True)
def _garbage_is_collected(garbage_collection: Callable[[], object]) -> Iterator[None]:
    yield
    garbage_collection()


@pytest.fixture(autouse=True, scope="session")
def _processes_are_not_measured() -> None:
    """Let no process measure its coverage that is not asked to.

    It starts a quarter of a second later then, and only the Z-Wave MCP server has code that does
    not run in the tests' own process too.
    """
    for name in [name for name in os.environ if name.startswith("COVERAGE_PROCESS")]:
        MEASURED[name] = os.environ.pop(name)
