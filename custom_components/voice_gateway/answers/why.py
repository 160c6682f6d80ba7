"""Why something is as it is, and who did that: "why is the light on", "who opened the garage"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import Context, HomeAssistant

from ..home.exposed import Exposed
from ..nlu.conditions import StateQuery
from ..nlu.phrase_patterns import patterns_of
from ..nlu.state_evaluation import ConditionEvaluator
from ..nlu.state_semantics import has_state_meanings
from ..nlu.tokenizer import Text, TokenSequence
from ..nlu.triggers import deciding_entities
from .category_lookup import only_of_kind
from .change_explanation import MEANINGS, ChangeExplainer
from .phrasing import Phrasing
from .question import tokens_in

_MOST: Final = 4
"""Entities that are explained one by one."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to understand such a question."""

    asked: StateQuery
    is_past: bool
    """It is asked about what happened, and may be otherwise now."""


class CauseHandler:
    """Answers what changed something, and when.

    - All words of the question have to be understood, as of every other question.
    - Of what is not so, it is told how it is; of what has happened, when it was last so.
    - What nobody knows is said.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        conditions: ConditionEvaluator,
        phrasing: Phrasing,
        context: Context,
    ) -> None:
        """Take what the home shows, the words for an answer, and who asks."""
        self._conditions = conditions
        self._known = patterns_of(phrasing.language.code)
        self._explained = ChangeExplainer(hass, phrasing, CONVERSATION, context.user_id)

    async def async_answer(self, text: Text) -> str | None:
        """Return the answer to a question for a cause; None where it is none, or not certain."""
        line = self._line(text)
        around = tokens_in(line, self._known.questions.get("around", ()))
        around |= {index for index, token in enumerate(line.tokens) if token.is_mark}
        for name, read in (("why", self._why), ("who_did", self._done), ("what_did", self._what)):
            for asking in self._found(line, name):
                said = line.surface(sorted({*range(len(line.tokens))} - around - asking))
                if answer := await self._answer([*read(said)]):
                    return answer
        return None

    def _line(self, text: Text) -> TokenSequence:
        return TokenSequence.of(text, self._known.numbers)

    def _found(self, line: TokenSequence, name: str) -> Iterator[set[int]]:
        """Yield the tokens with which a question is opened, wherever that is said first."""
        for pattern in self._known.questions.get(name, ()):
            if span := next(line.find(pattern), None):
                yield {*range(*span)}

    def _why(self, said: Text) -> Iterator[_Reading]:
        """Yield the ways to understand what follows "why": that it is so, else that it became so."""
        line = self._line(said)
        past = tokens_in(line, self._known.questions.get("why_past", ()))
        rest = line.surface(each for each in range(len(line.tokens)) if each not in past)
        found = [
            _Reading(each, bool(past) or each.is_event)
            for each in self._conditions.parse_queries(rest, may_happen=True)
            if each.limit is None and self._entities(each)
        ]
        yield from found or self._done(rest)

    def _what(self, said: Text) -> Iterator[_Reading]:
        """Yield the ways to understand what something has done, which is said first."""
        line = self._line(said)
        if any(0 in doing for _, doing in self._doings(line)):
            yield from self._done(said)

    def _done(self, said: Text) -> Iterator[_Reading]:
        """Yield the ways to understand what was done."""
        line = self._line(said)
        beside = tokens_in(line, self._known.questions.get("why_past", ()))
        beside |= tokens_in(line, self._known.conditions.get("is", ()))
        for meaning, doing in self._doings(line):
            left = (each for each in range(len(line.tokens)) if each not in doing | beside)
            yield _Reading(StateQuery(meaning, subject=line.surface(left)), is_past=True)

    def _doings(self, line: TokenSequence) -> Iterator[tuple[str, set[int]]]:
        """Yield what may have been done, by what is so afterwards, and the tokens that say it."""
        for meaning in MEANINGS:
            for pattern in self._known.questions.get(f"did_{meaning}", ()):
                insides = line.find(pattern, "any") if pattern.has_group("any") else iter(())
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
        so = [each for each in entities if self._conditions.state_of(asked, each).is_so]
        if so or reading.is_past:
            return await self._explained.async_told(so or entities, asked.meaning)
        return self._explained.states(entities)

    def _entities(self, asked: StateQuery) -> Sequence[Exposed]:
        """Return what is asked about: the one that is meant, else all that are called so."""
        asked = replace(asked, count="")
        found = self._conditions.link_subject(asked)
        if not found and asked.subject:
            fits = self._conditions.fits(asked)
            found = self._conditions.things.link(asked.subject, fits, several=True)
            found = found or only_of_kind(asked.subject, self._conditions.things, fits)
        return deciding_entities(tuple(each for each in found if has_state_meanings(each.domain)))
