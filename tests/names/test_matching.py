"""What people call a device, and what they mean."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.languages import LANGUAGES, language_of
from custom_components.voice_gateway.names.matching import matcher, split_names, words
from script.checks.texts import LANGUAGES as PROMISED
from tests.rows import rows

from ..tables import table


@dataclass(frozen=True)
class Thing:
    """Something with a name."""

    name: str
    location: str = ""
    hints: str = ""


COFFEE = Thing("Coffee Machine", "Kitchen", "switch plug outlet socket power energy node 2")
LIGHT = Thing("Ceiling Light", "Living Room", "dimmer light lamp level node 3")
BLIND = Thing("Window Blind", "Bedroom", "blind shutter curtain node 4")
LOCK = Thing("Front Door Lock", "Hallway", "lock door battery node 5")
DOOR = Thing("Front Door", "Hallway", "door sensor window contact battery node 6")
THERMOSTAT = Thing("Thermostat", "Bedroom", "thermostat heating temperature sensor node 8")
KITCHEN_LAMP = Thing("Lamp", "Kitchen", "switch plug outlet socket node 16")
OFFICE_LAMP = Thing("Lamp", "Office", "dimmer light lamp level node 17")
LAMP_19 = Thing("Lamp 19", "Garden", "switch node 19")
LAMP_29 = Thing("Lamp 29", "Garden", "switch node 29")
MILL = Thing("Café-Mühle", "Küche", "switch node 30")
ZONE_A = Thing("Zone A", "Lawn", "valve")
ZONE_B = Thing("Zone B", "Lawn", "valve")
HEATER = Thing("Plug-in Heater", "Attic", "switch")
DEN_SPEAKER = Thing("Speaker", "Den", "media player")
HOUSE = [
    COFFEE, LIGHT, BLIND, LOCK, DOOR, THERMOSTAT, KITCHEN_LAMP, OFFICE_LAMP, LAMP_19, LAMP_29, MILL,
    ZONE_A, ZONE_B, HEATER, DEN_SPEAKER,
]  # fmt: skip
find, nearest = matcher("en").find, matcher("en").nearest


@rows(
    ("spoken", "meant"),
    [
        # as it is called, in any writing
        ("Coffee Machine", [COFFEE]),
        ("coffee-machine", [COFFEE]),
        ("COFFEEMACHINE", [COFFEE]),
        ("the coffee machine", [COFFEE]),
        ("cafe muhle", [MILL]),
        # with its room, in any order
        ("kitchen lamp", [KITCHEN_LAMP]),
        ("Lamp (Office)", [OFFICE_LAMP]),
        ("the lamp in the office", [OFFICE_LAMP]),
        ("küche café mühle", [MILL]),
        # a part of it
        ("coffee", [COFFEE]),
        ("blind", [BLIND]),
        ("ceiling", [LIGHT]),
        # the whole name counts more than a part of another's
        ("front door", [DOOR]),
        ("front door lock", [LOCK]),
        ("hallway front door", [DOOR]),
        # what it is, or measures
        ("bedroom blind", [BLIND]),
        ("bedroom curtain", [BLIND]),
        ("bedroom temperature sensor", [THERMOSTAT]),
        ("front door battery", [DOOR]),
        ("front door lock battery", [LOCK]),
        ("living room lamp", [LIGHT]),
        # several that fit equally are never chosen from
        ("lamp", [KITCHEN_LAMP, OFFICE_LAMP]),
        ("bedroom", [BLIND, THERMOSTAT]),
        ("garden lamp", [LAMP_19, LAMP_29]),
        ("zone", [ZONE_A, ZONE_B]),
        # what says nothing before other words may end a name
        ("zone A", [ZONE_A]),
        ("the plug-in heater", [HEATER]),
        ("plug in", [HEATER]),
        ("Thermostat device", [THERMOSTAT]),
        ("the kitchen’s lamp", [KITCHEN_LAMP]),
        ("the den", [DEN_SPEAKER]),
        # small mistakes
        ("cofee mashine", [COFFEE]),
        ("thermostats", [THERMOSTAT]),
        ("celing lihgt", [LIGHT]),
        ("widnow blind", [BLIND]),
        ("coffeemashin", [COFFEE]),
        ("front dor", [DOOR]),
        # numbers have no small mistakes
        ("lamp 19", [LAMP_19]),
        ("lamp 39", []),
        # nor have short words
        ("zone C", []),
        ("no front door", []),
        # an unknown word is never ignored: this lamp does not exist
        ("bathroom lamp", []),
        ("attic coffee machine", []),
        ("lamp in the sauna", []),
        ("toaster", []),
        ("", []),
        ("the", []),
        ("?!", []),
    ],
)
def test_what_is_said_means_these_things(spoken: str, meant: list[Thing]) -> None:
    assert find(spoken, HOUSE) == meant


def test_mistakes_are_not_mended_when_that_is_not_wanted() -> None:
    assert find("front dor", HOUSE, mistakes=False) == []
    assert find("front door", HOUSE, mistakes=False) == [DOOR]


def test_nearest_names_come_first() -> None:
    assert nearest("cofe", HOUSE)[0] is COFFEE
    assert len(nearest("anything", HOUSE)) == 3
    assert nearest("anything", []) == []


@given(st.text("abc 12"), st.lists(st.tuples(st.text("abcd 1"), st.sampled_from(("", "a", "cb")))))
def test_nearest_names_are_those_that_a_comparison_with_all_finds(
    spoken: str, names: list[tuple[str, str]]
) -> None:
    things = [Thing(*each) for each in names]
    likeness = {index: nearest_to(spoken, thing) for index, thing in enumerate(things)}
    best = sorted(likeness, key=likeness.__getitem__, reverse=True)[:3]
    assert [id(each) for each in nearest(spoken, things)] == [id(things[index]) for index in best]


def nearest_to(spoken: str, thing: Thing) -> float:
    """Return how alike a thing's name, with or without its place, and what was said are written."""
    said, name, place = (
        "".join(matcher("en").tokens(text)) for text in (spoken, thing.name, thing.location)
    )
    texts = {name, name + place, place + name}
    return max(SequenceMatcher(None, said, text).ratio() for text in texts)


