"""Asks the user before something dangerous, and does what the user then says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hmac import compare_digest
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..const import CONF_PIN, LOGGER, PIN_LENGTHS
from ..languages import joined
from ..nlu.replies import Reply, classify_reply, spoken_digits
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..tools.consent import PendingCall
from ..tools.executor import ToolExecutor
from .chat import Chat
from .pending_consent import QUESTIONS, ConsentStore, PendingConsent
from .trace_redaction import hide_in_trace

HIDDEN: Final = "[PIN]"
"""What stands for a sentence that may have a PIN in it."""
_ITEMS: Final = 6
"""Items of a list that are named in a question."""


class ConsentDialog:
    """The questions of one turn, and its answer to the one before.

    - A yes makes the calls that were asked about, as they were then, without the model; once.
    - A yes counts in the conversation and the place where it was asked, within a minute.
    - A PIN is not logged, shown to the model or kept; what follows a question for one is hidden.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        said: conversation.ConversationInput,
        chat: Chat,
        options: Mapping[str, Any],
    ) -> None:
        """Take what was said, the chat, and the agent's options."""
        self._hass = hass
        self._said = said
        self._chat = chat
        self._pin = str(options.get(CONF_PIN) or "")
        self._questions: ConsentStore = hass.data.setdefault(QUESTIONS, ConsentStore())
        self._now = dt_util.utcnow()
        self.pending = self._questions.take(chat.log.conversation_id)
        self.models_question = "" if self.pending else chat.asked_before
        """What the model asked right before this sentence; empty where we did."""
        if self.pending and not self.pending.is_for(said, self._now):
            self.pending = None
        self.has_asked = False

    # What follows a question

    async def async_hide_pin(self) -> str:
        """Take what may be a PIN out of what is kept of a sentence; return the digits that it has.

        Where none was asked for, that is what says nothing but digits, and enough of them.
        """
        if not self._pin:
            return ""
        text = Text(self._said.text, self._said.language)
        digits, is_all = await self._hass.async_add_executor_job(spoken_digits, text)
        if self.pending is None and not (is_all and len(digits) >= PIN_LENGTHS.start):
            return ""
        if digits:
            self._said.text = HIDDEN
            hide_in_trace(text, HIDDEN)
            self._chat.hide(text, HIDDEN)
        return digits

    async def async_reply(self, digits: str) -> Reply:
        """Answer what is said to a question, if it is yes or no; return what it is.

        What else is said is for the model, as if nothing had been asked; a wrong PIN is not.
        """
        if self.pending is None:
            if digits:
                await self._chat.say(await self._chat.our_text("pin_not_asked"))
            return Reply.NO if digits else Reply.OTHER
        if digits:
            return await self._pin_said(digits)
        said = Text(self._said.text, self._said.language)
        answer = self.pending.reply(said)
        if answer is not Reply.NO and (some := self.pending.only(said)):
            self.pending, answer = some, Reply.YES
        if answer is Reply.NO:
            await self._chat.say(await self._chat.our_text("not_then"))
        elif answer is Reply.YES and self._pin and self.pending.is_dangerous:
            await self._again(await self._chat.our_text("say_pin"))
            return Reply.NO
        return answer

    async def _pin_said(self, digits: str) -> Reply:
        assert self.pending
        if self._questions.pause(self._said.agent_id, self._now):
            await self._chat.say(await self._paused())
            return Reply.NO
        is_right = compare_digest(digits.encode(), self._pin.encode())
        self._questions.note_pin(self._said.agent_id, self._now, is_right=is_right)
        if is_right:
            return Reply.YES
        LOGGER.warning("A wrong PIN was said to %s", self._said.agent_id)
        if self._questions.pause(self._said.agent_id, self._now):
            await self._chat.say(await self._paused())
        else:
            await self._again(await self._chat.our_text("wrong_pin"))
        return Reply.NO

    async def _again(self, words: str) -> None:
        """Say something, and wait for the answer to the same question for what is left of its time."""
        assert self.pending
        await self._chat.say(words)
        self._questions.ask(self._chat.log.conversation_id, self.pending)
        self.has_asked = True

    async def _paused(self) -> str:
        seconds = self._questions.pause(self._said.agent_id, self._now).total_seconds()
        return await self._chat.our_text("pin_paused", {"seconds": str(round(seconds))})

    def declined(self, utterance: Utterance) -> frozenset[str]:
        """Return the signatures of calls that are not made now, as the user did not say yes to them.

        Who says the same again wants to be asked again.
        """
        if self.pending is None:
            return frozenset()
        if (
            classify_reply(utterance.text, (utterance.text.alike(self.pending.said.text),))
            is not Reply.OTHER
        ):
            return self.pending.signatures
        said = {*utterance.text.casefold().split()}
        again = said.issuperset(self.pending.said.text.casefold().split())
        return frozenset() if again else self.pending.signatures

    # The question

    async def async_ask(self, tools: ToolExecutor, done: Sequence[str] = ()) -> None:
        """Ask the user of the calls that wait for a yes, after what is said of those that were made."""
        calls = tools.consent.calls
        questions = [await self._question(each) for each in _together(calls)]
        question = " ".join(questions)
        pending = PendingConsent(
            calls, question, tools.utterance, replace(self._said), self._now, tools.scheduler
        )
        if self._pin and pending.is_dangerous:
            if self._questions.pause(self._said.agent_id, self._now):
                await self._chat.say(" ".join((*done, await self._paused())))
                return
            question = f"{question} {await self._chat.our_text('say_pin')}"
            pending = replace(pending, question=question)
        await self._chat.say(" ".join((*done, question)))
        self._questions.ask(self._chat.log.conversation_id, pending)
        self.has_asked = True

    async def _question(self, asked: PendingCall) -> str:
        names = joined(self._said.language, [*asked.ask.names] or ["?"], _ITEMS)
        placeholders = {"names": names, **asked.ask.more}
        question = await self._chat.our_text(f"ask_{asked.ask.does}", placeholders)
        if asked.later is None:
            return question
        moment = " ".join(each.text for each in asked.later.clause.times).strip()
        return f"{moment[:1].upper()}{moment[1:]}: {question}" if moment else question


def _together(calls: Sequence[PendingCall]) -> Iterator[PendingCall]:
    """Yield calls, those that do the same to different things as one."""
    groups: dict[tuple[object, ...], list[PendingCall]] = {}
    for each in calls:
        clause = each.later.clause if each.later else None
        key = (each.ask.does, *each.ask.more.items(), clause)
        groups.setdefault(key, []).append(each)
    for alike in groups.values():
        names = dict.fromkeys(name for each in alike for name in each.ask.names)
        yield replace(alike[0], ask=replace(alike[0].ask, names=tuple(names)))
