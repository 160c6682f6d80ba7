"""The grounding of a model's answer: whether the turn's calls allow it to be spoken.

After a complete command, an answer may say anything; after a failed one it must ask or deny. If
the sentence is no command, only certain claims are withheld, since talk is streamed. A claim begins
like the report of an action and names something of the home ("I've turned on the lamp", "Turning
it on"); or it is nothing but a confirmation.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import groupby
import re
from typing import Final

from homeassistant.components import conversation
from homeassistant.helpers import intent, llm

from ..home.exposed import Home
from ..home.written_text import leaves
from ..languages import language_of
from ..names.inflection import is_like_any
from ..names.matching import matcher, words
from ..nlu.clause import DialogueAct
from ..nlu.follow_ups import FollowUpAct, FollowUpParser
from ..nlu.phrase_patterns import patterns_of
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text, TokenSequence
from ..nlu.utterance import RecognitionStatus, Utterance
from ..quoted_answer import ActionReport
from ..tools.context_tool import ContextTool
from ..tools.executor import ToolExecutor
from ..tools.journal import Outcome
from ..tools.taint import reaches_outside

_WORD_OR_PAUSE = re.compile(r"[^\W_]+|[,;.:](?=\s)")
_ASKS = re.compile("[?？؟]")
# Too many words for a coincidence. "There is no device Sauna" has fewer, and is an answer.
_REPEATED = 9
# Domains that can be read, and do nothing themselves.
_ONLY_TELL = frozenset(("binary_sensor", "calendar", "sensor", "todo", "weather"))
# Predicates that add to a list, whatever the sentence begins with: "get milk on the list".
_PUTS = ("adds", "puts", "ticks")
# Letters of a content word, too long for a coincidence in a name.
_TELLING = 4
# The user asks for an earlier answer.
_AGAIN = (FollowUpAct.SAY_AGAIN, FollowUpAct.TOLD)
# Intents of Home Assistant that are no questions: their responses say nothing.
_NO_QUESTIONS = (intent.INTENT_NEVERMIND, intent.INTENT_RESPOND)
_LONGEST: Final = 400
"""Characters of a sentence that is checked; claims are short."""
SENTENCE_END: Final = re.compile(r"(?<=[.!?…。！？।؟])\s+|\n+")


class Grounding(StrEnum):
    """How far the turn's calls support an answer."""

    FREE = "free"
    """It may say anything: the request was fulfilled, or the sentence is only talk."""
    UNREAD = "unread"
    """It is about the home or other readable data, and nothing was read."""
    UNDONE = "undone"
    """A command was not executed, or every call failed."""
    PARTLY = "partly"
    """A part of the command was executed."""
    IN_DOUBT = "in doubt"
    """A call without a result may have been executed."""


