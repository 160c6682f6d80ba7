"""The confirmation of dangerous calls by the user, and the questions that are pending."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from hmac import compare_digest
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from lru import LRU

from ..const import CONF_PIN, LOGGER, PIN_LENGTHS
from ..languages import joined
from ..nlu.replies import Reply, SpokenDigits, classify_reply, select_subset
from ..nlu.tokenizer import NOTHING, Text
from ..nlu.utterance import Utterance
from ..tools.consent import PendingCall
from ..tools.elicitation import ElicitingTool
from ..tools.executor import Scheduler, ToolExecutor
from ..tools.journal import signature
from ..tools.policy.decisions import WITHOUT_PIN
from .chat import Chat

HIDDEN: Final = "[PIN]"
"""The replacement of a sentence that may have a PIN in it."""
_ITEMS: Final = 6
"""The most items of a list in a question."""
PATIENCE: Final = dt.timedelta(seconds=60)
"""How long a yes is valid."""
_MOST: Final = 32
"""The most conversations, and the most agents, to remember."""
_FREE: Final = 3
"""Wrong PINs before a pause."""
_PAUSE: Final = dt.timedelta(seconds=30)
_LONGEST: Final = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PendingConsent:
    """A question, and the calls that it asks consent for."""

    calls: Sequence[PendingCall]
    question: str
    utterance: Utterance
    """The sentence that caused it."""
    said: conversation.ConversationInput
    """The same sentence, with its user and place."""
    at: dt.datetime
    keeper: Scheduler | None = None
    """The scheduler of the other parts of that sentence."""

    def is_for(self, said: conversation.ConversationInput, now: dt.datetime) -> bool:
        """Return True if a sentence may answer it: same place, same user, in time."""
        return (
            said.device_id == self.said.device_id
            and said.satellite_id == self.said.satellite_id
            and said.agent_id == self.said.agent_id
            and said.context.user_id == self.said.context.user_id
            and dt.timedelta(0) <= now - self.at <= PATIENCE
        )

    @property
    def is_dangerous(self) -> bool:
        """Whether consent requires the PIN, if one is set."""
        return any(each.ask.does not in WITHOUT_PIN for each in self.calls)

    @property
    def is_of_server(self) -> bool:
        """Whether a server's tool that is still running asks."""
        return any(isinstance(each.tool, ElicitingTool) for each in self.calls)

    @property
    def _asked(self) -> Sequence[Text]:
        """The sentence that caused the question, and the question."""
        language = self.said.language
        return Text(self.said.text, language), Text(self.question, language)

    def reply(self, text: Text) -> Reply:
        """Classify a reply; if a server asks, an answer to it counts as yes."""
        found = classify_reply(text, self._asked)
        match self.calls:
            case [PendingCall(tool=ElicitingTool() as tool)]:
                return tool.reply(text, found)
            case _:
                return found

    def only(self, text: Text) -> PendingConsent | None:
        """Return the question for the calls that a reply selects; None without a selection."""
        names = [" ".join(each.ask.names) for each in self.calls]
        wanted = select_subset(text, names, self._asked)
        if self.is_of_server or not wanted:
            return None
        some = [each for each, is_it in zip(self.calls, wanted, strict=True) if is_it]
        return replace(self, calls=some)

    @property
    def signatures(self) -> frozenset[str]:
        """The signatures of its calls."""
        return frozenset(signature(each.tool.name, each.call.tool_args) for each in self.calls)


@dataclass(slots=True)
class _Wrong:
    count: int = 0
    until: dt.datetime | None = None


