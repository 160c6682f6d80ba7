"""Correction of a misrecognized name: the certain command with the likely name in its place."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from ..home.exposed import Exposed, Home
from ..json_schema import Json
from ..languages import MOST_NAMES
from ..names.matching import matcher, words
from ..nlu.categories import find_categories
from ..nlu.fuzzy_names import PhoneticCandidate, find_phonetic_candidates
from ..nlu.home_assistant import async_recognize_command
from ..nlu.numerals import async_spoken_numbers
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..notebook.alias import AliasTool
from ..plans.planner import Planner
from ..tools.assist.call_errors import Refusal
from ..tools.assist.target import TARGET
from ..tools.consent import ConfirmationRequired, PendingCall
from ..tools.executor import ToolExecutor
from ..tools.policy import decisions
from ..tools.policy.decisions import Ask
from .action_history import AskedQuestion
from .consent_dialog import PendingConsent
from .direct_execution import DirectAction, DirectExecution

type ParseUtterance = Callable[[conversation.ConversationInput], Awaitable[Utterance]]
"""Parses another sentence in the same way as the turn's own."""

_NO_NAMES: Final = (
    "conditions.half",
    "conditions.here",
    "conditions.outdoor",
    "pronouns",
    "one_of",
)
_TRIED: Final = 4
"""Candidates that are parsed again; less similar ones are left to the model."""


@dataclass(frozen=True, slots=True)
class CorrectedCommand:
    """A corrected command, and its certain actions."""

    resembling: PhoneticCandidate
    said: conversation.ConversationInput
    tools: ToolExecutor
    """The tools of a turn with the corrected sentence."""
    acts: Sequence[DirectAction]
    targets: frozenset[Exposed]
    asks: bool
    """Whether the user must confirm it, whoever the speaker is."""

    @property
    def is_certain(self) -> bool:
        """Whether it needs no question: it sounds the same, and targets no entry point.

        A misrecognized function word is uncertain: "bedroom to" need not mean "bedroom two".
        """
        is_harmless = not any(each.is_access for each in self.targets)
        fillers = matcher(self.tools.utterance.language).function_words
        is_sure = self.resembling.sounds_the_same and fillers.isdisjoint(self.resembling.misheard)
        return self.asks or (is_sure and is_harmless)


def asked_of(several: Sequence[CorrectedCommand]) -> AskedQuestion | None:
    """Return the question which device to act on, and the intent for the chosen one.

    None if the candidate commands differ in more than their devices.
    """
    deeds: list[tuple[str, Json]] = []
    for mended in several:
        for call in (call for act in mended.acts for call in act.calls):
            tool = mended.tools.manager.find(call.tool_name)
            values = {name: each for name, each in call.tool_args.items() if name not in TARGET}
            deeds.append((getattr(tool, "intent_type", ""), values))
    which = [*dict.fromkeys(each for mended in several for each in mended.targets)]
    return AskedQuestion.of(deeds, which)


def alias_of(hass: HomeAssistant, pending: PendingConsent, home: Home) -> AliasTool | None:
    """Return the tool that keeps a misheard name as an alias, once the user has confirmed it."""
    match pending.calls:
        case [PendingCall(ask=Ask(does=decisions.HEARD, names=[meant], targets=targets))] if (
            len(targets) == 1
        ):
            (entity,) = targets
            said = Text(pending.said.text.strip(" .!"), pending.said.language)
            for name in entity.names:
                before, found, behind = meant.strip(" .!").partition(name)
                misheard = said.removeprefix(before).removesuffix(behind)
                if found and len(misheard) == len(said) - len(before) - len(behind):
                    return AliasTool.of(hass, entity, said.alike(misheard), home)
    return None


@dataclass(frozen=True, slots=True)
class AsrCorrector:
    """Finds the candidates for a command with a misrecognized name.

    - A candidate is one immediate command that parses completely with the corrected name.
    - The likeliest comes first; clearly less likely ones are dropped.
    - Finding them has no effects.
    """

    said: conversation.ConversationInput
    tools: ToolExecutor
    """The turn's tools, with the utterance."""
    planner: Planner
    read: ParseUtterance

    async def async_meant(self) -> Sequence[CorrectedCommand]:
        """Return the candidates; empty if it is no command, or there may be too many."""
        if not self._may_be_command:
            return ()
        found: list[CorrectedCommand] = []
        tried: set[str] = set()
        numbers = await async_spoken_numbers(self.tools.api.hass, self.tools.utterance.language)
        spoken = (
            word for kind in find_categories(self.tools.utterance.text) for word in kind.words
        )
        doing = (
            each
            for each in words(self.said.text)
            if Predicate.of(self.tools.utterance.text.alike(each)).is_all
        )
        # A half, outdoors and "this one" are no misrecognized rooms.
        no_names = self.tools.utterance.text.patterns.words_of(*_NO_NAMES)
        general = {
            *matcher(self.tools.utterance.language).function_words,
            *spoken,
            *doing,
            *no_names,
        }
        said = self.tools.utterance.text, self.tools.utterance.home, numbers
        for each in await self.tools.api.hass.async_add_executor_job(
            find_phonetic_candidates, *said
        ):
            if found and not found[0].resembling.rivalled_by(each):
                break
            # "The lamp" is neither the night lamp nor a blind outdoors, however similar it sounds.
            is_general = general.issuperset(each.misheard)
            says_nothing = is_general and (each.is_form or not each.sounds_the_same)
            if says_nothing or each.text in tried or len(tried) >= _TRIED:
                continue
            tried.add(each.text)
            mended = await self._mended(each)
            if mended and all(mended.targets != other.targets for other in found):
                found.append(mended)
        return found if len(found) <= MOST_NAMES else ()

    @property
    def _may_be_command(self) -> bool:
        utterance = self.tools.utterance
        if (
            utterance.exact_command
            or utterance.exact_question
            or utterance.is_for_later
            or utterance.unmet_condition
        ):
            return False
        if any(each.negated or each.exclusion for each in utterance.parsed.clauses):
            return False  # a negation is no misrecognized name
        return Predicate.of(utterance.text).is_expressed

    async def _mended(self, each: PhoneticCandidate) -> CorrectedCommand | None:
        said = replace(self.said, text=each.text)
        # The other steps take much longer, and most candidates are no commands.
        if await async_recognize_command(self.tools.api.hass, said, [each.text]) is None:
            return None
        utterance = await self.read(said)
        if len(utterance.parsed.clauses) != 1 or not utterance.parsed.is_immediate:
            return None
        tools = self.tools.for_part(utterance)
        acts = await DirectExecution(said, tools, self.planner).async_acts()
        targets: set[Exposed] = set()
        asks = False
        for call in (call for act in acts for call in act.calls):
            try:
                targets.update((await tools.async_resolve(call)).targets)
            except ConfirmationRequired as err:
                targets.update(err.ask.targets)
                asks = True
            except Refusal:
                return None
        return (
            CorrectedCommand(each, said, tools, acts, frozenset(targets), asks) if targets else None
        )
