"""How much of a device, where Home Assistant's sentences know it only of another."""

from typing import Any

from homeassistant.helpers import intent
import pytest

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.nlu.entity_linking import EntityLinker
from custom_components.voice_gateway.nlu.home_assistant import IntentMatch
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.turn.value_mapping import amount, halved

MISTER = Exposed("", "fan", ("Mister",), "fan.mister", None)
HOME = Home((MISTER,), {}, {})


def reading(intent_type: str, unknown: dict[str, str], **slots: Any) -> IntentMatch:
    return IntentMatch(
        intent_type, slots, None, is_exact=False, begins_unknown=False, unknown=unknown
    )


@pytest.mark.parametrize(
    ("read", "domain", "wanted"),
    [
        (
            reading("HassSetVolume", {"name": "mister "}, volume_level=45.0),
            "fan",
            ("HassFanSetSpeed", {"percentage": 45.0}),
        ),
        # It would be turned on, too.
        (reading("HassSetVolume", {"name": "mister"}, volume_level=45.0), "humidifier", None),
        (
            reading(intent.INTENT_SET_POSITION, {"name": "mister"}, position=30),
            "fan",
            ("HassFanSetSpeed", {"percentage": 30}),
        ),
        # Degrees are no percent.
        (
            reading("HassClimateSetTemperature", {"name": "mister"}, temperature=45),
            "fan",
            None,
        ),
        (reading("HassSetVolume", {"name": "mister"}, volume_level=45), "climate", None),
        # Not all of it tells the device.
        (reading("HassSetVolume", {"name": "mister gently"}, volume_level=45), "fan", None),
        (
            reading("HassSetVolumeRelative", {"name": "mister"}, volume_step="up"),
            "fan",
            None,
        ),
        (reading("HassTurnOn", {"name": "mister"}), "fan", None),
    ],
)
def test_how_much(
    read: IntentMatch, domain: str, wanted: tuple[str, dict[str, Any]] | None
) -> None:
    found = amount(read, EntityLinker(Text("set the mister to 45 %", "en"), HOME, None), domain)
    assert (found and (found.intent_type, dict(found.slots))) == wanted


@pytest.mark.parametrize(
    ("code", "rest", "is_half"),
    [
        ("en", "open halfway", True),
        ("de", "mach halb zu", True),
        ("fr", "ferme à moitié", True),
        ("es", "baja a la mitad", True),
        ("it", "chiudi a metà", True),
        ("nl", "doe half dicht", True),
        ("en", "open", False),
        ("en", "open halfway tomorrow", False),
    ],
)
def test_half(code: str, rest: str, is_half: bool) -> None:
    assert (halved(Text(rest, code), "cover") is not None) is is_half
    assert halved(Text(rest, code), "light") is None
