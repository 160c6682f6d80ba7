"""Which devices the words of a command mean, in the seven languages."""

from collections.abc import Mapping, Sequence

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, floor_registry as fr
import pytest

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.nlu.categories import has_universal_quantifier
from custom_components.voice_gateway.nlu.entity_linking import EntityLinker
from custom_components.voice_gateway.nlu.tokenizer import Text

from ..tables import table

# Areas with their floors, and devices by their area, in the language of who lives there.
HOUSES: Mapping[str, Mapping[str, tuple[str, Mapping[str, str]]]] = table(__file__, "HOUSES")
# What is said, where the speaker is, and what it may mean.
SAID = [
    ("en", "turn on the kitchen light", "", {"Kitchen Light"}),
    ("en", "turn on the kitchen lights", "", {"Kitchen Light", "Counter Light"}),
    ("en", "turn on the counter light", "", {"Counter Light"}),
    ("en", "turn on the porch light", "", set()),
    ("en", "turn on the porch light", "Kitchen", set()),
    ("en", "turn on the light", "", set()),
    ("en", "turn on the light", "Bedroom 2", {"Bedroom 2 Light"}),
    ("en", "turn on the light in bedroom two", "", {"Bedroom 2 Light"}),
    ("en", "bedroom one light to forty percent", "", {"Bedroom 1 Light"}),
    ("en", "turn on the light", "Kitchen", {"Kitchen Light", "Counter Light"}),
    ("en", "turn off the bedroom light", "", set()),
    ("en", "turn off the bedroom light", "Bedroom 1", {"Bedroom 1 Light"}),
    ("en", "turn off the bedroom lights", "", {"Bedroom 1 Light", "Bedroom 2 Light"}),
    ("en", "turn off all the bedroom lights", "Hall", {"Bedroom 1 Light", "Bedroom 2 Light"}),
    ("en", "turn off the lights upstairs", "Hall", {"Bedroom 1 Light", "Bedroom 2 Light"}),
    ("en", "turn on the lamp in the living room", "", {"Tall Lamp"}),
    ("en", "turn on the tall lamp", "Kitchen", {"Tall Lamp"}),
    ("en", "switch on the fan", "", {"Fan"}),
    ("en", "close the blind", "", {"Bedroom 1 Blind"}),
    ("en", "close the garage door", "", {"Garage Door Opener"}),
    ("en", "lock the front door", "", {"Front Door"}),
    ("de", "mach das Küchenlicht an", "", {"Küchenlicht"}),
    ("de", "mach die Küchenlichter an", "", {"Küchenlicht", "Spot"}),
    ("de", "mach das Licht in der Küche an", "", {"Küchenlicht", "Spot"}),
    ("de", "stell das Küchenlicht auf siebzig Prozent", "", {"Küchenlicht"}),
    ("de", "mach das Verandalicht an", "", set()),
    ("de", "mach das Licht an", "", set()),
    ("de", "mach das Licht an", "Schlafzimmer", {"Nachttischlampe"}),
    ("de", "mach alle Lichter im Erdgeschoss aus", "", {"Küchenlicht", "Spot", "Stehlampe"}),
    ("de", "schalte die Stehlampe ein", "Küche", {"Stehlampe"}),
    ("de", "mach den Rollladen runter", "", {"Rollladen links"}),
    ("es", "enciende la luz del horno", "", {"Luz del horno"}),
    ("es", "enciende las luces de la cocina", "", {"Luz de cocina", "Luz del horno"}),
    ("es", "enciende la luz del porche", "", set()),
    ("es", "enciende la luz", "Salón", {"Lámpara de pie"}),
    ("fr", "allume les lumières de la cuisine", "", {"Plafonnier", "Spots"}),
    ("fr", "allume la lampe de la terrasse", "", set()),
    ("fr", "allume la lumière", "Salon", {"Lampadaire"}),
    ("it", "accendi le luci in cucina", "", {"Luce cucina", "Luce forno"}),
    ("it", "accendi la luce del portico", "", set()),
    ("it", "accendi la luce", "Salotto", {"Lampada da terra"}),
    ("nl", "doe de lampen in de keuken aan", "", {"Keukenlamp", "Ovenlamp"}),
    ("nl", "doe de verandalamp aan", "", set()),
    ("nl", "doe het licht aan", "Woonkamer", {"Staande lamp"}),
    ("pl", "włącz lampę stojącą", "", {"Lampa stojąca"}),
    ("pl", "włącz lampę ogrodową", "", set()),
    ("pl", "włącz światło", "Salon", {"Lampa stojąca"}),
]


