"""Which devices a command reaches by a place, by where the speaker is, and by a name that several share."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final

import pytest

from bench.home import Home, HomeArea, HomeDevice, HomeEntity
from bench.house import House, furnished
from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, calls, says

from ..tables import table

ON, OFF, POSITION = "intent__HassTurnOn", "intent__HassTurnOff", "intent__HassSetPosition"
KINDS: Final[Mapping[str, Mapping[str, Any]]] = table(__file__, "KINDS")
STATES: Final = {"cover": "open", "humidifier": "off", "light": "off"}
ENTITIES: Final = {
    "office": ("light.office",),
    "garage": ("light.garage",),
    "attic": ("light.attic",),
    "kitchen": ("cover.kitchen",),
    "living": ("cover.living", "humidifier.living"),
    "foyer": ("light.foyer",),
    "balcony": ("light.balcony",),
    "landing": (),
}
LANGUAGES: Final = ("en", "de", "fr")
_CALLED: Final = {
    "office": ("Office", "Büro", "Bureau"),
    "garage": ("Garage", "Garage", "Garage"),
    "attic": ("Attic", "Dachboden", "Grenier"),
    "kitchen": ("Kitchen", "Küche", "Cuisine"),
    "living": ("Living Room", "Wohnzimmer", "Salon"),
    "foyer": ("Foyer", "Diele", "Entrée"),
    "balcony": ("Balcony", "Balkon", "Balcon"),
    "landing": ("Landing", "Flur", "Palier"),
    **dict.fromkeys(
        ("light.office", "light.garage", "light.attic"), ("Lights", "Lichter", "Lumières")
    ),
    "light.foyer": ("Chandelier", "Kronleuchter", "Lustre"),
    "light.balcony": ("Lantern", "Laterne", "Lanterne"),
    "cover.kitchen": ("Kitchen Curtains", "Küchenvorhang", "Rideaux de la cuisine"),
    "cover.living": ("Curtain", "Vorhang", "Rideau"),
    "humidifier.living": ("Dehumidifier", "Luftentfeuchter", "Déshumidificateur"),
}
NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    language: {key: names[number] for key, names in _CALLED.items()}
    for number, language in enumerate(LANGUAGES)
}
GARAGE: Final = ["light.turn_on garage"]
# In which language; where the speaker is; what is said; and what is done without a model.
SILENT: list[tuple[str, str, str, list[str]]] = table(__file__, "SILENT")
CURTAINS: Final = {"domain": ["cover"], "device_class": ["curtain"]}
# The same, with what the model calls at once.
EAGER: list[tuple[str, str, str, dict[str, Any], list[str]]] = table(__file__, "EAGER")


def home_named(language: str) -> Home:
    """Return the home under the names of a language, with a satellite in each area."""
    names = NAMES[language]
    return Home(
        language,
        [HomeArea(area, names[area]) for area in ENTITIES],
        [HomeDevice(area, f"Satellite {area}", area) for area in ENTITIES],
        [
            HomeEntity(each, names[each], area, state=STATES[domain], attributes=KINDS[domain])
            for area, listed in ENTITIES.items()
            for each in listed
            for domain in (each.partition(".")[0],)
        ],
    )


@pytest.fixture(params=NAMES)
async def house(request: pytest.FixtureRequest) -> AsyncGenerator[House]:
    async with furnished(home_named(request.param)) as found:
        yield found


async def done(
    house: House,
    ollama: PlayedOllama,
    rows: Sequence[tuple[str, str, str, dict[str, Any] | None, list[str]]],
    *,
    reflex: bool,
) -> list[tuple[str, str, list[str], str]]:
    """Return the sentences of a house's language that do anything else than is told, and what."""
    agent = await add_agent(house.hass, ollama.url, reflex=reflex)
    deeds = Deeds(house.hass)
    wrong = []
    for language, area, sentence, made, wanted in rows:
        if language != house.home.name:
            continue
        await house.async_begin({})
        deeds.taken()
        ollama.script = [*([calls(made)] if made else []), *[says("Hm?")] * 4]
        device_id = house.device_ids.get(area)
        answer = await agent.hears(sentence, language=language, device_id=device_id)
        await house.hass.async_block_till_done()
        if sorted(taken := deeds.taken()) != sorted(wanted):
            wrong.append((sentence, str(made), taken, answer.speech))
    return wrong


async def test_command_reaches_only_what_is_there(house: House, ollama: PlayedOllama) -> None:
    rows = [(*row[:3], None, row[3]) for row in SILENT]
    assert not await done(house, ollama, rows, reflex=True)


async def test_call_reaches_only_what_is_there(house: House, ollama: PlayedOllama) -> None:
    assert not await done(house, ollama, EAGER, reflex=False)
