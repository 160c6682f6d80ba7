"""Execution of tool calls: every call of every model."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, override

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationTraceEventType as Trace
from homeassistant.helpers import llm

from ..const import DEFAULT_ASK_BEFORE, LOGGER, TOOL_TIMEOUT
from ..home.exposed import Exposed
from ..home.overview import is_listed, listed
from ..mcp_servers.tool import McpTool
from ..names.matching import words
from ..nlu.clause import Clause
from ..nlu.disambiguation import rank_entities
from ..nlu.utterance import Utterance
from ..text_tool_call import UnreadCall, WrittenCall
from .assist.call_errors import Refusal, WrongTool
from .assist.intents import IntentTool
from .assist.target import TARGET
from .call_results import (
    UNREAD,
    elsewhere,
    error,
    failure,
    for_domain,
    is_in_doubt,
    unanswered,
    unknown_tool,
    was_refused,
)
from .call_review import ANOTHER, CallReviewer
from .consent import (
    ASKED_ANOTHER,
    TO_THE_MODEL,
    ConfirmationRequired,
    ConsentState,
    PendingCall,
    choices,
)
from .context_tool import CallContext, ContextTool, Targets
from .deferral import CannotSchedule, ResolvedCall, Revert
from .elicitation import ElicitingTool, async_call_open
from .invocation import async_announce, async_in_time, note_run, seconds_left
from .journal import CallRecord, DirectReply, Journal, signature
from .manager import ToolManager
from .policy.call import PolicyContext
from .policy.decisions import Ask, Decision, Defer, Narrow, Refuse, explicit_targets
from .policy.questions import ask_to_open
from .resolved_intent import Replace
from .taint import Taint
from .tool_search import ToolFinder, listed as listed_tools
from .tool_uses import ToolUses


class Scheduler(Protocol):
    """Defers a turn's calls. Raises Refusal, whose message gives the reason."""

    @property
    def parts(self) -> Mapping[Clause, Utterance]:
        """The clauses that were parsed separately, with their utterances."""

    async def async_keep(self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause) -> str:
        """Defer a call to a clause's time; return the confirmation in words."""

    async def async_for_now(
        self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause
    ) -> Revert:
        """Return the plan to revert a call at a clause's end."""

    async def async_left(self, tools: ToolExecutor) -> tuple[Clause, llm.ToolInput] | None:
        """Return the certain call of the next deferred clause that has none yet."""

    def leaves_open(self, utterance: Utterance) -> bool:
        """Return True if a deferred clause of the utterance has no call yet."""

    async def async_why_not(self, tools: ToolExecutor) -> DirectReply | None:
        """Return why no call of a clause can be deferred; None if it can be."""


