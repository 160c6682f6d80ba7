"""Direct execution: the certain actions of a sentence, without a model."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from homeassistant.components import conversation
from homeassistant.components.cover import DOMAIN as COVER, CoverDeviceClass
from homeassistant.components.light import DOMAIN as LIGHT
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.components.valve import DOMAIN as VALVE
from homeassistant.const import STATE_IDLE, STATE_ON, STATE_PAUSED, STATE_PLAYING
from homeassistant.helpers import intent, llm

from ..home.exposed import Exposed
from ..names.matching import words
from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause, DialogueAct, join_commands
from ..nlu.disambiguation import find_closed_by_name, substitute_name
from ..nlu.entity_linking import EntityLinker
from ..nlu.home_assistant import (
    IntentMatch,
    async_recognize_command,
    paraphrase_with_name,
    split_command,
    unlinked,
)
from ..nlu.numerals import Quantity
from ..nlu.predicates import Predicate, entities_for_sense
from ..nlu.requests import SEARCH, is_single_item, parse_list_command, what_ran_out
from ..nlu.tokenizer import NOTHING, Text
from ..nlu.utterance import Utterance
from ..plans.planner import Planner
from ..tools.assist.call_errors import Refusal
from ..tools.assist.media import RESUME
from ..tools.assist.target import LISTS, TARGET
from ..tools.consent import ConfirmationRequired
from ..tools.executor import ToolExecutor
from ..tools.inverse_intents import BEGINS, ENDS
from ..tools.resolved_intent import without_values
from ..tools.taint import reaches_outside
from .adjust import DOMAIN_OF, MEASURED, adjusted, halved, lit
from .claims import things_asked
from .clarification import left_open, may_be_done

_TURNED: Final = {intent.INTENT_TURN_ON: BEGINS, intent.INTENT_TURN_OFF: ENDS}
"""The intents to turn on and off a device with its own actions to start and stop."""
_SHUT: Final = {COVER: intent.INTENT_TURN_OFF, LOCK: intent.INTENT_TURN_ON}
"""The intents to close or lock."""
_AWAKE: Final = ((STATE_ON, STATE_PLAYING), (STATE_PAUSED, STATE_IDLE))
"""States of the devices that a quantity without a device may be for, the likeliest first."""
_REMARKS: Final = (DialogueAct.STATEMENT, DialogueAct.UNKNOWN)
_LONGEST: Final = 80  # words of a part that may be certain: many interpretations are tried
_REMARK: Final = 3
"""Words of an unknown remark that is no request: "good idea"."""
_SWITCHED: Final = frozenset(
    ("climate", "fan", "humidifier", "input_boolean", "light", MEDIA_PLAYER, "switch", *BEGINS)
)
"""Domains whose on and off have no other meaning."""
_OF_PLAYERS: Final = frozenset(
    (
        *(RESUME, "HassMediaNext", "HassMediaPause", "HassMediaPrevious", "HassSetVolume"),
        *("HassMediaPlayerMute", "HassMediaPlayerUnmute", "HassSetVolumeRelative"),
    )
)
_SOUND: Final = ("HassMediaPlayerMute", "HassMediaPlayerUnmute")
_OF_SOUND: Final = ("causative_verbs.muted", "causative_verbs.unmuted")
_BRINGS: Final = {
    **{("on", each): intent.INTENT_TURN_ON for each in _SWITCHED},
    **{("off", each): intent.INTENT_TURN_OFF for each in _SWITCHED},
    **{(state, each): BEGINS[each] for state in ("cleaning", "mowing", "on") for each in BEGINS},
    **{(state, each): ENDS[each] for state in ("docked", "off") for each in ENDS},
    **{("open", each): intent.INTENT_TURN_ON for each in (COVER, VALVE)},
    **{("closed", each): intent.INTENT_TURN_OFF for each in (COVER, VALVE)},
    ("locked", LOCK): intent.INTENT_TURN_ON,
    ("unlocked", LOCK): intent.INTENT_TURN_OFF,
    ("muted", MEDIA_PLAYER): "HassMediaPlayerMute",
    ("unmuted", MEDIA_PLAYER): "HassMediaPlayerUnmute",
    ("next", MEDIA_PLAYER): "HassMediaNext",
    ("paused", MEDIA_PLAYER): "HassMediaPause",
    ("playing", MEDIA_PLAYER): RESUME,
    ("previous", MEDIA_PLAYER): "HassMediaPrevious",
}
"""The intent that reaches a state, by state and domain."""


@dataclass(frozen=True, slots=True)
class DirectAction:
    """The certain action of a part of a sentence."""

    clause: Clause
    calls: Sequence[llm.ToolInput]
    reading: IntentMatch | None = None
    """The interpretation of the part, if Home Assistant's sentences match it."""
    things: int = 1
    """How many of the requested things it does."""


