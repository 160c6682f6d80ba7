"""The utterance: a sentence with all that is known of it, made once when a turn begins."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile
from typing import Final, Self

from homeassistant.components import conversation
from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.core import HomeAssistant

from ..const import LOGGER
from ..home.exposed import Exposed, Home, area_of_device
from ..json_schema import Json
from ..languages import language_of
from .clause import Clause, DialogueAct, ParsedText, join_commands
from .entity_linking import EntityLinker
from .home_assistant import (
    IntentMatch,
    async_recognize,
    async_recognize_strict,
    is_plausible_command,
    may_be_temperature,
)
from .parser import parse
from .state_evaluation import Evidence, async_resolve_conditions
from .tokenizer import NOTHING, Text
from .unknown_entities import UnknownEntity, find_unknown_entities

# Seconds for Home Assistant's reading of a sentence. It takes milliseconds, and some seconds where
# a language is read for the first time.
PATIENCE = 10.0
LONGEST = 4000
"""Characters of a sentence, four minutes of speech. It is read for what it means, which takes time."""
_LONGEST = 300
"""Characters of a question in which it is looked for what is not there."""
_ASKED = ("?", "？", "؟")


_PARSED: Final = 3
"""Sentences before, of which the clauses are known."""
_REMEMBERED: Final = 64
"""Sentences that are parsed once for several turns."""


@lru_cache(_REMEMBERED)
def parse_once(text: str, code: str, names: frozenset[str]) -> tuple[Text, ParsedText]:
    """Return a sentence in a language, and its clauses, as `parse` does: once for several turns."""
    said = Text(text, code)
    return said, parse(said, names)


@dataclass(frozen=True, slots=True)
class PastAction:
    """What one call of the last command did."""

    intent_type: str
    values: Json
    devices: tuple[Exposed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueContext:
    """What was said and done before an utterance. Nothing of it is parsed again."""

    earlier: tuple[Text, ...] = ()
    """The user's sentences before it in the conversation: "the other one" is told by them."""
    parsed: tuple[ParsedText, ...] = ()
    """The last ones of these, clause by clause."""
    actions: tuple[PastAction, ...] = ()
    """What the command before it did, if nothing else was spoken of since."""
    question: Text = NOTHING
    """The model's question right before it."""
    answer: Text = NOTHING
    """The answer right before it: what the user heard last."""

    @classmethod
    def of(cls, earlier: Sequence[Text], names: frozenset[str]) -> Self:
        """Return it of the sentences before, of which the last ones were parsed when they were said.

        Args:
            earlier: the sentences.
            names: those of the home.
        """
        last = [parse_once(str(each), each.code, names) for each in earlier[-_PARSED:]]
        texts = (*earlier[:-_PARSED], *(text for text, _ in last))
        return cls(earlier=texts, parsed=tuple(parsed for _, parsed in last))

    def after(self, clauses: Iterable[Clause]) -> Self:
        """Return it after some clauses of the same sentence."""
        said = [ParsedText(act=each.act, clauses=(each,)) for each in clauses]
        texts = (each.clauses[0].text for each in said)
        return replace(self, earlier=(*self.earlier, *texts), parsed=(*self.parsed, *said))

    @property
    def command(self) -> Clause | None:
        """The sentence right before it, where that was one command for now."""
        match [clause for parsed in self.parsed[-1:] for clause in parsed.clauses]:
            case [Clause(act=DialogueAct.COMMAND) as only] if only.is_plain:
                return only
        return None

    @property
    def before(self) -> Text:
        """The sentence right before it."""
        return self.earlier[-1] if self.earlier else NOTHING


