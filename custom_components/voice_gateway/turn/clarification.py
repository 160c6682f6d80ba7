"""An ambiguous command for one of several devices of a category: "lock the door"."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.components import conversation
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..home.exposed import Exposed
from ..nlu.clause import Clause, DialogueAct
from ..nlu.disambiguation import ambiguous_candidates, substitute_name
from ..nlu.entity_linking import EntityLinker
from ..nlu.home_assistant import IntentMatch, async_recognize_command, unlinked
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..tools.assist.intents import IntentTool
from ..tools.assist.target import TARGET
from ..tools.executor import ToolExecutor
from ..tools.policy.access import is_shut
from .action_history import AskedQuestion
from .chat import SEVERAL

_TRIED: Final = 3
"""Devices of a domain whose names are tried: one may be named like a room."""


@dataclass(frozen=True, slots=True)
class Clarifier:
    """Finds the question which of several devices a command is for.

    - It is one immediate command that parses completely with the name of a device.
    - Each candidate has the category in the command, if any, and supports the action.
    - Finding it has no effects.
    """

    said: conversation.ConversationInput
    tools: ToolExecutor
    """The turn's tools, with the utterance."""

    async def async_asked(self) -> AskedQuestion | None:
        """Return the question; None if the device is certain, or the command unclear."""
        if (clause := self._command) is None:
            return None
        text = clause.command or clause.text
        meant = self.tools.utterance.link(text)
        if not Predicate.of(text).is_expressed:
            return None
        which = ambiguous_candidates(meant)
        found: list[tuple[IntentMatch, Sequence[Exposed]]] = []
        for domain in sorted({each.domain for each in which}):
            alike = [each for each in which if each.domain == domain]
            reading = await self._reading(text, alike)
            if reading and (able := [*self._able(reading, alike)]):
                found.append((reading, able))
        return _same(found, text)

    @property
    def _command(self) -> Clause | None:
        utterance = self.tools.utterance
        if not may_be_done(utterance):
            return None
        match utterance.parsed.clauses:
            case [only] if only.is_immediate and not (
                only.negated or only.exclusion or only.keeps_state
            ):
                return only
        return None

    async def _reading(self, text: Text, alike: Sequence[Exposed]) -> IntentMatch | None:
        """Return the interpretation with the name of one of the devices."""
        meant = self.tools.utterance.link(text)
        for each in alike[:_TRIED]:
            name = each.names[0]
            texts = substitute_name(meant, name)
            if reading := await async_recognize_command(
                self.tools.api.hass, self.said, texts, name
            ):
                return reading
        return IntentMatch.of(intent.INTENT_TURN_ON) if _locks(meant, alike) else None

    def _able(self, reading: IntentMatch, alike: Sequence[Exposed]) -> Iterator[Exposed]:
        """Yield the devices that support an intent."""
        tool = self.tools.manager.for_intent(reading.intent_type)
        if isinstance(tool, IntentTool):
            domains = tool.domains(self.tools.api.hass, self.tools.utterance.home) or ()
            for each in alike:
                if each.domain in domains and tool.is_for(self.tools.api.hass, each):
                    yield each


def may_be_done(utterance: Utterance) -> bool:
    """Return True if a sentence may be a command: no question, no statement, no unmet condition."""
    is_said = utterance.parsed.act in (DialogueAct.QUESTION, DialogueAct.STATEMENT)
    return not (utterance.asks or utterance.unmet_condition or is_said)


def left_open(hass: HomeAssistant, meant: EntityLinker) -> Sequence[Exposed]:
    """Return the only open one of several doors to close; else none.

    A closed door needs no closing, so that no question is necessary.
    """
    which = ambiguous_candidates(meant)
    if meant.predicate.opens is not False or not all(each.is_access for each in which):
        return ()
    found = [each for each in which if not is_shut(hass, each)]
    # "Ferme la porte à clé" is about a lock, not about a garage door.
    found = [each for each in found if _locks(meant, [each])] or found
    return found if len(found) == 1 else ()


def _locks(meant: EntityLinker, devices: Sequence[Exposed]) -> bool:
    """Return True if a command only locks, and all devices are locks."""
    is_about_locks = all(each.domain == LOCK for each in devices)
    return is_about_locks and unlinked(meant, devices).says_only("locks")


def _same(
    found: Collection[tuple[IntentMatch, Sequence[Exposed]]], command: Text
) -> AskedQuestion | None:
    """Return the question for an intent; None if the intents differ, or there is one device."""
    which = [each for _, able in found for each in able]
    wanted = [
        (reading.intent_type, {k: v for k, v in reading.slots.items() if k not in TARGET})
        for reading, _ in found
    ]
    return AskedQuestion.of(wanted, which, command) if len(which) >= SEVERAL else None
