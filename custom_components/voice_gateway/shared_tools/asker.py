"""For whom a tool reads, and in which words."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..answers.handler import HomeView
from ..home.exposed import Home
from ..languages import language_of


async def async_view_of(hass: HomeAssistant, called: llm.LLMContext) -> HomeView:
    """Return what who calls a tool may know of the home, in their language, else in English."""
    language = language_of(called.language or hass.config.language)
    if not language.answers:
        language = language_of("en")
    return await HomeView.async_of(
        hass,
        Home.seen_by(hass, called.assistant),
        language,
        context=called.context,
        assistant=called.assistant,
    )
