"""A model's announcement is made only where and when the user said, and only if it was requested."""

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

from tests.actions.conftest import Announced, add_satellite
from tests.agent import add_agent
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

from ..tables import table

ALL, KITCHEN, NOWHERE = "bedroom kitchen", "kitchen", ""
NATIVE = "assist_satellite__HassBroadcast"
# In which language; what is said; the model's message and its places; and where it is spoken at once.
ROWS: list[tuple[str, str, str, list[str], str]] = table(__file__, "ROWS")


@pytest.fixture
def announced(home: HomeAssistant) -> Announced:
    """Satellites in the kitchen and the bedroom."""
    for name in ("kitchen", "bedroom"):
        add_satellite(home, name, name.title())
    spoken = async_mock_service(home, "assist_satellite", "announce")
    return Announced(None, {}, spoken)  # type: ignore[arg-type]


@rows("row", ROWS)
async def test_model_announces_only_where_and_when_it_was_said(
    home: HomeAssistant,
    ollama: PlayedOllama,
    announced: Announced,
    row: tuple[str, str, str, list[str], str],
) -> None:
    language, said, message, places, where = row
    agent = await add_agent(home, ollama.url, second_opinion=False)
    for made in (call("announce", message=message, places=places), call(NATIVE, message=message)):
        ollama.script = [calls(made), *[says("Done.")] * 3]
        await agent.hears(said, language=language)
        await home.async_block_till_done()
        is_native = made["function"]["name"] == NATIVE
        assert announced.take()[0] == (NOWHERE if is_native else where), made