class ConsentStore:
    """Keeps the pending question of each conversation, and wrong PINs, until a restart.

    - Only the next sentence of a conversation can answer its question.
    - Three wrong PINs cause a pause, which doubles with each further one.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._pending: LRU[str, PendingConsent] = LRU(_MOST)
        self._wrong: LRU[str, _Wrong] = LRU(_MOST)

    def ask(self, conversation_id: str, pending: PendingConsent) -> None:
        """Store a question in place of the previous one."""
        self._pending[conversation_id] = pending

    def take(self, conversation_id: str) -> PendingConsent | None:
        """Return and remove the question of the last turn."""
        return self._pending.pop(conversation_id, None)

    def is_asked(self, conversation_id: str | None) -> bool:
        """Return True if a conversation has a pending question."""
        return conversation_id in self._pending

    def note_pin(self, agent_id: str, now: dt.datetime, *, is_right: bool) -> None:
        """Record a right or wrong PIN."""
        wrong = self._wrong.pop(agent_id, _Wrong())
        if is_right:
            return
        wrong.count += 1
        if (more := wrong.count - _FREE) >= 0:
            wrong.until = now + min(_PAUSE * 2 ** min(more, 20), _LONGEST)
        self._wrong[agent_id] = wrong

    def pause(self, agent_id: str, now: dt.datetime) -> dt.timedelta:
        """Return how long an agent accepts no PIN."""
        wrong = self._wrong.get(agent_id)
        return max(wrong.until - now, dt.timedelta(0)) if wrong and wrong.until else dt.timedelta(0)


QUESTIONS: HassKey[ConsentStore] = HassKey("voice_gateway_questions")


class ConsentDialog:
    """The consent questions of one turn, and its reply to the previous one.

    - A yes makes the calls of the question, unchanged, without the model, and once.
    - A yes is valid in the same conversation and place, within a minute.
    - A PIN is not logged, shown to the model or stored; the reply to a question for one is hidden.
    """

    def __init__(self, chat: Chat, options: Mapping[str, Any]) -> None:
        """Take the chat, and the agent's options."""
        self._chat = chat
        self._said = chat.said
        self._pin = str(options.get(CONF_PIN) or "")
        self._questions: ConsentStore = chat.hass.data.setdefault(QUESTIONS, ConsentStore())
        self._now = dt_util.utcnow()
        self.pending = self._questions.take(chat.log.conversation_id)
        self.models_question = NOTHING if self.pending else chat.asked_before
        """The model's question right before this sentence; empty if the question was ours."""
        if self.pending and not self.pending.is_for(chat.said, self._now):
            self.pending = None
        self.has_asked = False

    @property
    def _text(self) -> Text:
        return Text(self._said.text, self._said.language)

    # The reply to a question

    async def async_hide_pin(self) -> str:
        """Remove a possible PIN from the stored sentence; return the digits of a reply.

        A reply has only digits and polite words; without a question for a PIN, as many as the PIN.
        In other sentences only the PIN itself is hidden.
        """
        if not self._pin:
            return ""
        text = self._text
        run = self._chat.hass.async_add_executor_job
        said = await run(SpokenDigits, text)
        is_asked = self.pending is not None and self.pending.is_dangerous
        is_long = self.pending is None and len(said.digits) >= PIN_LENGTHS.start
        is_answer = said.is_all and (is_asked or is_long)
        hidden = HIDDEN
        if not is_answer:
            hidden = await run(said.hide, self._pin, self._said.language, HIDDEN)
        if hidden != text:
            self._said.text = hidden
            self._chat.hide(text, hidden)
        return said.digits if is_answer else ""

    async def async_reply(self, digits: str) -> Reply:
        """Answer a reply that is yes or no; return its class.

        The model answers other sentences, as if nothing had been asked; except a wrong PIN.
        """
        if self.pending is None:
            if digits:
                await self._chat.say_text("pin_not_asked")
            return Reply.NO if digits else Reply.OTHER
        if digits:
            return await self._pin_said(digits)
        said = self._text
        answer = self.pending.reply(said)
        if answer is not Reply.NO and (some := self.pending.only(said)):
            self.pending, answer = some, Reply.YES
        if answer is Reply.NO:
            await self._chat.say_text("not_then")
        elif answer is Reply.YES and self._pin and self.pending.is_dangerous:
            await self._again(await self._chat.our_text("say_pin"))
            return Reply.NO
        return answer

    async def _pin_said(self, digits: str) -> Reply:
        assert self.pending
        agent_id = self._said.agent_id
        if not self._questions.pause(agent_id, self._now):
            is_right = compare_digest(digits.encode(), self._pin.encode())
            self._questions.note_pin(agent_id, self._now, is_right=is_right)
            if is_right:
                return Reply.YES
            LOGGER.warning("A wrong PIN was said to %s", agent_id)
        if self._questions.pause(agent_id, self._now):
            await self._chat.say(await self._paused())
        else:
            await self._again(await self._chat.our_text("wrong_pin"))
        return Reply.NO

    async def _again(self, words: str) -> None:
        """Say something, and ask the same question again for the rest of its time."""
        assert self.pending
        await self._chat.say(words)
        self._questions.ask(self._chat.log.conversation_id, self.pending)
        self.has_asked = True

    async def _paused(self) -> str:
        seconds = self._questions.pause(self._said.agent_id, self._now).total_seconds()
        return await self._chat.our_text("pin_paused", {"seconds": str(round(seconds))})

    def declined(self, utterance: Utterance) -> frozenset[str]:
        """Return the signatures of calls that must not be made now, for lack of consent.

        A user who repeats the command wants the question again.
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

    async def async_ask(self, tools: ToolExecutor, done: str = "") -> None:
        """Ask for consent to the pending calls, after the report of the completed ones."""
        calls = tools.consent.calls
        questions = [await self._question(each) for each in _together(calls)]
        question = " ".join(questions)
        pending = PendingConsent(
            calls, question, tools.utterance, replace(self._said), self._now, tools.scheduler
        )
        if self._pin and pending.is_dangerous:
            if self._questions.pause(self._said.agent_id, self._now):
                await self._chat.say(f"{done} {await self._paused()}".strip())
                return
            question = f"{question} {await self._chat.our_text('say_pin')}"
            pending = replace(pending, question=question)
        await self._chat.say(f"{done} {question}".strip())
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
    """Yield calls, those with the same effect on different targets as one."""
    groups: dict[tuple[object, ...], list[PendingCall]] = {}
    for each in calls:
        clause = each.later.clause if each.later else None
        key = (each.ask.does, *each.ask.more.items(), clause)
        groups.setdefault(key, []).append(each)
    for alike in groups.values():
        names = dict.fromkeys(name for each in alike for name in each.ask.names)
        yield replace(alike[0], ask=replace(alike[0].ask, names=tuple(names)))
