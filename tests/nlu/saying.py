"""What was heard, for tests of what works with it."""

from collections.abc import Iterable

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant

from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.nlu.utterance import DialogueContext, Utterance


def saying(
    text: str, *, language: str = "en", device_id: str | None = None
) -> conversation.ConversationInput:
    """Return a sentence as Assist gives it to an agent."""
    return conversation.ConversationInput(
        text=Text(text, language),
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
) -> Utterance:
    """Return what a turn is given of a sentence."""
    said = saying(text, language=language, device_id=device_id)
    return await Utterance.async_parse(
        hass, said, texts(earlier, said.language), Home.seen_by(hass, conversation.DOMAIN)
    )


def unread(
    hass: HomeAssistant, *sentences: str, area_id: str | None = None, language: str = "en"
) -> Utterance:
    """Return sentences of which Home Assistant makes nothing, the last one last."""
    home = Home.seen_by(hass, conversation.DOMAIN)
    *earlier, text = sentences
    return Utterance(
        text=Text(text, language),
        language=language,
        context=DialogueContext.of(texts(earlier, language), home.names),
        area_id=area_id,
        parsed=parse(Text(text, language), home.names),
        home=home,
        said_so_far=Text("\n".join(sentences), language),
    )


def texts(listed: Iterable[str], language: str) -> list[Text]:
    """Return texts in a language."""
    return [Text(each, language) for each in listed]
