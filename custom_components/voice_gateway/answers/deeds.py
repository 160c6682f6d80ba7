"""Actions and oversights, answered by current states: "did I lock the front door"."""

from collections.abc import Iterable

from ..nlu.conditions import StateQuery
from ..nlu.tokenizer import Text
from .handler import only
from .query import Query, QueryType
from .states import StatesHandler
from .token_consumer import TokenConsumer


class DeedHandler(StatesHandler):
    """Answers whether a person did something, or forgot to, with its result: the current state.

    - It is unknown who did the action, so the answer to "did I" is neither yes nor no.
    - "Did I forget to" asks about the present: the action may have been done since.
    """

    types = (QueryType.WHETHER,)

    def answer(self, query: Query) -> str | None:
        """Return the current state of the entity that the action changes."""
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
        """Return the current state of a possibly forgotten entity; empty if that is uncertain.

        Returns None if the question is not about a forgotten action.
        """
        said = TokenConsumer(text)
        forgotten = said.tokens("forgotten")
        deeds: dict[str, set[int]] = {}
        for meaning in said.names("past_event_verbs") if forgotten else ():
            for table in ("past_event_verbs", "causative_verbs", "state_phrases"):
                for tokens, inside in said.matches(f"{table}.{meaning}"):
                    # "Sperr {any} ab" contains the object.
                    if not inside:
                        deeds.setdefault(meaning, set()).update(tokens)
        if not deeds:
            return None
        rest = TokenConsumer(said.part(said.whole - forgotten.union(*deeds.values())))
        rest.says("beside_forgotten")
        return self._now((meaning, rest.subject) for meaning in deeds) or ""

    def _now(self, deeds: Iterable[tuple[str, Text]]) -> str | None:
        """Return the current state of the one entity that possible actions refer to."""
        found = [
            self.entities(StateQuery(meaning, subject=subject), several=False)
            for meaning, subject in deeds
            if subject
        ]
        return only(self._phrasing.all_shown(each) for each in found if len(each) == 1)
