"""Conditions on what a text says: the model tells after it has read it, and code tells the rest."""

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.nlu.clause import Clause
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.time_resolution import TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.rows import rows

from ..tables import table
from .saying import hears

# Which clauses are done by what is read ("?"), and which on another condition ("|").
SAID: tuple[tuple[str, str, list[str]], ...] = table(__file__, "SAID")


@pytest.mark.parametrize(("code", "text", "found"), SAID)
def test_condition_on_what_a_text_says_is_found_out(code: str, text: str, found: list[str]) -> None:
    assert [_told(each) for each in parse(Text(text, code), ()).clauses] == found


def _told(clause: Clause) -> str:
    marks = ["?" if each.depends_on_answer else "|" for each in clause.times]
    return " ".join((clause.command, *marks))


@rows(
    ("text", "entity_id", "state", "more", "is_read"),
    table(__file__, "test_what_a_device_shows_is_not_left_to_the_model"),
)  # fmt: skip
async def test_what_a_device_shows_is_not_left_to_the_model(
    home: HomeAssistant,
    text: str,
    entity_id: str,
    state: str,
    more: dict[str, str],
    *,
    is_read: bool,
) -> None:
    home.states.async_set(entity_id, state, {"friendly_name": "Bulletin", **more})
    async_expose_entity(home, conversation.DOMAIN, entity_id, should_expose=True)
    utterance = await hears(home, text)
    moments = [each for clause in utterance.parsed.clauses for each in clause.times]
    assert [each.depends_on_answer for each in moments] == [is_read]
    assert moments[0].type is TimeType.IF
    assert utterance.is_for_later is not is_read
