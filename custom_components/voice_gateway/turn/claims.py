"""What a model says: whether it may be spoken, by what the turn's calls have come to.

An answer may say what it likes where something was done, and all of it; else it has to ask, or to
deny. Of what is no command, only what is certainly a claim is not said (`claim_detection.py`).
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import groupby
import re

from homeassistant.helpers import intent, llm

from ..languages import language_of
from ..names.matching import matcher, words
from ..nlu.clause import DialogueAct
from ..nlu.follow_ups import FullSentenceMatcher
from ..nlu.phrase_patterns import patterns_of
from ..nlu.predicates import Predicate
from ..nlu.utterance import RecognitionStatus, Utterance
from ..tools.context_tool import ContextTool
from ..tools.executor import ToolExecutor
from ..tools.taint import reaches_outside
from .claim_detection import SENTENCE_END, ClaimDetector

_WORD_OR_PAUSE = re.compile(r"[^\W_]+|[,;.:](?=\s)")
_ASKS = re.compile("[?？؟]")
# Words that are no coincidence. "There is no device Sauna", of fewer, is an answer.
_REPEATED = 9
# What can be asked about and read, and does nothing itself.
_ONLY_TELL = frozenset(("binary_sensor", "calendar", "sensor", "todo", "weather"))
# With these something is put on a list, whatever else it begins with: "get milk on the list".
_PUTS = ("adds", "puts", "ticks")
# Letters of a word that tells what somebody speaks of.
_TELLING = 4
# Questions of Home Assistant's that are none: what it answers to them says nothing.
_NO_QUESTIONS = (intent.INTENT_NEVERMIND, intent.INTENT_RESPOND)


class Grounding(StrEnum):
    """What an answer stands on."""

    FREE = "free"
    """It may say anything: what was asked for was done or read, or it is only talk."""
    UNREAD = "unread"
    """It is about the home, or what else can be read, and nothing was read."""
    UNDONE = "undone"
    """Nothing was done of a command, or no call of any came to something."""
    PARTLY = "partly"
    """Something was done, and something was not."""
    IN_DOUBT = "in doubt"
    """Something may have been done, of which no answer came."""


class AnswerGrounds:
    """What an answer of one turn stands on."""

    def __init__(self, tools: ToolExecutor, *, has_called_before: bool = False) -> None:
        """Take the turn's tools, with what was said and the turn's calls.

        `has_called_before`: something may have been done earlier in the conversation.
        """
        self._tools = tools
        self._heard = tools.utterance
        self._journal = tools.journal
        self._has_called_before = has_called_before
        self.claimed = ClaimDetector(tools.utterance.language, tools.utterance.mentions.home)

    @property
    def may_be_claimed(self) -> bool:
        """Whether what is said to be done is certainly not: nothing was, and nobody asks anything.

        Or somebody asks, and what the model called instead of an answer was refused.
        """
        may_be_true = self._journal.may_have_acted or self._journal.planned
        # Who asks is answered while it is written, and nobody wanted anything done.
        is_free = self._heard.asks and not any(each.is_forbidden for each in self._journal.entries)
        return self.claimed.is_known and not (may_be_true or is_free)

    @property
    def is_left_open(self) -> bool:
        """Whether something else than a text was wanted, and nothing was done."""
        if self._journal.may_have_acted or self._journal.planned or self._heard.asks:
            return False
        is_for_ears = self._is_talk or FullSentenceMatcher(self._heard.text).begins("reads")
        return self._heard.may_be_command or (
            self._heard.parsed.act is DialogueAct.COMMAND and not is_for_ears
        )

    @property
    def _is_talk(self) -> bool:
        # Who wants a haiku written has no tool for notes in mind.
        return FullSentenceMatcher(self._heard.text).begins("of_texts")

    def is_claim(self, sentence: str) -> bool:
        """Return True if a sentence of an answer claims what was not done."""
        return self.may_be_claimed and self.claimed.in_sentence(
            sentence,
            was_read=self._journal.has_read,
            was_done=self._has_called_before,
        )

    @property
    def standing(self) -> Grounding:
        """What it stands on by now."""
        journal = self._journal
        if journal.is_in_doubt:
            return Grounding.IN_DOUBT
        if journal.done:
            failed = journal.unknown or any(entry.is_undone for entry in journal.entries)
            is_less = failed and (things_asked(self._heard) or 1) > len(journal.done)
            return Grounding.PARTLY if journal.undone or is_less else Grounding.FREE
        if self._tools.taint.has_seen and not journal.entries:
            # What is in the picture was all that was asked for.
            return Grounding.FREE
        if journal.has_read and self._is_to_be_told:
            return Grounding.FREE
        if self._is_to_be_looked_up and reaches_outside(journal.tools_read):
            return Grounding.FREE
        if self._heard.may_be_command or journal.came_to_nothing or self._is_for_a_tool:
            return Grounding.UNDONE
        if not journal.has_read and self._is_to_be_read:
            return Grounding.UNREAD
        return Grounding.FREE

    @cached_property
    def _is_to_be_told(self) -> bool:
        """Whether all that is wanted is to hear what there is of things that only tell: "read me the list"."""
        named = self._heard.mentions.named_in(self._heard.text)
        return (
            bool(named)
            and all(each.domain in _ONLY_TELL for each in named)
            and self._only_begins_to_read
        )

    @cached_property
    def _is_to_be_looked_up(self) -> bool:
        """Whether all that is wanted is to hear what is found outside of the home: "read me that page".

        It names nothing of the home, and opens nothing.
        """
        utterance = self._heard
        is_of_home = (
            utterance.mentions.named_in(utterance.text)
            or utterance.link(utterance.text).has_mention
        )
        return (
            not is_of_home and not Predicate.of(utterance.text).opens and self._only_begins_to_read
        )

    @property
    def _only_begins_to_read(self) -> bool:
        """Whether each part of the sentence begins as who wants to hear something, and puts nothing on a list."""
        utterance = self._heard
        return all(
            FullSentenceMatcher(each.text).begins("reads")
            and not each.text.says(*_PUTS, gapped=True)
            for each in utterance.parsed.clauses
        )

    @cached_property
    def may_be_request(self) -> bool:
        """Whether a sentence that is no command of Home Assistant's may be one for other tools."""
        return self._heard.parsed.act is DialogueAct.COMMAND and bool(self._others)

    @property
    def _others(self) -> Sequence[llm.Tool]:
        """The tools that may act and are none of the home's."""
        return [
            tool
            for tool in self._tools.manager.all()
            if not tool.annotations.read_only and not isinstance(tool, ContextTool | llm.IntentTool)
        ]

    @cached_property
    def _is_for_a_tool(self) -> bool:
        """Whether a sentence is a command for a tool whose name it says.

        What only a tool of an MCP server can do is no command of Home Assistant's.
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
            and bool(utterance.mentions.named_in(utterance.text))
        )


def things_asked(utterance: Utterance) -> int | None:
    """Return how many things a sentence wants done or told at most; None where nobody knows."""
    joints = language_of(utterance.language).conjunctions
    if not joints:
        # Only what Home Assistant understands as a whole is one.
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
    """Return True if a sentence is a question that Home Assistant's own sentences answer."""
    asked = utterance.exact_question
    return asked is not None and asked.intent_type not in _NO_QUESTIONS


