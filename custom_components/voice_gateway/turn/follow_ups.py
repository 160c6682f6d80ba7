"""Follow-ups to the last action, answered without a model: undo, repeat elsewhere, adjust."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.helpers import llm

from ..home.exposed import Exposed
from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause, DialogueAct
from ..nlu.disambiguation import pick_candidates
from ..nlu.follow_ups import FollowUp, FollowUpAct, FollowUpParser
from ..nlu.home_assistant import IntentMatch
from ..nlu.tokenizer import NOTHING, Text
from ..nlu.utterance import DeviceAction, Utterance
from ..plans.planner import Planner
from ..tools.assist.call_errors import Refusal
from ..tools.executor import ToolExecutor
from ..tools.policy.call import opens_access
from .action_history import ActionHistory, AskedQuestion, RecordingContext, TurnRecord
from .adjust import adjusted, stopped
from .answer import PrepareAnswer
from .chat import Chat
from .direct_execution import DirectExecution
from .repeat import RepeatableAction, async_with_it, in_place
from .undo import Undo

_ASIDES: Final = (FollowUpAct.NOTHING, FollowUpAct.THANKS, FollowUpAct.SAY_AGAIN, FollowUpAct.TOLD)
_PLACES: Final = (FollowUpAct.ALSO, FollowUpAct.INSTEAD)


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Answers a sentence that certainly follows up on the last action in this place.

    - A sentence that is not certainly a follow-up is left to the next stage.
    - It acts only on the targets of the last action, or on the device in the sentence.
    - Undo restores the previous states, except for later changes by others; if that opens an entry
      point, it requires consent.
    """

    chat: Chat
    heard: Utterance
    deeds: ActionHistory
    doing: RecordingContext
    prepared: PrepareAnswer
    """Collects the agent's tools."""
    planner: Planner

    async def async_answer(self) -> bool:
        """Answer, if the sentence certainly is a follow-up; return whether it is."""
        self.chat.report.reflex = await self._answer()
        return self.chat.report.reflex

    async def _answer(self) -> bool:
        asked, self.doing.place.asked = self.doing.place.asked, None
        if asked and asked.is_open and (some := self._picked(asked)):
            same = DeviceAction(asked.intent_type, asked.values, (*some,))
            return await self._do([same], asked.command)
        if self.heard.exact_command:
            return False
        wanted = FollowUpParser(self.heard.text).parse()
        if wanted is None:
            return await self._do_again()
        if wanted.act in _ASIDES:
            return await self._aside(wanted.act)
        if wanted.act is FollowUpAct.UNDO:
            await self._undo()
            return True
        is_denied = any(each.negated for each in self.heard.parsed.clauses[-1:])
        if is_denied or "?" in self.chat.said.text:
            return False
        if wanted.quantity:
            return await self._do(adjusted(self.chat.hass, wanted.quantity, self._topic[0]))
        proposed = self.deeds.last(self.doing.place)
        if proposed and await self._follow(wanted, proposed):
            return True
        # "And off again", "no, turn it off": the rest is no place.
        return wanted.act in _PLACES and await self._do_again()

    @property
    def _topic(self) -> tuple[Sequence[Exposed], Text]:
        """The devices that "it" refers to, and the sentence that mentioned them.

        They are those of the last action, else those that the last question is about and its answer
        names: all of them if the sentence says so, or the only one.
        """
        home, context = self.heard.home, self.heard.context
        proposed = self.deeds.last(self.doing.place)
        if proposed and (done := proposed.devices(home)):
            return done, self.heard.text.alike(proposed.text)
        asked, told = self.heard.link(context.before), self.heard.link(context.answer).named
        devices = asked.resolve(told) if asked.has_mention else ()
        is_sure = len(devices) == 1 or Anaphora.of(self.heard.text).means_all
        return devices if is_sure else (), context.before

    async def _follow(self, wanted: FollowUp, proposed: TurnRecord) -> bool:
        """Execute a follow-up; return whether it was certain."""
        if wanted.act is FollowUpAct.STOP:
            return await self._do(stopped(self.chat.hass, proposed.devices(self.heard.home)))
        again = RepeatableAction(self.heard, proposed)
        match wanted.act:
            case FollowUpAct.OTHER | FollowUpAct.OTHERS:
                same = again.with_others(wanted.which, several=wanted.act is FollowUpAct.OTHERS)
            case _:
                same = again.elsewhere(wanted.which)
        match same:
            case DeviceAction() if wanted.is_instead:
                return await self._do_instead(same, proposed)
            case DeviceAction():
                return await self._do([same])
            case AskedQuestion() if not wanted.is_instead:
                return await self.doing.async_ask_which(self.chat, self.heard.home, same)
        return False

    # Answers without an action

    async def _aside(self, follow: FollowUpAct) -> bool:
        """Answer a remark about the last action or answer; return whether that was possible."""
        self.doing.is_aside = True
        if follow in (FollowUpAct.NOTHING, FollowUpAct.THANKS):
            await self.chat.say_text("all_right" if follow is FollowUpAct.NOTHING else "welcome")
            return True
        told = self.doing.place.said if follow is FollowUpAct.SAY_AGAIN else self.doing.place.did
        if told is None or not told.is_recent:
            if follow is FollowUpAct.SAY_AGAIN:
                self.doing.is_aside = False
                return False
            await self.chat.say_text("nothing_done_yet")
            return True
        say = self.chat.say if told.is_ours else self.chat.retell
        await say(told.text)
        return True

    def _picked(self, asked: AskedQuestion) -> Sequence[Exposed]:
        """Return the devices in an answer that has nothing else."""
        said = self.heard.link(self.heard.text)
        named = [each for each in asked.which if each in said.named] if said.only_mentions else []
        return named if len(named) == 1 else pick_candidates(said, asked.which)

    # Undo

    async def _undo(self) -> None:
        """Undo the last action that has an effect left, and report the result."""
        for proposed in self.deeds.known(self.doing.place):
            undo = await self._undo_of(proposed)
            if undo.is_any or undo.changed or undo.lost or not proposed.is_seen:
                await self._undo_so(undo)
                return
            # All states are as before, or never changed.
            proposed.is_undone = True
        await self.chat.say_text("nothing_to_undo")

    async def _undo_of(self, proposed: TurnRecord) -> Undo:
        since = self.deeds.since(self.doing.place, proposed)
        return await Undo.async_of(self.chat.hass, proposed, since, self.heard.home)

    async def _undo_so(self, undo: Undo) -> None:
        """Undo an action as far as possible, and report the result."""
        sentences: list[str] = []
        if undo.is_any:
            answer = await self.prepared(self.heard)
            result = await answer.tools.async_put_back(undo, undo.doors)
            if answer.tools.consent.calls:
                await answer.ask()
                return
            if not (result.error and undo.has_failed):
                back = [each for each in undo.entity_ids if each not in undo.lost]
                key = "undo_failed" if result.error else "undone"
                sentences.append(await self._named(key, back))
        undo.deed.is_undone = True
        told = {"changed_since": undo.changed, "not_undone": undo.lost}
        sentences += [await self._named(key, ids) for key, ids in told.items() if ids]
        if not sentences:
            sentences = [await self.chat.our_text("not_undone", {"names": undo.deed.text})]
        await self.chat.say(" ".join(sentences))

    async def _named(self, key: str, entity_ids: Sequence[str]) -> str:
        """Return a text of ours about devices; devices that are not exposed have no name in it."""
        known = [each for each in self.heard.home.entities if each.entity_id in entity_ids]
        if not known:
            return await self.chat.our_text(f"{key}_unnamed")
        return await self.chat.our_text(key, {"names": [*self.heard.home.told_apart(known)]})

    # Repetition

    async def _do_again(self) -> bool:
        """Execute a certain command for "it" or "there", the last topic; return whether it is one."""
        if "?" in self.chat.said.text or self.heard.asks:
            return False
        devices, before = self._topic
        it = await async_with_it(self.chat.hass, self.chat.said, self.heard, devices, before)
        same, text = it or (None, in_place(self.heard, devices))
        if text is None:
            return False
        # The next "it" is resolved with this text.
        self.doing.proposed.text = text
        return await (self._do([same]) if same else self._do_as(text))

    async def _do_as(self, text: Text) -> bool:
        """Execute a command with its anaphors resolved; return whether it is certain.

        It opens no entry point: that needs the name in the user's own sentence.
        """
        clause = Clause(text=text, command=text, act=DialogueAct.COMMAND)
        part = await self.heard.async_parse_clause(self.chat.hass, self.chat.said, clause)
        answer = await self.prepared(part)
        acts = await DirectExecution(self.chat.said, answer.tools, self.planner).async_acts()
        for call in (call for each in acts for call in each.calls):
            try:
                does = await answer.tools.async_resolve(call)
            except Refusal:
                return False
            intent_type = getattr(does.tool, "intent_type", "")
            if any(opens_access(intent_type, does.arguments, each) for each in does.targets):
                return False
        return await answer.act(acts)

    async def _do_instead(self, same: DeviceAction, proposed: TurnRecord) -> bool:
        """Undo an action and repeat it elsewhere; return False if that opens an entry point."""
        undo = await self._undo_of(proposed)
        if undo.doors or undo.changed or self._opens(same):
            return False
        answer = await self.prepared(self.heard)
        if undo.is_any:
            await answer.tools.async_put_back(undo, ())
        proposed.is_undone = True
        return await self._do([same])

    def _opens(self, same: DeviceAction) -> bool:
        """Return True if an intent would open an entry point: that needs a full command."""
        return any(opens_access(same.intent_type, same.values, each) for each in same.devices)

    async def _do(self, all_of: Sequence[DeviceAction], command: Text = NOTHING) -> bool:
        """Execute intents on certain targets; return whether there were any.

        `command` is the full command, if the user was only asked for its target.
        """
        if not all_of or (any(map(self._opens, all_of)) and not command):
            return False
        tools: ToolExecutor | None = None
        for same in all_of:
            reading = IntentMatch(
                same.intent_type, same.values, None, is_exact=True, begins_unknown=False
            )
            utterance = self.heard.as_anaphor(reading, same.devices, command)
            if tools is None:
                answer = await self.prepared(utterance)
                tools = answer.tools
            else:
                tools = self.chat.log.llm_api = tools.referring(utterance)
            tool = tools.manager.for_intent(same.intent_type)
            if tool is None:
                return False
            name = {"name": same.devices[0].names[0]} if len(same.devices) == 1 else {}
            await self.chat.call(llm.ToolInput(tool.name, {**name, **same.values}))
        await answer.tell()
        return True
