"""The chat log of the conversation, as a turn reads and extends it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import replace
import re
from typing import Any
import unicodedata

from homeassistant.components import conversation

# Home Assistant has no other access to the trace of the running conversation.
from homeassistant.components.conversation.trace import _current_trace as current_trace
from homeassistant.helpers import intent, llm

from ..home.exposed import Exposed, Home
from ..home.overview import speakers_area
from ..languages import MOST_NAMES, joined
from ..models.client import Deltas
from ..models.history import Note, is_said_by_user
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..quoted_answer import ActionReport, QuotedAnswer
from ..text_tool_call import WrittenCall
from ..texts import async_text
from ..tools.tool_search import FIND_TOOLS
from .claims import SENTENCE_END
from .instructions import ANSWER_NOW, LIST_NOW
from .report import TurnReport

SEVERAL = 2  # the fewest devices for a question which one
# Earlier sentences that may give the context of the last one.
_EARLIER = 2
# Characters of an answer that the next sentence may refer to.
_REMEMBERED = 400
# A tool's result that may be spoken as it is: a short sentence with a full stop.
_SENTENCE = re.compile(r"\w[^\n{}]* [^\n{}]{1,200}[.!]")


class Chat:
    """A chat log during one turn.

    Additions are spoken as they arrive, and recorded in the report.
    """

    def __init__(
        self,
        said: conversation.ConversationInput,
        log: conversation.ChatLog,
        report: TurnReport,
    ) -> None:
        """Take the user's input, the log that ends with it, and the report to fill in."""
        self.hass = log.hass
        self.said = said
        self.log = log
        self.report = report
        self._started = self.hass.loop.time()
        self._begin = len(log.content)
        self._reads: set[str] = set()

    @property
    def seconds(self) -> float:
        """The duration of the turn so far."""
        return self.hass.loop.time() - self._started

    @property
    def turn(self) -> list[conversation.Content]:
        """The additions of the turn."""
        return self.log.content[self._begin :]

    @property
    def before(self) -> list[conversation.Content]:
        """The conversation up to the user's last words."""
        return self.log.content[: self._begin]

    # Additions

    async def noted(self, stream: Deltas) -> Deltas:
        """Pass a message on, and record it in the report."""
        async with aclosing(stream):
            async for delta in stream:
                self.report.note(delta, self.seconds)
                yield delta

    async def say(self, sentence: str) -> None:
        """Answer with a sentence of ours, streamed like a model's."""
        await self._add({"role": "assistant", "content": sentence})

    async def say_text(
        self, key: str, placeholders: Mapping[str, str | list[str]] | None = None
    ) -> None:
        """Answer with a translated text of ours."""
        await self.say(await self.our_text(key, placeholders))

    async def retell(self, sentence: str, *, is_description: bool = False) -> None:
        """Answer with a text that has third-party parts, and mark it as such for later turns."""
        await self.say(sentence)
        self.log.content[-1] = QuotedAnswer(
            agent_id=self.said.agent_id, content=sentence, is_description=is_description
        )

    async def report_action(self, sentence: str) -> None:
        """Answer with the report of an action that was done without a call."""
        await self.say(sentence)
        self.log.content[-1] = ActionReport(agent_id=self.said.agent_id, content=sentence)

    @contextmanager
    def showing(self, file: conversation.Attachment, told: str) -> Iterator[None]:
        """Attach a file with its description to the user's last words within a context.

        Its content is unknown: an answer from it counts as third-party text.
        """
        index = self._begin - 1
        asked = self.log.content[index]
        assert isinstance(asked, conversation.UserContent)
        words = f"{asked.content}\n({told})"
        self.log.content[index] = replace(asked, content=words, attachments=[file])
        try:
            yield
        finally:
            self.log.content[index] = asked
            for at, item in enumerate(self.log.content[self._begin :], self._begin):
                if isinstance(item, conversation.AssistantContent) and not item.tool_calls:
                    quoted = QuotedAnswer(agent_id=item.agent_id, content=item.content)
                    self.log.content[at] = quoted

    @property
    def is_shown_something(self) -> bool:
        """Whether the user's last words came with a file."""
        asked = self.log.content[self._begin - 1]
        return isinstance(asked, conversation.UserContent) and bool(asked.attachments)

    async def tell(self, failure: str) -> None:
        """Answer with a failure, which is streamed only after a streamed answer.

        It is the turn's result too, which Assist's dialog shows as a line of its own.
        """
        if spoken(self.turn):
            await self.say(failure)
        else:
            self.log.async_add_assistant_content_without_tools(
                conversation.AssistantContent(agent_id=self.said.agent_id, content=failure)
            )

    async def ask_which(
        self, devices: Sequence[Exposed], home: Home, *, most: int = MOST_NAMES
    ) -> bool:
        """Ask which device is meant; return False for too many, or indistinguishable ones."""
        names = home.told_apart(devices)
        if len(names) < len(devices) or not SEVERAL <= len(names) <= most:
            return False
        await self.ask_which_of(names)
        return True

    async def ask_which_of(self, names: Sequence[str]) -> None:
        """Ask which of the devices with these names is meant."""
        await self.say(await self.our_text("which_one", {"names": [*names]}, how="any"))

    async def call(self, call: llm.ToolInput) -> llm.ToolResult:
        """Make a call without the model."""
        return next(
            item.result
            for item in await self._add({"role": "assistant", "tool_calls": [call]})
            if isinstance(item, conversation.ToolResultContent)
        )

    async def read(self, call: llm.ToolInput) -> None:
        """Make a read-only call before the model is asked; it does not count as an action."""
        self._reads.add(call.id)
        await self.call(call)

    def hide(self, text: str, instead: str) -> None:
        """Replace the user's last words in the log and its trace."""
        trace = current_trace.get()
        for event in trace._events if trace else ():  # noqa: SLF001 - as above
            _hide(event.data, text, instead)
        for index, item in enumerate(self.log.content):
            if isinstance(item, conversation.UserContent) and item.content == text:
                self.log.content[index] = replace(item, content=instead)

    def forget(self) -> None:
        """Remove the additions of the turn."""
        del self.log.content[self._begin :]

    async def our_text(
        self,
        key: str,
        placeholders: Mapping[str, str | list[str]] | None = None,
        *,
        how: str = "all",
    ) -> str:
        """Return a text of ours in the user's language; names are joined as by `joined`."""
        language = self.said.language
        slots = {
            name: value if isinstance(value, str) else joined(language, value, how=how)
            for name, value in (placeholders or {}).items()
        }
        return await async_text(self.hass, language, key, slots)

    async def _add(
        self, message: conversation.AssistantContentDeltaDict
    ) -> list[conversation.AssistantContent | conversation.ToolResultContent]:
        """Add a message, and the results of its calls."""

        async def stream() -> Deltas:
            yield message

        return [
            item
            async for item in self.log.async_add_delta_content_stream(
                self.said.agent_id, self.noted(stream())
            )
        ]

    # Reading

    def begun(self, listed: str | None = None) -> Iterator[conversation.Content]:
        """Yield the conversation, with the user's area before the first words of the user.

        `listed` are the candidates for the mentions in the last words, which they precede.
        """
        system, *before = self.log.content[: self._begin - 1]
        yield system
        if place := speakers_area(self.hass, self.said.device_id):
            yield conversation.UserContent(content=place)
        yield from before
        if listed:
            yield conversation.UserContent(content=listed)
        yield from self.log.content[self._begin - 1 :]

    @property
    def instructions(self) -> str:
        """The model's system prompt."""
        system = self.log.content[0]
        return system.content if isinstance(system, conversation.SystemContent) else ""

    @property
    def earlier(self) -> list[Text]:
        """The last sentences of the user before the current one."""
        sentences = [item.content for item in self.log.content if is_said_by_user(item)]
        return [self._text(each) for each in sentences[:-1][-_EARLIER:]]

    def reminder(self, utterance: Utterance) -> Sequence[conversation.Content]:
        """Return the note to answer now, for a model whose written calls have all succeeded.

        A command may need more calls: for it there is no note.
        """
        if utterance.may_be_command:
            return ()
        message: conversation.Content | None = None
        for message in reversed(self.turn):
            if not isinstance(message, conversation.ToolResultContent):
                break
            if message.result.error:
                return ()
        calls = getattr(message, "tool_calls", None) or ()
        if not calls or not all(isinstance(call, WrittenCall) for call in calls):
            return ()
        if any(call.tool_name == FIND_TOOLS for call in calls):
            # The model has to call a tool that was found.
            return ()
        is_list = utterance.text.begins("listing")
        return (Note(content=LIST_NOW if is_list else ANSWER_NOW),)

    @property
    def asked_before(self) -> Text:
        """The question at the end of the previous answer; empty without one."""
        *_, last = SENTENCE_END.split(self.answer_before.strip())
        return self._text(last if _asks(last) else "")

    @property
    def answer_before(self) -> Text:
        """The previous answer; of a long one, the end."""
        match self.log.content[: self._begin - 1]:
            case [*_, conversation.AssistantContent(content=str(answer))]:
                return self._text(answer[-_REMEMBERED:])
        return self._text("")

    def _text(self, text: str) -> Text:
        return Text(text, self.said.language)

    @property
    def is_untouched(self) -> bool:
        """Whether the turn has neither spoken nor made a call, except for prefetching."""
        return not any(map(self._touches, self.turn))

    def _touches(self, item: conversation.Content) -> bool:
        match item:
            case conversation.ToolResultContent():
                return item.tool_call_id not in self._reads
            case conversation.AssistantContent():
                calls = {call.id for call in item.tool_calls or ()}
                return bool(item.content or calls - self._reads)
        return False

    @property
    def _results(self) -> Sequence[llm.ToolResult]:
        """The results of the turn's calls."""
        found = (x for x in self.turn if isinstance(x, conversation.ToolResultContent))
        return [each.result for each in found]

    @property
    def last_call_failed(self) -> bool:
        """Whether the last call of the turn failed."""
        return any(each.error for each in self._results[-1:])

    @property
    def tools_words(self) -> str | None:
        """The text of the turn's last successful tool result, if it is a short sentence."""
        match [each.data for each in self._results if not each.error]:
            case [*_, {"result": str(text)}] if _SENTENCE.fullmatch(text.strip()):
                return text.strip()
        return None


