"""A call that is about to be made, and what may be decided of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..const import DEFAULT_ASK_BEFORE
from ..home.exposed import Exposed
from ..json_schema import Json
from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause, DialogueAct
from ..nlu.home_assistant import IntentMatch
from ..nlu.utterance import Utterance
from .assist.target import LISTS
from .inverse_intents import equivalent_intent
from .journal import DirectReply, Journal
from .manager import ToolManager
from .taint import Taint

HEARD = "heard"
"""What is asked of a harmless call: whether it was heard rightly. That needs no PIN."""
_ONLY_SAYS = frozenset((DialogueAct.QUESTION, DialogueAct.STATEMENT))
OF_SERVER = "server"
"""What an MCP server asks by itself. What it was called for was decided before."""
CHOICE_OF_SERVER = "server_choice"
OF_SERVERS = frozenset((OF_SERVER, CHOICE_OF_SERVER))
WITHOUT_PIN = OF_SERVERS | {HEARD}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCall:
    """A call that is about to be made."""

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


@dataclass(frozen=True, slots=True)
class Refuse:
    """Why a call may not be made, in words for the model."""

    reason: str
    instead: DirectReply | None = None
    """What the user is told at once, where there is nothing left for the model to do."""
    about: Sequence[str] = ()
    """The names of the devices that are left alone, or what was not found."""
    which: Sequence[Exposed] = ()
    """Devices of which one may be meant."""


@dataclass(frozen=True, slots=True)
class Defer:
    """A call is for a moment that was said: it is kept, or made now and undone at its end."""

    clause: Clause
    """The part of the sentence that it is for."""
    refused: Refuse
    """What holds where it can't be kept."""


@dataclass(frozen=True, slots=True)
class Narrow:
    """The only devices that a call is made for: some of those that it would act upon.

    Where Home Assistant would refuse it, they are those that were certainly meant.
    """

    targets: Sequence[Exposed]
    leaves_scripts: bool = False
    """The call would also run scripts, which are none of the devices."""


@dataclass(frozen=True, slots=True)
class Replace:
    """What a sentence says for certain: it is done in place of a call that does it otherwise."""

    reading: IntentMatch
    targets: Sequence[Exposed]
    """The devices that it is done to; empty where it is not done to any, or nobody knows them yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A call is made only if the user says yes to a question of ours."""

    does: str
    """What it does: a part of the question's key."""
    names: Sequence[str]
    """To what it does it, in words for the user."""
    more: Mapping[str, str] = field(default_factory=dict)
    """What else the question says."""
    because: str = ""
    """What the model is told where nobody can be asked."""
    targets: Sequence[Exposed] = ()
    """The devices that it is for."""

    @property
    def only(self) -> Sequence[Exposed] | None:
        """The devices that its call is made for; None where that names what it is for itself."""
        is_of_lists = any(each.domain in LISTS for each in self.targets)
        return self.targets if self.targets and not is_of_lists else None

    def is_same(self, other: Ask | None) -> bool:
        """Return True if a yes to another question is one to this: it does the same to the same."""
        return other is not None and (
            (self.does, self.more, {*self.names}, {*self.targets})
            == (other.does, other.more, {*other.names}, {*other.targets})
        )