def house_of(hass: HomeAssistant, language: str) -> Home:
    areas: dict[str, ar.AreaEntry] = {}
    floors: dict[str, fr.FloorEntry] = {}
    entities: list[Exposed] = []
    for name, (on_floor, devices) in HOUSES[language].items():
        floor = None
        if on_floor:
            floor = fr.async_get(hass).async_get_floor_by_name(on_floor) or fr.async_get(
                hass
            ).async_create(on_floor)
            floors[floor.floor_id] = floor
        area = ar.async_get(hass).async_create(name, floor_id=floor.floor_id if floor else None)
        areas[area.id] = area
        entities += [
            Exposed(area.id, domain, (device,), f"{domain}.n{len(entities)}_{n}", None)
            for n, (device, domain) in enumerate(devices.items())
        ]
    return Home(tuple(entities), areas, floors)


@pytest.mark.parametrize("language", HOUSES)
async def test_words_mean_devices(hass: HomeAssistant, language: str) -> None:
    house = house_of(hass, language)
    area_ids = {area.name: id_ for id_, area in house.areas.items()}
    wrong = []
    for spoken_in, text, speaker, wanted in SAID:
        if spoken_in != language:
            continue
        said = EntityLinker(Text(text, language), house, area_ids.get(speaker))
        found = {each.names[0] for each in house.entities if said.may_refer_to(each)}
        if found != wanted:
            wrong.append((text, speaker, found, wanted))
    assert not wrong


@pytest.mark.parametrize(
    ("language", "text", "place"),
    [
        ("en", "turn off everything in the cellar", "cellar"),
        ("en", "turn off everything in the kitchen", ""),
        ("en", "turn on the fan every evening at ten", ""),
        ("de", "schalte alles im Keller aus", "Keller"),
        ("fr", "éteins toutes les lampes dans la cave", "cave"),
        ("fr", "allume le plafonnier tous les jours à six heures", ""),
    ],
)
async def test_place_that_is_not_there(
    hass: HomeAssistant, language: str, text: str, place: str
) -> None:
    said = EntityLinker(Text(text, language), house_of(hass, language), None)
    assert said.unknown_place == place


async def test_another_language_than_that_of_the_names_rules_nothing_out(
    hass: HomeAssistant,
) -> None:
    """Of "cocina", the kitchen, only the kind is known."""
    said = EntityLinker(Text("enciende la luz de la cocina", "es"), house_of(hass, "en"), None)
    found = {each.domain for each in said.home.entities if said.may_refer_to(each)}
    assert found == {"light"}
    assert said.resolve(said.home.entities) == []


# The names of devices in a home without areas; what is said, and what that means.
PLACES: Sequence[tuple[str, Sequence[str], str, set[str]]] = [
    ("en", ["Living Room Light", "Patio Light"], "turn on the lounge light", {"Living Room Light"}),
    ("en", ["Hallway Light", "Patio Light"], "turn on the light in the foyer", {"Hallway Light"}),
    ("en", ["Lounge Light", "Living Room Light"], "turn on the lounge light", {"Lounge Light"}),
    # Of two other names none is meant, nor where one of a home's words says which.
    ("en", ["Hallway Light", "Foyer Light"], "turn on the corridor light", set()),
    ("en", ["Lounge Light", "Den Light"], "turn on the den living room light", set()),
    ("en", ["Living Room Light", "Patio Light"], "turn on the cellar light", set()),
    ("de", ["Wohnzimmerlicht", "Terrassenlicht"], "mach das Licht in der Stube an", {"Wohnzimmerlicht"}),
    ("de", ["Flurlampe", "Kellerlampe"], "mach die Dielenlampe an", {"Flurlampe"}),
    ("de", ["Studienlicht", "Gartenlicht"], "schalten Sie das Garagenlicht ein", set()),
    ("de", ["Bringen Sie Licht", "Gartenlicht"], "schalten Sie das Licht im Schuppen ein", set()),
    ("fr", ["Lumière de terrasse", "Lumière du salon"], "allume la lumière du patio", {"Lumière de terrasse"}),
    ("es", ["Luz del salón", "Luz del pasillo"], "enciende la luz de la sala de estar", {"Luz del salón"}),
    ("it", ["Luce salotto", "Luce ufficio"], "accendi la luce in soggiorno", {"Luce salotto"}),
    ("nl", ["Woonkamerlamp", "Schuurlamp"], "doe de lamp in de huiskamer aan", {"Woonkamerlamp"}),
    ("pl", ["Światło kuchenne", "Światło ogrodowe"], "włącz światło w kuchni", {"Światło kuchenne"}),
    ("pl", ["Wentylator w przedpokoju", "Wentylator w biurze"], "włącz wentylator w korytarzu", {"Wentylator w przedpokoju"}),
]  # fmt: skip


