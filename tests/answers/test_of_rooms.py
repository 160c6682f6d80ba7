"""Questions about rooms and what is noticed there, which no model is asked."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from .asked_of_rooms import OF_ROOMS, ROOMS
from .homes import NOW
from .test_of_homes import wrong_answers


@pytest.mark.parametrize("language", OF_ROOMS)
async def test_rooms(hass: HomeAssistant, freezer: FrozenDateTimeFactory, language: str) -> None:
    freezer.move_to(NOW)
    assert await wrong_answers(hass, ROOMS[language], OF_ROOMS[language], language) == []
