"""The words of a home that are kept with it."""

import gc
from weakref import ref

from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.home.exposed import Exposed, Home, HomeWatch
from custom_components.voice_gateway.nlu.entity_linking import EntityLinker
from custom_components.voice_gateway.nlu.gazetteer import gazetteer_of
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.devices import async_change_device


def _named(text: str, home: Home) -> set[str]:
    return {each.entity_id for each in EntityLinker(Text(text, "en"), home, None).named}


async def test_a_new_name_is_known_at_once_and_the_old_one_forgotten(home: HomeAssistant) -> None:
    watch = HomeWatch(home, "conversation")
    stop = watch.async_start()
    assert _named("turn on the bed light", watch.home) == {"light.bed_light"}
    await async_change_device(home, "light.bed_light", name="Moon Lantern")
    assert _named("turn on the moon lantern", watch.home) == {"light.bed_light"}
    assert _named("turn on the bed light", watch.home) == set()
    stop()


def test_words_begin_others_only_from_four_letters_on() -> None:
    devices = [
        Exposed("", "light", (name,), f"light.{name.casefold()}", None)
        for name in ("Küche", "Bad", "Ofen")
    ]
    words = gazetteer_of(Home(tuple(devices), {}, {}), "de")
    assert words.compounds_of(("kuchenlicht", "badlicht", "ofen", "ofenlicht")) == {"kuche", "ofen"}
    assert words.compounds_of(("ofen", "o", "", "kuchen" * 700)) == {"kuche"}


def test_what_is_known_of_a_home_goes_with_it() -> None:
    home = Home((Exposed("", "light", ("Lamp",), "light.lamp", None),), {}, {})
    known = ref(gazetteer_of(home, "en"))
    assert gazetteer_of(home, "en") is known()
    del home
    gc.collect()
    assert known() is None