@pytest.mark.parametrize(("language", "names", "text", "meant"), PLACES)
def test_place_is_told_by_another_name_where_the_home_has_one_such_place(
    language: str, names: Sequence[str], text: str, meant: set[str]
) -> None:
    domain = "fan" if "Wentylator" in names[0] else "light"
    devices = tuple(Exposed("", domain, (name,), f"{domain}.{name}", None) for name in names)
    said = EntityLinker(Text(text, language), Home(devices, {}, {}), None)
    assert {each.names[0] for each in said.resolve(devices)} == meant


async def test_light_of_a_room_is_that_of_its_lamps(hass: HomeAssistant) -> None:
    home = house_of(hass, "en")
    areas = {area.name: id_ for id_, area in home.areas.items()}
    for text, speaker, meant in (
        ("turn the room light off", "Kitchen", {"Kitchen Light", "Counter Light"}),
        ("change light colour to blue", "Kitchen", {"Kitchen Light", "Counter Light"}),
        ("turn off the light", "", set()),
        ("turn off the lamp", "Kitchen", set()),
        ("turn off the counter light", "Kitchen", set()),
        ("turn off the porch light", "Kitchen", set()),
    ):
        said = EntityLinker(Text(text, "en"), home, areas.get(speaker))
        assert {each.names[0] for each in said.lights_of_place} == meant, text


def test_short_word_for_a_kind_ends_the_name_of_a_device_of_it() -> None:
    names = {"Studienfan": "fan", "Küchenventilator": "fan", "Monitor": "switch"}
    devices = [Exposed("", each, (name,), f"{each}.{name}", None) for name, each in names.items()]
    home = Home(tuple(devices), {}, {})
    for text, meant in (
        ("schalten Sie den Studienventilator aus", {"Studienfan"}),
        ("mach den Monitor aus", {"Monitor"}),
    ):
        said = EntityLinker(Text(text, "de"), home, None)
        assert {each.names[0] for each in said.resolve(devices)} == meant, text


def test_lock_of_a_place_is_that_of_its_door() -> None:
    names = {
        "Balcony access lock": "lock",
        "Front Door": "lock",
        "Side Gate Lock": "lock",
        "Lamp": "light",
    }
    devices = [Exposed("", each, (name,), f"{each}.{name}", None) for name, each in names.items()]
    home = Home(tuple(devices), {}, {})
    for text, meant in (
        ("unlock the balcony door", {"Balcony access lock"}),
        ("unlock the front gate", set()),
        ("unlock the side door", set()),
        ("unlock the cellar door", set()),
        ("unlock the glass balcony door", set()),
    ):
        said = EntityLinker(Text(text, "en"), home, None)
        assert {each.names[0] for each in devices if said.surely_refers_to(each)} == meant, text


def test_another_form_of_its_name_tells_a_door() -> None:
    door = Exposed("", "lock", ("Zamek szopy na narzędzia",), "lock.shed", None)
    other = Exposed("", "lock", ("Zamek drzwi przednich",), "lock.front", None)
    said = EntityLinker(
        Text("odblokuj szopę na narzędzia", "pl"), Home((door, other), {}, {}), None
    )
    assert said.surely_refers_to(door)
    assert not said.surely_refers_to(other)


