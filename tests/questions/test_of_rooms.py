"""Questions about rooms and what is noticed there, which no model is asked."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from .asked_of_rooms import OF_ROOMS, ROOMS
from .homes import NOW, furnish
from .test_of_homes import answers


@pytest.mark.parametrize("language", OF_ROOMS)
async def test_rooms(hass: HomeAssistant, freezer: FrozenDateTimeFactory, language: str) -> None:
    freezer.move_to(NOW)
    home = await furnish(hass, ROOMS[language])
    wrong = [
        (text, expected, found)
        for text, expected in OF_ROOMS[language]
        if (found := await answers(hass, home, text, language)) != expected
    ]
    assert wrong == [], wrong
