"""For whom a tool reads, and in which words."""

from dataclasses import dataclass
from typing import Self

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm

from ..answers.phrasing import Phrasing
from ..home.exposed import Home
from ..languages import language_of
from ..nlu.state_evaluation import async_condition_evaluator
from ..nlu.tokenizer import NOTHING


@dataclass(frozen=True, slots=True)
class Asker:
    """Who calls a tool: what they may know of the home, and their language."""

    home: Home
    phrasing: Phrasing
    context: Context

    @classmethod
    async def of(cls, hass: HomeAssistant, called: llm.LLMContext) -> Self:
        """Return who makes a call; of a language without words for answers, it gets the English ones."""
        language = language_of(called.language or hass.config.language)
        if not language.answers:
            language = language_of("en")
        home = Home.seen_by(hass, called.assistant)
        conditions = await async_condition_evaluator(hass, home, language.code, None, NOTHING)
        return cls(home, Phrasing(language, conditions.things), called.context or Context())
