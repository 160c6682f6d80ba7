"""Why something is as it is, and who did that: "why is the light on", "who opened the garage"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..home.exposed import Exposed
from ..nlu.conditions import StateQuery
from ..nlu.state_semantics import has_state_meanings
from ..nlu.tokenizer import Text
from ..nlu.triggers import deciding_entities
from .change_explanation import MEANINGS, ChangeExplainer
from .handler import QuestionHandler, only
from .token_consumer import TokenConsumer

_MOST: Final = 4
"""Entities that are explained one by one."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to understand such a question."""

    asked: StateQuery
    is_past: bool
    """It is asked about what happened, and may be otherwise now."""


class CauseHandler(QuestionHandler):
    """Answers what changed something, and when.

    - All words of the question have to be understood, as of every other question.
    - Of what is not so, it is told how it is; of what has happened, when it was last so.
    - What nobody knows is said.
    """

    async def async_answer(self, text: Text) -> str | None:
        """Return the answer to a question for a cause; None where it is none, or not certain."""
        said = TokenConsumer(text)
        around = said.tokens("around") | said.marks
        for name, read in (("why", self._why), ("who_did", self._done), ("what_did", self._what)):
            for asking, _ in said.matches(name):
                rest = TokenConsumer(said.part(said.whole - around - asking))
                if answer := only([await self._explain(each) for each in read(rest)]):
                    return answer
        return None

    def _why(self, said: TokenConsumer) -> Iterator[_Reading]:
        """Yield the ways to understand what follows "why": that it is so, else that it became so."""
        rest = said.without("why_past")
        found = [
            _Reading(each, bool(said.tokens("why_past")) or each.is_event)
            for each in self._conditions.parse_queries(rest, may_happen=True)
            if each.limit is None and self._entities(each)
        ]
        yield from found or self._done(TokenConsumer(rest))

    def _what(self, said: TokenConsumer) -> Iterator[_Reading]:
        """Yield the ways to understand what something has done, which is said first."""
        if any(0 in doing for _, doing in _doings(said)):
            yield from self._done(said)

    def _done(self, said: TokenConsumer) -> Iterator[_Reading]:
        """Yield the ways to understand what was done."""
        beside = said.tokens("why_past", "conditions.is")
        for meaning, doing in _doings(said):
            subject = said.part(said.whole - doing - beside)
            yield _Reading(StateQuery(meaning, subject=subject), is_past=True)

    async def _explain(self, reading: _Reading) -> str | None:
        asked = reading.asked
        entities = self._entities(asked)
        if not 0 < len(entities) <= _MOST or asked.is_denied or asked.count in ("none", "everyone"):
            return None
        explained = ChangeExplainer(self._view)
        so = [each for each in entities if self._conditions.state_of(asked, each).is_so]
        if so or reading.is_past:
            return await explained.async_told(so or entities, asked.meaning)
        return explained.states(entities)

    def _entities(self, asked: StateQuery) -> Sequence[Exposed]:
        """Return what is asked about: the one that is meant, else all that are called so."""
        asked = replace(asked, count="")
        found = self._conditions.link_subject(asked)
        if not found and asked.subject:
            fits = self._conditions.fits(asked)
            found = self._things.link(asked.subject, fits, several=True)
            found = found or self._only_of_kind(asked.subject, fits)
        return deciding_entities(tuple(each for each in found if has_state_meanings(each.domain)))


def _doings(said: TokenConsumer) -> Iterator[tuple[str, set[int]]]:
    """Yield what may have been done, by what is so afterwards, and the tokens that say it."""
    for meaning in MEANINGS:
        yield from ((meaning, doing) for doing, _ in said.matches(f"did_{meaning}"))