@dataclass(frozen=True, slots=True)
class DirectExecution:
    """Finds the calls that execute a whole sentence.

    - All of it is certain, and may be done or planned; otherwise there are no calls, and the model
      is asked.
    - Finding them has no effects.
    """

    said: conversation.ConversationInput
    tools: ToolExecutor
    """The turn's tools, with the utterance."""
    planner: Planner

    async def async_acts(self) -> Sequence[DirectAction]:
        """Return the actions in the order of the sentence; empty unless all of it is certain."""
        utterance = self.tools.utterance
        if not may_be_done(utterance):
            return ()
        if any(one.depends_on_answer for each in utterance.parsed.clauses for one in each.times):
            return ()  # a state must be read first
        acts: list[DirectAction] = []
        # The first clause of "not the kitchen light, the bed light off" needs no action.
        said = _with_exception(utterance.parsed.clauses)
        forbidden = [each for each in said if each.negated and not each.times]
        clauses = [each for each in said if not (each in forbidden or self._is_beside(each))]
        for clause in clauses:
            await asyncio.sleep(0)  # a long sentence must not block the event loop
            some = await self._all_of(clause)
            if not some or self._is_forbidden(clause, forbidden):
                return ()
            acts += some
        if len(acts) == 1 and utterance.exact_command:
            return acts
        return acts if self._wanted(clauses) <= sum(act.things for act in acts) else ()

    def _is_forbidden(self, clause: Clause, forbidden: Iterable[Clause]) -> bool:
        """Return True if a clause may act on what another one forbids to act on."""
        link = self.tools.utterance.link
        spared = (entity for each in forbidden for entity in link(each.command).most_relevant)
        return any(map(link(clause.command).may_refer_to, spared))

    def _wanted(self, clauses: Sequence[Clause]) -> int:
        """Return how many things clauses request: fewer actions would be incomplete."""
        said = replace(self.tools.utterance.parsed, clauses=tuple(clauses))
        return things_asked(replace(self.tools.utterance, parsed=said)) or 1

    def _things(self, part: Utterance, clause: Clause, devices: Sequence[Exposed]) -> int:
        """Return how many requests of a clause an action on devices fulfils.

        All of them if nothing else is said: "and" stands between the devices.
        """
        rest = unlinked(part.link(clause.command or clause.text), devices)
        is_one_state = len(devices) > 1 and len(clause.predicate.states()) == 1
        is_all = is_one_state and Predicate.of(rest).is_all
        return max(1, self._wanted([clause])) if is_all else 1

    async def _all_of(self, clause: Clause) -> Sequence[DirectAction]:
        """Return the actions for all of a clause, one by one if necessary."""
        act = await self._act(clause)
        if act and (act.things >= self._wanted([clause]) or self.tools.utterance.exact_command):
            return [act]
        if acts := await self._joined(clause):
            return acts
        return [act] if act else ()

    def _is_beside(self, clause: Clause) -> bool:
        """Return True if a clause is an irrelevant remark: "good idea, turn it off"."""
        utterance = self.tools.utterance
        if len(utterance.parsed.clauses) == 1:
            return False
        clauses = utterance.parsed.clauses
        at = clauses.index(clause) + 1 if clause in clauses else len(clauses)
        if at < len(clauses) and self._topic(clauses[at]):
            return True
        if clause.act is DialogueAct.STATEMENT:
            # Whatever its verb, and its time: "I have a meeting at six, turn it off"
            return not utterance.link(clause.text).has_mention
        if clause.times or clause.exclusion:
            return False
        is_long = len(clause.text.words) > _REMARK
        if (
            clause.act is DialogueAct.UNKNOWN
            and is_long
            and reaches_outside(self.tools.manager.all())
        ):
            return False  # it may be for an unknown tool
        if clause.act is DialogueAct.QUESTION or Anaphora.of(clause.text).names_another:
            return False  # it needs an answer, or the same for "the other one, too"
        if self._is_to_read(clause) or not utterance.text.language.knows_verbs:
            return False
        return (
            not Predicate.of(clause.text).is_expressed
            and not Quantity.of(clause.text)
            and not utterance.link(clause.text).has_mention
        )

    def _is_to_read(self, clause: Clause) -> bool:
        """Return True if a clause requests to read something: not "look here"."""
        text = clause.text
        told = [word for word in text.words if word not in text.function_words]
        return len(told) > 1 and text.begins("reads")

    def _topic(self, clause: Clause) -> Sequence[EntityLinker]:
        """Return the remark before a command that only says what it is about; or nothing.

        "The music is too loud, turn it down", "it's dark in the hall, make it brighter".
        """
        utterance = self.tools.utterance
        before, command = self._before(clause), utterance.link(clause.command)
        if before is None or command.areas or clause.times:
            return ()
        remark = utterance.link(before.text)
        is_remark = before.act in _REMARKS and not before.times
        if command.named:
            says_what = bool(what_ran_out(remark.text))
        elif Anaphora.of(clause.command).refers_back and not command.has_mention:
            says_what = remark.has_mention or bool(Quantity.topics(remark.text))
        else:
            says_what = bool(remark.categories or remark.areas or Quantity.topics(remark.text))
            says_what = says_what and not remark.named
        return [remark] if is_remark and says_what else ()

    async def _act(self, clause: Clause) -> DirectAction | None:
        """Return the action of a clause; None if it is not certain."""
        if clause.negated or clause.keeps_state or len(clause.text.words) > _LONGEST:
            return None
        if clause.exclusion:
            return await self._all_but(clause)
        if clause.times:
            act = await self._for_later(clause)
            return act if act and await self.planner.async_why_not(self.tools) is None else None
        part = await self._part(clause)
        return await self._as_read(part, clause) or await self._renamed(part, clause)

    async def _all_but(self, clause: Clause) -> DirectAction | None:
        """Return the action with exceptions; only if targets and exceptions are certain."""
        if clause.times or len(_with_exception(self.tools.utterance.parsed.clauses)) > 1:
            return None
        part = await self.planner.async_part(self.tools.utterance, clause)
        certain = self.tools.for_part(part).resolved
        meant = part.link(clause.command)
        is_read = certain is not None and certain.reading.is_exact
        devices = certain.targets if certain and is_read else meant.resolve(part.home.entities)
        excepted = part.link(clause.exclusion)
        spared = excepted.resolve(devices)
        is_place = excepted.only_mentions and not excepted.categories
        if is_place or excepted.text.phrase_end(0, "the_one"):
            spared += [each for each in devices if each.area in excepted.areas]
        others = [each for each in devices if each not in spared]
        if not (spared and others and _is_all_said(part, clause, devices)):
            return None
        if certain and {*certain.targets} == {*devices}:
            slots = {key: said for key, said in certain.reading.slots.items() if key not in TARGET}
            reading = replace(certain.reading, slots=slots)
        else:
            reading = IntentMatch.of(self._by_itself(part, meant, devices))
        act = await self._to_each(part, clause, reading, others)
        return replace(act, things=max(1, self._wanted([clause]))) if act else None

    async def _for_later(self, clause: Clause) -> DirectAction | None:
        """Return the action of a deferred clause: one call, which is scheduled."""
        if call := await self.planner.async_certain(self.tools, clause):
            return DirectAction(clause, [call])
        part = await self.planner.async_part(self.tools.utterance, clause)
        act = await self._renamed(part, clause)
        return act if act and len(act.calls) == 1 else None

    async def _joined(self, clause: Clause) -> Sequence[DirectAction]:
        """Return the actions of a coordinated clause whose parts are certain, but not the whole.

        "The lamp on and the fan off", "turn the lamp and the fan on".
        """
        if clause.negated or clause.exclusion or clause.keeps_state or clause.times:
            return ()
        meant = self.tools.utterance.link(clause.command or clause.text)
        for parts in split_command(meant, meant.text.code):
            if acts := await self._each(clause, parts):
                return acts
        return ()

    async def _each(self, clause: Clause, texts: Iterable[str]) -> Sequence[DirectAction]:
        """Return an action for each text that replaces a clause; empty if any is uncertain."""
        acts: list[DirectAction] = []
        for text in texts:
            part = clause.text.alike(text)
            act = await self._act(replace(clause, text=part, command=part))
            if act is None or act.things > 1:
                return ()
            acts.append(act)
        return acts

    async def _as_read(self, part: Utterance, clause: Clause) -> DirectAction | None:
        """Return the action of Home Assistant's interpretation, or of "it" in a clause."""
        tools = self.tools.for_part(part)
        certain = tools.resolved
        tool = self.tools.manager.for_intent(certain.reading.intent_type) if certain else None
        if certain is None or tool is None:
            call = await self.planner.async_certain(self.tools, clause)
            return DirectAction(clause, [call]) if call else None
        if certain.reading.intent_type in _SOUND and not part.text.says(*_OF_SOUND):
            return None  # "spegni la TV" mutes nothing
        named = {*part.link(clause.command).resolve(part.home.entities)}
        if named and named < {*certain.targets}:
            return None  # "the lamp" is the one with that name
        is_whole = certain.reading.is_exact or _is_all_said(part, clause, certain.targets)
        if not (is_whole and self._is_plain(part, certain.reading)):
            return None
        if not certain.reading.slots and certain.targets and part is not self.tools.utterance:
            # Only for the whole sentence the executor knows the targets of a call without slots.
            return await self._to_each(part, clause, certain.reading, certain.targets)
        call = llm.ToolInput(tool.name, dict(certain.reading.slots))
        if not await self._is_allowed(part, call):
            return None
        things = self._things(part, clause, certain.targets)
        return DirectAction(clause, [call], certain.reading, things)

    async def _renamed(self, part: Utterance, clause: Clause) -> DirectAction | None:
        """Return the action on devices that the clause does not call by their names."""
        meant = part.link(clause.command or clause.text)
        for topic in self._topic(clause):
            if len(topic.areas) == 1:
                meant = replace(meant, speaker_area=next(iter(topic.areas)))
        if listed := await self._listed(part, clause):
            return listed
        devices = meant.resolve(part.home.entities)
        if not devices and (doors := left_open(self.tools.api.hass, meant)):
            if by_itself := self._by_itself(part, meant, doors):
                return await self._to_each(part, clause, IntentMatch.of(by_itself), doors)
            named = substitute_name(meant, doors[0].names[0])
            if act := await self._named(part, clause, named, doors):
                return act
        if not devices and (door := find_closed_by_name(meant)):
            return await self._to_each(part, clause, IntentMatch.of(_SHUT[door.domain]), [door])
        if devices:
            return await self._done_to(part, clause, meant, devices)
        lights = meant.lights_of_place or self._lights_of_area(meant)
        return (
            await self._measured(part, clause, meant)
            or (await self._done_to(part, clause, meant, lights) if lights else None)
            or await self._ended(part, clause, meant)
            or await self._done_to_it(part, clause, meant)
            or await self._played(part, clause, meant)
        )

    async def _done_to_it(
        self, part: Utterance, clause: Clause, meant: EntityLinker
    ) -> DirectAction | None:
        """Return the action on what the remark before names: "the fan is too loud, turn it off"."""
        if meant.has_mention or not Anaphora.of(clause.command).refers_back:
            return None
        for topic in self._topic(clause):
            kinds = " ".join(word for kind in topic.categories for word in kind.words)
            short = part.link(topic.text.alike(f"{kinds} {' '.join(topic.place_words)}"))
            devices = topic.resolve(part.home.entities) or short.resolve(part.home.entities)
            if devices:
                plain = part.link(meant.text.without_clitics)
                return await self._done_to(part, clause, plain, devices)
        return None

    def _lights_of_area(self, meant: EntityLinker) -> Sequence[Exposed]:
        """Return the lights of an area that is turned on or off: "turn off the hallway"."""
        if meant.categories or meant.named or len(meant.areas) != 1:
            return ()
        rest = unlinked(meant, ())
        is_switched = Predicate.of(rest).states() in ({"on"}, {"off"})
        if not (is_switched or lit(rest, LIGHT)):
            return ()
        return [e for e in meant.home.entities if e.domain == LIGHT and e.area in meant.areas]

    async def _done_to(
        self, part: Utterance, clause: Clause, meant: EntityLinker, devices: Sequence[Exposed]
    ) -> DirectAction | None:
        """Return the action on the devices that a clause refers to."""
        is_all_said = _is_all_said(part, clause, devices)
        by_itself = self._by_itself(part, meant, devices) if is_all_said else ""
        if act := await self._to_each(part, clause, IntentMatch.of(by_itself), devices):
            return replace(act, things=self._things(part, clause, devices))
        quantity = Quantity.of(unlinked(meant, devices))
        if quantity and (act := await self._adjusted(part, clause, quantity, devices)):
            return act
        rest, domain = unlinked(meant, devices), devices[0].domain
        if is_all_said and (half := halved(rest, domain)):
            return await self._to_each(part, clause, half, devices)
        if colour := lit(rest, domain):
            return await self._to_each(part, clause, colour, devices)
        if not meant.predicate.is_expressed:
            return None
        return await self._named(part, clause, paraphrase_with_name(meant, devices), devices)

    async def _named(
        self, part: Utterance, clause: Clause, said: Iterable[str], devices: Sequence[Exposed]
    ) -> DirectAction | None:
        """Return the action on devices, from the first sentence that parses with a name."""
        name = devices[0].names[0]
        reading = await async_recognize_command(self.tools.api.hass, self.said, said, name)
        return await self._to_each(part, clause, reading, devices) if reading else None

    def _by_itself(self, part: Utterance, meant: EntityLinker, devices: Sequence[Exposed]) -> str:
        """Return the intent by which devices start or stop; empty if it is another one."""
        domain, rest = devices[0].domain, unlinked(meant, devices)
        if domain == COVER and all(
            each.device_class == CoverDeviceClass.AWNING for each in devices
        ):
            return Predicate.of(rest).awning_intent
        if domain == LOCK and rest.says_only("locks"):
            return intent.INTENT_TURN_ON
        if self._only_stops(meant, devices):
            return ENDS.get(domain, "")
        if domain == MEDIA_PLAYER and rest.says_only("plays"):
            return RESUME
        if rest.says_only("puts_on") and self._is_a_clause(meant.text):
            return _BRINGS.get(("on", domain), "")
        said = Predicate.of(unlinked(meant, devices, fillers=True))
        if domain in BEGINS and {domain} == said.domains and said.does_nothing_else:
            return BEGINS[domain]
        states = said.states() if said.is_whole else ()
        brings = {_BRINGS[each, domain] for each in states if (each, domain) in _BRINGS}
        if len(brings) == 1 and said.agrees(only := brings.pop(), (domain,)) is not False:
            return only
        if reading := without_values(part):
            return _TURNED.get(reading.intent_type, {}).get(domain, "")
        return ""

    def _is_a_clause(self, text: Text) -> bool:
        """Return True if a text is a whole clause: not "mach A" of "mach A und B aus"."""
        return any(text == each.command for each in self.tools.utterance.parsed.clauses)

    @staticmethod
    def _only_stops(meant: EntityLinker, devices: Sequence[Exposed]) -> bool:
        """Return True if a command only stops devices: "para" may be a function word as well."""
        empty = meant.text.language.function_words
        rests = (unlinked(meant, devices, fillers=each) for each in (False, True))
        return any(rest.says("stops") and empty.issuperset(rest.without("stops")) for rest in rests)

    async def _adjusted(
        self, part: Utterance, clause: Clause, quantity: Quantity, devices: Sequence[Exposed]
    ) -> DirectAction | None:
        """Return the action that sets a quantity of devices, or changes it by a step."""
        calls: list[llm.ToolInput] = []
        for each in adjusted(self.tools.api.hass, quantity, devices):
            reading = IntentMatch.of(each.intent_type, each.values)
            if (act := await self._to_each(part, clause, reading, each.devices)) is None:
                return None
            calls += act.calls
        return DirectAction(clause, calls) if calls else None

    async def _measured(
        self, part: Utterance, clause: Clause, meant: EntityLinker
    ) -> DirectAction | None:
        """Return the action for a quantity without a device: "brighter in here", "volume to 30"."""
        told = [
            (quantity, each)
            for each in meant.called
            if (quantity := Quantity.of(unlinked(meant, [each])))
            and DOMAIN_OF.get(quantity.name) == each.domain
        ]
        if len(told) == 1:
            # "The volume in the kitchen" is that of the device with that name.
            return await self._adjusted(part, clause, told[0][0], [told[0][1]])
        quantity = Quantity.of(unlinked(meant, ()))
        if quantity is None or meant.named:
            return None
        topic = self._topic(clause)
        about = [meant, *topic]
        kinds = {each for one in about for kind in one.categories for each in kind.domains}
        kinds &= MEASURED
        names = (
            {quantity.name} if quantity.name else {*Quantity.topics(topic[0].text)} if topic else ()
        )
        domains = {*map(DOMAIN_OF.__getitem__, names)} or kinds
        if len(domains) != 1 or not kinds <= domains:
            return None
        own = [each for each in part.home.entities if each.domain in domains]
        areas = meant.areas or (topic and topic[0].areas) or {part.area_id}
        there = [each for each in own if each.area in areas]
        if not (there or meant.areas):
            there = own
        is_state = self.tools.api.hass.states.is_state
        awake = (
            [each for each in there if any(is_state(each.entity_id, state) for state in states)]
            for states in _AWAKE
        )
        working = next(filter(None, awake), there)
        # Several lamps may share the light of a room; one of two players would be a guess.
        is_one = len(working) == 1 or (domains == {LIGHT} and areas != {None} and quantity.way)
        return await self._adjusted(part, clause, quantity, working) if is_one else None

    async def _ended(
        self, part: Utterance, clause: Clause, meant: EntityLinker
    ) -> DirectAction | None:
        """Return the action that stops the only running device of a category: "stop vacuuming"."""
        if not meant.text.says("stops"):
            return None
        work = part.link(meant.text.alike(" ".join(meant.text.without("stops"))))
        for domain in work.sense_domains & ENDS.keys():
            home, code = part.home, part.text.code
            doers = entities_for_sense(domain, home, code, certainly=True)
            if len(doers) == 1:
                return await self._to_each(part, clause, IntentMatch.of(ENDS[domain]), doers)
        return None

    async def _played(
        self, part: Utterance, clause: Clause, meant: EntityLinker
    ) -> DirectAction | None:
        """Return the action on the only player that is in use: "pause the music", "next song"."""
        if meant.has_mention or meant.areas:
            return None
        states = self.tools.api.hass.states
        players = [each for each in part.home.entities if each.domain == MEDIA_PLAYER]
        for state in (STATE_PLAYING, STATE_PAUSED):
            if used := [each for each in players if states.is_state(each.entity_id, state)]:
                break
        else:
            return None
        if len(used) > 1:
            return None
        music = meant.text.patterns.words_of("music")
        left = " ".join(each for each in meant.text.spoken if music.isdisjoint(words(each)))
        # "Carry on with the music": it is what a player plays.
        for said in (meant, part.link(meant.text.alike(left))):
            if by_itself := self._by_itself(part, said, used):
                return await self._to_each(part, clause, IntentMatch.of(by_itself), used)
        # Home Assistant has such sentences only for the players where it is spoken to.
        there = replace(self.said, satellite_id=used[0].entity_id, device_id=None)
        reading = await async_recognize_command(self.tools.api.hass, there, [meant.text])
        if reading is None or reading.intent_type not in _OF_PLAYERS:
            return None
        values = {key: value for key, value in reading.slots.items() if key not in TARGET}
        return await self._to_each(part, clause, replace(reading, slots=values), used)

    async def _listed(self, part: Utterance, clause: Clause) -> DirectAction | None:
        """Return the action on the to-do list that a clause mentions."""
        lists = [each for each in part.home.entities if each.domain in LISTS]
        before = self._before(clause)
        remark = before.text if before else NOTHING
        command = parse_list_command(clause.command or clause.text, lists, remark)
        if command is None or (command.is_verbless and part.context.answer.endswith("?")):
            return None
        calls: list[llm.ToolInput] = []
        for item in command.items:
            reading = IntentMatch.of("HassListAddItem", {"item": str(item)})
            if (act := await self._to_each(part, clause, reading, [command.todo])) is None:
                return None
            calls += act.calls
        if calls:
            return DirectAction(clause, calls, things=len(calls))
        return await self._named(part, clause, [command.sentence], [command.todo])

    def _before(self, clause: Clause) -> Clause | None:
        """Return the clause before another one."""
        said = takewhile(lambda each: each is not clause, self.tools.utterance.parsed.clauses)
        return next(iter([*said][::-1]), None)

    async def _to_each(
        self, part: Utterance, clause: Clause, reading: IntentMatch, devices: Sequence[Exposed]
    ) -> DirectAction | None:
        """Return the action on each of the devices of a domain, with the interpretation for one."""
        tool = self.tools.manager.for_intent(reading.intent_type)
        if tool is None or not self._says_item(reading) or reading.intent_type == SEARCH:
            return None
        calls: list[llm.ToolInput] = []
        for each in devices:
            call = llm.ToolInput(tool.name, {**reading.slots, "name": each.names[0]})
            if not await self._is_allowed(part, call):
                return None
            calls.append(call)
        return DirectAction(clause, calls)

    def _is_plain(self, part: Utterance, reading: IntentMatch) -> bool:
        """Return True if the interpretation covers each word of a clause.

        "Open the blinds a bit" is more than opening them, and "kitchen light" is no command.
        """
        is_said = part.link(part.text.alike(" ".join(reading.unknown.values()))).only_mentions
        if not (is_said and self._says_item(reading)):
            return False
        meant = part.link(join_commands(part.parsed.clauses))
        return reading.intent_type not in _TURNED or meant.predicate.is_expressed

    def _says_item(self, reading: IntentMatch) -> bool:
        """Return True if the item of a list command is a single one, with its own name."""
        item = str(reading.slots.get("item", ""))
        return is_single_item(self.tools.utterance.text, self.tools.utterance.text.alike(item))

    async def _is_allowed(self, part: Utterance, call: llm.ToolInput) -> bool:
        """Return True if a call is allowed, with or without consent; the executor decides finally.

        An entry point requires the exact words, without any correction.
        """
        try:
            resolved = await self.tools.for_part(part).async_resolve(call)
        except ConfirmationRequired:
            return True
        except Refusal:
            return False
        is_door = any(each.is_access for each in resolved.targets)
        return not is_door or bool(part.exact_command) or part.link(part.text).is_known_verbatim

    async def _part(self, clause: Clause) -> Utterance:
        """Return the parsed clause: the whole utterance, if it is the only clause."""
        utterance = self.tools.utterance
        is_whole = utterance.parsed.clauses == (clause,)
        if is_whole and (utterance.exact_command or clause.command == utterance.text):
            return utterance
        return await self.planner.async_part(utterance, clause)


def _with_exception(clauses: Sequence[Clause]) -> Sequence[Clause]:
    """Return the clauses; what the last one keeps as it is, is an exception of the one before.

    "All lights off, but leave the lamp on".
    """
    match clauses:
        case [*others, before, last] if last.keeps_state and not (
            last.times or before.exclusion or before.keeps_state
        ):
            return [*others, replace(before, exclusion=last.text)]
    return clauses


def _is_all_said(part: Utterance, clause: Clause, devices: Sequence[Exposed]) -> bool:
    """Return True if no remaining word can select one of several devices: "bedroom free"."""
    meant = part.link(clause.command or clause.text)
    if len(devices) == 1 or meant.sense_domains:
        return True
    return Predicate.of(unlinked(meant, devices)).has_no_object