class RecognitionStatus(StrEnum):
    """What a sentence is."""

    COMMAND = "command"
    QUESTION = "question"
    UNKNOWN = "unknown"
    """Nobody makes anything certain of it: it may be anything."""
    UNREAD = "unread"
    """Home Assistant did not read it in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A sentence: made once when a turn begins, and only read afterwards."""

    text: Text
    language: str
    context: DialogueContext = field(default_factory=DialogueContext)
    """What was said and done before it."""
    area_id: str | None = None
    """Where the speaker is, as far as that is known."""
    intent_match: IntentMatch | None = None
    """How Home Assistant's own sentences read it."""
    status: RecognitionStatus = RecognitionStatus.UNKNOWN
    parsed: ParsedText
    """When, whether and what for: what it says besides what is to be done.

    Without the conditions that were met when it was read.
    """
    unmet_condition: Evidence | None = None
    """What was so then in the stead of a condition."""
    condition_subjects: tuple[Exposed, ...] = ()
    """What the conditions were about that were met."""
    home: Home
    """What is exposed, in whose names it was read."""
    said_so_far: Text
    """The sentences of the conversation, a line each; in an AI task, its instructions."""
    antecedents: tuple[Exposed, ...] = ()
    """The devices that it certainly means by what was done before it, though it does not name them."""
    instructions: Utterance | None = None
    """In an AI task, where nobody speaks: its author's instructions, as if they had been said."""
    _meant: dict[Text, EntityLinker] = field(default_factory=dict, repr=False, compare=False)
    """What parts of it mean, as far as somebody asked: most do. Its clauses have the same."""

    @classmethod
    async def async_parse(
        cls,
        hass: HomeAssistant,
        said: conversation.ConversationInput,
        earlier: Sequence[Text],
        home: Home,
    ) -> Self:
        """Read a sentence that was said to an agent, with those before it, in a home."""
        code = language_of(said.language).code
        sentence = (said.text, code, home.names)
        context, (whole, moments) = await hass.async_add_executor_job(
            _parse_all, earlier, *sentence
        )
        is_one = len(moments.clauses) == 1
        reading, kind = await _async_kind(hass, said, is_strict=not is_one)
        if script := _script_name(reading):
            _, moments = await hass.async_add_executor_job(
                parse_once, said.text, code, home.names | {script}
            )
        text = whole
        area_id = area_of_device(hass, said.device_id)
        decided = await async_resolve_conditions(hass, moments, home, text.code, area_id)
        if decided.met:
            # The condition has told what "it" is; what is left is a command as any other.
            context = context.after(Clause(text=each, command=each) for each in decided.met)
            text = _plain(decided.said) or text
            reading, read_as = await _async_kind(hass, replace(said, text=text))
            if reading and reading.is_exact and text != said.text:
                kind = read_as
            else:
                reading = None
        utterance = cls(
            text=whole,
            language=said.language,
            context=context,
            area_id=area_id,
            intent_match=reading,
            status=kind,
            parsed=decided.said,
            unmet_condition=decided.unmet,
            condition_subjects=decided.about,
            home=home,
            said_so_far=_lines(context, text),
        )
        if not home.is_quick(whole.words):
            await hass.async_add_executor_job(utterance._link_all)
        status = _believed(kind, reading, decided.said, utterance.link(whole))
        return replace(utterance, status=status)

    @classmethod
    def empty(
        cls, hass: HomeAssistant, language: str | None, home: Home, instructions: str = ""
    ) -> Self:
        """Return what was heard where nobody spoke: in an AI task, with its author's instructions.

        They mention devices, and open no door.
        """
        language = language or hass.config.language
        return cls(
            text=Text("", language),
            language=language,
            parsed=parse(Text("", language), ()),
            home=home,
            said_so_far=Text(instructions, language),
        )

    @classmethod
    async def async_parse_task(
        cls, hass: HomeAssistant, language: str | None, home: Home, instructions: str
    ) -> Self:
        """Return what was heard in an AI task, with its instructions read as words, if not too long."""
        utterance = cls.empty(hass, language, home, instructions)
        if len(instructions) > LONGEST:
            return utterance
        text = Text(instructions, utterance.language)
        said = await hass.async_add_executor_job(parse, text, home.names)
        return replace(utterance, instructions=replace(utterance, text=text, parsed=said))

    async def async_parse_clause(
        self, hass: HomeAssistant, said: conversation.ConversationInput, clause: Clause
    ) -> Self:
        """Return a part of the sentence as if it had been said by itself, and for now.

        `said` is what the whole was said with.
        """
        text = clause.command or clause.text
        now = ParsedText(act=clause.act, clauses=(replace(clause, text=text, times=()),))
        reading, kind = await _async_kind(hass, replace(said, text=text))
        context = self.context.after(takewhile(clause.__ne__, self.parsed.clauses))
        return replace(
            self,
            text=text,
            context=context,
            intent_match=reading,
            status=_believed(kind, reading, now, self.link(text)),
            parsed=now,
            unmet_condition=None,
            said_so_far=_lines(context, text),
        )

    def as_anaphor(
        self, reading: IntentMatch, devices: Sequence[Exposed], command: Text = NOTHING
    ) -> Self:
        """Return it as what it certainly means by what was done before: to do this, to these devices.

        `command` is the sentence that said what is to be done, where it is an answer that picks some.
        """
        text = command or self.text
        clause = Clause(text=text, command=text, act=DialogueAct.COMMAND)
        return replace(
            self,
            intent_match=reading,
            status=RecognitionStatus.COMMAND,
            parsed=ParsedText(act=DialogueAct.COMMAND, clauses=(clause,)),
            unmet_condition=None,
            antecedents=tuple(devices),
        )

    def _link_all(self) -> None:
        """Link its parts: not for the event loop, where much was said of a large home."""
        clauses = self.parsed.clauses
        parts = (part for each in clauses for part in (each.text, each.command, each.exclusion))
        for text in {self.text, self.said_so_far, *filter(None, parts)}:
            self.link(text).resolve_all()

    def link(self, text: Text) -> EntityLinker:
        """Return what a part of the sentence, or one before it, says of the devices that it means."""
        if (meant := self._meant.get(text)) is None:
            meant = self._meant[text] = EntityLinker(text, self.home, self.area_id)
        return meant

    @property
    def dialogue(self) -> EntityLinker:
        """What the sentences of the conversation say of devices, all together."""
        return self.link(self.said_so_far)

    def is_alternative(self, entity: Exposed) -> bool:
        """Return True if "the other one" may be an entity, in the room of one that was named before."""
        said = self.link(self.text)
        if said.named or self.text.language.alternatives.isdisjoint(self.text.words):
            return False
        before = {each for text in self.context.earlier for each in self.link(text).named}
        return entity not in before and any(
            (each.domain, each.area) == (entity.domain, entity.area) for each in before
        )

    @property
    def may_be_command(self) -> bool:
        """Whether what is said of it may be a claim: where nobody knows, it may."""
        return (
            self.status in (RecognitionStatus.COMMAND, RecognitionStatus.UNREAD)
            or self.is_for_later
        )

    @property
    def asks(self) -> bool:
        """Whether the user asks or tells something, and wants nothing done."""
        if self.parsed.act is DialogueAct.COMMAND:
            # "All lights off" is a question of Home Assistant's as well.
            return False
        if self.exact_command:
            # "Garage door closed?"
            return self.parsed.act is DialogueAct.QUESTION and self.text.rstrip().endswith(_ASKED)
        return self.status is RecognitionStatus.QUESTION or self.parsed.act in (
            DialogueAct.QUESTION,
            DialogueAct.STATEMENT,
        )

    @property
    def unknown_entities(self) -> Sequence[UnknownEntity]:
        """What a question names that is certainly not in the home, the fewest words first."""
        if (
            not self.asks
            or self.parsed.act is not DialogueAct.QUESTION
            or len(self.text) > _LONGEST
        ):
            return ()
        return find_unknown_entities(self.text, self.home)

    def similar_to_unknown(self, among: Iterable[Exposed]) -> frozenset[Exposed]:
        """Return the devices that are others of the kind that is asked about, and were not named."""
        match self.unknown_entities:
            case [UnknownEntity(is_sure=True) as asked, *_]:
                alike = frozenset(filter(asked.may_be, among))
                return alike - self.link(self.text).mentioned if alike else alike
        return frozenset()

    @property
    def is_for_later(self) -> bool:
        """Whether something is to be done at another moment than now, or on a condition."""
        may_be = self.status is RecognitionStatus.COMMAND or self.parsed.act is DialogueAct.COMMAND
        moments = (each for clause in self.parsed.clauses for each in clause.times)
        is_later = any(not each.depends_on_answer for each in moments)
        return may_be and is_later and self.exact_question is None

    @property
    def only_forbids(self) -> bool:
        """Whether all that it says is what is not to be done."""
        clauses = self.parsed.clauses
        return self.parsed.act is DialogueAct.COMMAND and all(
            each.negated and not each.invert_until() for each in clauses
        )

    @property
    def unmet_words(self) -> Mapping[str, str]:
        """What a sentence about a condition that is not met says: a `name`, and its `state`."""
        if (unmet := self.unmet_condition) is None:
            return {}
        # A unit is written as it is: °C.
        is_value = any(map(str.isdigit, unmet.state))
        return {"name": unmet.name, "state": unmet.state if is_value else unmet.state.lower()}

    @property
    def is_all_unmet(self) -> bool:
        """Whether all that it wants done is on a condition that is not met."""
        return bool(self.unmet_condition) and all(
            not each.negated and any(one.is_met is False for one in each.times)
            for each in self.parsed.clauses
        )

    @property
    def exact_command(self) -> IntentMatch | None:
        """The command that it is, word by word, of what is exposed."""
        reading = self.intent_match
        if not reading or not reading.is_exact or reading.is_question:
            return None
        if reading.is_to_be_said_later and language_of(self.language).time_patterns:
            return None  # what is for later is ours to tell: "tell them that dinner is in an hour"
        named = self.home.called(str(reading.slots.get("name", "")))
        domains = {each.domain for each in named}
        if reading.opens and named and not reading.domains_told(domains):
            return None  # "lower the bed light" is not to turn it off
        return None if may_be_temperature(reading, self.link(self.text)) else reading

    @property
    def exact_question(self) -> IntentMatch | None:
        """The question that it is, word by word, of what is exposed."""
        reading = self.intent_match
        if reading is None or not (reading.is_exact and reading.is_question):
            return None
        return (
            None
            if self.parsed.act is DialogueAct.COMMAND and reading.is_of_all_switched
            else reading
        )


