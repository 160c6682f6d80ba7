"""Why something is as it is, and who did that: "why is the light on", "who opened the garage"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import Context, HomeAssistant

from ..heard.answers import Conditions
from ..heard.asked import Asked
from ..heard.line import Line
from ..heard.shown import tells
from ..heard.templates import templates
from ..heard.watched import deciding
from ..home.exposed import Exposed
from .explained import MEANINGS, Explained
from .kin import only_of_kind
from .phrasing import Phrasing
from .question import tokens_in

_MOST: Final = 4
"""Entities that are explained one by one."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to understand such a question."""

    asked: Asked
    is_past: bool
    """It is asked about what happened, and may be otherwise now."""


class Why:
    """Answers what changed something, and when.

    - All words of the question have to be understood, as of every other question.
    - Of what is not so, it is told how it is; of what has happened, when it was last so.
    - What nobody knows is said.
    """

    def __init__(
        self, hass: HomeAssistant, conditions: Conditions, phrasing: Phrasing, context: Context
    ) -> None:
        """Take what the home shows, the words for an answer, and who asks."""
        self._conditions = conditions
        self._known = templates(phrasing.language.code)
        self._explained = Explained(hass, phrasing, CONVERSATION, context.user_id)

    async def async_answer(self, text: str) -> str | None:
        """Return the answer to a question for a cause; None where it is none, or not certain."""
        line = self._line(text)
        around = tokens_in(line, self._known.asks.get("around", ()))
        around |= {index for index, token in enumerate(line.tokens) if token.is_mark}
        for name, read in (("why", self._why), ("who_did", self._done), ("what_did", self._what)):
            for asking in self._found(line, name):
                said = line.spoken(sorted({*range(len(line.tokens))} - around - asking))
                if answer := await self._answer([*read(said)]):
                    return answer
        return None

    def _line(self, text: str) -> Line:
        return Line.of(text, self._known.numbers)

    def _found(self, line: Line, name: str) -> Iterator[set[int]]:
        """Yield the tokens with which a question is opened, wherever that is said first."""
        for pattern in self._known.asks.get(name, ()):
            if span := next(line.find(pattern), None):
                yield {*range(*span)}

    def _why(self, said: str) -> Iterator[_Reading]:
        """Yield the ways to understand what follows "why": that it is so, else that it became so."""
        line = self._line(said)
        past = tokens_in(line, self._known.asks.get("why_past", ()))
        rest = line.spoken(each for each in range(len(line.tokens)) if each not in past)
        found = [
            _Reading(each, bool(past) or each.is_event)
            for each in self._conditions.asked(rest, may_happen=True)
            if each.limit is None and self._entities(each)
        ]
        yield from found or self._done(rest)

    def _what(self, said: str) -> Iterator[_Reading]:
        """Yield the ways to understand what something has done, which is said first."""
        line = self._line(said)
        if any(0 in doing for _, doing in self._doings(line)):
            yield from self._done(said)

    def _done(self, said: str) -> Iterator[_Reading]:
        """Yield the ways to understand what was done."""
        line = self._line(said)
        beside = tokens_in(line, self._known.asks.get("why_past", ()))
        beside |= tokens_in(line, self._known.conditions.get("is", ()))
        for meaning, doing in self._doings(line):
            left = (each for each in range(len(line.tokens)) if each not in doing | beside)
            yield _Reading(Asked(meaning, subject=line.spoken(left)), is_past=True)

    def _doings(self, line: Line) -> Iterator[tuple[str, set[int]]]:
        """Yield what may have been done, by what is so afterwards, and the tokens that say it."""
        for meaning in MEANINGS:
            for pattern in self._known.asks.get(f"did_{meaning}", ()):
                insides = line.find(pattern, "any") if "any" in pattern.groupindex else iter(())
                for span in line.find(pattern):
                    yield meaning, {*range(*span)} - {*range(*next(insides, (0, 0)))}

    async def _answer(self, readings: Sequence[_Reading]) -> str | None:
        """Return the answer that all ways to understand a question have, where there is one."""
        answers = {await self._explain(each) for each in readings} - {None}
        return answers.pop() if len(answers) == 1 else None

    async def _explain(self, reading: _Reading) -> str | None:
        asked = reading.asked
        entities = self._entities(asked)
        if not 0 < len(entities) <= _MOST or asked.is_denied or asked.count in ("none", "everyone"):
            return None
        so = [each for each in entities if self._conditions.one(asked, each).is_so]
        if so or reading.is_past:
            return await self._explained.async_told(so or entities, asked.meaning)
        return self._explained.states(entities)

    def _entities(self, asked: Asked) -> Sequence[Exposed]:
        """Return what is asked about: the one that is meant, else all that are called so."""
        asked = replace(asked, count="")
        found = self._conditions.asked_about(asked)
        if not found and asked.subject:
            fits = self._conditions.fits(asked)
            found = self._conditions.things.meant(asked.subject, fits, several=True)
            found = found or only_of_kind(
                asked.subject, self._known.language, self._conditions.things, fits
            )
        return deciding(tuple(each for each in found if tells(each.domain)))
