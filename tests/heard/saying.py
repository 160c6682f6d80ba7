"""What was heard, for tests of what works with it."""

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant

from custom_components.voice_gateway.heard.heard import Heard
from custom_components.voice_gateway.heard.mentioned import Mentioned
from custom_components.voice_gateway.heard.moment import read
from custom_components.voice_gateway.heard.places import Places
from custom_components.voice_gateway.home.exposed import Home


def saying(
    text: str, *, language: str = "en", device_id: str | None = None
) -> conversation.ConversationInput:
    """Return a sentence as Assist gives it to an agent."""
    return conversation.ConversationInput(
        text=text,
        context=Context(),
        conversation_id=None,
        device_id=device_id,
        satellite_id=None,
        language=language,
        agent_id="conversation.jarvis",
    )


async def hears(
    hass: HomeAssistant,
    text: str,
    *earlier: str,
    language: str = "en",
    device_id: str | None = None,
) -> Heard:
    """Return what a turn is given of a sentence."""
    said = saying(text, language=language, device_id=device_id)
    return await Heard.async_of(hass, said, earlier, Home.seen_by(hass, conversation.DOMAIN))


def unread(
    hass: HomeAssistant, *sentences: str, area_id: str | None = None, language: str = "en"
) -> Heard:
    """Return sentences of which Home Assistant makes nothing, the last one last."""
    home = Home.seen_by(hass, conversation.DOMAIN)
    *earlier, text = sentences
    return Heard(
        text=text,
        language=language,
        earlier=earlier,
        area_id=area_id,
        said=read(text, language, home.names),
        mentioned=Mentioned(home, Places(hass, language), "\n".join(sentences), area_id, language),
    )
