"""A model's announcement is made only where and when the user said, and only if it was requested."""

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

from tests.actions.conftest import Announced, add_satellite
from tests.agent import add_agent
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

ALL, KITCHEN, NOWHERE = "bedroom kitchen", "kitchen", ""
NATIVE = "assist_satellite__HassBroadcast"
# In which language; what is said; the model's message and its places; and where it is spoken at once.
ROWS: list[tuple[str, str, str, list[str], str]] = [
    # Wider than the sentence.
    ("en", "could the people in the kitchen be told about dinner, it's ready", "Dinner is ready", [], NOWHERE),
    ("en", "could the people in the kitchen be told about dinner, it's ready", "Dinner is ready",
     ["Kitchen", "Bedroom"], NOWHERE),
    ("en", "could the people in the kitchen be told about dinner, it's ready", "Dinner is ready", ["Kitchen"],
     KITCHEN),
    ("de", "Lass die in der Kitchen wissen, dass das Essen fertig ist", "Das Essen ist fertig", [], NOWHERE),
    ("fr", "Préviens ceux de la Kitchen que le dîner est prêt", "Le dîner est prêt", [], NOWHERE),
    ("ja", "Kitchenの人に夕食ができたと伝えて", "夕食ができました", [], NOWHERE),
    ("uk", "Скажи тим, хто в Kitchen, що вечеря готова", "Вечеря готова", [], NOWHERE),
    # A place that is only in the message.
    ("en", "let them know that the kitchen is flooded", "The kitchen is flooded", [], ALL),
    ("nl", "laat ze weten dat de Kitchen onder water staat", "De Kitchen staat onder water", [], ALL),
    # Too early.
    ("en", "in ten minutes let them know that dinner is ready", "Dinner is ready", [], NOWHERE),
    ("de", "Lass sie in zehn Minuten wissen, dass es Essen gibt", "Es gibt Essen", [], NOWHERE),
    ("pl", "Za dziesięć minut daj im znać, że obiad jest gotowy", "Obiad jest gotowy", [], NOWHERE),
    # Not requested.
    ("en", "don't tell anyone that dinner is ready", "Dinner is ready", [], NOWHERE),
    ("en", "turn on the bed light", "Dinner is ready", [], NOWHERE),
    ("de", "Schalte das Bed Light ein", "Es gibt Essen", [], NOWHERE),
    ("it", "Non dire a nessuno che la cena è pronta", "La cena è pronta", [], NOWHERE),
    # Reported: it was said before, or is only so.
    ("en", "I told everyone that dinner is ready", "Dinner is ready", [], NOWHERE),
    ("en", "Anna told everyone that dinner is ready", "Dinner is ready", [], NOWHERE),
    ("en", "dinner is ready", "Dinner is ready", [], NOWHERE),
    ("de", "Ich habe allen gesagt, dass das Essen fertig ist", "Das Essen ist fertig", [], NOWHERE),
    ("fr", "J'ai dit à tout le monde que le dîner est prêt", "Le dîner est prêt", [], NOWHERE),
    ("es", "Les dije a todos que la cena está lista", "La cena está lista", [], NOWHERE),
    ("it", "Ho detto a tutti che la cena è pronta", "La cena è pronta", [], NOWHERE),
    ("nl", "Ik heb iedereen verteld dat het eten klaar is", "Het eten is klaar", [], NOWHERE),
    ("pl", "Powiedziałem wszystkim, że obiad jest gotowy", "Obiad jest gotowy", [], NOWHERE),
    ("en", "I want everyone to know that dinner is ready", "Dinner is ready", [], ALL),
    ("de", "Alle sollen wissen, dass das Essen fertig ist", "Das Essen ist fertig", [], ALL),
    ("es", "¿Está lista la cena?", "La cena está lista", [], NOWHERE),
]  # fmt: skip


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