@dataclass(frozen=True)
class Home:
    """A home whose owner speaks another language: three lamps, a fan, and lamps that are numbered."""

    office: Thing
    kitchen: Thing
    standing: Thing
    fan: Thing
    nineteen: Thing
    twenty_nine: Thing

    @classmethod
    def of(cls, lamp: str, office: str, kitchen: str, standing: str, fan: str) -> Home:
        """Return a home of which these are the words."""
        return cls(
            Thing(lamp, office, "light"),
            Thing(lamp, kitchen, "light"),
            Thing(standing, "", "light"),
            Thing(fan, kitchen, "fan"),
            Thing(f"{lamp} 19", "", "light"),
            Thing(f"{lamp} 29", "", "light"),
        )

    @property
    def things(self) -> list[Thing]:
        """All that is in it."""
        return list(vars(self).values())


HOMES = {
    "de": Home.of("Lampe", "Büro", "Küche", "Stehlampe", "Ventilator"),
    "en": Home.of("Lamp", "Office", "Kitchen", "Standing Light", "Fan"),
    "es": Home.of("Lámpara", "Despacho", "Cocina", "Luz de pie", "Ventilador"),
    "fr": Home.of("Lampe", "Bureau", "Cuisine", "Lampadaire", "Ventilateur"),
    "it": Home.of("Lampada", "Ufficio", "Cucina", "Piantana", "Ventilatore"),
    "nl": Home.of("Lamp", "Kantoor", "Keuken", "Staande schemerlamp", "Ventilator"),
    "pl": Home.of("Lampa", "Biuro", "Kuchnia", "Kinkiet", "Wentylator"),
}


@pytest.mark.parametrize(
    ("language", "spoken", "meant"),
    table(__file__, "test_thing_is_found_in_the_words_of_a_language"),
)
def test_thing_is_found_in_the_words_of_a_language(language: str, spoken: str, meant: str) -> None:
    home = HOMES.get(language[:2], HOMES["en"])
    assert matcher(language).find(spoken, home.things) == [getattr(home, meant)]


@pytest.mark.parametrize(
    ("language", "spoken"),
    table(__file__, "test_unknown_word_rules_a_thing_out_in_every_language"),
)
def test_unknown_word_rules_a_thing_out_in_every_language(language: str, spoken: str) -> None:
    assert matcher(language).find(spoken, HOMES[language].things) == []


