"""A call beside the utterance: the clauses that it belongs to, and their contents."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ...const import DEFAULT_ASK_BEFORE
from ...home.exposed import Exposed
from ...json_schema import Json
from ...mcp_servers.tool import McpTool
from ...nlu.anaphora import Anaphora
from ...nlu.clause import Clause, DialogueAct, join_commands
from ...nlu.entity_linking import EntityLinker
from ...nlu.home_assistant import IntentMatch
from ...nlu.predicates import Predicate
from ...nlu.tokenizer import Text
from ...nlu.utterance import RecognitionStatus, Utterance
from ..assist.target import LISTS
from ..context_tool import RequestTool
from ..inverse_intents import equivalent_intent
from ..journal import Journal, signature
from ..manager import ToolManager
from ..resolved_intent import Replace, certainly, without_values
from ..taint import Taint
from .divergence import Provenance

_ONLY_SAYS = frozenset((DialogueAct.QUESTION, DialogueAct.STATEMENT))


# Intents that unlock no bolt and open no door further.
_SAFE = frozenset(
    (
        ("lock", intent.INTENT_TURN_ON),
        ("cover", intent.INTENT_TURN_OFF),
        ("cover", intent.INTENT_STOP_MOVING),
    )
)


def opens_access(intent_type: str, arguments: Json, entity: Exposed) -> bool:
    """Return True if an intent opens an entry point: locking or closing is no risk."""
    closes = intent_type == intent.INTENT_SET_POSITION and arguments.get("position") == 0
    return entity.is_access and not closes and (entity.domain, intent_type) not in _SAFE


@dataclass(frozen=True)
class PolicyContext:
    """The context against which the calls of a turn are checked."""

    utterance: Utterance
    journal: Journal
    manager: ToolManager
    hass: HomeAssistant = field(kw_only=True)
    assistant: str = field(default=CONVERSATION, kw_only=True)
    """The assistant to which entities are exposed."""
    taint: Taint = field(default_factory=Taint, kw_only=True)
    """The third-party text that was read."""
    asks_before: Collection[str] = field(default=tuple(DEFAULT_ASK_BEFORE), kw_only=True)
    """The dangers that require consent."""
    declined: Collection[str] = field(default=(), kw_only=True)
    """Signatures of calls to which the user has just not consented."""
    parts: Mapping[Clause, Utterance] = field(default_factory=dict, kw_only=True)
    """The clauses that were parsed separately: more are added while the turn runs."""

    @cached_property
    def resolved(self) -> Replace | None:
        """The certain intent of the utterance, if there is a tool for it."""
        return self._resolve(self.utterance)

    @cached_property
    def plain(self) -> IntentMatch | None:
        """The command, if the utterance certainly has no value: brightness, temperature."""
        return without_values(self.utterance)

    def resolve_part(self, clause: Clause) -> Replace | None:
        """Return the certain intent of a clause, as if it were the whole utterance."""
        return self._resolve(part) if (part := self.parts.get(clause)) else None

    def _resolve(self, utterance: Utterance) -> Replace | None:
        return certainly(self.hass, utterance, self.manager, self.assistant)


@dataclass(frozen=True, kw_only=True)
class ComparedCall:
    """A call that is about to be made, beside the utterance: its clauses and their contents."""

    turn: PolicyContext
    tool: llm.Tool
    arguments: Json
    is_written: bool
    """The model wrote it as text."""
    domains: frozenset[str] = frozenset()
    """The domains of the devices that its tool supports; empty if there are none."""
    takes_name: bool = False
    """Its tool takes the name of a single device."""
    targets: Sequence[Exposed] = ()
    """The devices that it would act upon, as far as they are known."""
    clause: Clause | None = None
    """Its clause, if that is known."""
    leaves_scripts: bool = False
    """It is made for its devices alone, and runs no scripts in their areas."""

    @property
    def can_wait(self) -> bool:
        """Whether a time expression is the time of the call, and not one of its arguments."""
        is_plain_action = isinstance(self.tool, llm.ActionTool) and not self.arguments
        is_request = isinstance(self.tool, RequestTool) and self.tool.is_for_later
        return self.acts_on_devices or is_plain_action or is_request

    @property
    def intent_type(self) -> str:
        """The Home Assistant intent of the call; empty if it is not one."""
        return str(getattr(self.tool, "intent_type", ""))

    @property
    def acts_on_devices(self) -> bool:
        """Whether it changes something in the home."""
        return bool(self.domains - LISTS) and not self.tool.annotations.read_only

    @property
    def opened_targets(self) -> Sequence[Exposed]:
        """The entry points that it opens."""
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
        """The utterance."""
        return self.turn.utterance

    @property
    def taint(self) -> Taint:
        """The third-party text that was read."""
        return self.turn.taint

    @property
    def hass(self) -> HomeAssistant:
        """Home Assistant, with the states of the home."""
        return self.turn.hass

    @property
    def provenance(self) -> Provenance:
        """The kind of third-party text that was read before it."""
        if not self.taint.is_there:
            return Provenance.OWN
        return Provenance.DESCRIBED if self.taint.is_only_described else Provenance.READ

    @property
    def resolved(self) -> Replace | None:
        """The certain intent of the utterance."""
        return self.turn.resolved

    @property
    def is_command(self) -> bool:
        """Whether the utterance certainly contains a command."""
        utterance = self.utterance
        return (
            utterance.status is RecognitionStatus.COMMAND
            or utterance.parsed.act is DialogueAct.COMMAND
        )

    @property
    def asks(self) -> bool:
        """Whether the user asks or reports, without a command.

        In a language without verbs, Home Assistant may take a message for a question: "Manda à Rita
        o que está na lista".
        """
        utterance, reading = self.utterance, self.utterance.intent_match
        is_guess = reading and reading.begins_unknown and not utterance.text.language.knows_verbs
        return utterance.asks and not (is_guess and isinstance(self.tool, McpTool))

    @property
    def commands(self) -> bool:
        """Whether the utterance contains a command, and no question."""
        return self.is_command and not self.utterance.asks

    def leaves_open(self, said: EntityLinker) -> bool:
        """Return True if the model may choose the targets: no command names them."""
        return not (said.has_mention and self.is_command)

    @property
    def may_want(self) -> bool:
        """Whether the utterance may be a request that consent can confirm."""
        return bool(self.utterance.text) and self.utterance.parsed.act is not DialogueAct.STATEMENT

    @property
    def is_answered(self) -> bool:
        """Whether the utterance's only request was to read something, and that is done."""
        return self.turn.journal.has_read and len(self.utterance.parsed.clauses) == 1

    @property
    def is_declined(self) -> bool:
        """Whether the user has just not consented to it."""
        return signature(self.tool.name, self.arguments) in self.turn.declined

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """The clauses that it may belong to: those that mention its devices.

        A clause without a mention is about the devices of the one before, where it alone has the
        call's action: "keep it on till nine, then turn it off".
        """
        if self.clause:
            return (self.clause,)
        clauses: Sequence[Clause] = self.utterance.parsed.clauses
        if len(clauses) < 2 or not self.targets:
            return clauses
        # An exclusion of some of them is about these alone: "all off, but leave the lamp on".
        clauses = [each for each in clauses if not self._spared_by(each)] or clauses
        said = [self.utterance.link(each.text) for each in clauses]
        about = [sum(map(each.relevance, {*self.targets})) for each in said]
        most = max(about)
        found = [each for each, count in zip(clauses, about, strict=True) if count == most]
        if not most:
            # In another language than the home's, no clause may contain a name.
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
        """The commands of these clauses."""
        return join_commands(self.clauses)

    @property
    def reference(self) -> EntityLinker:
        """The mentions in these clauses."""
        return self.utterance.link(self.text)

    @property
    def predicate(self) -> Predicate:
        """The predicate of these clauses."""
        return Predicate.of(self.text)

    @cached_property
    def wanted(self) -> Sequence[Clause]:
        """The same clauses, but the command of a statement or a question, or else all commands.

        In "The pump ran last night, stop it", the time is not the command's.
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
        """The certain intents of the clauses that it may belong to."""
        found = (
            self.turn.resolve_part(each)
            for each in self.clauses
            if each.act is DialogueAct.COMMAND and not each.negated and not each.exclusion
        )
        return [each for each in found if each and each.reading.is_exact]

    def is_read_alone(self, clause: Clause) -> bool:
        """Return True if a clause is literally the call's intent, and names no device."""
        part = self.turn.resolve_part(clause)
        reading = part.reading if part and part.reading.is_exact else None
        is_read = reading is not None and reading.intent_type == self.intent_type
        return is_read and not self.says_where(clause)

    def agrees(self, clause: Clause) -> bool | None:
        """Return True if a clause requests the action, False if the opposite; None if uncertain."""
        intent_type = equivalent_intent(self.arguments) or self.intent_type
        return clause.predicate.agrees(intent_type, self.domains)

    def link_back(self, text: Text, *, only_anaphora: bool = False) -> EntityLinker:
        """Return the mentions in a text, or else in the last sentence that has any.

        `only_anaphora`: only if the text has an anaphor.
        """
        said = self.utterance.link(text)
        for earlier in reversed(self.utterance.context.earlier):
            if said.has_mention or (only_anaphora and not Anaphora.of(text).refers_back):
                break
            said = self.utterance.link(earlier)
        return said

    def is_wanted_by(self, command: Text) -> bool:
        """Return True if a text requests the call's effect on its devices."""
        return Predicate.of(command).wants(self.intent_type, self.targets)

    def told_before(self, clause: Clause) -> Clause | None:
        """Return the statement or question that is a command's antecedent: "..., stop it"."""
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
        """Return True if a clause has a word for a device, or for a place."""
        return bool(self._named_in(clause))

    def is_of_others(self, clause: Clause) -> bool:
        """Return True if a clause names devices, but none of those of the call."""
        named = self._named_in(clause)
        return bool(named) and named.isdisjoint(self.targets)

    @property
    def spared_targets(self) -> frozenset[Exposed]:
        """Those of its devices that another clause excludes."""
        clauses = (each for each in self.utterance.parsed.clauses if each != self.clause)
        named = frozenset(entity for each in clauses for entity in self._spared_by(each))
        return named.intersection(self.targets)

    @property
    def is_left_out(self) -> bool:
        """Whether its only targets are exclusions from a command for all of a kind.

        "Close all the blinds, only not the one in the bedroom": that blind is excluded, also as the
        only target. Later clauses may include it again.
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
        """Return the reason, followed by the name of the tool for the intent, if there is one."""
        meant = self.turn.manager.for_intent(intent_type)
        return f"{reason}: call {meant.name}" if meant else reason

    def _is_open(self, clause: Clause) -> bool:
        """Return True if a clause is a command without a target or an anaphor such as "it"."""
        is_command = clause.act is DialogueAct.COMMAND
        return (
            is_command
            and self._says_kind(clause) is None
            and not Anaphora.of(clause.text).refers_back
        )

    def _says_kind(self, clause: Clause) -> bool | None:
        """Return True if a clause names the targets' kind, False if only another; None if none."""
        kinds = self.utterance.link(clause.command or clause.text).categories
        domains = {domain for each in kinds for domain in each.domains}
        return not domains.isdisjoint(self.target_domains) if domains else None

    def _goes_on(self, clause: Clause, found: Sequence[Clause]) -> bool:
        """Return True if a clause requests the action for the devices of an earlier clause."""
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
        """Return the devices that a clause requests to change."""
        is_command = clause.act is DialogueAct.COMMAND and not clause.negated
        return self._named_in(clause) if is_command else frozenset()

    def _named_in(self, clause: Clause) -> frozenset[Exposed]:
        """Return the devices that match a clause best."""
        return self.utterance.link(clause.text).most_relevant

    def _spared_by(self, clause: Clause) -> Collection[Exposed]:
        """Return the devices that a clause excludes, if the call has others as well."""
        if not (clause.negated or clause.keeps_state) or self._says_otherwise(clause):
            return ()
        named = self._named_in(clause)
        return () if named.issuperset(self.targets) else named

    def _says_otherwise(self, clause: Clause) -> bool:
        """Return True if an exclusion fits the call: "all off, and don't turn on the lamp"."""
        return self.agrees(clause) is (not clause.negated)