def speech_of(response: intent.IntentResponse) -> str:
    """Return the speech of Home Assistant's response."""
    return str(response.speech.get("plain", {}).get("speech") or "")


def spoken(content: Sequence[conversation.Content]) -> str:
    """Return the text since the last tool result."""
    said: list[str] = []
    for item in content:
        match item:
            case conversation.ToolResultContent():
                said.clear()
            case conversation.AssistantContent(content=str(text)) if text.strip():
                said.append(text.strip())
    return " ".join(said)


def asks_back(log: conversation.ChatLog, *, anywhere: bool = False) -> bool:
    """Return True if the last answer is a question, so that the microphone must stay open.

    Home Assistant checks the last character only, and knows three question marks. This accepts any
    question mark after the last word (Arabic, before a closing quote or an emoji); if `anywhere`,
    one at any position.
    """
    if log.continue_conversation:
        return True
    last = log.content[-1]
    text = last.content if isinstance(last, conversation.AssistantContent) else ""
    return _asks(text or "", anywhere=anywhere)


def _asks(text: str, *, anywhere: bool = False) -> bool:
    """Return True if a text ends with a question mark of any script, or has one `anywhere`."""
    for character in reversed(text):
        if "QUESTION MARK" in unicodedata.name(character, ""):
            return True
        if character.isalnum() and not anywhere:
            break
    return False


def _hide(data: Any, text: str, instead: str) -> None:
    match data:
        case dict():
            for key, value in data.items():
                if value == text:
                    data[key] = instead
                else:
                    _hide(value, text, instead)
        case list():
            for value in data:
                _hide(value, text, instead)
