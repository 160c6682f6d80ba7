"""Questions about what devices are set to, which no model is asked."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from .asked_of_devices import HOMES, OF_DEVICES
from .homes import NOW, furnish
from .test_of_homes import answers


@pytest.mark.parametrize("language", OF_DEVICES)
async def test_devices(hass: HomeAssistant, freezer: FrozenDateTimeFactory, language: str) -> None:
    freezer.move_to(NOW)
    home = await furnish(hass, HOMES[language])
    wrong = [
        (text, expected, found)
        for text, expected in OF_DEVICES[language]
        if (found := await answers(hass, home, text, language)) != expected
    ]
    assert wrong == [], wrong
