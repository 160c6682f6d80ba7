"""What a question names that is not in the home."""

import pytest

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.nlu.unknown_entities import find_unknown_entities

NAMES = {
    "en": ("Front Door", "Garage Door", "Desk Lamp", "Study Light", "Study Temperature"),
    "de": ("Haustür", "Garagentor", "Leselampe", "Flurlicht", "Flur Temperatur"),
    "es": ("Puerta principal", "Portón del garaje", "Lámpara de noche", "Luz del estudio"),
    "fr": ("Porte d'entrée", "Portail", "Lampe de nuit", "Lumière du bureau"),
    "it": ("Porta d'ingresso", "Cancello", "Lampada da notte", "Luce dello studio"),
    "nl": ("Voordeur", "Garagedeur", "Leeslamp", "Ganglicht"),
    "pl": ("Drzwi wejściowe", "Brama garażowa", "Lampka nocna", "Światło w biurze"),
}
ABSENT = {
    "en": (
        ("How long was the vault door unlocked?", "vault door", "How long was the {} unlocked?"),
        ("Is the big attic window open?", "big attic window", "Is the {} open?"),
        ("Did my greenhouse lights come on?", "greenhouse lights", "Did my {} come on?"),
        ("Is the disk drive window open?", "disk drive window", "Is the {} open?"),
        ("How warm is the hobby room?", "hobby room", "How warm is the {}?"),
        ("How warm is it in the bathroom?", "bathroom", "How warm is it in the {}?"),
    ),
    "de": (
        ("War die Tresortür gestern offen?", "Tresortür", "War die {} gestern offen?"),
        ("Ist die rote Lampe an?", "rote Lampe", "Ist die {} an?"),
        ("Wie warm ist es im Musikzimmer?", "Musikzimmer", "Wie warm ist es im {}?"),
    ),
    "es": (
        ("¿Está cerrada la puerta del sótano?", "puerta del sótano", "¿Está cerrada la {}?"),
        ("¿Se abrió la puerta de la sala fuerte?", "puerta de la sala fuerte", "¿Se abrió la {}?"),
    ),
    "fr": (("La porte du coffre est-elle fermée ?", "porte du coffre", "La {} est-elle fermée ?"),),
    "it": (("La porta della soffitta è chiusa?", "porta della soffitta", "La {} è chiusa?"),),
    "nl": (("Wanneer ging de kluisdeur open?", "kluisdeur", "Wanneer ging de {} open?"),),
    "pl": (("Czy drzwi do sejfu są otwarte?", "drzwi do sejfu", "Czy {} są otwarte?"),),
}  # fmt: skip
THERE = {
    "en": (
        "Is the front door open?",
        "Is the frnt door open?",
        "Are the study lights on?",
        "Did Grandpa open the door?",
        "Did Grandpa leave doors open?",
        "Is the other door closed?",
        "Was the last light turned off?",
        "What is the coldest room?",
        "Is the family home?",
        "Has anything moved last night?",
        "Did someone come in?",
        "Is the upstairs light on?",
    ),
    "de": (
        "Ist die Haustür zu?",
        "Hat Oma die Tür offen gelassen?",
        "Sind alle Türen zu?",
        "Ist jemand ins Haus gekommen?",
    ),
    "es": ("¿Está abierta la puerta principal?", "¿Se abrió la puerta anoche?"),
    "fr": ("La porte d'entrée est-elle ouverte ?", "Qui a ouvert la porte hier soir ?"),
    "it": ("La porta d'ingresso è aperta?", "La porta è aperta da molto?"),
    "nl": ("Is de voordeur open?", "Is de deur dicht?"),
    "pl": ("Czy drzwi wejściowe są otwarte?", "Czy drzwi są zamknięte?"),
}


def home(language: str) -> Home:
    """Return a home with names of a language."""
    names = NAMES[language]
    domains = ("binary_sensor", "cover", "light", "light", "sensor")
    classes = ("door", "garage", None, None, "temperature")
    listed = zip(domains, names, classes, strict=False)
    return Home(tuple(Exposed("", of, (name,), name, what) for of, name, what in listed), {}, {})


@pytest.mark.parametrize("language", ABSENT)
def test_what_is_told_by_a_word_of_no_name_is_not_there(language: str) -> None:
    for text, name, sentence in ABSENT[language]:
        found = find_unknown_entities(Text(text, language), home(language))
        assert (name, sentence) in [(each.name, each.sentence) for each in found], (text, found)


@pytest.mark.parametrize("language", THERE)
def test_what_may_be_there_is_not_denied(language: str) -> None:
    for text in THERE[language]:
        found = find_unknown_entities(Text(text, language), home(language))
        assert not [each for each in found if each.is_sure], text


def test_another_of_its_kind_is_known_by_what_it_is_and_is_called() -> None:
    (door,) = find_unknown_entities(Text("Is the vault door open?", "en"), home("en"))
    outdoor = Exposed("", "sensor", ("Outdoor",), "sensor.outdoor", None)
    ones = [each.names[0] for each in (*home("en").entities, outdoor) if door.may_be(each)]
    assert ones == ["Front Door", "Garage Door"]


def test_home_in_another_language_may_have_it() -> None:
    assert not find_unknown_entities(Text("Is the vault door open?", "en"), home("de"))
    assert not find_unknown_entities(Text("Is the vault door open?", "ja"), home("en"))


@pytest.mark.parametrize(
    ("code", "called", "asked"),
    [
        ("en", "Refrigerator Light", "Is the fridge light on?"),
        ("en", "Sofa Lamp", "Is the couch lamp on?"),
        ("en", "Washing Machine Door", "Is the washer door open?"),
        ("en", "Washer Door", "Is the washing machine door open?"),
        ("de", "Sofalampe", "Ist die Couchlampe an?"),
        ("es", "Luz de la nevera", "¿Está encendida la luz del frigorífico?"),
        ("fr", "Lampe du canapé", "La lampe du sofa est-elle allumée ?"),
        ("it", "Luce del divano", "La luce del sofà è accesa?"),
        ("nl", "Koelkastlamp", "Is de ijskastlamp aan?"),
        ("pl", "Lampa przy kanapie", "Czy lampa przy sofie jest włączona?"),
    ],
)
def test_another_word_for_what_is_there_is_not_absent(code: str, called: str, asked: str) -> None:
    there = Exposed("", "light", (called,), called, None)
    known = home(code)
    found = find_unknown_entities(Text(asked, code), Home((*known.entities, there), {}, {}))
    assert not [each for each in found if each.is_sure]
    assert find_unknown_entities(Text(asked, code), known)