class AnswerGrounds:
    """The grounding of the answers in one turn."""

    def __init__(self, tools: ToolExecutor, earlier: Sequence[conversation.Content] = ()) -> None:
        """Take the turn's tools, with the utterance and the journal, and the earlier turns."""
        self._tools = tools
        self._heard = tools.utterance
        self._journal = tools.journal
        self._earlier = earlier
        self.claimed = ClaimDetector(tools.utterance.language, tools.utterance.home)

    @cached_property
    def wanted(self) -> int:
        """How many actions and answers the sentence requests at most; 1 if unknown."""
        return things_asked(self._heard) or 1

    @property
    def may_be_claimed(self) -> bool:
        """Whether any claim of an action is false: no call has acted, and the user asks nothing.

        It is also false if the user asks, and the model made a call instead, which was refused.
        """
        may_be_true = self._journal.may_have_acted or self._journal.planned
        # The answer to a question is streamed, and no action was requested.
        is_free = self._heard.asks and not any(each.is_forbidden for each in self._journal.entries)
        return not (may_be_true or is_free)

    @property
    def is_left_open(self) -> bool:
        """Whether an action was requested and not done; a request for a text does not count."""
        if self._journal.may_have_acted or self._journal.planned or self._heard.asks:
            return False
        is_for_ears = self._is_talk or self._heard.text.begins("reads")
        return self._heard.may_be_command or (
            self._heard.parsed.act is DialogueAct.COMMAND and not is_for_ears
        )

    @property
    def _is_talk(self) -> bool:
        # A request for a haiku is not for a tool that takes notes.
        return self._heard.text.begins("of_texts")

    def is_claim(self, sentence: str) -> bool:
        """Return True if a sentence of an answer is a false claim."""
        return self.may_be_claimed and (
            self._line(sentence) in self._confirmations
            or self.claimed.in_sentence(
                sentence, was_read=self._journal.has_read, was_done=self._has_called_before
            )
        )

    @property
    def _has_called_before(self) -> bool:
        """Whether a call succeeded earlier in the conversation, and may have acted."""
        results = (x for x in self._earlier if isinstance(x, conversation.ToolResultContent))
        return any(not each.result.error for each in results)

    @cached_property
    def _confirmations(self) -> frozenset[str]:
        """The sentences that reported earlier actions, unless the user asks for them.

        A model that repeats one has not acted again.
        """
        follow_up = FollowUpParser(self._heard.text).parse()
        if follow_up and follow_up.act in _AGAIN:
            return frozenset()
        sentences = (x for text in self._reports() for x in SENTENCE_END.split(text))
        return frozenset(
            self._line(each)
            for each in sentences
            if not (_ASKS.search(each) or self.claimed.says_nothing(each))
        )

    def _reports(self) -> Iterator[str]:
        """Yield the earlier answers after a call that may have acted, and our own reports."""
        has_acted = False
        for item in self._earlier:
            match item:
                case conversation.UserContent():
                    has_acted = False
                case conversation.ToolResultContent(result=result) if not result.error:
                    tool = self._tools.manager.find(item.tool_name)
                    has_acted = has_acted or not (tool and tool.annotations.read_only)
                case conversation.AssistantContent(content=str(text)):
                    if has_acted or isinstance(item, ActionReport):
                        yield text

    @staticmethod
    def _line(sentence: str) -> str:
        return " ".join(words(sentence))

    @property
    def standing(self) -> Grounding:
        """The current grounding."""
        journal = self._journal
        if journal.is_in_doubt:
            return Grounding.IN_DOUBT
        if journal.done:
            failed = journal.unknown or any(entry.is_undone for entry in journal.entries)
            is_less = failed and self.wanted > len(journal.done)
            return Grounding.PARTLY if journal.undone or is_less else Grounding.FREE
        if self._tools.taint.has_seen and not journal.entries:
            # The request was only for the content of the picture.
            return Grounding.FREE
        if journal.has_read and self._is_to_be_told:
            return Grounding.FREE
        if reaches_outside(journal.tools_read) and self._is_to_be_looked_up:
            return Grounding.FREE
        if self._heard.may_be_command or journal.came_to_nothing or self._is_for_a_tool:
            return Grounding.UNDONE
        if not journal.has_read and self._is_to_be_read:
            return Grounding.UNREAD
        return Grounding.FREE

    @cached_property
    def _is_to_be_told(self) -> bool:
        """Whether only the content of read-only entities is requested: "read me the list"."""
        named = self._heard.link(self._heard.text).mentioned
        return (
            bool(named)
            and all(each.domain in _ONLY_TELL for each in named)
            and self._only_begins_to_read
        )

    @property
    def _is_to_be_looked_up(self) -> bool:
        """Whether only content from outside the home is requested: "read me that page".

        It opens nothing, and mentions nothing of the home but what was searched for outside.
        """
        text = self._heard.text
        if Predicate.of(text).opens or not self._only_begins_to_read:
            return False
        # A device may be called "Search".
        said = self._heard.link(text.alike(" ".join(text.without("reads"))))
        return not (said.mentioned or said.has_mention) or self._was_sent(text)

    def _was_sent(self, text: Text) -> bool:
        """Return True if what a text says of the home was searched for: "search for a lamp"."""
        sent = [
            word
            for each in self._journal.entries
            if each.outcome is Outcome.READ and reaches_outside([each.tool])
            for value in leaves(each.arguments)
            for word in words(str(value))
        ]
        left = [
            word
            for word in text.without("tool_verbs.reads")
            if word not in text.function_words and not is_like_any(word, sent, _TELLING)
        ]
        rest = self._heard.link(text.alike(" ".join(left)))
        is_of_home = rest.mentioned or rest.has_mention
        return bool(sent) and not (is_of_home or Predicate.of(rest.text).is_expressed)

    @property
    def _only_begins_to_read(self) -> bool:
        """Whether each clause begins with a verb of reading, and adds nothing to a list."""
        utterance = self._heard
        return all(
            each.text.begins("reads") and not each.text.says(*_PUTS, gapped=True)
            for each in utterance.parsed.clauses
        )

    @cached_property
    def may_be_request(self) -> bool:
        """Whether the sentence is a command, and there are tools that may act outside the home."""
        return self._heard.parsed.act is DialogueAct.COMMAND and bool(self._others)

    @property
    def _others(self) -> Sequence[llm.Tool]:
        """The tools that may act outside the home."""
        return [
            tool
            for tool in self._tools.manager.all()
            if not tool.annotations.read_only and not isinstance(tool, ContextTool | llm.IntentTool)
        ]

    @cached_property
    def _is_for_a_tool(self) -> bool:
        """Whether a sentence is a command that names a tool.

        Commands for the tools of an MCP server are no commands of Home Assistant's.
        """
        utterance = self._heard
        if utterance.asks or utterance.status is RecognitionStatus.QUESTION:
            return False
        tokens = matcher(utterance.language).tokens
        said = {word for word in tokens(utterance.text) if len(word) >= _TELLING}
        enough = 1 if utterance.parsed.act is DialogueAct.COMMAND and not self._is_talk else 2
        return any(
            len(said.intersection(tokens(f"{tool.title or ''} {tool.name}"))) >= enough
            for tool in self._others
        )

    @cached_property
    def _is_to_be_read(self) -> bool:
        """Whether it is a question that Home Assistant answers, or one about a device."""
        utterance = self._heard
        return is_answerable(utterance) or (
            utterance.asks
            and utterance.parsed.act is not DialogueAct.STATEMENT
            and any(tool.annotations.read_only for tool in self._tools.manager.all())
            and bool(utterance.link(utterance.text).mentioned)
        )


