"""A command in which a name was misheard: what it certainly wants with the name that was meant."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..heard.heard import Heard
from ..heard.kinds import kinds
from ..heard.mentioned import is_guarded
from ..heard.numbers import async_spoken_numbers
from ..heard.phrases import phrases
from ..heard.referring import only_says_what_to_do, says_what_to_do
from ..heard.resembling import Resembling, resembling
from ..heard.sentences import async_read_strictly
from ..heard.vocabulary import words_of_conditions
from ..home.exposed import Exposed
from ..json_schema import Json
from ..languages import MOST_NAMES, language_of
from ..names.matching import matcher, words
from ..plans.planner import Planner
from ..tools.asking import ToBeAsked
from ..tools.assist.refusals import Refusal
from ..tools.assist.target import TARGET
from ..tools.executor import ToolExecutor
from .deeds import Asked
from .reflex import Act, Reflex

type Read = Callable[[conversation.ConversationInput], Awaitable[Heard]]
"""Reads another sentence as the turn has read its own."""

_POINTS: Final = ("pronouns", "one_of")
_TRIED: Final = 4
"""Sentences that are read anew; those that sound less like it are left to the model."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A command as it may have been meant, and what it certainly wants then."""

    resembling: Resembling
    said: conversation.ConversationInput
    tools: ToolExecutor
    """Those of a turn in which that was said."""
    acts: Sequence[Act]
    targets: frozenset[Exposed]
    asks: bool
    """The user is asked before it is done, whoever says it."""

    @property
    def is_certain(self) -> bool:
        """Whether it may be done without a question: it sounds the same, and lets nobody in or out.

        A word that may say nothing may have been said: of "bedroom to" nobody knows that it is number 2.
        """
        is_harmless = not any(map(is_guarded, self.targets))
        fillers = matcher(self.tools.heard.language).fillers
        is_sure = self.resembling.sounds_the_same and fillers.isdisjoint(self.resembling.misheard)
        return self.asks or (is_sure and is_harmless)


def asked_of(several: Sequence[Mended]) -> Asked | None:
    """Return of which devices one is to be picked, and what is to be done to it.

    None where the commands that may have been meant differ in more than their devices.
    """
    deeds: list[tuple[str, Json]] = []
    for mended in several:
        for call in (call for act in mended.acts for call in act.calls):
            tool = mended.tools.manager.find(call.tool_name)
            values = {name: each for name, each in call.tool_args.items() if name not in TARGET}
            deeds.append((getattr(tool, "intent_type", ""), values))
    which = list(dict.fromkeys(each for mended in several for each in mended.targets))
    intent_type, values = deeds[0]
    is_same = bool(intent_type) and all(each == deeds[0] for each in deeds)
    return Asked(intent_type, values, which, dt_util.utcnow()) if is_same else None


class Mishearing:
    """Finds what a command was, of which a name was misheard.

    - It is one command for now, understood word by word once the name stands there.
    - What is likeliest comes first; nothing follows that is clearly less likely.
    - Nothing is done by looking.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        said: conversation.ConversationInput,
        tools: ToolExecutor,
        planner: Planner,
        read: Read,
    ) -> None:
        """Take what was said, the turn's tools, with what was heard, and how to read a sentence."""
        self._hass = hass
        self._said = said
        self._tools = tools
        self._heard: Heard = tools.heard
        self._planner = planner
        self._read = read

    async def async_meant(self) -> Sequence[Mended]:
        """Return what it may have been; empty where it certainly is none, or may be too much."""
        if not self._may_be_command:
            return ()
        found: list[Mended] = []
        tried: set[str] = set()
        numbers = await async_spoken_numbers(self._hass, self._heard.language)
        code = language_of(self._heard.language).code
        spoken = (word for kind in kinds(self._said.text, code) for word in kind.words)
        doing = (each for each in words(self._said.text) if only_says_what_to_do([each], code))
        # A half, what is outdoors, and "this one" are no misheard rooms.
        no_names = {*words_of_conditions(code, "half", "outdoor")}
        no_names.update(word for form in _POINTS for each in phrases(code, form) for word in each)
        general = {*matcher(self._heard.language).fillers, *spoken, *doing, *no_names}
        said = self._said.text, self._heard.mentioned.home, self._heard.language, numbers
        for each in await self._hass.async_add_executor_job(resembling, *said):
            if found and not found[0].resembling.rivalled_by(each):
                break
            # "The lamp" is not the night lamp, and no blind of the garden's, however that sounds.
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
        heard = self._heard
        if heard.understood or heard.asked_about or heard.is_for_later or heard.unmet:
            return False
        if any(each.negated or each.excepted for each in heard.said.clauses):
            return False  # what denies is no misheard name
        return says_what_to_do(heard.text, language_of(heard.language).code)

    async def _mended(self, each: Resembling) -> Mended | None:
        said = replace(self._said, text=each.text)
        # All else takes much longer, of sentences that mostly are none.
        if await async_read_strictly(self._hass, said) is None:
            return None
        heard = await self._read(said)
        if len(heard.said.clauses) != 1 or not heard.said.is_now:
            return None
        tools = self._tools.for_part(heard)
        acts = await Reflex(self._hass, said, tools, self._planner).async_acts()
        targets: set[Exposed] = set()
        asks = False
        for call in (call for act in acts for call in act.calls):
            try:
                targets.update((await tools.async_resolve(call)).targets)
            except ToBeAsked as err:
                targets.update(err.ask.targets)
                asks = True
            except Refusal:
                return None
        return Mended(each, said, tools, acts, frozenset(targets), asks) if targets else None
