"""The utterance: a sentence with its analysis, made once when a turn begins."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile
from typing import ClassVar, Final, Self

from homeassistant.components import conversation
from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.core import HomeAssistant

from ..const import LOGGER
from ..home.exposed import Exposed, Home, area_of_device
from ..json_schema import Json
from ..languages import language_of
from ..names.matching import split_names
from .clause import Clause, DialogueAct, ParsedText, join_commands
from .entity_linking import EntityLinker
from .home_assistant import (
    IntentMatch,
    async_recognize,
    async_recognize_strict,
    is_plausible_command,
    may_be_temperature,
)
from .literal_commands import async_parse_literally
from .parser import parse
from .state_evaluation import Evidence, async_resolve_conditions
from .tokenizer import NOTHING, Text
from .unknown_entities import UnknownEntity, find_unknown_entities

# Seconds for Home Assistant's recognition of a sentence. It takes milliseconds, and some seconds
# for the first sentence in a language.
PATIENCE = 10.0
_LONGEST = 300
"""The most characters of a question in which unknown entities are searched for."""
_ASKED = ("?", "？", "؟")


_PARSED: Final = 3
"""Earlier sentences whose clauses are kept."""
_REMEMBERED: Final = 64
"""Sentences that are parsed once for several turns."""


@lru_cache(_REMEMBERED)
def parse_once(text: str, code: str, names: frozenset[str]) -> tuple[Text, ParsedText]:
    """Return a sentence in a language, and its clauses as from `parse`, cached across turns."""
    said = Text(split_names(text, names), code)
    return said, parse(said, names)


@dataclass(frozen=True, slots=True)
class DeviceAction:
    """An intent with its values, on devices: the effect of a call, or what a follow-up requests."""

    intent_type: str
    values: Json
    devices: tuple[Exposed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueContext:
    """The dialogue before an utterance. No part of it is parsed again."""

    earlier: tuple[Text, ...] = ()
    """The user's earlier sentences in the conversation; "the other one" refers to them."""
    parsed: tuple[ParsedText, ...] = ()
    """The clauses of the last ones."""
    actions: tuple[DeviceAction, ...] = ()
    """The actions of the command before it, if no other topic came up since."""
    question: Text = NOTHING
    """The model's question directly before it."""
    answer: Text = NOTHING
    """The last answer, which the user heard directly before."""

    @classmethod
    def of(cls, earlier: Sequence[Text], names: frozenset[str]) -> Self:
        """Return the context of earlier sentences; the last ones have been parsed in their turns.

        Args:
            earlier: the sentences.
            names: the names of the home.
        """
        last = [parse_once(str(each), each.code, names) for each in earlier[-_PARSED:]]
        texts = (*earlier[:-_PARSED], *(text for text, _ in last))
        return cls(earlier=texts, parsed=tuple(parsed for _, parsed in last))

    def after(self, clauses: Iterable[Clause]) -> Self:
        """Return the context behind some clauses of the same sentence."""
        said = [ParsedText(act=each.act, clauses=(each,)) for each in clauses]
        texts = (each.clauses[0].text for each in said)
        return replace(self, earlier=(*self.earlier, *texts), parsed=(*self.parsed, *said))

    @property
    def command(self) -> Clause | None:
        """The sentence directly before it, if that was a single immediate command."""
        match [clause for parsed in self.parsed[-1:] for clause in parsed.clauses]:
            case [Clause(act=DialogueAct.COMMAND) as only] if only.is_plain:
                return only
        return None

    @property
    def before(self) -> Text:
        """The sentence directly before it."""
        return self.earlier[-1] if self.earlier else NOTHING


