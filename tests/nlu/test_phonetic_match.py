"""Names that a part of a sentence sounds like."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.nlu.fuzzy_names import find_phonetic_candidates
from custom_components.voice_gateway.nlu.numerals import async_spoken_numbers
from custom_components.voice_gateway.nlu.tokenizer import Text

DEVICES = {
    "light": ("Bedroom 2 Light", "Bedroom 3 Light", "Dining Room Light", "Stehlampe"),
    "vacuum": ("Roborock Downstairs",),
    "sensor": ("Porch Light Battery",),
    "todo": ("Sprawunki",),
}
# What is heard, in which language; how it is read first, and whether that sounds the same.
LIKELIEST = [
    ("en", "Turn off the bedroom too light.", "Turn off the Bedroom 2 Light", True),
    ("en", "turn off the bedroom two light", "turn off the Bedroom 2 Light", True),
    ("en", "Turn off the bedroom free light!", "Turn off the Bedroom 3 Light", False),
    ("en", "switch the tiny room light on", "switch the Dining Room Light on", False),
    ("en", "start the robo rock down stairs", "start the Roborock Downstairs", True),
    ("en", "lights off in the kit chen", "lights off in the Kitchen", False),
    ("de", "mach die Steh Lampe an", "mach die Stehlampe an", True),
    ("de", "schalte Stellampe ein", "schalte Stehlampe ein", True),
    # In another case.
    ("pl", "dopisz mąkę do sprawunków", "dopisz mąkę do Sprawunki", True),
]
NONE = [
    # It is said as it is called, or it is something else.
    ("en", "turn off the bedroom 2 light"),
    ("en", "turn on the porch light"),
    ("en", "turn on the radio"),
    ("en", "what is the weather like"),
    ("en", "is the window in the office open"),
    # With so many words, something always sounds like something.
    ("en", "and then " * 8 + "turn off the bedroom too light"),
]


async def test_the_likeliest_comes_first(hass: HomeAssistant) -> None:
    home = _home(hass)
    wrong = []
    for language, utterance, meant, same in LIKELIEST:
        numbers = await async_spoken_numbers(hass, language)
        found = find_phonetic_candidates(Text(utterance, language), home, numbers)
        if not found or (found[0].text, found[0].sounds_the_same) != (meant, same):
            wrong.append((utterance, found[:2]))
    for language, utterance in NONE:
        numbers = await async_spoken_numbers(hass, language)
        if found := find_phonetic_candidates(Text(utterance, language), home, numbers):
            wrong.append((utterance, found[:2]))
    assert not wrong


async def test_two_sounds_are_like_nothing(hass: HomeAssistant) -> None:
    home = Home((Exposed("", "switch", ("Router",), "switch.router", None),), {}, {})
    assert not find_phonetic_candidates(
        Text("switch it off", "en"), home, await async_spoken_numbers(hass, "en")
    )


def _home(hass: HomeAssistant) -> Home:
    areas = ar.async_get(hass)
    kitchen = areas.async_create("Kitchen")
    entities = [
        Exposed("", domain, (name,), f"{domain}.{name.lower().replace(' ', '_')}", None)
        for domain, names in DEVICES.items()
        for name in names
    ]
    return Home(tuple(entities), {kitchen.id: kitchen}, {})