def things_asked(utterance: Utterance) -> int | None:
    """Return how many actions and answers a sentence requests at most; None if unknown."""
    joints = utterance.text.language.conjunctions
    if not joints:
        # Only a sentence that Home Assistant parses completely is one.
        return 1 if utterance.intent_match is not None and utterance.intent_match.is_exact else None
    things = 0
    for clause in utterance.parsed.clauses:
        if clause.command and clause.act is not DialogueAct.STATEMENT and not clause.negated:
            parts = _WORD_OR_PAUSE.findall(clause.command.casefold())
            # ", then" is one joint.
            joined = groupby(not part.isalnum() or part in joints for part in parts)
            things += 1 + sum(joint for joint, _ in joined)
    return max(things, 1)


def is_answerable(utterance: Utterance) -> bool:
    """Return True if Home Assistant's own sentences answer the question."""
    asked = utterance.exact_question
    return asked is not None and asked.intent_type not in _NO_QUESTIONS


def repeats(text: str, told: Iterable[str]) -> bool:
    """Return True if a text only repeats the model's instructions, or an error."""
    said = " ".join(words(text)).removeprefix("error ")
    return len(said.split()) >= _REPEATED and any(said in " ".join(words(each)) for each in told)


def denies(language: str, text: str) -> bool:
    """Return True if a text asks or negates; "no problem" does neither."""
    if _ASKS.search(text):
        return True
    said = f" {' '.join(words(text))} "
    for assent in patterns_of(language).phrases("assents"):
        said = said.replace(f" {' '.join(assent)} ", " ")
    denials = {part for word in language_of(language).negation_cues for part in words(word)}
    return not denials.isdisjoint(said.split())


def asks_which(text: str, names: Iterable[str]) -> bool:
    """Return True if a text asks which device is meant: it begins so, or has the name of one."""
    first, *_ = (*(each for each in SENTENCE_END.split(text.strip()) if each), "")
    said = text.casefold()
    has_name = any(name.casefold() in said for name in names)
    return bool(_ASKS.search(text if has_name else first))


def sure_part(language: str, text: str) -> str:
    """Return the true part of an answer if nothing was done: its questions and negations.

    Empty if its first sentence is neither: "It is on. No problem."
    """
    first, *others = (each for each in SENTENCE_END.split(text.strip()) if each)
    if not denies(language, first):
        return ""
    return " ".join((first, *(each for each in others if denies(language, each))))


