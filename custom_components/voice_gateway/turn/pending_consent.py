"""What the user was asked, until the next sentence answers it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
import datetime as dt
from typing import Final

from homeassistant.components import conversation
from homeassistant.util.hass_dict import HassKey

from ..nlu.replies import Reply, classify_reply, select_subset
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..tools.consent import PendingCall
from ..tools.elicitation import ElicitingTool
from ..tools.executor import Scheduler
from ..tools.policy import signature
from ..tools.proposed_call import WITHOUT_PIN

PATIENCE: Final = dt.timedelta(seconds=60)
"""For so long a yes is an answer."""
_MOST: Final = 32
"""Conversations, and agents, that are remembered."""
_FREE: Final = 3
"""Wrong PINs after which there is a pause."""
_PAUSE: Final = dt.timedelta(seconds=30)
_LONGEST: Final = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PendingConsent:
    """A question, and the calls that a yes to it is for."""

    calls: Sequence[PendingCall]
    question: str
    utterance: Utterance
    """The sentence that led to it."""
    said: conversation.ConversationInput
    """The same, with who said it, and where."""
    at: dt.datetime
    keeper: Scheduler | None = None
    """What has kept other parts of that sentence for their moments."""

    def is_for(self, said: conversation.ConversationInput, now: dt.datetime) -> bool:
        """Return True if a sentence may answer it: from the same place, of the same user, in time."""
        return (
            said.device_id == self.said.device_id
            and said.satellite_id == self.said.satellite_id
            and said.agent_id == self.said.agent_id
            and said.context.user_id == self.said.context.user_id
            and dt.timedelta(0) <= now - self.at <= PATIENCE
        )

    @property
    def is_dangerous(self) -> bool:
        """Whether a yes to it needs the PIN, where there is one."""
        return any(each.ask.does not in WITHOUT_PIN for each in self.calls)

    @property
    def is_of_server(self) -> bool:
        """Whether a server asks, that is still at work."""
        return any(isinstance(each.tool, ElicitingTool) for each in self.calls)

    @property
    def _asked(self) -> Sequence[Text]:
        """The sentence that led to the question, and the question."""
        language = self.said.language
        return Text(self.said.text, language), Text(self.question, language)

    def reply(self, text: Text) -> Reply:
        """Return what a sentence is to it; where a server asks, yes is what answers that."""
        found = classify_reply(text, self._asked)
        match self.calls:
            case [PendingCall(tool=ElicitingTool() as tool)]:
                return tool.reply(text, found)
            case _:
                return found

    def only(self, text: Text) -> PendingConsent | None:
        """Return the question for some of its calls, where a sentence wants no others."""
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
    """Remembers, until a restart, what was asked in each conversation, and wrong PINs of each agent.

    - A question is answered by the next sentence of its conversation or not at all.
    - After three wrong PINs there is a pause, which doubles with each further one.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._pending: dict[str, PendingConsent] = {}
        self._wrong: dict[str, _Wrong] = {}

    def ask(self, conversation_id: str, pending: PendingConsent) -> None:
        """Remember a question in place of the one before it."""
        self._pending.pop(conversation_id, None)
        self._pending[conversation_id] = pending
        if len(self._pending) > _MOST:
            del self._pending[next(iter(self._pending))]

    def take(self, conversation_id: str) -> PendingConsent | None:
        """Return what was asked in the last turn, which is forgotten by that."""
        return self._pending.pop(conversation_id, None)

    def is_asked(self, conversation_id: str | None) -> bool:
        """Return True if something was asked in a conversation, and not answered yet."""
        return conversation_id in self._pending

    def note_pin(self, agent_id: str, now: dt.datetime, *, is_right: bool) -> None:
        """Note that somebody has said a PIN."""
        wrong = self._wrong.pop(agent_id, _Wrong())
        if is_right:
            return
        wrong.count += 1
        if (more := wrong.count - _FREE) >= 0:
            wrong.until = now + min(_PAUSE * 2 ** min(more, 20), _LONGEST)
        self._wrong[agent_id] = wrong
        if len(self._wrong) > _MOST:
            del self._wrong[next(iter(self._wrong))]

    def pause(self, agent_id: str, now: dt.datetime) -> dt.timedelta:
        """Return for how long no PIN of an agent is taken."""
        wrong = self._wrong.get(agent_id)
        return max(wrong.until - now, dt.timedelta(0)) if wrong and wrong.until else dt.timedelta(0)


QUESTIONS: HassKey[ConsentStore] = HassKey("voice_gateway_questions")