def test_no_other_name_of_a_place_lets_somebody_in() -> None:
    door = Exposed("", "lock", ("Patio Door",), "lock.patio", None)
    lamp = Exposed("", "light", ("Patio Lamp",), "light.patio", None)
    home = Home((door, lamp), {}, {})
    for text, entity, is_sure in (
        ("unlock the terrace door", door, False),
        ("unlock the patio door", door, True),
        ("turn on the terrace lamp", lamp, True),
    ):
        said = EntityLinker(Text(text, "en"), home, None)
        assert (said.resolve(home.entities) == [entity]) is is_sure, text
        assert not said.surely_refers_to(door) or text == "unlock the patio door"


@pytest.mark.parametrize(
    ("code", "text", "is_all"),
    [
        ("en", "the blinds all the way down", False),
        ("en", "all the blinds all the way down", True),
        ("de", "die Rollos ganz und gar runter", False),
        ("de", "alle Rollos ganz runter", True),
        ("fr", "baisse le store tout en bas", False),
        ("fr", "baisse tous les stores tout en bas", True),
        ("es", "baja la persiana del todo", False),
        ("es", "baja del todo todas las persianas", True),
        ("it", "abbassa del tutto la tapparella", False),
        ("it", "abbassa del tutto tutte le tapparelle", True),
        ("nl", "het rolgordijn geheel en al omlaag", False),
        ("nl", "alle rolgordijnen omlaag", True),
        ("pl", "opuść roletę całkiem", False),
        ("pl", "opuść całkiem wszystkie rolety", True),
    ],
)
def test_how_far_is_not_how_many(code: str, text: str, is_all: bool) -> None:
    assert has_universal_quantifier(Text(text, code)) is is_all