@dataclass(frozen=True, slots=True)
class PolicyContext:
    """What a call is held to."""

    utterance: Utterance
    journal: Journal
    manager: ToolManager
    resolved: Replace | None = None
    """What the sentence says for certain."""
    plain: IntentMatch | None = None
    """What is to be done, where the sentence certainly says no value: how bright, how warm."""
    hass: HomeAssistant = field(kw_only=True)
    taint: Taint = field(default_factory=Taint)
    """What was read that others wrote."""
    asks_before: Collection[str] = tuple(DEFAULT_ASK_BEFORE)
    """Before which dangers the user is asked."""
    declined: Collection[str] = ()
    """Signatures of calls to which the user has just said something else than yes."""
    understood_in: Callable[[Clause], Replace | None] = lambda _: None
    """Tells what a part of the sentence says for certain, as if it had been said by itself."""

    def of_parts(self, proposed: ProposedCall) -> Sequence[Replace]:
        """Return what the parts of the sentence that a call may belong to say, word by word."""
        found = (
            self.understood_in(each)
            for each in self.clauses(proposed)
            if each.act is DialogueAct.COMMAND and not each.negated and not each.exclusion
        )
        return [each for each in found if each and each.reading.is_exact]

    def clauses(self, proposed: ProposedCall) -> Sequence[Clause]:
        """Return the parts of the sentence that a call may belong to: that speak of its devices.

        What names nothing speaks of what the part before it does, where it alone says what the call does:
        "keep it on till nine, then turn it off".
        """
        if proposed.clause:
            return (proposed.clause,)
        clauses: Sequence[Clause] = self.utterance.parsed.clauses
        if len(clauses) < 2 or not proposed.targets:
            return clauses
        # What spares some of them is about these alone: "all off, but leave the lamp on".
        clauses = [each for each in clauses if not self._spared_by(each, proposed)] or clauses
        mentioned = self.utterance.mentions
        about = [
            sum(mentioned.score_mentions(each.text, proposed.targets).values()) for each in clauses
        ]
        most = max(about)
        found = [each for each, count in zip(clauses, about, strict=True) if count == most]
        if not most:
            # In another language than the home's, a name may be in none of them.
            found = [
                each for each in found if not (each.has_content or each.has_recipient)
            ] or found
            found = (
                [each for each in found if self._says_kind(each, proposed)]
                or [each for each in found if self._is_open(each, proposed)]
                or found
            )
            agreed = (each for each in found if self._agrees(each, proposed) and not each.negated)
            return [*agreed] or found
        if any(self._agrees(each, proposed) for each in found):
            return found
        return [each for each in clauses if self._goes_on(each, found, proposed)] or found

    def _is_open(self, clause: Clause, proposed: ProposedCall) -> bool:
        """Return True if a part is a command that leaves open to what it is: not by a word such as "it"."""
        is_command = clause.act is DialogueAct.COMMAND
        return (
            is_command
            and self._says_kind(clause, proposed) is None
            and not Anaphora.of(clause.text).refers_back
        )

    def _says_kind(self, clause: Clause, proposed: ProposedCall) -> bool | None:
        """Return True if a part says the kind of a call's devices, False if only another; None if none."""
        kinds = self.utterance.link(clause.command or clause.text).categories
        domains = {domain for each in kinds for domain in each.domains}
        return any(each.domain in domains for each in proposed.targets) if domains else None

    def _goes_on(self, clause: Clause, found: Sequence[Clause], proposed: ProposedCall) -> bool:
        """Return True if a part says what a call does to what some parts before it name."""
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
            and not self._named_in(named).isdisjoint(proposed.targets)
            and not self.says_where(clause)
            and self._agrees(clause, proposed) is True
        )

    def _agrees(self, clause: Clause, proposed: ProposedCall) -> bool | None:
        """Return True if a part says what a call does, False if the opposite; None if neither is certain."""
        intent_type = equivalent_intent(proposed.arguments) or proposed.intent_type
        return clause.predicate.agrees(intent_type, proposed.domains)

    def wanted(self, proposed: ProposedCall) -> Sequence[Clause]:
        """Return the same, and of what is only told or asked the command for it, or the commands at all.

        "The pump ran last night, stop it" names no moment for that.
        """
        found = self.clauses(proposed)
        if any(each.act not in _ONLY_SAYS for each in found):
            return found
        clauses = self.utterance.parsed.clauses
        return (
            [each for each in clauses if self.told_before(each) in found]
            or [each for each in clauses if each.act not in _ONLY_SAYS]
            or found
        )

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

    def spared_targets(self, proposed: ProposedCall) -> frozenset[Exposed]:
        """Return some of a call's devices that another part of the sentence leaves alone."""
        clauses = (each for each in self.utterance.parsed.clauses if each != proposed.clause)
        named = frozenset(entity for each in clauses for entity in self._spared_by(each, proposed))
        return named.intersection(proposed.targets)

    def is_left_out(self, proposed: ProposedCall) -> bool:
        """Return True if a call is only for what is left out behind a command for all of a kind.

        "Close all the blinds, only not the one in the bedroom": not that one, nor it alone. What is said
        of it after that counts.
        """
        clauses = self.utterance.parsed.clauses
        if not proposed.targets or len(clauses) < 2:
            return False
        for place, each in enumerate(clauses):
            named = self._named_in(each) if each.negated and each.is_immediate else frozenset()
            if not named.issuperset(proposed.targets) or self._says_otherwise(each, proposed):
                continue
            after = (self._wanted(clause) for clause in clauses[place + 1 :])
            before = (self._wanted(clause) for clause in clauses[:place])
            if not any(map(named.intersection, after)) and any(
                one.issuperset(proposed.targets)
                and any(other.domain in proposed.domains for other in one - named)
                for one in before
            ):
                return True
        return False

    def _wanted(self, clause: Clause) -> frozenset[Exposed]:
        """Return the devices of which a part of the sentence wants something done."""
        is_command = clause.act is DialogueAct.COMMAND and not clause.negated
        return self._named_in(clause) if is_command else frozenset()

    def is_of_others(self, clause: Clause, proposed: ProposedCall) -> bool:
        """Return True if a part of the sentence names devices, and none of a call's."""
        named = self._named_in(clause)
        return bool(named) and named.isdisjoint(proposed.targets)

    def refused_for(self, intent_type: str, reason: str) -> Refuse:
        """Return the refusal of a call that is another one's work, with the tool for it, if there is one."""
        meant = self.manager.for_intent(intent_type)
        return Refuse(f"{reason}: call {meant.name}" if meant else reason)

    def says_where(self, clause: Clause) -> bool:
        """Return True if a part of the sentence has a word for a device, or for a place."""
        return bool(self._named_in(clause))

    def _named_in(self, clause: Clause) -> frozenset[Exposed]:
        """Return the devices that most of a part of the sentence is about."""
        mentioned = self.utterance.mentions
        about = mentioned.score_mentions(clause.text, mentioned.home.entities)
        most = max(about.values(), default=0)
        return frozenset(each for each, count in about.items() if most and count == most)

    def _spared_by(self, clause: Clause, proposed: ProposedCall) -> Collection[Exposed]:
        """Return what a part of the sentence leaves alone, if a call is for others as well."""
        if not (clause.negated or clause.keeps_state):
            return ()
        if self._says_otherwise(clause, proposed):
            return ()
        named = self._named_in(clause)
        return () if named.issuperset(proposed.targets) else named

    def _says_otherwise(self, clause: Clause, proposed: ProposedCall) -> bool:
        """Return True if it agrees with a call what is to stay, or not to be: "all off, and don't turn on the lamp"."""
        return self._agrees(clause, proposed) is (not clause.negated)


type Decision = Refuse | Defer | Narrow | Ask | Replace | None
"""What a rule says of a call; None where it may be made."""
type Rule = Callable[[ProposedCall, PolicyContext], Decision]


def explicit_targets(decided: Decision) -> Sequence[Exposed] | None:
    """Return the devices that a call is made for; None where it names what it is for itself."""
    match decided:
        case Ask():
            return decided.only
        case Narrow(targets):
            return targets
    return None
