"""Words for what is wanted of an entity."""

from typing import Any

import pytest

from bench.expectations import holds

LIT = {"state": "on", "brightness": 128}
OFF = {"state": "off"}
PLAYING = {"state": "playing", "volume_level": 0.5, "is_volume_muted": False, "media_track": 3}
FAN = {"state": "on", "percentage": 50}


@pytest.mark.parametrize(
    ("what", "was", "now"),
    [
        ("on", OFF, LIT),
        ("bri:20", LIT, LIT | {"brightness": 51}),
        ("bri:0", LIT, OFF),
        ("bri:100", OFF, {"state": "on"}),
        ("brighter", OFF, LIT),
        ("brighter", LIT, LIT | {"brightness": 140}),
        ("dimmer", LIT, LIT | {"brightness": 60}),
        ("color:red", LIT, LIT | {"hs_color": (350, 100)}),
        ("color:white", LIT, LIT | {"hs_color": (20, 10)}),
        ("color:white", LIT, LIT | {"color_temp_kelvin": 4000}),
        ("open", {"state": "closed"}, {"state": "opening"}),
        ("notplaying", PLAYING, PLAYING | {"state": "paused"}),
        ("louder", PLAYING, PLAYING | {"volume_level": 0.6}),
        ("louder", PLAYING | {"is_volume_muted": True}, PLAYING),
        ("vol:30", PLAYING, PLAYING | {"volume_level": 0.3}),
        ("muted", PLAYING, PLAYING | {"volume_level": 0}),
        ("prev", PLAYING, PLAYING | {"media_track": 2}),
        ("played:the,beatles", PLAYING, PLAYING | {"media_content_id": "songs by Beatles"}),
        ("faster", FAN, FAN | {"percentage": 75}),
        ("temp:21", {"state": "heat", "temperature": 19}, {"state": "heat", "temperature": 21.2}),
        ("item:milk", {"state": "1", "items": ["Eggs"]}, {"state": "2", "items": ["Eggs", "Milk"]}),
        ("chg:percentage", FAN, FAN | {"percentage": 20}),
    ],
)
def test_change_is_what_is_wanted(what: str, was: dict[str, Any], now: dict[str, Any]) -> None:
    assert holds(what, was, now)


@pytest.mark.parametrize(
    ("what", "was", "now"),
    [
        ("dimmer", LIT, OFF | {"brightness": 10}),
        ("slower", FAN, {"state": "off", "percentage": 0}),
        ("bri:20", LIT, LIT | {"brightness": 60}),
        ("color:red", LIT, LIT | {"hs_color": (240, 100)}),
        ("color:red", LIT | {"hs_color": (0, 100)}, LIT | {"hs_color": (0, 100)}),
        ("notplaying", OFF, OFF),
        ("unmuted", PLAYING, PLAYING | {"volume_level": 0.9}),
        ("played:queen", PLAYING, PLAYING | {"media_content_id": "songs by Beatles"}),
        ("item:milk", {"state": "1", "items": ["Milk"]}, {"state": "2", "items": ["Milk", "Eggs"]}),
    ],
)
def test_change_is_not_what_is_wanted(what: str, was: dict[str, Any], now: dict[str, Any]) -> None:
    assert not holds(what, was, now)


def test_unknown_word_is_no_expectation() -> None:
    with pytest.raises(KeyError):
        holds("sparkling", OFF, LIT)