class ClaimDetector:
    """Detects sentences that claim an action in the home, in one language.

    Without words for claims in the language, it finds none.
    """

    def __init__(self, language: str, home: Home) -> None:
        """Take the language of the utterance, and the exposed home."""
        self._language = language_of(language)
        self._known = patterns_of(self._language.code)
        self._home = home

    def says_nothing(self, sentence: str) -> bool:
        """Return True if the meaning of a sentence depends on the next one: "Sure!", "Done!"."""
        line = self._line(sentence)
        return not self._left(line, self._leads(line) | self._tokens(line, "done"))

    def in_sentence(self, sentence: str, *, was_read: bool, was_done: bool) -> bool:
        """Return True if a sentence of an answer claims an action of the current turn.

        If something `was_read`, a sentence about a state may be true; if something `was_done`
        earlier, one about an action.
        """
        line = self._line(sentence)
        if any(token.text in "?？" for token in line.tokens):
            return False
        leads = self._leads(line)
        begin = next((i for i in range(len(line.tokens)) if i not in leads), len(line.tokens))
        if begin == len(line.tokens):
            return False
        if self._begins(line, begin, "doing"):
            return self._only_confirms(line, leads, may_name=True)
        if was_done:
            return False
        if self._begins(line, begin, "perfect"):
            return self._names_something(line)
        if was_read:
            return False
        if self._tokens(line, "passive"):
            return self._names_something(line)
        return bool(self._tokens(line, "confirmed")) and self._only_confirms(
            line, leads, may_name=False
        )

    def is_done(self, text: str) -> bool:
        """Return True if a whole answer only says that it is done: "Okay, done!"."""
        line = self._line(text)
        done = self._tokens(line, "done")
        return bool(done) and not self._left(line, done | self._leads(line))

    def _line(self, text: str) -> TokenSequence:
        said = Text(text[:_LONGEST], self._language.code)
        return TokenSequence.of(said, self._known.numbers)

    def _tokens(self, line: TokenSequence, name: str) -> set[int]:
        return line.covered(self._known.claims.get(name, ()))

    def _begins(self, line: TokenSequence, begin: int, name: str) -> bool:
        patterns = self._known.claims.get(name, ())
        spans = (span for pattern in patterns for span in line.find(pattern))
        return any(first <= begin < end for first, end in spans)

    def _leads(self, line: TokenSequence) -> set[int]:
        """Return the tokens of the opening of an answer, and all punctuation."""
        known = self._known
        found = {i for i, token in enumerate(line.tokens) if token.is_mark}
        for name in ("yes", "acknowledges", "beside"):
            found |= line.covered(known.replies.get(name, ()))
        found |= line.covered(known.forms.get("polite", ())) | self._tokens(line, "lead")
        begin = next((i for i in range(len(line.tokens)) if i not in found), len(line.tokens))
        return {i for i in found if i < begin or line.tokens[i].is_mark}

    @staticmethod
    def _left(line: TokenSequence, taken: Iterable[int]) -> Sequence[str]:
        gone = {*taken}
        return [token.text for i, token in enumerate(line.tokens) if i not in gone]

    def _only_confirms(self, line: TokenSequence, leads: Iterable[int], *, may_name: bool) -> bool:
        """Return True if a sentence has only an action and its targets.

        `may_name`: a word that is capitalized may be the name of an unknown device.
        """
        said = (self._tokens(line, name) for name in ("doing", "confirmed", "beside"))
        taken = {*leads}.union(*said)
        left = [
            (word, line.source.source[token.start].isupper())
            for i, token in enumerate(line.tokens)
            if i not in taken
            for word in words(token.text)
            if not (word in self._empty or word.isdecimal())
        ]
        known = [word in self._things or is_like_any(word, self._names) for word, _ in left]
        named = [may_name and is_name for _, is_name in left]
        return any(known) and all(a or b for a, b in zip(known, named, strict=True))

    def _names_something(self, line: TokenSequence) -> bool:
        said = [word for token in line.tokens for word in words(token.text)]
        return any(
            word in self._things or (len(word) >= _TELLING and is_like_any(word, self._names))
            for word in said
            if word not in self._empty
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(word for name in self._home.names for word in words(name)) - self._empty

    @cached_property
    def _things(self) -> frozenset[str]:
        """The words for devices and quantities."""
        listed = [*self._known.category_words, *self._language.claims.get("things", ())]
        return frozenset(
            word for each in listed for text in each.split("|") for word in words(text)
        )

    @cached_property
    def _empty(self) -> frozenset[str]:
        language = self._language
        return (
            language.function_words
            | language.conjunctions
            | language.universal_quantifiers
            | language.percent
            | language.degrees
        )
