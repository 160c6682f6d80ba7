"""The final answer of a turn, after the model's last call."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm

from .. import untrusted_text
from ..const import CONF_CONFIRM_AT_ONCE, CONF_SECOND_OPINION, LOGGER, option
from ..languages import MOST_NAMES
from ..models.client import ModelError, Reason
from ..models.history import Note
from ..nlu.home_assistant import IntentMatch
from ..nlu.utterance import Utterance
from ..tools.executor import ToolExecutor
from ..tools.journal import DirectReply
from ..tools.policy.decisions import HEARD, Ask
from ..tools.policy.timing import deferral_reply
from .chat import SEVERAL, Chat, spoken
from .claims import AnswerGrounds, Grounding, asks_which, denies, repeats, sure_part, things_asked
from .confirmation import CompletedCalls, as_text, async_told, has_failed
from .consent_dialog import ConsentDialog
from .direct_execution import DirectAction
from .instructions import ANSWER_NOW, CALL_FAILED, NOTHING_DONE, NOTHING_READ, ONLY_ASKED

type Content = Sequence[conversation.Content]
type PrepareAnswer = Callable[[Utterance], Awaitable[Answer]]
"""Collects the tools of a turn and returns its `Answer`."""


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A complete message of the model."""

    added: Content
    """Its part of the chat log: text, calls and their results."""
    called: bool
    """Whether it called tools, whose results the model has not answered yet."""
    unsaid: str
    """The withheld text: claims that no call supports."""
    dropped: bool = False
    """Whether some of its text was not fit to be spoken."""
    recites: bool = False
    """Whether it was cut off because it repeated its instructions."""