class RecognitionStatus(StrEnum):
    """The result of the recognition of a sentence."""

    COMMAND = "command"
    QUESTION = "question"
    UNKNOWN = "unknown"
    """Not recognized: it may be anything."""
    UNREAD = "unread"
    """Home Assistant's recognition timed out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A sentence with its analysis: made once when a turn begins, and not changed."""

    LONGEST: ClassVar[int] = 4000
    """The most characters of a sentence, four minutes of speech; to analyse it takes time."""

    text: Text
    language: str
    context: DialogueContext = field(default_factory=DialogueContext)
    """The dialogue before it."""
    area_id: str | None = None
    """The id of the area where the speaker is, if known."""
    intent_match: IntentMatch | None = None
    """The recognition by Home Assistant's sentences."""
    status: RecognitionStatus = RecognitionStatus.UNKNOWN
    parsed: ParsedText
    """Its clauses, with times and conditions.

    Without the conditions that held when it was parsed.
    """
    unmet_condition: Evidence | None = None
    """The evidence against a condition at that time."""
    condition_subjects: tuple[Exposed, ...] = ()
    """The subjects of the conditions that held."""
    home: Home
    """The exposed entities, with whose names it was parsed."""
    said_so_far: Text
    """The sentences of the conversation, a line each; in an AI task, its instructions."""
    antecedents: tuple[Exposed, ...] = ()
    """The devices that it certainly refers to by earlier actions, without a name."""
    instructions: Utterance | None = None
    """In an AI task, which has no speaker: the author's instructions, parsed as an utterance."""
    _meant: dict[Text, EntityLinker] = field(default_factory=dict, repr=False, compare=False)
    """The references of its parts, linked on first use, and shared with its clauses."""

    @classmethod
    async def async_parse(
        cls,
        hass: HomeAssistant,
        said: conversation.ConversationInput,
        earlier: Sequence[Text],
        home: Home,
    ) -> Self:
        """Parse an utterance to an agent, with those before it, in a home."""
        code = language_of(said.language).code
        sentence = (said.text, code, home.names)
        context, (whole, moments) = await hass.async_add_executor_job(
            _parse_all, earlier, *sentence
        )
        is_one = len(moments.clauses) == 1
        reading, kind = await _async_kind(hass, said, is_strict=not is_one)
        if not (whole.language.time_patterns or (reading and reading.is_exact)) and (
            literal := await async_parse_literally(hass, said, home.names)
        ):
            moments, reading, kind = literal, None, RecognitionStatus.COMMAND
        if script := _script_name(reading):
            _, moments = await hass.async_add_executor_job(
                parse_once, said.text, code, home.names | {script}
            )
        text = whole
        area_id = area_of_device(hass, said.device_id)
        decided = await async_resolve_conditions(hass, moments, home, text.code, area_id)
        if decided.met:
            # "It" is the condition's subject; the rest is parsed as any command.
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
        """Return the utterance of an AI task, which has no speaker but its author's instructions.

        They mention devices, and open no entry point.
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
        """Return the utterance of an AI task, with its instructions parsed if not too long."""
        utterance = cls.empty(hass, language, home, instructions)
        if len(instructions) > cls.LONGEST:
            return utterance
        text = Text(instructions, utterance.language)
        said = await hass.async_add_executor_job(parse, text, home.names)
        return replace(utterance, instructions=replace(utterance, text=text, parsed=said))

    async def async_parse_clause(
        self, hass: HomeAssistant, said: conversation.ConversationInput, clause: Clause
    ) -> Self:
        """Return a clause as an immediate utterance of its own.

        `said` is the input of the whole sentence.
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
        """Return it with its certain meaning in the dialogue: an intent for some devices.

        `command` is the sentence with the action, if this is an answer that selects devices.
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
        """Link its parts: not for the event loop, if the home and the sentence are large."""
        clauses = self.parsed.clauses
        parts = (part for each in clauses for part in (each.text, each.command, each.exclusion))
        for text in {self.text, self.said_so_far, *filter(None, parts)}:
            self.link(text).resolve_all()

    def link(self, text: Text) -> EntityLinker:
        """Return the references of a part of the sentence, or of an earlier one."""
        if (meant := self._meant.get(text)) is None:
            meant = self._meant[text] = EntityLinker(text, self.home, self.area_id)
        return meant

    @property
    def dialogue(self) -> EntityLinker:
        """The references of all sentences of the conversation."""
        return self.link(self.said_so_far)

    def is_alternative(self, entity: Exposed) -> bool:
        """Return True if "the other one" may be an entity: beside one that was named before."""
        said = self.link(self.text)
        if said.named or self.text.language.alternatives.isdisjoint(self.text.words):
            return False
        before = {each for text in self.context.earlier for each in self.link(text).named}
        return entity not in before and any(
            (each.domain, each.area) == (entity.domain, entity.area) for each in before
        )

    @property
    def may_be_command(self) -> bool:
        """Whether it may be a command, also if its recognition timed out."""
        return (
            self.status in (RecognitionStatus.COMMAND, RecognitionStatus.UNREAD)
            or self.is_for_later
        )

    @property
    def asks(self) -> bool:
        """Whether the user asks or reports, without a command."""
        if self.parsed.act is DialogueAct.COMMAND:
            # "All lights off" is also one of Home Assistant's questions.
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
        """The mentions of a question that are certainly not in the home, the fewest words first."""
        if (
            not self.asks
            or self.parsed.act is not DialogueAct.QUESTION
            or len(self.text) > _LONGEST
        ):
            return ()
        return find_unknown_entities(self.text, self.home)

    def similar_to_unknown(self, among: Iterable[Exposed]) -> frozenset[Exposed]:
        """Return the devices similar to an unknown entity in a question, unless they are named."""
        match self.unknown_entities:
            case [UnknownEntity(is_sure=True) as asked, *_]:
                alike = frozenset(filter(asked.may_be, among))
                return alike - self.link(self.text).mentioned if alike else alike
        return frozenset()

    @property
    def is_for_later(self) -> bool:
        """Whether a command is for another time than now, or has a condition."""
        may_be = self.status is RecognitionStatus.COMMAND or self.parsed.act is DialogueAct.COMMAND
        moments = (each for clause in self.parsed.clauses for each in clause.times)
        is_later = any(not each.depends_on_answer for each in moments)
        return may_be and is_later and self.exact_question is None

    @property
    def only_forbids(self) -> bool:
        """Whether all of its clauses are prohibitions."""
        clauses = self.parsed.clauses
        return self.parsed.act is DialogueAct.COMMAND and all(
            each.negated and not each.invert_until() for each in clauses
        )

    @property
    def unmet_words(self) -> Mapping[str, str]:
        """The placeholders of a text about an unmet condition: `name` and `state`."""
        if (unmet := self.unmet_condition) is None:
            return {}
        # A unit keeps its case: °C.
        is_value = any(map(str.isdigit, unmet.state))
        return {"name": unmet.name, "state": unmet.state if is_value else unmet.state.lower()}

    @property
    def is_all_unmet(self) -> bool:
        """Whether all of its commands depend on an unmet condition."""
        return bool(self.unmet_condition) and all(
            not each.negated and any(one.is_met is False for one in each.times)
            for each in self.parsed.clauses
        )

    @property
    def exact_command(self) -> IntentMatch | None:
        """The command that it is literally, for exposed entities."""
        reading = self.intent_match
        if not reading or not reading.is_exact or reading.is_question:
            return None
        if reading.is_to_be_said_later and language_of(self.language).time_patterns:
            return None  # a command for later is ours: "tell them that dinner is in an hour"
        named = self.home.called(str(reading.slots.get("name", "")))
        domains = {each.domain for each in named}
        if reading.opens and named and not reading.domains_told(domains):
            return None  # "lower the bed light" does not turn it off
        return None if may_be_temperature(reading, self.link(self.text)) else reading

    @property
    def exact_question(self) -> IntentMatch | None:
        """The question that it is literally, about exposed entities."""
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
    """Return Home Assistant's recognition of a sentence, and its status.

    `is_strict`: only literal matches. The search for unknown names takes most of the time, and in
    a sentence of several clauses it takes other clauses for names.
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
    """Return the status of a sentence after a check of Home Assistant's recognition."""
    if kind is RecognitionStatus.COMMAND and reading and not is_plausible_command(reading, said):
        kind = RecognitionStatus.UNKNOWN
    # "Some light please, it is dark" does not ask for a state "please it is dark".
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
    """Return the context and a sentence with its clauses: not for the event loop."""
    return DialogueContext.of(earlier, names), parse_once(text, code, names)


def _script_name(reading: IntentMatch | None) -> str:
    """Return the name of the script that a sentence runs; or nothing.

    "Run the bedtime routine" is for now. Scripts are tools, and not in a home; a sentence that only
    contains such a name may still be for later: "lights out at bedtime".
    """
    if reading and reading.is_exact and reading.slots.get("domain") == [SCRIPT]:
        return str(reading.slots["name"])
    return ""


def _plain(said: ParsedText) -> Text:
    """Return the words of a sentence that is a single immediate command; or nothing."""
    match said.clauses:
        case [only] if only.is_immediate and not only.negated and not only.exclusion:
            return only.command
    return NOTHING


def _lines(context: DialogueContext, text: Text) -> Text:
    return text.alike("\n".join(" ".join(each.split()) for each in (*context.earlier, text)))
