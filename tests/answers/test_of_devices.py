"""Questions about what devices are set to, which no model is asked."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from .asked_of_devices import HOMES, OF_DEVICES
from .homes import NOW
from .test_of_homes import wrong_answers


@pytest.mark.parametrize("language", OF_DEVICES)
async def test_devices(hass: HomeAssistant, freezer: FrozenDateTimeFactory, language: str) -> None:
    freezer.move_to(NOW)
    assert await wrong_answers(hass, HOMES[language], OF_DEVICES[language], language) == []