class Answer:
    """Answers a turn with its tools.

    - The model's text is spoken if it is grounded in the calls, or asks, or denies.
    - Home Assistant's own sentences act at most once, and only if no call has acted.
    - The model is asked again once.
    """

    def __init__(
        self,
        chat: Chat,
        tools: ToolExecutor,
        options: Mapping[str, Any],
        asks: ConsentDialog,
    ) -> None:
        """Take the chat, the turn's tools, the agent's options, and the consent dialog."""
        self._chat = chat
        self._asks = asks
        self.tools = tools
        """The tools of the answer, with the utterance."""
        self._heard: Utterance = tools.utterance
        self._journal = tools.journal
        self._confirms = option(options, CONF_CONFIRM_AT_ONCE)
        self._has_second_opinion = option(options, CONF_SECOND_OPINION)
        self._was_asked_again = False
        self.grounds = AnswerGrounds(tools, chat.before)

    async def settle(self, message: ReceivedMessage, *, last: bool = False) -> Content:
        """Make an answer of a message without calls, or return the note with which to ask again.

        Raises ModelError if no answer may be spoken.
        """
        may_ask = not (last or self._was_asked_again)
        if not self._journal.is_in_doubt:
            await self._keep_the_rest()
        if self.tools.consent.calls:
            return ()
        standing = self.grounds.standing
        if standing is Grounding.IN_DOUBT:
            raise ModelError(Reason.IN_DOUBT, message.unsaid)
        if self._journal.told or (self._journal.done and self._leaves_open):
            await self._tell_plans()
            return ()
        if standing is Grounding.PARTLY:
            await self._tell_part(message.unsaid)
            return ()
        if message.unsaid:
            # A withheld text is a claim, even if the answer is free otherwise.
            undone = Grounding.UNDONE if standing is Grounding.FREE else standing
            note = await self._own_up(message.unsaid, undone, may_ask=may_ask)
        elif not spoken(message.added):
            note = await self._speak_for_model(standing, message, may_ask=may_ask)
        else:
            note = ()
        if note:
            self._was_asked_again = self._chat.report.asked_again = True
        return note

    @property
    def is_to_ask(self) -> bool:
        """Whether the user is asked at once, because the model has no more calls to make.

        Not for items of a list, which a model may remove one by one: they share a question.
        """
        if not (calls := self.tools.consent.calls):
            return False
        is_all = len(self._journal.entries) >= self.grounds.wanted
        return is_all and all(each.ask.does != "remove" for each in calls)

    async def ask(self) -> None:
        """Ask for consent to the pending calls, after a report of the completed ones."""
        await self._asks.async_ask(self.tools, as_text(await self._outcome()))

    async def act(self, acts: Sequence[DirectAction]) -> bool:
        """Execute certain actions without the model, and report them. Raises ModelError.

        Return False, without any trace, if none of them could be done. Report an unmet condition of
        the whole sentence.
        """
        if not acts:
            return self._heard.is_all_unmet and await self._put_off()
        for each in acts:
            for call in each.calls:
                if len(acts) > 1 or each.clause.times:
                    self.tools.note_clause(call, each.clause)
                await self._chat.call(call)
        if self.tools.consent.calls:
            await self.ask()
            return True
        if self._journal.is_all_refused:
            if self._journal.refused_for_good and await self.confirm(self._chat.turn):
                return True
            self._journal.forget()
            self._chat.forget()
            return False
        await self.tell(acts[0].reading if len(acts) == 1 else None)
        return True

    async def ask_whether(self, text: str, acts: Sequence[DirectAction]) -> None:
        """Ask whether a command was recognized correctly, before executing any of it."""
        for call in (call for each in acts for call in each.calls):
            meant = await self.tools.async_resolve(call)
            ask = Ask(does=HEARD, names=[text], targets=meant.targets)
            made = llm.ToolInput(meant.tool.name, dict(meant.arguments))
            self.tools.ask_whether(meant.tool, made, ask)
        await self.ask()

    async def tell(self, understood: IntentMatch | None = None) -> None:
        """Report the results of calls without the model. Raises ModelError.

        `understood` is Home Assistant's interpretation of the only call: it has an own response.
        """
        if self._journal.is_in_doubt:
            raise ModelError(Reason.IN_DOUBT)
        await self._keep_the_rest()
        if self.tools.consent.calls:
            await self.ask()
        elif self._journal.undone:
            if not self._journal.done:
                raise ModelError(Reason.NOT_DONE)
            await self._tell_part("")
        elif self._journal.told:
            await self._tell_plans()
        else:
            await self._say_done(understood)

    async def confirm(self, added: Content) -> bool:
        """Report the calls of a message, done or rightly refused, if no more calls are needed.

        Raises ModelError if it is unknown whether they were executed.
        """
        made = dict(_calls(added))
        if self.tools.consent.calls:
            return False
        if self._journal.is_in_doubt and self.grounds.wanted <= len(made):
            raise ModelError(Reason.IN_DOUBT)
        left = {key: text for key, text in self._journal.refused_for_good.items() if key in made}
        told = {key: text for key, text in self._journal.told.items() if key in made}
        if not (self._confirms or left or told):
            return False
        sentences: list[str] = []
        planned = {entry.call_id for entry in self._journal.planned}
        if done := [each for key, each in made.items() if key not in {*left, *planned}]:
            words = await self._confirmed(done, of=len(made))
            if words is None:
                return False
            sentences.append(words)
        elif planned and self.grounds.wanted > len(made):
            # The model may still have to call more.
            return False
        sentences += dict.fromkeys(told.values())
        sentences += await self._of_the_rest(left.values(), done=bool(done))
        if sentences:
            await self._chat.say(as_text(sentences))
        return bool(sentences)

    async def _confirmed(self, done: CompletedCalls, *, of: int) -> str | None:
        """Return the confirmation of actions that all succeeded; None if the model must phrase it.

        With them, `of` calls fulfil the whole request, or the model may have to call more.
        """
        things = things_asked(self._heard)
        if things is None or things > of or any(has_failed(result) for _, result in done):
            return None
        return await async_told(self._chat.hass, self._heard.language, done)

    async def of_failure(self, err: ModelError) -> tuple[str, bool]:
        """Return the answer of a failed turn, and whether it is a success for the user.

        It reports completed calls, and possibly completed ones.
        """
        done = await self._done_before_failure()
        if done and err.reason is Reason.EMPTY and not self._journal.is_in_doubt:
            return done, True
        sentences = [done] if done else []
        if err.reason not in (Reason.IN_DOUBT, Reason.EMPTY) or not self._journal.is_in_doubt:
            sentences.append(await self._chat.our_text(err.reason, err.translation_placeholders))
        if self._journal.is_in_doubt:
            key = "rest_in_doubt" if done else Reason.IN_DOUBT
            sentences.append(await self._chat.our_text(key))
        return as_text(sentences), False

    async def _done_before_failure(self) -> str:
        """Return the report of calls that were certainly executed; empty without any."""
        if self._journal.is_in_doubt or self.grounds.standing is Grounding.PARTLY:
            return await self._told() or ""
        if self._journal.acted:
            return await self._chat.our_text("done")
        if names := self._journal.carried_out:
            return await self._chat.our_text(
                "was_carried_out", {"names": [*map(untrusted_text.name, names)]}
            )
        return ""

    # Of a message without calls

    async def _tell_part(self, answer: str) -> None:
        """Report the completed part and the missing one: in the model's words if they deny."""
        if denies(self._heard.language, answer) and not self._is_not_for_ears(answer):
            await self._chat.say(answer)
            return
        LOGGER.debug("Not said, as only a part was done: %s", answer)
        if await self._told() is None:
            await self._chat.say_text("partly_done")
        else:
            await self._tell_outcome(is_part=True)

    async def _tell_plans(self) -> None:
        """Report the completed calls, the scheduled ones with their times, and the missing ones."""
        settled = len(self._journal.done) + len(self._journal.planned)
        is_less = bool(self._journal.undone) and self.grounds.wanted > settled
        await self._tell_outcome(is_part=is_less or self._leaves_open)

    async def _tell_outcome(self, *, is_part: bool) -> None:
        """Report completed and scheduled calls; if `is_part`, also the missing ones."""
        rest = await self._not_done() if is_part else []
        await self._chat.say(as_text([*await self._outcome(), *rest]))

    @property
    def _leaves_open(self) -> bool:
        """Whether a part of the sentence is for later, and was not scheduled."""
        utterance, keeper = self._heard, self.tools.scheduler
        return keeper is not None and utterance.is_for_later and keeper.leaves_open(utterance)

    async def do_without_model(self, err: ModelError) -> bool:
        """Execute the certain actions after the model failed; return whether they were reported.

        Deferred ones are scheduled, and a negated command is reported, if there is no immediate
        one. Immediate actions require that the server could not parse the model's answer.
        """
        if all(each.times or each.negated for each in self._heard.parsed.clauses):
            await self._keep_the_rest()
            if self.tools.consent.calls:
                await self.ask()
                return True
            if self._journal.told:
                await self._tell_plans()
                return True
            if await self._put_off():
                return True
        return err.of_generation and await self._do_in_its_stead()

    async def _keep_the_rest(self) -> None:
        """Schedule the certain parts of the sentence that no call covers."""
        keeper = self.tools.scheduler
        if keeper is None or not self._has_second_opinion or not self._heard.is_for_later:
            return
        # "It" in a part refers to the part before.
        while left := await keeper.async_left(self.tools):
            clause, call = left
            self.tools.note_clause(call, clause)
            await self._chat.call(call)

    async def _own_up(self, answer: str, standing: Grounding, *, may_ask: bool) -> Content:
        """Replace a false claim with the truth: nothing was done or read."""
        if await self._do_in_its_stead():
            return ()
        said = conversation.AssistantContent(agent_id=self._chat.said.agent_id, content=answer)
        if standing is Grounding.UNREAD:
            if may_ask:
                return said, Note(content=NOTHING_READ)
            await self._chat.say(answer)
            return ()
        sure = sure_part(self._heard.language, answer)
        if (not sure or self._is_not_for_ears(answer)) and await self._put_off():
            return ()
        if may_ask and not sure:
            return said, Note(content=self._note)
        if await self._ask_which(sure):
            return ()
        if not sure or self._is_not_for_ears(answer):
            LOGGER.debug("Not said, as nothing was done: %s", answer)
            raise ModelError(Reason.NOT_DONE, answer)
        await self._chat.say(sure)
        return ()

    @property
    def _note(self) -> str:
        """The note for a model that claims an action that was not done."""
        if self._heard.asks:
            is_only_asked = self._journal.only_forbidden or not self._journal.entries
            return ONLY_ASKED if is_only_asked else CALL_FAILED
        is_only_failed = self._chat.last_call_failed and not self._heard.may_be_command
        return CALL_FAILED if is_only_failed else NOTHING_DONE

    async def _speak_for_model(
        self, standing: Grounding, message: ReceivedMessage, *, may_ask: bool
    ) -> Content:
        """Answer for a model without an answer, or let it try once more."""
        if await self._do_in_its_stead():
            return ()
        if not self._journal.may_have_acted and await self._put_off():
            return ()
        if standing is Grounding.FREE and (words := self._chat.tools_words):
            await self._chat.say(words)
            return ()
        is_undone = standing is Grounding.UNDONE and not self._journal.may_have_acted
        if may_ask and self._chat.last_call_failed:
            return (Note(content=CALL_FAILED),)
        if may_ask and is_undone:
            return (Note(content=NOTHING_DONE),)
        recites = message.recites and self._heard.asks and bool(self.tools.tools)
        if may_ask and (standing is Grounding.UNREAD or recites):
            return (Note(content=NOTHING_READ),)
        if may_ask and message.dropped:
            return (Note(content=ANSWER_NOW),)
        if await self._ask_which():
            return ()
        is_told = self._was_asked_again and standing is Grounding.UNDONE
        raise ModelError(Reason.NOT_DONE if is_told else Reason.EMPTY)

    async def _put_off(self) -> bool:
        """Explain why a deferred or negated command is not executed; return whether it is one."""
        utterance, keeper = self._heard, self.tools.scheduler
        told = (
            deferral_reply(utterance.parsed.clauses, utterance.unmet_condition)
            if utterance.is_for_later
            else None
        )
        if utterance.only_forbids:
            told = DirectReply.AS_SAID
        elif told and told not in (DirectReply.UNMET, DirectReply.SHOWN) and keeper:
            told = await keeper.async_why_not(self.tools)
        if told:
            await self._chat.say_text(told, utterance.unmet_words)
        return told is not None

    async def _ask_which(self, said: str = "") -> bool:
        """Ask which of several devices the command refers to, if the model does not ask.

        An answer in `said` about more devices than a listener can remember stays as it is.
        """
        names = self._journal.which
        if len(names) < SEVERAL or (said and len(names) > MOST_NAMES) or asks_which(said, names):
            return False
        await self._chat.ask_which_of(names)
        return True

    def _is_not_for_ears(self, answer: str) -> bool:
        """Return True if a model that did nothing only repeats its instructions or an error."""
        told = (self._chat.instructions, NOTHING_DONE, CALL_FAILED, *self._journal.refusals)
        return repeats(answer, told)

    # Without the model

    async def _do_in_its_stead(self) -> bool:
        """Execute Home Assistant's interpretation of a command, if the model did nothing."""
        certain = self.tools.resolved
        if not self._has_second_opinion or self._journal.may_have_acted or certain is None:
            return False
        understood, self._has_second_opinion = certain.reading, False
        unread = self._heard.text.alike(" ".join(understood.unknown.values()))
        if not self._heard.link(unread).only_mentions:
            return False
        tool = self.tools.manager.for_intent(understood.intent_type)
        # A certain action has already replaced any such call.
        was_made = any(each.tool == tool for each in self._journal.entries)
        if tool is None or (certain.targets and was_made):
            return False
        call = llm.ToolInput(tool.name, dict(understood.slots))
        result = await self._chat.call(call)
        if self.tools.consent.calls:
            return True
        if result.error:
            return False
        await self._say_done(understood)
        self._chat.report.second_opinion = True
        return True

    # The report of the calls

    async def _told(self, understood: IntentMatch | None = None) -> str | None:
        """Return the completed calls of this turn in Home Assistant's words; None without words."""
        made = dict(_calls(self._chat.turn))
        done = [made[entry.call_id] for entry in self._journal.done if entry.call_id in made]
        return await async_told(self._chat.hass, self._heard.language, done, understood)

    async def _outcome(self) -> list[str]:
        """Return the reports of completed calls, and of scheduled ones with their times."""
        done = [await self._told() or await self._chat.our_text("done")]
        planned = dict.fromkeys(self._journal.told.values())
        return [*(done if self._journal.done else ()), *planned]

    async def _say_done(self, understood: IntentMatch | None) -> None:
        await self._chat.say(await self._told(understood) or await self._chat.our_text("done"))

    async def _not_done(self) -> list[str]:
        """Return the sentences about the rest, which was refused or failed."""
        keys = dict.fromkeys(self._journal.refused_for_good.values())
        keys.pop(DirectReply.AS_SAID, None)
        return [await self._of_key(key) for key in keys or ["rest_not_done"]]

    async def _of_the_rest(self, left: Iterable[str], *, done: bool) -> list[str]:
        """Return the sentences about the calls that are refused for good."""
        keys = dict.fromkeys(left)
        spared = [*self._journal.left_alone, *(self._excepted if done else ())]
        sentences: list[str] = []
        if done:
            keys.pop(DirectReply.AS_SAID, None)
            if names := [*dict.fromkeys(spared)]:
                sentences.append(await self._chat.our_text("left_out", {"names": names}))
        return [*sentences, *[await self._of_key(key) for key in keys]]

    async def _of_key(self, key: str) -> str:
        """Return the sentence of a key about a call that was not executed."""
        slots = {**self._heard.unmet_words, **self._journal.not_found}
        return await self._chat.our_text(key, slots)

    @property
    def _excepted(self) -> Iterator[str]:
        """The names of the devices that the sentence excludes."""
        for clause in self._heard.parsed.clauses:
            # Looking up no words takes as long as looking up some.
            if words := clause.command if clause.negated else clause.exclusion:
                named = self._heard.link(words).named
                every = self._heard.home.entities
                yield from (each.names[0] for each in every if each in named)


def _calls(content: Content) -> Iterator[tuple[str, tuple[llm.ToolInput, llm.ToolResult]]]:
    """Yield the calls of some messages with their results, by their ids."""
    calls = {call.id: call for item in content for call in getattr(item, "tool_calls", None) or ()}
    for item in content:
        if isinstance(item, conversation.ToolResultContent) and item.tool_call_id in calls:
            yield item.tool_call_id, (calls[item.tool_call_id], item.result)