def repeats(text: str, told: Iterable[str]) -> bool:
    """Return True if a text is nothing but what the model was told: its instructions, or an error."""
    said = " ".join(words(text)).removeprefix("error ")
    return len(said.split()) >= _REPEATED and any(said in " ".join(words(each)) for each in told)


def denies(language: str, text: str) -> bool:
    """Return True if a text asks something, or says what is not; "no problem" does not."""
    if _ASKS.search(text):
        return True
    said = f" {' '.join(words(text))} "
    for assent in patterns_of(language).phrases("assents"):
        said = said.replace(f" {' '.join(assent)} ", " ")
    denials = {part for word in language_of(language).negation_cues for part in words(word)}
    return not denials.isdisjoint(said.split())


def asks_which(text: str, names: Iterable[str]) -> bool:
    """Return True if a text asks which of some devices is meant: it begins so, or has a name of one."""
    first, *_ = (*(each for each in SENTENCE_END.split(text.strip()) if each), "")
    said = text.casefold()
    has_name = any(name.casefold() in said for name in names)
    return bool(_ASKS.search(text if has_name else first))


def sure_part(language: str, text: str) -> str:
    """Return what of an answer is true where nothing was done: what it asks, and what it denies.

    Where it does not begin so, nothing is: "It is on. No problem."
    """
    first, *others = (each for each in SENTENCE_END.split(text.strip()) if each)
    if not denies(language, first):
        return ""
    return " ".join((first, *(each for each in others if denies(language, each))))
