"""An agent's *Test* with a real model: what it says of a small one, over both protocols."""

from collections.abc import AsyncGenerator
from pathlib import Path

from homeassistant.components.persistent_notification import Notification
from homeassistant.const import CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import CONF_KIND, EntryKind
from custom_components.voice_gateway.model_trial.sentences import RIGHT
from custom_components.voice_gateway.model_trial.trial import TRIALS, TrialVerdict
from script.openai.process import llama_server

from .agent import add_agent
from .real_model import real_model
from .test_trial import notes, press  # noqa: F401 - a fixture

pytestmark = pytest.mark.live

_JUDGED = {
    EntryKind.OLLAMA: (TrialVerdict.GOOD, TrialVerdict.FAIR, TrialVerdict.SLOW),
    # With llama.cpp's template for it, this model recites its prompt where it should call.
    EntryKind.OPENAI: (TrialVerdict.FAIR, TrialVerdict.POOR, TrialVerdict.SLOW),
}
"""What a model of this size is: on a slow computer, slow."""


class Served:
    """A real model behind a server of some kind, as `add_agent` takes it."""

    model = "qwen2.5-coder:1.5b"

    def __init__(self, kind: EntryKind, url: str) -> None:
        """Take its address."""
        self.kind = kind
        self.data = {CONF_KIND: kind, CONF_URL: url}


@pytest.fixture(params=[EntryKind.OLLAMA, EntryKind.OPENAI])
async def served(
    request: pytest.FixtureRequest, socket_enabled: None, tmp_path: Path
) -> AsyncGenerator[Served]:
    """The same model behind the embedded server, and behind llama.cpp's own."""
    if request.param is EntryKind.OLLAMA:
        with real_model(tmp_path, "1.5b") as url:
            yield Served(EntryKind.OLLAMA, url)
    else:
        async with llama_server("1.5b", "--slots", "2") as url:
            yield Served(EntryKind.OPENAI, url)


async def test_a_small_model_is_tried_to_the_end_and_judged(
    hass: HomeAssistant,
    served: Served,
    notes: dict[str, Notification],  # noqa: F811 - the fixture
) -> None:
    for domain in ("homeassistant", "conversation", "llm"):
        assert await async_setup_component(hass, domain, {})
    agent = await add_agent(hass, served)
    await press(agent)
    (result,) = hass.data[TRIALS].values()
    (note,) = notes.values()
    assert result.failure is None
    assert len(result.seconds) == len(RIGHT)
    assert len(result.right) >= len(RIGHT) // 2, result.wrong
    assert result.tokens_per_second
    assert result.verdict in _JUDGED[served.kind]
    assert f"{len(result.right)} of {len(RIGHT)}" in note["message"]
