"""Which devices a command reaches by a place, by where the speaker is, and by a name that several share."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final

import pytest

from bench.home import Home, HomeArea, HomeDevice, HomeEntity
from bench.house import House, furnished
from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says

ON, OFF, POSITION = "intent__HassTurnOn", "intent__HassTurnOff", "intent__HassSetPosition"
KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "cover": {
        "device_class": "curtain",
        "current_position": 50,
        "supported_features": [
            "cover.CoverEntityFeature.OPEN",
            "cover.CoverEntityFeature.CLOSE",
            "cover.CoverEntityFeature.SET_POSITION",
        ],
    },
    "humidifier": {"device_class": "dehumidifier"},
    "light": {"supported_color_modes": ["brightness"], "color_mode": "brightness"},
}
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
SILENT: list[tuple[str, str, str, list[str]]] = [
    # A place restricts, and what is elsewhere stays as it is.
    ("en", "", "Open the curtains in the foyer", []),
    ("en", "living", "Open the curtains in the foyer", []),
    ("en", "", "Open the curtains in the landing", []),
    ("en", "", "In the foyer, open the curtains", []),
    ("en", "", "Set the curtains in the foyer to 40 percent", []),
    ("en", "", "Open the curtains in the kitchen", ["cover.open_cover kitchen"]),
    ("en", "", "Open the curtains in the living room", ["cover.open_cover living"]),
    ("de", "", "Öffne die Vorhänge in der Diele", []),
    ("de", "", "Öffne die Vorhänge im Flur", []),
    ("de", "living", "Öffne den Vorhang in der Diele", []),
    ("de", "", "Stell die Vorhänge in der Diele auf 40 Prozent", []),
    ("de", "", "Öffne den Vorhang im Wohnzimmer", ["cover.open_cover living"]),
    ("fr", "", "Ouvre les rideaux dans l'entrée", []),
    ("fr", "", "Ouvre les rideaux sur le palier", []),
    ("fr", "living", "Ouvre les rideaux de l'entrée", []),
    ("fr", "", "Ouvre le rideau du salon", ["cover.open_cover living"]),
    # Of those that share a name, the speaker's.
    ("en", "garage", "Turn on the lights", GARAGE),
    ("en", "attic", "Turn off the lights", ["light.turn_off attic"]),
    ("en", "office", "Turn on the lights in the garage", GARAGE),
    ("en", "", "Turn on the garage lights", GARAGE),
    ("en", "", "Turn on the lights", []),
    ("en", "landing", "Turn on the lights", []),
    ("de", "garage", "Schalte die Lichter ein", GARAGE),
    ("de", "garage", "Schalte das Licht ein", GARAGE),
    ("de", "", "Schalte die Lichter in der Garage ein", GARAGE),
    ("fr", "garage", "Allume les lumières", GARAGE),
    ("fr", "garage", "Allume la lumière", GARAGE),
    # What a prefix negates is another thing.
    ("en", "living", "Turn on the humidifier", []),
    ("en", "living", "Turn on the dehumidifier", ["humidifier.turn_on living"]),
    ("de", "living", "Schalte den Luftbefeuchter ein", []),
    ("fr", "living", "Allume l'humidificateur", []),
    ("fr", "living", "Allume le déshumidificateur", ["humidifier.turn_on living"]),
    # A preposition is no particle of the verb.
    ("en", "", "Clean the lantern on the balcony", []),
    ("en", "", "The lantern on the balcony", []),
    ("en", "", "Turn on the lantern on the balcony", ["light.turn_on balcony"]),
    ("en", "", "Turn the lantern on the balcony on", ["light.turn_on balcony"]),
    ("en", "", "Turn off the lantern on the balcony", ["light.turn_off balcony"]),
    ("de", "", "Putze die Laterne auf dem Balkon", []),
    ("de", "", "Mach die Laterne auf dem Balkon aus", ["light.turn_off balcony"]),
    ("de", "", "Mach die Laterne auf dem Balkon an", ["light.turn_on balcony"]),
    ("fr", "", "Nettoie la lanterne sur le balcon", []),
    ("fr", "", "Éteins la lanterne sur le balcon", ["light.turn_off balcony"]),
]  # fmt: skip
CURTAINS: Final = {"domain": ["cover"], "device_class": ["curtain"]}
# The same, with what the model calls at once.
EAGER: list[tuple[str, str, str, dict[str, Any], list[str]]] = [
    ("en", "", "Open the curtains in the foyer", call(ON, area="Foyer", **CURTAINS), []),
    ("en", "", "Open the curtains in the foyer", call(ON, **CURTAINS), []),
    ("en", "", "Open the curtains in the foyer", call(ON, name="Curtain"), []),
    ("en", "", "Open the curtains in the landing", call(ON, name="Curtain"), []),
    ("en", "", "Set the curtains in the foyer to 40 percent",
     call(POSITION, name="Curtain", position=40), []),
    ("en", "", "Open the curtains in the kitchen", call(ON, **CURTAINS),
     ["cover.open_cover kitchen"]),
    ("de", "", "Öffne die Vorhänge in der Diele", call(ON, **CURTAINS), []),
    ("de", "", "Öffne die Vorhänge in der Diele", call(ON, name="Vorhang"), []),
    ("fr", "", "Ouvre les rideaux dans l'entrée", call(ON, **CURTAINS), []),
    ("fr", "", "Ouvre les rideaux dans l'entrée", call(ON, name="Rideau"), []),
    ("en", "garage", "Turn on the lights", call(ON, name="Lights", area="Garage"), GARAGE),
    ("en", "garage", "Turn on the lights", call(ON, area="Garage", domain=["light"]), GARAGE),
    ("en", "garage", "Turn on the lights", call(ON, name="Lights"), GARAGE),
    ("en", "garage", "Turn on the lights", call(ON, domain=["light"]), GARAGE),
    ("en", "garage", "Turn on the lights", call(ON, name="Lights", area="Attic"), GARAGE),
    ("de", "garage", "Schalte die Lichter ein", call(ON, name="Lichter", area="Garage"), GARAGE),
    ("de", "garage", "Schalte die Lichter ein", call(ON, name="Lichter"), GARAGE),
    ("fr", "garage", "Allume les lumières", call(ON, name="Lumières", area="Garage"), GARAGE),
    ("fr", "garage", "Allume les lumières", call(ON, domain=["light"]), GARAGE),
    ("en", "living", "Turn on the humidifier", call(ON, name="Dehumidifier"), []),
    ("de", "living", "Schalte den Luftbefeuchter ein", call(ON, name="Luftentfeuchter"), []),
    ("fr", "living", "Allume l'humidificateur", call(ON, name="Déshumidificateur"), []),
    ("en", "", "Turn off the lantern on the balcony", call(OFF, name="Lantern"),
     ["light.turn_off balcony"]),
    ("de", "", "Mach die Laterne auf dem Balkon aus", call(OFF, name="Laterne"),
     ["light.turn_off balcony"]),
    ("fr", "", "Éteins la lanterne sur le balcon", call(OFF, name="Lanterne"),
     ["light.turn_off balcony"]),
]  # fmt: skip


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