async def test_word_of_another_language_may_be_what_a_device_is_called(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The word "telewizor" is the plug "TV" or the speaker: nobody knows, but whoever makes the call."""
    things = {"Tv": "switch", "Smart Speaker": "media_player", "Desk Light": "light"}
    monkeypatch.setitem(HOUSES, "xx", {"Living room": ("", things)})
    home = house_of(hass, "xx")
    for text, code, means, aims in (
        ("wyłącz telewizor", "pl", {"Tv", "Smart Speaker"}, set()),
        ("apaga el televisor", "es", {"Tv", "Smart Speaker"}, set()),
        ("wyłącz tv", "pl", {"Tv"}, {"Tv"}),
        ("wyłącz światło", "pl", {"Desk Light"}, {"Desk Light"}),
    ):
        said = EntityLinker(Text(text, code), home, None)
        assert {each.names[0] for each in home.entities if said.may_refer_to(each)} == means, text
        assert {each.names[0] for each in said.resolve(home.entities)} == aims, text


async def test_a_name_with_a_word_for_several_is_one_device_and_not_all_of_a_home(
    hass: HomeAssistant,
) -> None:
    """The word "lights" in a name says nothing of other lights, whatever is named beside it."""
    things = [
        Exposed("", domain, (name,), f"{domain}.{n}", None)
        for n, (domain, name) in enumerate(
            [
                ("light", "Patio String Lights"),
                ("light", "Front Porch Light"),
                ("light", "Chandelier"),
                ("light", "Lamp"),
                ("switch", "Heater"),
            ]
        )
    ]
    home = Home(tuple(things), {}, {})
    for text, aimed in (
        ("turn on the patio string lights", {"Patio String Lights"}),
        (
            "turn on the patio string lights and the front porch light",
            {"Patio String Lights", "Front Porch Light"},
        ),
        (
            "turn on the patio string lights and the chandelier",
            {"Patio String Lights", "Chandelier"},
        ),
        ("turn on the string lights and the front porch light", set()),
        ("turn on the lights and the chandelier", set()),
        ("turn on all the lights", {each.names[0] for each in things[:4]}),
    ):
        said = EntityLinker(Text(text, "en"), home, None)
        assert {each.names[0] for each in said.resolve(home.entities)} == aimed, text


@pytest.mark.parametrize(
    ("text", "aimed"),
    [
        ("turn on the tall lamp", {"Tall Lamp"}),
        ("turn off the lights in the kitchen", {"Kitchen Light", "Counter Light"}),
        ("turn off all the lights upstairs", {"Bedroom 1 Light", "Bedroom 2 Light"}),
        ("turn off the bedroom light", set()),
        ("turn off the lights", set()),
        ("turn on the other light", set()),
        ("turn on the tall lamp by the sofa", set()),
        ("turn on the fan and close the blind", set()),
        ("unlock all the doors", set()),
        ("unlock the front door", {"Front Door"}),
        ("unlock the front gate", set()),
        ("lock the door", set()),
    ],
)
async def test_what_is_aimed_at_is_certain(hass: HomeAssistant, text: str, aimed: set[str]) -> None:
    said = EntityLinker(Text(text, "en"), house_of(hass, "en"), None)
    assert {each.names[0] for each in said.resolve(said.home.entities)} == aimed


# What is said, where the speaker is; what is asked of the words, and which devices that is so of.
async def test_place_is_told_by_its_other_name_and_by_its_words_apart(hass: HomeAssistant) -> None:
    areas = ar.async_get(hass)
    kitchen = areas.async_create("Kitchen", aliases={"Scullery"})
    yard = areas.async_create("Backyard")
    names = {"Spot": kitchen, "Strip": kitchen, "Lantern": yard, "Floodlight": yard, "Lamp": None}
    lights = tuple(
        Exposed(area.id if area else "", "light", (name,), f"light.{name}", None)
        for name, area in names.items()
    )
    home = Home(lights, {kitchen.id: kitchen, yard.id: yard}, {})
    for text, aimed in (
        ("turn off the lights in the scullery", {"Spot", "Strip"}),
        ("turn off the lights in the back yard", {"Lantern", "Floodlight"}),
        ("turn off the lights in the scullery yard", set()),
    ):
        said = EntityLinker(Text(text, "en"), home, None)
        assert {each.names[0] for each in said.resolve(home.entities)} == aimed, text


@pytest.mark.parametrize(
    ("language", "text", "speaker", "meant"),
    [
        ("en", "both lamps in the bedroom", "", {"Left Lamp", "Right Lamp"}),
        ("en", "turn on the bathroom light", "", {"Mirror"}),
        ("en", "turn off the lights in the office", "Landing", {"Desk", "Shelf"}),
        # One of two: that where the speaker is, all of both, or none.
        ("en", "turn off the lights in the cellar", "", {"Bench", "Rack"}),
        ("en", "turn off the lights in the cellar", "Wine Cellar", {"Rack"}),
        ("en", "turn off all the lights in the cellar", "Wine Cellar", {"Bench", "Rack"}),
        ("en", "turn on the cellar light", "", set()),
        # What stands beside it tells no area, and neither does a word of commands.
        ("en", "turn on the main light", "Landing", {"Pendant"}),
        ("en", "turn on the light in the room", "Landing", {"Pendant"}),
        # A device is called so.
        ("en", "turn on the porch light", "", {"Porch Light"}),
        ("fr", "allume les lampes de la chambre", "", {"Gauche", "Droite"}),
        ("pl", "zgaś światła w sypialni", "", {"Lewa", "Prawa"}),
    ],
)
async def test_area_is_told_by_what_it_is(
    hass: HomeAssistant, language: str, text: str, speaker: str, meant: set[str]
) -> None:
    houses: dict[str, dict[str, list[str]]] = {
        "en": {
            "Main Bedroom": ["Left Lamp", "Right Lamp"],
            "Guest Bathroom": ["Mirror"],
            "Home Office": ["Desk", "Shelf"],
            "Work Cellar": ["Bench"],
            "Wine Cellar": ["Rack"],
            "Dining Room": ["Candles"],
            "Back Porch": ["Lantern"],
            "Landing": ["Pendant"],
            "Hall": ["Porch Light"],
        },
        "fr": {"Chambre parentale": ["Gauche", "Droite"], "Entrée": ["Spot"]},
        "pl": {"Sypialnia rodziców": ["Lewa", "Prawa"], "Salon": ["Kinkiet"]},
    }
    areas = {name: ar.async_get(hass).async_create(name) for name in houses[language]}
    lights = tuple(
        Exposed(areas[area].id, "light", (name,), f"light.{name}", None)
        for area, names in houses[language].items()
        for name in names
    )
    home = Home(lights, {each.id: each for each in areas.values()}, {})
    said = EntityLinker(Text(text, language), home, areas[speaker].id if speaker else None)
    assert {each.names[0] for each in lights if said.may_refer_to(each)} == meant


def test_several_doors_are_each_meant_by_their_whole_names() -> None:
    names = ("Front Porch Door", "Side Porch Door")
    home = Home(tuple(Exposed("", "lock", (name,), name, None) for name in names), {}, {})
    for text, aimed in (
        ("unlock the front and side doors", []),
        ("unlock the front porch door", ["Front Porch Door"]),
        ("unlock the front porch and side porch doors", [*names]),
    ):
        said = EntityLinker(Text(text, "en"), home, None)
        assert [each.names[0] for each in said.resolve(home.entities)] == aimed, text


OF_DEVICES: list[tuple[str, str, str, set[str]]] = [
    # The device that would let somebody in, or that is done without a model.
    ("turn on the counter light", "", "surely", {"Counter Light"}),
    ("turn on the light", "", "surely", set()),
    ("turn on the light", "Bedroom 1", "surely", {"Bedroom 1 Light"}),
    ("turn on the light", "Kitchen", "surely", set()),
    ("turn on the porch light", "Bedroom 1", "surely", set()),
    ("turn on the bedroom light", "", "surely", set()),
    ("turn on the living room", "", "surely", set()),
    ("turn on the lights upstairs", "Bedroom 1", "surely", {"Bedroom 1 Light"}),
    ("unlock the front door", "", "surely", {"Front Door"}),
    # Each of all.
    ("turn on all the lights", "", "all", {"Bedroom 1 Light", "Bedroom 2 Light", "Counter Light",
                                           "Kitchen Light", "Tall Lamp"}),
    ("turn on all the lights", "Kitchen", "all", {"Bedroom 1 Light", "Bedroom 2 Light",
                                                  "Counter Light", "Kitchen Light", "Tall Lamp"}),
    ("turn on all the lights in the kitchen", "", "all", {"Counter Light", "Kitchen Light"}),
    ("turn on the kitchen lights", "", "all", set()),
    ("turn on everything", "", "all", set()),
    ("turn on all the porch lights", "", "all", set()),
    # What is harmless may be one of the kind whose name nobody knows.
    ("turn on the porch light", "", "harmless", {"Bedroom 1 Light", "Bedroom 2 Light",
                                                 "Counter Light", "Kitchen Light", "Tall Lamp"}),
    ("turn on the porch light", "", "means", set()),
    # An area and its floor are the area, and no other there.
    ("turn on the bedroom 1 light upstairs", "Kitchen", "means", {"Bedroom 1 Light"}),
    ("turn off the lights in the kitchen and upstairs", "", "may", {"Bedroom 1 Light",
     "Bedroom 2 Light", "Counter Light", "Kitchen Light"}),
    # Which one may be meant.
    ("turn on the kitchen light", "", "may", {"Kitchen Light"}),
    ("turn on the kitchen lights", "", "may", {"Counter Light", "Kitchen Light"}),
    ("turn on the light", "", "may", {"Bedroom 1 Light", "Bedroom 2 Light", "Counter Light",
                                      "Kitchen Light", "Tall Lamp"}),
    ("turn on the porch light", "", "may", set()),
    ("turn on the kitchen light", "", "choices", {"Counter Light", "Kitchen Light"}),
    ("turn on the kitchen lights", "", "choices", {"Counter Light", "Kitchen Light"}),
    ("turn on the living room", "", "choices", set()),
    ("turn on the lights in the hall", "", "choices", set()),
    # What is done to no other.
    ("turn on the lights", "Kitchen", "aims", {"Counter Light", "Kitchen Light"}),
    ("turn on the light", "Kitchen", "aims", set()),
    ("turn on the bedroom lights", "", "aims", {"Bedroom 1 Light", "Bedroom 2 Light"}),
    ("turn on the other light", "Bedroom 1", "aims", set()),
    ("turn on bedroom 2", "", "aims", set()),
    ("turn on the opener", "", "aims", {"Garage Door Opener"}),
    ("turn on the fan and the lights", "Kitchen", "aims", set()),
]  # fmt: skip


async def test_words_are_of_devices(hass: HomeAssistant) -> None:
    house = house_of(hass, "en")
    area_ids = {area.name: id_ for id_, area in house.areas.items()}
    wrong = []
    for text, speaker, what, wanted in OF_DEVICES:
        said = EntityLinker(Text(text, "en"), house, area_ids.get(speaker))
        found = {
            "surely": [each for each in house.entities if said.surely_refers_to(each)],
            "all": [each for each in house.entities if said.refers_to_all_with(each)],
            "harmless": [each for each in house.entities if said.may_refer_to(each, harmless=True)],
            "means": [each for each in house.entities if said.may_refer_to(each)],
            "may": [each for each in house.entities if said.is_candidate(each)],
            "choices": said.ambiguous_among(house.entities),
            "aims": said.resolve(house.entities),
        }[what]
        if (names := {each.names[0] for each in found}) != wanted:
            wrong.append((text, speaker, what, names))
    assert not wrong


@pytest.mark.parametrize(
    ("text", "doers"),
    [
        ("clean the kitchen", {"vacuum"}),
        ("clean the living room", {"vacuum"}),
        ("clean everything", {"vacuum"}),
        ("clean the kitchen light", set()),
        ("clean the light", set()),
        ("clean it", set()),
        ("turn on the kitchen light", set()),
    ],
)
async def test_verb_alone_says_who_does_it(hass: HomeAssistant, text: str, doers: set[str]) -> None:
    assert EntityLinker(Text(text, "en"), house_of(hass, "en"), None).sense_domains == doers


@pytest.mark.parametrize(
    ("text", "tells", "only_tells", "is_to_the_letter"),
    [
        ("turn on the counter light", True, False, True),
        ("turn on the cuonter light", True, False, False),
        ("turn on the light", True, False, True),
        ("turn on the living room", True, False, True),
        ("the living room", True, True, True),
        ("the kitchen light", True, True, True),
        ("the lights in bedroom 2", True, True, True),
        ("the kitchen light to 40", True, False, True),
        ("the kitchen light brightly", True, False, False),
        ("make it cosy", False, False, False),
    ],
)
async def test_what_all_of_the_words_say(
    hass: HomeAssistant, text: str, tells: bool, only_tells: bool, is_to_the_letter: bool
) -> None:
    said = EntityLinker(Text(text, "en"), house_of(hass, "en"), None)
    assert (said.has_mention, said.only_mentions, said.is_known_verbatim) == (
        tells,
        only_tells,
        is_to_the_letter,
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("otwórz bramę garażową", "Brama garażowa"),
        ("otwórz furtkę", "Furtka"),
        ("zgaś lampę stojącą", "Lampa stojąca"),
        ("otwórz bramę", ""),
        ("otwórz bramy garażowe", ""),
        ("otwórz bramkę garażową", ""),
    ],
)
async def test_device_is_named_in_another_case(hass: HomeAssistant, text: str, named: str) -> None:
    said = EntityLinker(Text(text, "pl"), house_of(hass, "pl"), None)
    assert [each.names[0] for each in said.named] == [named] * bool(named)


async def test_area_is_told_though_something_in_it_has_its_word(hass: HomeAssistant) -> None:
    """By a "Bedroom Fan" in the Main Bedroom, that is no less the bedroom."""
    areas = ar.async_get(hass)
    bedroom, hall = areas.async_create("Main Bedroom"), areas.async_create("Hall")
    entities = tuple(
        Exposed(area.id, domain, (name,), f"{domain}.{name}", None)
        for area, domain, name in (
            (bedroom, "fan", "Bedroom Fan"),
            (bedroom, "light", "Left Lamp"),
            (bedroom, "light", "Right Lamp"),
            (hall, "light", "Hall Lamp"),
        )
    )
    home = Home(entities, {bedroom.id: bedroom, hall.id: hall}, {})
    for text, aimed in (
        ("turn off both lamps in the bedroom", {"Left Lamp", "Right Lamp"}),
        ("turn off the bedroom fan", {"Bedroom Fan"}),
    ):
        said = EntityLinker(Text(text, "en"), home, None)
        assert {each.names[0] for each in said.resolve(home.entities)} == aimed, text
