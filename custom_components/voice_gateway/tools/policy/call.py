"""A call that is about to be made, beside what was said: which clauses it belongs to, and what they say."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ...const import DEFAULT_ASK_BEFORE
from ...home.exposed import Exposed
from ...json_schema import Json
from ...nlu.anaphora import Anaphora
from ...nlu.clause import Clause, DialogueAct, join_commands
from ...nlu.entity_linking import EntityLinker
from ...nlu.home_assistant import IntentMatch
from ...nlu.predicates import Predicate
from ...nlu.tokenizer import Text
from ...nlu.utterance import RecognitionStatus, Utterance
from ..assist.target import LISTS
from ..inverse_intents import equivalent_intent
from ..journal import Journal, signature
from ..manager import ToolManager
from ..resolved_intent import Replace, certainly, without_values
from ..taint import Taint
from .divergence import Provenance

_ONLY_SAYS = frozenset((DialogueAct.QUESTION, DialogueAct.STATEMENT))


# What moves no bolt and no door further open.
_SAFE = frozenset(
    (
        ("lock", intent.INTENT_TURN_ON),
        ("cover", intent.INTENT_TURN_OFF),
        ("cover", intent.INTENT_STOP_MOVING),
    )
)


def opens_access(intent_type: str, arguments: Json, entity: Exposed) -> bool:
    """Return True if an intent opens what keeps people out: to lock or to close it is no risk."""
    closes = intent_type == intent.INTENT_SET_POSITION and arguments.get("position") == 0
    return entity.is_access and not closes and (entity.domain, intent_type) not in _SAFE


@dataclass(frozen=True)
class PolicyContext:
    """What the calls of a turn are held to."""

    utterance: Utterance
    journal: Journal
    manager: ToolManager
    hass: HomeAssistant = field(kw_only=True)
    assistant: str = field(default=CONVERSATION, kw_only=True)
    """Whose exposed entities there are."""
    taint: Taint = field(default_factory=Taint, kw_only=True)
    """What was read that others wrote."""
    asks_before: Collection[str] = field(default=tuple(DEFAULT_ASK_BEFORE), kw_only=True)
    """Before which dangers the user is asked."""
    declined: Collection[str] = field(default=(), kw_only=True)
    """Signatures of calls to which the user has just said something else than yes."""
    parts: Mapping[Clause, Utterance] = field(default_factory=dict, kw_only=True)
    """The parts of the sentence that were parsed by themselves: more are while the turn runs."""

    @cached_property
    def resolved(self) -> Replace | None:
        """What the sentence says for certain, if there is a tool that does it."""
        return self._resolve(self.utterance)

    @cached_property
    def plain(self) -> IntentMatch | None:
        """What is to be done, where the sentence certainly says no value: how bright, how warm."""
        return without_values(self.utterance)

    def resolve_part(self, clause: Clause) -> Replace | None:
        """Return what a part of the sentence says for certain, as if it had been said by itself."""
        return self._resolve(part) if (part := self.parts.get(clause)) else None

    def _resolve(self, utterance: Utterance) -> Replace | None:
        return certainly(self.hass, utterance, self.manager, self.assistant)


@dataclass(frozen=True, kw_only=True)
class ComparedCall:
    """A call that is about to be made, beside what was said: which parts it belongs to, and what they say."""

    turn: PolicyContext
    tool: llm.Tool
    arguments: Json
    is_written: bool
    """The model wrote it as text."""
    domains: frozenset[str] = frozenset()
    """Of the devices that its tool works with; empty where it works with none."""
    takes_name: bool = False
    """It can be told one device by its name."""
    targets: Sequence[Exposed] = ()
    """The devices that it would act upon, as far as they are known."""
    clause: Clause | None = None
    """The part of the sentence that it is for, where that is known."""
    leaves_scripts: bool = False
    """It is made for its devices alone, and runs no script that is where they are."""

    @property
    def can_wait(self) -> bool:
        """Whether a moment that was said is when to make it, and not a part of what it does."""
        is_plain_action = isinstance(self.tool, llm.ActionTool) and not self.arguments
        return self.acts_on_devices or is_plain_action

    @property
    def intent_type(self) -> str:
        """Home Assistant's intent that the call is; empty where it is none."""
        return str(getattr(self.tool, "intent_type", ""))

    @property
    def acts_on_devices(self) -> bool:
        """Whether it changes something in the home."""
        return bool(self.domains - LISTS) and not self.tool.annotations.read_only

    @property
    def opened_targets(self) -> Sequence[Exposed]:
        """What it opens that keeps people out."""
        return [
            each for each in self.targets if opens_access(self.intent_type, self.arguments, each)
        ]

    @property
    def target_domains(self) -> frozenset[str]:
        """The domains of the devices that it would act upon."""
        return frozenset(each.domain for each in self.targets)

    @property
    def target_names(self) -> Sequence[str]:
        """The names of the devices that it would act upon."""
        return [name for each in self.targets for name in each.names]

    @property
    def utterance(self) -> Utterance:
        """The sentence."""
        return self.turn.utterance

    @property
    def taint(self) -> Taint:
        """What was read that others wrote."""
        return self.turn.taint

    @property
    def hass(self) -> HomeAssistant:
        """Home Assistant, with the states of the home."""
        return self.turn.hass

    @property
    def provenance(self) -> Provenance:
        """What was read before it that others wrote."""
        if not self.taint.is_there:
            return Provenance.OWN
        return Provenance.DESCRIBED if self.taint.is_only_described else Provenance.READ

    @property
    def resolved(self) -> Replace | None:
        """What the sentence says for certain."""
        return self.turn.resolved

    @property
    def is_command(self) -> bool:
        """Whether the sentence certainly says that something is to be done."""
        utterance = self.utterance
        return (
            utterance.status is RecognitionStatus.COMMAND
            or utterance.parsed.act is DialogueAct.COMMAND
        )

    @property
    def commands(self) -> bool:
        """Whether the sentence says that something is to be done, and asks nothing."""
        return self.is_command and not self.utterance.asks

    def leaves_open(self, said: EntityLinker) -> bool:
        """Return True if it is left to the model what is acted upon: no command says it."""
        return not (said.has_mention and self.is_command)

    @property
    def may_want(self) -> bool:
        """Whether the sentence may want something that can be asked about."""
        return bool(self.utterance.text) and self.utterance.parsed.act is not DialogueAct.STATEMENT

    @property
    def is_answered(self) -> bool:
        """Whether the only thing that the sentence says has been read for it."""
        return self.turn.journal.has_read and len(self.utterance.parsed.clauses) == 1

    @property
    def is_declined(self) -> bool:
        """Whether the user has just said something else than yes to it."""
        return signature(self.tool.name, self.arguments) in self.turn.declined

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """The parts of the sentence that it may belong to: that speak of its devices.

        What names nothing speaks of what the part before it does, where it alone says what the call does:
        "keep it on till nine, then turn it off".
        """
        if self.clause:
            return (self.clause,)
        clauses: Sequence[Clause] = self.utterance.parsed.clauses
        if len(clauses) < 2 or not self.targets:
            return clauses
        # What spares some of them is about these alone: "all off, but leave the lamp on".
        clauses = [each for each in clauses if not self._spared_by(each)] or clauses
        said = [self.utterance.link(each.text) for each in clauses]
        about = [sum(map(each.relevance, {*self.targets})) for each in said]
        most = max(about)
        found = [each for each, count in zip(clauses, about, strict=True) if count == most]
        if not most:
            # In another language than the home's, a name may be in none of them.
            found = [
                each for each in found if not (each.has_content or each.has_recipient)
            ] or found
            found = (
                [each for each in found if self._says_kind(each)]
                or [each for each in found if self._is_open(each)]
                or found
            )
            agreed = (each for each in found if self.agrees(each) and not each.negated)
            return [*agreed] or found
        if any(self.agrees(each) for each in found):
            return found
        return [each for each in clauses if self._goes_on(each, found)] or found

    @property
    def text(self) -> Text:
        """The commands of these parts."""
        return join_commands(self.clauses)

    @property
    def reference(self) -> EntityLinker:
        """What these parts say of devices."""
        return self.utterance.link(self.text)

    @property
    def predicate(self) -> Predicate:
        """What these parts say is to become of something."""
        return Predicate.of(self.text)

    @cached_property
    def wanted(self) -> Sequence[Clause]:
        """The same parts, and of what is only told or asked the command for it, or the commands at all.

        "The pump ran last night, stop it" names no moment for that.
        """
        found = self.clauses
        if any(each.act not in _ONLY_SAYS for each in found):
            return found
        clauses = self.utterance.parsed.clauses
        return (
            [each for each in clauses if self.told_before(each) in found]
            or [each for each in clauses if each.act not in _ONLY_SAYS]
            or found
        )

    @property
    def of_parts(self) -> Sequence[Replace]:
        """What the parts of the sentence that it may belong to say, word by word."""
        found = (
            self.turn.resolve_part(each)
            for each in self.clauses
            if each.act is DialogueAct.COMMAND and not each.negated and not each.exclusion
        )
        return [each for each in found if each and each.reading.is_exact]

    def agrees(self, clause: Clause) -> bool | None:
        """Return True if a part says what the call does, False if the opposite; None if neither is certain."""
        intent_type = equivalent_intent(self.arguments) or self.intent_type
        return clause.predicate.agrees(intent_type, self.domains)

    def link_back(self, text: Text, *, only_anaphora: bool = False) -> EntityLinker:
        """Return what words say of devices, else what the last sentence that mentions any says.

        `only_anaphora`: only where they refer back to it.
        """
        said = self.utterance.link(text)
        for earlier in reversed(self.utterance.context.earlier):
            if said.has_mention or (only_anaphora and not Anaphora.of(text).refers_back):
                break
            said = self.utterance.link(earlier)
        return said

    def is_wanted_by(self, command: Text) -> bool:
        """Return True if words say what it does to its devices, by what they bring about."""
        return Predicate.of(command).wants(self.intent_type, self.targets)

    def told_before(self, clause: Clause) -> Clause | None:
        """Return what is told or asked before a command that speaks of nothing else: "..., stop it"."""
        clauses = self.utterance.parsed.clauses
        if (
            clause.act is not DialogueAct.COMMAND
            or clause not in clauses
            or not Anaphora.of(clause.command).refers_back
            or self.says_where(clause)
        ):
            return None
        before = reversed(clauses[: clauses.index(clause)])
        told = next((each for each in before if self.says_where(each)), None)
        return told if told and told.act in _ONLY_SAYS else None

    def says_where(self, clause: Clause) -> bool:
        """Return True if a part of the sentence has a word for a device, or for a place."""
        return bool(self._named_in(clause))

    def is_of_others(self, clause: Clause) -> bool:
        """Return True if a part of the sentence names devices, and none of the call's."""
        named = self._named_in(clause)
        return bool(named) and named.isdisjoint(self.targets)

    @property
    def spared_targets(self) -> frozenset[Exposed]:
        """Some of its devices that another part of the sentence leaves alone."""
        clauses = (each for each in self.utterance.parsed.clauses if each != self.clause)
        named = frozenset(entity for each in clauses for entity in self._spared_by(each))
        return named.intersection(self.targets)

    @property
    def is_left_out(self) -> bool:
        """Whether it is only for what is left out behind a command for all of a kind.

        "Close all the blinds, only not the one in the bedroom": not that one, nor it alone. What is said
        of it after that counts.
        """
        clauses = self.utterance.parsed.clauses
        if not self.targets or len(clauses) < 2:
            return False
        for place, each in enumerate(clauses):
            named = self._named_in(each) if each.negated and each.is_immediate else frozenset()
            if not named.issuperset(self.targets) or self._says_otherwise(each):
                continue
            after = (self._wanted_of(clause) for clause in clauses[place + 1 :])
            before = (self._wanted_of(clause) for clause in clauses[:place])
            if not any(map(named.intersection, after)) and any(
                one.issuperset(self.targets)
                and any(other.domain in self.domains for other in one - named)
                for one in before
            ):
                return True
        return False

    def work_of(self, intent_type: str, reason: str) -> str:
        """Return why it is another tool's work, with that tool, if there is one."""
        meant = self.turn.manager.for_intent(intent_type)
        return f"{reason}: call {meant.name}" if meant else reason

    def _is_open(self, clause: Clause) -> bool:
        """Return True if a part is a command that leaves open to what it is: not by a word such as "it"."""
        is_command = clause.act is DialogueAct.COMMAND
        return (
            is_command
            and self._says_kind(clause) is None
            and not Anaphora.of(clause.text).refers_back
        )

    def _says_kind(self, clause: Clause) -> bool | None:
        """Return True if a part says the kind of the call's devices, False if only another; None if none."""
        kinds = self.utterance.link(clause.command or clause.text).categories
        domains = {domain for each in kinds for domain in each.domains}
        return not domains.isdisjoint(self.target_domains) if domains else None

    def _goes_on(self, clause: Clause, found: Sequence[Clause]) -> bool:
        """Return True if a part says what the call does to what some parts before it name."""
        clauses = self.utterance.parsed.clauses
        is_command = clause.act not in _ONLY_SAYS and not clause.negated
        if not is_command or clause in found or not Anaphora.of(clause.text).refers_back:
            return False
        before = reversed(clauses[: clauses.index(clause)])
        named = next((each for each in before if self.says_where(each)), None)
        return (
            named is not None
            and named in found
            and named.act not in _ONLY_SAYS
            and not self._named_in(named).isdisjoint(self.targets)
            and not self.says_where(clause)
            and self.agrees(clause) is True
        )

    def _wanted_of(self, clause: Clause) -> frozenset[Exposed]:
        """Return the devices of which a part of the sentence wants something done."""
        is_command = clause.act is DialogueAct.COMMAND and not clause.negated
        return self._named_in(clause) if is_command else frozenset()

    def _named_in(self, clause: Clause) -> frozenset[Exposed]:
        """Return the devices that most of a part of the sentence is about."""
        return self.utterance.link(clause.text).most_relevant

    def _spared_by(self, clause: Clause) -> Collection[Exposed]:
        """Return what a part of the sentence leaves alone, if the call is for others as well."""
        if not (clause.negated or clause.keeps_state) or self._says_otherwise(clause):
            return ()
        named = self._named_in(clause)
        return () if named.issuperset(self.targets) else named

    def _says_otherwise(self, clause: Clause) -> bool:
        """Return True if what is to stay, or not to be, agrees with the call: "all off, and don't turn on the lamp"."""
        return self.agrees(clause) is (not clause.negated)