def test_what_says_nothing_in_one_language_is_a_name_in_another() -> None:
    den = Thing("Lamp", "Den", "light")
    lamps = [den, *HOMES["en"].things]
    assert matcher("en").find("the lamp in the den", lamps) == [den]
    assert matcher("en").find("den lamp", lamps) == [den]


@pytest.mark.parametrize(
    ("language", "on", "off"),
    [
        ("de", "Licht an", "Licht aus"),
        ("en", "Lights on", "Lights off"),
        ("it", "Luci su", "Luci giù"),
    ],
)
def test_what_ends_a_name_tells_it_from_another(language: str, on: str, off: str) -> None:
    scenes = [Thing(on), Thing(off)]
    find = matcher(language).find
    assert find(on, scenes) == [scenes[0]]
    assert find(off, scenes) == [scenes[1]]
    assert find(on.split(maxsplit=1)[0], scenes) == scenes


@pytest.mark.parametrize("language", PROMISED)
def test_name_is_found_after_every_filler(language: str) -> None:
    home = HOMES[language]
    for filler in LANGUAGES[language].function_words:
        if filler.startswith("'"):
            continue
        space = "" if filler.endswith("'") else " "
        spoken = f"{filler}{space}{home.fan.name}"
        assert matcher(language).find(spoken, home.things) == [home.fan], spoken


# No word of the homes or of a list of fillers is like these.
_UNKNOWN = st.text("qxj", min_size=4, max_size=9) | st.integers(100, 999).map(str)


@given(language=st.sampled_from(PROMISED), data=st.data())
def test_nothing_is_found_by_a_word_that_explains_nothing(
    language: str, data: st.DataObject
) -> None:
    home = HOMES[language]
    thing = data.draw(st.sampled_from(home.things))
    fillers = sorted(language_of(language).function_words)
    about = [*thing.name.split(), *thing.location.split(), *thing.hints.split()]
    said = data.draw(st.lists(st.sampled_from([*about, *fillers]), max_size=5))
    said.insert(data.draw(st.integers(0, len(said))), data.draw(_UNKNOWN))
    for separator in (" ", "-", ", "):
        assert matcher(language).find(separator.join(said), home.things) == []


@given(language=st.sampled_from(PROMISED), data=st.data())
def test_whatever_is_found_is_explained_by_every_word(language: str, data: st.DataObject) -> None:
    home = HOMES[language]
    every = sorted(
        {word for each in home.things for word in f"{each.name} {each.location}".split()}
    )
    fillers = sorted(language_of(language).function_words)
    said = " ".join(data.draw(st.lists(st.sampled_from([*every, *fillers]), max_size=5)))
    find, tokens = matcher(language).find, matcher(language).tokens
    for thing in find(said, home.things, mistakes=False):
        explained = {*words(thing.name), *words(thing.location), *words(thing.hints)}
        assert explained.issuperset(tokens(said))


def test_words_that_say_nothing_are_about_nothing() -> None:
    lamp = Thing("Luz de pie", "Salón")
    assert matcher("es").find("de", [lamp]) == []
    assert matcher("es").find("de la", [lamp]) == []
    assert matcher("es").find("luz de pie", [lamp]) == [lamp]


@pytest.mark.parametrize(
    ("spoken", "thing"),
    [
        ("Lampe im EG Flur", Thing("Lampe", "OG Flur")),
        ("Zone C", Thing("Zone A")),
        ("TV Lampe", Thing("WC Lampe")),
    ],
)
def test_short_word_is_no_mistake_for_another(spoken: str, thing: Thing) -> None:
    assert matcher("de").find(spoken, [thing]) == []


@pytest.mark.parametrize(
    ("said", "apart"),
    [
        ("寝室の照明をつけて", "寝室の照明 をつけて"),
        ("今日はTVと照明を消して", "今日は TV と 照明 を消して"),
        ("打开卧室灯", "打开 卧室灯"),
        ("거실등을 켜줘", "거실등 을 켜줘"),
        ("เปิดไฟห้องนอนหน่อย", "เปิด ไฟห้องนอน หน่อย"),
        ("CATVを見る", "CATVを見る"),
        ("TV on", "TV on"),
        ("TV on 💡", "TV on 💡"),
    ],
)
def test_names_are_words_where_the_script_has_no_spaces(said: str, apart: str) -> None:
    names = frozenset(("寝室の照明", "照明", "寝室", "TV", "卧室灯", "거실등", "ไฟห้องนอน"))
    assert split_names(said, names) == apart