@dataclass(kw_only=True)
class ToolExecutor(llm.APIInstance):
    """The only way to a tool, for one turn.

    - A call ends in a result, whatever the tool does: it neither raises nor ends the turn.
    - A call ends in time: after `timeout` seconds or its server's own limit, or when the turn ends,
      it is cancelled.
    - No call that the policy refuses is made, whether it is the model's own or a corrected one.
    - Calls with the same effect are made once in a turn: a repeated one gets the first one's result,
      unless that was an error. A call that may have been executed is never repeated.
    - A call of `call_tool` counts as one of the tool that it names. A search for tools is not a
      call of the turn: it neither acts nor reads.
    """

    manager: ToolManager
    utterance: Utterance
    """The user's utterance; empty without one."""
    ends: float | None = None
    """The end of the turn, by the event loop's clock."""
    journal: Journal = field(default_factory=Journal)
    scheduler: Scheduler | None = None
    """Defers calls to later times; without one they are refused."""
    timeout: float = TOOL_TIMEOUT
    taint: Taint = field(default_factory=Taint)
    """The third-party text that the conversation has read."""
    consent: ConsentState = field(default_factory=ConsentState)
    asks_before: Collection[str] = tuple(DEFAULT_ASK_BEFORE)
    """The dangers that require consent, if a user can be asked."""
    declined: Collection[str] = ()
    """Signatures of calls to which the user has just not consented."""
    agreed: Ask | None = None
    """The question with the user's consent to the current call."""
    is_heard: bool = False
    """Whether a user hears questions, and can answer."""
    tells_home: bool = False
    """Whether the model's prompt describes the home."""
    uses: ToolUses | None = None
    """Counts the calls of tools, which decide what the prompt contains."""
    _made: dict[tuple[str, Clause | None], asyncio.Future[llm.ToolResult]] = field(
        default_factory=dict, init=False
    )
    _named: bool = field(default=False, init=False)
    _clauses: dict[str, Clause] = field(default_factory=dict, init=False)
    """The clauses of calls, by the calls' ids, if they are known."""

    @property
    def resolved(self) -> Replace | None:
        """The certain intent of the utterance, if there is a tool for it."""
        return self._decisions.turn.resolved

    @property
    def listed(self) -> str | None:
        """The devices and tools that the utterance may mean and that are not in the prompt.

        These are devices of a large home, and some of many tools.
        """
        return "\n".join(filter(None, (self._listed_devices, listed_tools(self.fitting)))) or None

    @cached_property
    def _listed_devices(self) -> str | None:
        home = self.utterance.home
        if not self.tells_home or is_listed(home):
            return None
        found = rank_entities(self.utterance)
        return listed(home, found.entities, found.others) if found.entities else None

    @cached_property
    def fitting(self) -> Sequence[llm.Tool]:
        """The tools that match the utterance, of those that are not in the prompt."""
        if (index := self.manager.index) is None:
            return ()
        told = {tool.name for tool in self.tools}
        said = self.utterance.text
        # An AI task has no utterance.
        about = self.utterance.link(said) if said else self.utterance.dialogue
        named = filter(about.says_name_of, about.mentioned)
        explained = {word for each in named for name in each.names for word in words(name)}
        found = index.find(about.text, explained=explained)
        return [tool for tool in found if tool.name not in told]

    @cached_property
    def _decisions(self) -> CallReviewer:
        turn = PolicyContext(
            self.utterance,
            self.journal,
            self.manager,
            hass=self.api.hass,
            assistant=self.llm_context.assistant or "",
            taint=self.taint,
            asks_before=self.asks_before,
            declined=self.declined,
            parts=self.scheduler.parts if self.scheduler else {},
        )
        return CallReviewer(turn=turn, serializer=self.custom_serializer, clauses=self._clauses)

    def for_turn(
        self,
        utterance: Utterance,
        journal: Journal,
        ends: float,
        keeper: Scheduler | None = None,
        *,
        content: Sequence[conversation.Content] | None = None,
        asks_before: Collection[str] = tuple(DEFAULT_ASK_BEFORE),
        declined: Collection[str] = (),
        is_heard: bool = False,
    ) -> ToolExecutor:
        """Return an executor of the same tools for a turn, without data of other turns.

        `content` is the conversation before it, which may contain third-party text; without it, the
        taint is empty.
        """
        taint = Taint()
        if content is not None:
            tools = self.manager.all()
            taint = Taint.of(content, self.manager.find, self.utterance.home, tools)
        return replace(
            self,
            utterance=utterance,
            journal=journal,
            ends=ends,
            scheduler=keeper,
            taint=taint,
            consent=ConsentState(),
            asks_before=asks_before,
            declined=declined,
            is_heard=is_heard,
        )

    def for_part(self, part: Utterance) -> ToolExecutor:
        """Return an executor for a part of the utterance, as if it were the whole."""
        return replace(self, utterance=part, journal=Journal(), scheduler=None)

    def referring(self, utterance: Utterance) -> ToolExecutor:
        """Return an executor for another reading of the utterance, in the same turn."""
        return replace(self, utterance=utterance)

    async def async_put_back(self, tool: llm.Tool, doors: Sequence[Exposed]) -> llm.ToolResult:
        """Revert an executed call with the opposite tool, as the whole utterance requires.

        `doors` are the entry points that this would open: they always require consent, as the
        utterance names none of them.
        """
        decided = replace(ask_to_open(doors), targets=()) if doors else None
        return await self._held_to_policy(tool, llm.ToolInput(tool.name, {}), (), decided)

    def note_clause(self, call: llm.ToolInput, clause: Clause) -> None:
        """Assign a clause to a call, before it is made."""
        self._clauses[call.id] = clause

    async def async_resolve(self, call: llm.ToolInput) -> ResolvedCall:
        """Return the corrected and checked call without executing it. Raises Refusal."""
        if (tool := self.manager.find(call.tool_name)) is None:
            raise Refusal(f"There is no tool {call.tool_name}")
        tool, call, decided, _ = self._decisions.read(tool, call)
        arguments = call.tool_args
        targets = self._allowed(tool, arguments, decided)
        if isinstance(tool, IntentTool) and self._is_to_be_corrected(tool, call, decided, targets):
            tool, arguments = await tool.async_meant(self.api.hass, arguments, self.utterance)
            decided = self._decisions.decide(tool, call, arguments)
            targets = self._allowed(tool, arguments, decided)
            if not targets and tool.domains(self.api.hass, self.utterance.home):
                raise Refusal("There is no such device")
        return ResolvedCall(tool, arguments, tuple(targets))

    def _allowed(
        self, tool: llm.Tool, arguments: Mapping[str, Any], decided: Decision
    ) -> Sequence[Exposed]:
        """Return the devices that the decision allows a call to act upon. Raises Refusal."""
        if isinstance(decided, Refuse):
            if decided.instead:
                raise CannotSchedule(decided.reason, decided.instead)
            raise Refusal(decided.reason, decided.which)
        if isinstance(decided, Defer | Replace):
            raise Refusal(ANOTHER)
        if isinstance(decided, Ask):
            if self.agreed is None:
                raise ConfirmationRequired(decided, tool, arguments)
            return decided.targets or self._decisions.reached(tool, arguments)
        if isinstance(decided, Narrow):
            return decided.targets
        return self._decisions.reached(tool, arguments)

    def _is_to_be_corrected(
        self,
        tool: IntentTool,
        call: llm.ToolInput,
        decided: Decision,
        targets: Sequence[Exposed],
    ) -> bool:
        """Return True if a call needs correction: it has no targets, or was written as text."""
        if isinstance(decided, Narrow) or not tool.domains(self.api.hass, self.utterance.home):
            return False
        return not targets or isinstance(call, WrittenCall)

    async def async_make(self, resolved: ResolvedCall) -> llm.ToolResult:
        """Execute a call that was allowed when it was planned; its targets are resolved already."""
        call = llm.ToolInput(resolved.tool.name, resolved.arguments)
        decided = Narrow(resolved.targets) if resolved.targets else None
        return await self._held_to_policy(resolved.tool, call, (), decided)

    def name_of(self, name: str) -> str | None:
        """Return the name of the tool that a model certainly means by a name.

        An alias that says more is kept: "unlock" is only for locks.
        """
        tool = self.manager.find(name)
        if tool and self.manager.find(tool.name) is not tool:
            return name
        return tool.name if tool else None

    def one_by_one(self, call: llm.ToolInput) -> list[llm.ToolInput]:
        """Return a call, or one for each device if it names several for a tool that takes one.

        The tool is the corrected one. If one of the calls is refused as they are together, none
        is made.
        """
        call = self.manager.unwrapped(call)
        tool = self.manager.find(call.tool_name)
        if not isinstance(tool, IntentTool):
            return [call]
        each = tool.each(call.tool_args)
        if each == [call.tool_args]:
            return [call]
        if isinstance(self._decisions.decide(tool, call, call.tool_args), Refuse):
            return [call]
        # Extra data of the call stay with the first one, which keeps its id.
        first, *others = each
        rest = [type(call)(call.tool_name, dict(arguments)) for arguments in others]
        return [replace(call, tool_args=dict(first)), *rest]

    @override
    async def async_call_tool(self, tool_input: llm.ToolInput) -> llm.ToolResult:
        """Run a call and return its result."""
        tool_input = self.manager.unwrapped(tool_input)
        if granted := self.consent.take(tool_input.id):
            return await self._granted(granted, tool_input)
        conversation.async_conversation_trace_append(
            Trace.TOOL_CALL,
            {
                "tool_name": tool_input.tool_name,
                "tool_args": tool_input.tool_args,
                "written_as_text": isinstance(tool_input, WrittenCall),
            },
        )
        tool = self.manager.find(tool_input.tool_name)
        if tool and isinstance(tool_input, UnreadCall):
            self.journal.miss(tool.name)
            return error(UNREAD)
        if tool is None:
            LOGGER.warning("The model called %s, which is no tool", tool_input.tool_name)
            self.journal.miss(tool_input.tool_name)
            # They are listed once.
            was_named, self._named = self._named, True
            return unknown_tool(tool_input.tool_name, () if was_named else self.manager.all())
        if isinstance(tool, ToolFinder):
            return await tool.async_call(self.api.hass, tool_input, self.llm_context)
        tool, call, decided, changes = self._decisions.read(tool, tool_input)
        # "At seven and at nine": for another clause it is another call.
        key = self._effect(tool, call, decided), self._clauses.get(tool_input.id)
        if (made := self._made.get(key)) is not None:
            LOGGER.debug("%s was called before in this turn", tool.name)
            return await asyncio.shield(made)
        made = self._made[key] = self.api.hass.loop.create_future()
        result = failure(tool, asyncio.CancelledError())
        try:
            result = await self._held_to_policy(tool, call, changes, decided)
        finally:
            made.set_result(result)
            if result.error and not self.journal.is_to_be_kept(call.id):
                self._made.pop(key, None)
        return result

    def _effect(self, tool: llm.Tool, call: llm.ToolInput, decided: Decision) -> str:
        """Return a key that is equal for calls with the same effect, however they are written.

        A device has several names, and a call for another one may be corrected to it.
        """
        if not isinstance(tool, IntentTool):
            return signature(tool.name, call.tool_args)
        targets = explicit_targets(decided) or self._decisions.reached(tool, call.tool_args)
        own = {
            key: value.casefold() if isinstance(value, str) else value
            for key, value in call.tool_args.items()
            if value and not (targets and key in TARGET)
        }
        return signature(
            tool.intent_type, own | {TARGET[0]: sorted(each.entity_id for each in targets)}
        )

    async def _held_to_policy(
        self, tool: llm.Tool, call: llm.ToolInput, changes: Sequence[str], decided: Decision
    ) -> llm.ToolResult:
        """Execute a decision about a call, and record the outcome.

        `changes` describe the corrections of the model's arguments.
        """
        entry = self.journal.begin(tool, call)
        if changes:
            LOGGER.debug("%s: arguments corrected: %s", tool.name, ", ".join(changes))
            _note_correction(entry, call.tool_args)
        if isinstance(decided, Refuse):
            entry.which = choices(self.utterance, decided.which)
            return error(_forbid(entry, decided))
        if isinstance(decided, Ask):
            return self._ask(PendingCall(tool, call, decided), entry)
        if isinstance(decided, Defer):
            return await self._later(tool, call, entry, decided)
        return await self._made_now(tool, call, entry, explicit_targets(decided))

    def ask_whether(self, tool: llm.Tool, call: llm.ToolInput, ask: Ask) -> None:
        """Ask for consent to a resolved call, before it is made."""
        self._ask(PendingCall(tool, call, ask), self.journal.begin(tool, call))

    def _ask(self, asked: PendingCall, entry: CallRecord) -> llm.ToolResult:
        """Record that a call requires consent, and do not make it."""
        if not self.consent.add(asked):
            if isinstance(asked.tool, ElicitingTool):
                asked.tool.decline()
            entry.refuse(ASKED_ANOTHER)
            return error(ASKED_ANOTHER)
        entry.ask()
        return llm.ToolResult(data={"asked": TO_THE_MODEL})

    async def _granted(self, asked: PendingCall, call: llm.ToolInput) -> llm.ToolResult:
        """Execute a call with the user's consent, exactly as the question described it."""
        entry = self.journal.begin(asked.tool, call)
        call = replace(asked.call, id=call.id)
        agreed = replace(self, agreed=asked.ask)
        if asked.later:
            return await agreed._later(asked.tool, call, entry, asked.later)  # noqa: SLF001 - itself
        return await agreed._made_now(asked.tool, call, entry, asked.ask.only)  # noqa: SLF001 - itself

    async def _made_now(
        self, tool: llm.Tool, call: llm.ToolInput, entry: CallRecord, only: Targets
    ) -> llm.ToolResult:
        """Execute a call, and record the outcome."""
        self.taint.begin(tool.name, tool)
        targets = only or self._decisions.reached(tool, call.tool_args)
        async_announce(self.api.hass, tool, self.llm_context, targets)
        started = self.api.hass.loop.time()
        try:
            result = await self._in_time(tool, call, entry, only)
        except asyncio.CancelledError:
            entry.doubt()
            raise
        note_run(tool, call, result, (self.api.hass.loop.time() - started) * 1000)
        self.taint.note(tool.name, tool, result)
        entry.end(result)
        if self.uses and self.manager.index and tool.name in self.manager.index.tools:
            self.uses.async_note(tool.name)
        return result

    async def _later(
        self, tool: llm.Tool, call: llm.ToolInput, entry: CallRecord, later: Defer
    ) -> llm.ToolResult:
        """Defer a call, or make it now and plan its revert."""
        if self.scheduler is None:
            return error(_forbid(entry, later.refused))
        try:
            if not later.clause.starts_now:
                told = await self.scheduler.async_keep(self, call, later.clause)
                entry.plan(told)
                return llm.ToolResult(data={"planned": told})
            ending = await self.scheduler.async_for_now(self, call, later.clause)
        except ConfirmationRequired as err:
            return self._ask(PendingCall(tool, call, err.ask, later), entry)
        except Refusal as err:
            entry.which = choices(self.utterance, err.which)
            return error(_forbid(entry, Refuse(str(err), err.instead)))
        except Exception as err:  # noqa: BLE001 - any failure is a result
            LOGGER.exception("A call could not be kept for later")
            result = failure(tool, err)
            entry.end(result)
            return result
        resolved = ending.resolved
        call = replace(call, tool_name=resolved.tool.name, tool_args=resolved.arguments)
        result = await self._made_now(resolved.tool, call, entry, resolved.targets)
        if entry.may_have_acted:
            entry.told = await ending.async_begin()
        return result

    async def _in_time(
        self, tool: llm.Tool, call: llm.ToolInput, entry: CallRecord, only: Targets
    ) -> llm.ToolResult:
        """Call a tool; exceptions and timeouts become results."""
        seconds = seconds_left(self.api.hass, tool, self.timeout, self.ends)
        task = await async_in_time(
            self.api.hass, self._call(tool, call, entry, only), f"{tool.name} {call.id}", seconds
        )
        if task is None:
            LOGGER.warning("Tool %s was cancelled after %.1f s", tool.name, seconds)
            entry.doubt()
            return unanswered(tool, f"within {seconds:.0f} seconds")
        try:
            return task.result()
        except (asyncio.CancelledError, Exception) as err:  # noqa: BLE001 - any failure is a result
            if isinstance(err, ConfirmationRequired):
                corrected = replace(call, tool_args=err.arguments)
                return self._ask(PendingCall(err.tool, corrected, err.ask), entry)
            if was_refused(err):
                return self._told(tool, err, entry)
            if is_in_doubt(err):
                entry.doubt()
            return failure(tool, err)

    async def _call(
        self, tool: llm.Tool, call: llm.ToolInput, entry: CallRecord, only: Targets
    ) -> llm.ToolResult:
        """Call a tool; our own tools receive the utterance, and may correct the call."""
        hass, context = self.api.hass, self.llm_context
        if isinstance(tool, McpTool) and self.is_heard and not self.consent.asked:
            return await async_call_open(tool, hass, call, context)
        if not isinstance(tool, ContextTool):
            result = await tool.async_call(hass, call, context)
            return result if isinstance(result, llm.ToolResult) else llm.ToolResult(data=result)

        def allow(meant: llm.IntentTool, arguments: Mapping[str, Any]) -> Targets:
            """Check a corrected call against the policy, as the model's before. Raises Refusal."""
            decided = self._decisions.decide(meant, call, arguments)
            if isinstance(decided, Refuse):
                raise Refusal(_forbid(entry, decided), decided.which)
            if isinstance(decided, Ask) and not decided.is_same(self.agreed):
                raise ConfirmationRequired(decided, meant, arguments)
            if isinstance(decided, Defer | Replace):
                raise Refusal(_forbid(entry, Refuse(ANOTHER)))
            # An added argument corrects no error: the domain of a named device.
            if not call.tool_args.items() <= arguments.items():
                _note_correction(entry, arguments, intent_type=meant.intent_type)
            return explicit_targets(decided)

        return await tool.async_call_in_context(
            call, CallContext(hass, context, self.utterance, allow, only)
        )

    def _told(self, tool: llm.Tool, err: BaseException, entry: CallRecord) -> llm.ToolResult:
        """Return the result of a call that its tool refused, with alternatives."""
        failed = failure(tool, err)
        reason = str(failed.data["error"])
        entry.refuse(reason)
        if isinstance(err, Refusal):
            entry.which = choices(self.utterance, err.which, is_any=err.is_any)
            entry.instead, entry.about = err.instead or "", err.about
        match err:
            case WrongTool(domain=domain):
                hint = for_domain(self.api.hass, self.utterance, domain, self.tools, tool)
            case _ if tool.annotations.read_only:
                hint = elsewhere(tool, self.manager.all(), self.utterance)
            case _:
                return failed
        return error(f"{reason}{hint}")


def _forbid(entry: CallRecord, refused: Refuse) -> str:
    """Record that a call is refused; return the reason."""
    entry.forbid(refused.reason, refused.instead or "", refused.about)
    return refused.reason


def _note_correction(entry: CallRecord, arguments: Mapping[str, Any], **more: str) -> None:
    """Record the arguments that replace the model's."""
    entry.is_corrected = True
    conversation.async_conversation_trace_append(
        Trace.TOOL_CALL, {"tool_name": entry.tool.name, "corrected": dict(arguments), **more}
    )
