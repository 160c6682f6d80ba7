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

from .saying import hears

# Which clauses are done by what is read ("?"), and which on another condition ("|").
SAID: tuple[tuple[str, str, list[str]], ...] = (
    ("de", "Wenn die Vorhersage Sturm meldet, fahr den Rollladen hoch", ["fahr den Rollladen hoch ?"]),
    ("de", "Schau mal in die Mail, und falls der Zug ausfällt, stell die Heizung auf 22",
     ["Schau mal in die Mail", "stell die Heizung auf 22 ?"]),
    ("de", "Fahr den Rollladen hoch, wenn in der Nachricht von Jana Sturm steht",
     ["Fahr den Rollladen hoch ?"]),
    ("en", "If the bulletin predicts frost, turn on the heater", ["turn on the heater ?"]),
    ("en", "Turn on the heater if the bulletin predicts frost", ["Turn on the heater ?"]),
    ("en", "Unless the newsletter mentions a closure, open the blind", ["open the blind ?"]),
    ("en", "Read my mail, and if the train is late, turn on the heater and close the blind",
     ["Read my mail", "turn on the heater ?", "close the blind ?"]),
    ("es", "Si el boletín anuncia heladas, enciende la calefacción", ["enciende la calefacción ?"]),
    ("es", "Mira el boletín, y si habla de heladas, enciende la calefacción",
     ["Mira el boletín", "enciende la calefacción ?"]),
    ("fr", "Si le bulletin annonce du gel, allume le chauffage", ["allume le chauffage ?"]),
    ("fr", "Regarde le bulletin, et s'il gèle, allume le chauffage",
     ["Regarde le bulletin", "allume le chauffage ?"]),
    ("it", "Se il bollettino prevede gelo, accendi il riscaldamento", ["accendi il riscaldamento ?"]),
    ("it", "Guarda il bollettino, e se gela, accendi il riscaldamento",
     ["Guarda il bollettino", "accendi il riscaldamento ?"]),
    ("nl", "Als het bulletin vorst voorspelt, zet de verwarming aan", ["zet de verwarming aan ?"]),
    ("nl", "Kijk even in het bulletin, en als er vorst komt, zet de verwarming aan",
     ["Kijk even in het bulletin", "zet de verwarming aan ?"]),
    ("pl", "Jeśli biuletyn zapowiada mróz, włącz ogrzewanie", ["włącz ogrzewanie ?"]),
    ("pl", "Zajrzyj do biuletynu, i jeśli zapowiada mróz, włącz ogrzewanie",
     ["Zajrzyj do biuletynu", "włącz ogrzewanie ?"]),
    # What the home shows, what somebody says, and what is for another moment besides.
    ("en", "If the window is open, turn off the heater", ["turn off the heater |"]),
    ("en", "Check the bulletin, and if the window is open, turn off the heater",
     ["Check the bulletin", "turn off the heater |"]),
    ("en", "Check the bulletin, and if nobody is home, turn off the heater",
     ["Check the bulletin", "turn off the heater |"]),
    ("en", "If somebody says yes, turn off the heater", ["turn off the heater |"]),
    ("en", "If my wife says yes, turn off the heater", ["turn off the heater |"]),
    ("en", "Turn on the heater at eight if the bulletin predicts frost", ["Turn on the heater | |"]),
    ("en", "When the bulletin predicts frost, turn on the heater", ["turn on the heater |"]),
    ("de", "Sobald die Vorhersage Sturm meldet, fahr den Rollladen hoch", ["fahr den Rollladen hoch |"]),
    ("fr", "Si la porte s'ouvre annonce que le dîner est prêt", ["annonce que le dîner est prêt |"]),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text", "found"), SAID)
def test_condition_on_what_a_text_says_is_found_out(code: str, text: str, found: list[str]) -> None:
    assert [_told(each) for each in parse(Text(text, code), ()).clauses] == found


def _told(clause: Clause) -> str:
    marks = ["?" if each.depends_on_answer else "|" for each in clause.times]
    return " ".join((clause.command, *marks))


@rows(
    ("text", "entity_id", "state", "more", "is_read"),
    [
        ("if the bulletin says rain, turn on the bed light", "sensor.bulletin", "Sun, then rain", {}, True),
        ("if the bulletin says rain, turn on the bed light", "weather.bulletin", "rainy", {}, True),
        ("if the bulletin says 20, turn on the bed light", "sensor.bulletin", "20",
         {"unit_of_measurement": "mm"}, False),
        ("if the bulletin says rain, turn on the bed light", "sensor.bulletin", "rain",
         {"device_class": "enum"}, False),
        ("if the bulletin says on, turn on the bed light", "binary_sensor.bulletin", "off", {}, False),
        ("check the bulletin, and if it pours, turn on the bed light", "switch.bulletin", "off", {}, False),
    ],
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
