"""Repetition of the last action: on other devices, or another action on the same ones."""

from collections.abc import Sequence
from typing import Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from ..home.exposed import Exposed
from ..names.matching import matcher
from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause, DialogueAct
from ..nlu.follow_ups import FollowUpParser
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from ..nlu.utterance import DeviceAction, Utterance
from ..tools.assist.target import TARGET
from .action_history import AskedQuestion, TurnRecord

_OF_PLACE: Final = frozenset(("area", "floor", "domain"))
"""A call with one of these slots alone is for everything in a place."""


async def async_with_it(
    hass: HomeAssistant,
    said: conversation.ConversationInput,
    heard: Utterance,
    devices: Sequence[Exposed],
    before: Text,
) -> tuple[DeviceAction | None, Text] | None:
    """Return a command for "it", devices of one domain, and its text with their name.

    Of one device, the text is also returned if only the command's words are not sure. `before` is
    the sentence that mentioned them.
    """
    *_, text = FollowUpParser(heard.text).cores
    if len({each.domain for each in devices}) != 1 or not _says_it(heard):
        return None
    first = devices[0]
    # A unique name can be parsed.
    alone = [each for each in first.names if [*heard.home.called(each)] == [first]]
    texts = [*map(text.alike, Anaphora.of(text).with_name((alone or first.names)[0], before))]
    for again in texts:
        clause = Clause(text=again, command=again, act=DialogueAct.COMMAND)
        reading = (await heard.async_parse_clause(hass, said, clause)).exact_command
        if reading and first in heard.home.called(str(reading.slots.get("name", ""))):
            values = {key: value for key, value in reading.slots.items() if key not in TARGET}
            return DeviceAction(reading.intent_type, values, (*devices,)), again
    return (None, texts[0]) if texts and len(devices) == 1 else None


def in_place(heard: Utterance, devices: Sequence[Exposed]) -> Text | None:
    """Return a sentence with the place of the sentence before in the place of "there".

    `devices` are the last topic, if that sentence names no place.
    """
    *_, text = FollowUpParser(heard.text).cores
    own, spans = heard.link(heard.text), [*text.spans("conditions.there")]
    areas = heard.link(heard.context.before).areas or {each.area for each in devices if each.area}
    if not spans or own.named or own.areas or len(areas) != 1:
        return None
    first, end = max(spans, key=lambda span: span[1] - span[0])
    name = heard.home.all_areas[next(iter(areas))].name
    said = text.spoken if len(text.spoken) == len(text.words) else text.words
    return text.alike(" ".join((*said[:first], name, *said[end:])))


def _says_it(heard: Utterance) -> bool:
    """Return True if a sentence is one immediate command for "it", without any mention."""
    match heard.parsed.clauses:
        case [only] if only.is_immediate and not only.negated and not only.exclusion:
            it = Anaphora.of(heard.text)
            is_it = (it.refers_back or it.repeats_state) and not it.names_another
            own = heard.link(Predicate.of(heard.text).complement)
            return is_it and not only.keeps_state and not own.has_mention
    return False


class RepeatableAction:
    """An action with one intent and targets in one domain; otherwise "it" would be ambiguous."""

    def __init__(self, utterance: Utterance, proposed: TurnRecord) -> None:
        """Take the follow-up sentence, and the action."""
        self._heard = utterance
        self._home = utterance.home
        self._deed = proposed
        self._code = utterance.text.code
        acts = [act for act in proposed.acts if act.targets]
        self._is_whole = len(acts) == len(proposed.entries)
        self._devices = proposed.devices(self._home)
        domains = {each.domain for each in self._devices}
        self._domain = next(iter(domains)) if len(domains) == 1 else ""
        done = {(act.intent_type, str(sorted(act.values.items(), key=str))) for act in acts}
        self._act = acts[0] if len(done) == 1 and self._is_whole else None
        self._is_of_place = len(self._devices) > 1 or any(
            "name" not in each.arguments and not _OF_PLACE.isdisjoint(each.arguments)
            for each in proposed.entries
        )

    def with_others(self, which: Text, *, several: bool) -> DeviceAction | AskedQuestion | None:
        """Return the same action on the other device, or devices, of the category in the area.

        If it is uncertain which one, return the question.
        """
        if self._act is None or not self._domain:
            return None
        if which and not self._is_kind(which):
            return None
        areas = {each.area for each in self._devices}
        alike = [each for each in self._kin if each not in self._devices]
        if len(self._devices) == len(alike) == 1:
            # The home has only two of them, in whatever areas.
            return self._of(alike, is_sure=True)
        others = [each for each in alike if each.area in areas]
        if not others or len(areas) != 1 or "" in areas:
            return None
        return self._of(others, is_sure=several or len(others) == 1)

    @property
    def _kin(self) -> Sequence[Exposed]:
        """All devices of the same domain and classes as the targets."""
        classes = {each.device_class for each in self._devices}
        alike = [each for each in self._home.entities if each.domain == self._domain]
        return [each for each in alike if each.device_class in classes]

    def _is_kind(self, which: Text) -> bool:
        """Return True if words only name the category of the action's targets."""
        said = self._heard.link(which)
        is_plain = said.only_mentions and not said.named and not said.areas
        return is_plain and all(self._domain in kind.domains for kind in said.categories)

    def elsewhere(self, which: Text) -> DeviceAction | AskedQuestion | None:
        """Return the same action in the place, or on the devices, that words mention.

        If it is uncertain on which one, return the question.
        """
        said = self._heard.link(which)
        if self._act is None or not self._domain or not said.only_mentions:
            return None
        if any(self._domain not in kind.domains for kind in said.categories):
            return None
        if said.named:
            named = [each for each in said.named if each.domain == self._domain]
            is_all = len(named) == len(said.named)
            return self._of(named, is_sure=True) if is_all and named else None
        there = [each for each in self._kin if each.area in said.areas]
        if not there or not said.areas:
            return None
        # All devices of the new place, as before in the old one.
        means_all = self._is_of_place or any(kind.is_plural for kind in said.categories)
        alike = there if means_all else self._alike(there)
        return self._of(alike or there, is_sure=bool(alike))

    def _alike(self, there: Sequence[Exposed]) -> Sequence[Exposed]:
        """Return the only device of a place, or those whose names only differ in the place."""
        if len(there) == 1:
            return there
        own = {self._told(each) for each in self._devices}
        alike = [each for each in there if self._told(each) in own]
        return alike if len(alike) == len(self._devices) else ()

    def _told(self, entity: Exposed) -> frozenset[str]:
        """Return the words of a device's name without those of its area."""
        tokens = matcher(self._code).tokens
        area = self._home.areas.get(entity.area)
        names = (area.name, *area.aliases) if area else ()
        place = {word for name in names for word in tokens(name)}
        return frozenset(tokens(entity.names[0])) - place

    def _of(self, devices: Sequence[Exposed], *, is_sure: bool) -> DeviceAction | AskedQuestion:
        assert self._act
        kind = DeviceAction if is_sure else AskedQuestion
        return kind(self._act.intent_type, self._act.values, (*devices,))