async def _async_kind(
    hass: HomeAssistant, said: conversation.ConversationInput, *, is_strict: bool = False
) -> tuple[IntentMatch | None, RecognitionStatus]:
    """Return how Home Assistant reads a sentence, and what it is by that.

    `is_strict`: only word by word. To look for names that it does not know takes most of its time, and
    what it takes for one in a sentence of several clauses are other clauses.
    """
    recognize = async_recognize_strict if is_strict else async_recognize
    try:
        async with asyncio.timeout(PATIENCE):
            reading = await recognize(hass, said)
    except TimeoutError:
        LOGGER.debug("Home Assistant's sentences took too long")
        return None, RecognitionStatus.UNREAD
    if reading is None:
        return None, RecognitionStatus.UNKNOWN
    if reading.is_question:
        return reading, RecognitionStatus.QUESTION
    return (
        reading,
        RecognitionStatus.UNKNOWN if reading.begins_unknown else RecognitionStatus.COMMAND,
    )


def _believed(
    kind: RecognitionStatus,
    reading: IntentMatch | None,
    moments: ParsedText,
    said: EntityLinker,
) -> RecognitionStatus:
    """Return what a sentence is where Home Assistant is mistaken, or makes nothing of it."""
    if kind is RecognitionStatus.COMMAND and reading and not is_plausible_command(reading, said):
        kind = RecognitionStatus.UNKNOWN
    # "Some light please, it is dark" asks for no state "please it is dark".
    is_guess = reading and (reading.is_bare or (reading.is_question and "state" in reading.unknown))
    if is_guess and moments.act is DialogueAct.UNKNOWN:
        kind = RecognitionStatus.UNKNOWN
    if kind is not RecognitionStatus.UNKNOWN or moments.act is not DialogueAct.COMMAND:
        return kind
    if said.mentioned:
        return RecognitionStatus.COMMAND
    meant = EntityLinker(join_commands(moments.clauses), said.home, None)
    is_about_home = meant.sense_domains or meant.category_domains & said.home.domains
    return RecognitionStatus.COMMAND if is_about_home else kind


def _parse_all(
    earlier: Sequence[Text], text: str, code: str, names: frozenset[str]
) -> tuple[DialogueContext, tuple[Text, ParsedText]]:
    """Return the sentences before, and a sentence with its clauses: not for the event loop."""
    return DialogueContext.of(earlier, names), parse_once(text, code, names)


def _script_name(reading: IntentMatch | None) -> str:
    """Return the name of the script that a sentence is about; else nothing.

    "Run the bedtime routine" is for now. Scripts are tools, and not in a home; and a sentence that
    only has such a name in it is no less for later: "lights out at bedtime".
    """
    if reading and reading.is_exact and reading.slots.get("domain") == [SCRIPT]:
        return str(reading.slots["name"])
    return ""


def _plain(said: ParsedText) -> Text:
    """Return the words of a sentence that is one command for now, and no more; else none."""
    match said.clauses:
        case [only] if only.is_immediate and not only.negated and not only.exclusion:
            return only.command
    return NOTHING


def _lines(context: DialogueContext, text: Text) -> Text:
    return text.alike("\n".join(" ".join(each.split()) for each in (*context.earlier, text)))
