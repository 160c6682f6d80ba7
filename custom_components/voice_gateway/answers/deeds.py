"""Deeds and oversights, answered by the current states: "did I lock the front door"."""

from collections.abc import Iterable

from ..nlu.conditions import StateQuery
from ..nlu.tokenizer import Text
from .handler import only
from .query import Query, QueryType
from .states import StatesHandler
from .token_consumer import TokenConsumer


class DeedHandler(StatesHandler):
    """Answers whether somebody did something, or forgot to, with what has come of it: how it is now.

    - The doer is unknown, so the answer is neither yes nor no.
    - That something was forgotten is no question about the past: it may have been done since.
    """

    types = (QueryType.WHETHER,)

    def answer(self, query: Query) -> str | None:
        """Return how that is now to which somebody may have done something."""
        said = TokenConsumer(query.words)
        past, speaker = said.tokens("past.did", "past.has"), said.tokens("speaker")
        if not (past and speaker):
            return None
        beside = past | speaker | said.tokens("around", "conditions.is")
        return self._now(
            (meaning, said.part(said.whole - done - beside))
            for meaning in said.names("past_event_verbs")
            if (done := said.tokens(f"past_event_verbs.{meaning}"))
        )

    def forgotten(self, text: Text) -> str | None:
        """Return how that is now which may have been forgotten; empty where it is not certain of what.

        None where it is not asked whether something was forgotten that can be done.
        """
        said = TokenConsumer(text)
        forgotten = said.tokens("forgotten")
        deeds: dict[str, set[int]] = {}
        for meaning in said.names("past_event_verbs") if forgotten else ():
            for table in ("past_event_verbs", "causative_verbs", "state_phrases"):
                for tokens, inside in said.matches(f"{table}.{meaning}"):
                    # "Sperr {any} ab" has the thing in it.
                    if not inside:
                        deeds.setdefault(meaning, set()).update(tokens)
        if not deeds:
            return None
        rest = TokenConsumer(said.part(said.whole - forgotten.union(*deeds.values())))
        rest.says("beside_forgotten")
        return self._now((meaning, rest.subject) for meaning in deeds) or ""

    def _now(self, deeds: Iterable[tuple[str, Text]]) -> str | None:
        """Return how the one entity is now to which any of some things may have been done."""
        found = [
            self.entities(StateQuery(meaning, subject=subject), several=False)
            for meaning, subject in deeds
            if subject
        ]
        return only(self._phrasing.all_shown(each) for each in found if len(each) == 1)
