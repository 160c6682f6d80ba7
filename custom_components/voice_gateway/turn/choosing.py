"""A command for one of several devices of a kind, and nobody knows which: "lock the door"."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from homeassistant.components import conversation
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util

from ..heard.contradicting import locks
from ..heard.meant import Meant
from ..heard.mentioned import is_guarded
from ..heard.one_of import may_be_one, named_so
from ..heard.opening import opens
from ..heard.referring import says_what_to_do
from ..heard.renamed import left_over
from ..heard.said import Clause, Mood
from ..heard.sentences import Reading, async_read_strictly
from ..home.exposed import Exposed
from ..json_schema import Json
from ..tools.assist.intents import IntentTool
from ..tools.assist.target import TARGET
from ..tools.executor import ToolExecutor
from ..tools.targets import is_shut
from .chat import SEVERAL
from .deeds import Asked

_TRIED: Final = 3
"""Devices of a domain with whose names it is read: one may be called as a room is."""


class Choosing:
    """Finds of which devices a command certainly means one, and what is to be done to it.

    - It is one command for now, understood word by word once a device's name stands there.
    - Each of the devices is of the kind that was said, where it was said to be, and can do that.
    - Nothing is done by looking.
    """

    def __init__(
        self, hass: HomeAssistant, said: conversation.ConversationInput, tools: ToolExecutor
    ) -> None:
        """Take what was said, and the turn's tools, with what was heard."""
        self._hass = hass
        self._said = said
        self._tools = tools
        self._heard = tools.heard

    async def async_asked(self) -> Asked | None:
        """Return what the user is to be asked; None where one is certain, or it may mean more."""
        if (clause := self._command) is None:
            return None
        text = clause.command or clause.text
        meant = self._heard.meant(text)
        if not says_what_to_do(text, meant.code):
            return None
        which = may_be_one(meant)
        found: list[tuple[Reading, Sequence[Exposed]]] = []
        for domain in sorted({each.domain for each in which}):
            alike = [each for each in which if each.domain == domain]
            reading = await self._reading(text, alike)
            if reading and (able := [*self._able(reading, alike)]):
                found.append((reading, able))
        return _same(found, text)

    @property
    def _command(self) -> Clause | None:
        heard = self._heard
        if heard.asks or heard.unmet or heard.said.mood in (Mood.QUESTION, Mood.STATEMENT):
            return None
        match heard.said.clauses:
            case [only] if only.is_now and not (only.negated or only.excepted or only.stays):
                return only
        return None

    async def _reading(self, text: str, alike: Sequence[Exposed]) -> Reading | None:
        """Return how it is read with the name of one of them, as of the others of its domain."""
        meant = self._heard.meant(text)
        for each in alike[:_TRIED]:
            for words in named_so(meant, each.names[0]):
                reading = await async_read_strictly(self._hass, replace(self._said, text=words))
                if (
                    reading
                    and not reading.is_question
                    and reading.slots.get("name") == each.names[0]
                ):
                    return reading
        return Reading.of(intent.INTENT_TURN_ON) if _locks(meant, alike) else None

    def _able(self, reading: Reading, alike: Sequence[Exposed]) -> Iterator[Exposed]:
        """Yield those of which one can do what was said."""
        tool = self._tools.manager.for_intent(reading.intent_type)
        if isinstance(tool, IntentTool):
            domains = tool.domains(self._hass, self._heard.mentioned.home) or ()
            for each in alike:
                if each.domain in domains and tool.is_for(self._hass, each):
                    yield each


def left_open(hass: HomeAssistant, meant: Meant) -> Sequence[Exposed]:
    """Return the only door that is open, where one of several is to be closed; else none.

    What is closed needs no closing: nobody has to be asked which one.
    """
    which = may_be_one(meant)
    if opens(meant.text, meant.code) is not False or not all(map(is_guarded, which)):
        return ()
    found = [each for each in which if not is_shut(hass, each)]
    # "Ferme la porte à clé" is about a lock, and about no garage door.
    found = [each for each in found if _locks(meant, [each])] or found
    return found if len(found) == 1 else ()


def _locks(meant: Meant, devices: Sequence[Exposed]) -> bool:
    """Tell whether a command says of some locks nothing but to lock them."""
    is_about_locks = all(each.domain == LOCK for each in devices)
    return is_about_locks and locks(" ".join(left_over(meant, devices)), meant.code)


def _same(found: Collection[tuple[Reading, Sequence[Exposed]]], command: str) -> Asked | None:
    """Return what is to be done to one of some devices; None where that differs, or it is one alone."""
    which = [each for _, able in found for each in able]
    wanted = [(reading.intent_type, _values(reading)) for reading, _ in found]
    if len(which) < SEVERAL or any(each != wanted[0] for each in wanted):
        return None
    return Asked(*wanted[0], which, dt_util.utcnow(), command=command)


def _values(reading: Reading) -> Json:
    return {name: value for name, value in reading.slots.items() if name not in TARGET}
