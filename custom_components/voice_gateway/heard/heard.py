"""What was said, as all who need it are given it."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from typing import Self

from homeassistant.components import conversation
from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr

from ..const import LOGGER
from ..home.exposed import Exposed, Home
from ..languages import language_of
from .absent import Absent, absent
from .answers import Shown
from .condition import async_decided
from .done import Done
from .meant import Meant
from .mentioned import Mentioned
from .moment import is_quick, read
from .places import Places
from .recognised import is_command, may_be_temperature
from .said import Clause, Mood, Said, commands
from .sentences import Reading, async_read

# Seconds for Home Assistant's reading of a sentence. It takes milliseconds, and some seconds where
# a language is read for the first time.
PATIENCE = 10.0
LONGEST = 4000
"""Characters of a sentence, four minutes of speech. It is read for what it means, which takes time."""
_LONGEST = 300
"""Characters of a question in which it is looked for what is not there."""
_ASKED = ("?", "？", "؟")


class Kind(StrEnum):
    """What a sentence is."""

    COMMAND = "command"
    QUESTION = "question"
    UNKNOWN = "unknown"
    """Nobody makes anything certain of it: it may be anything."""
    UNREAD = "unread"
    """Home Assistant did not read it in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A sentence: made once when a turn begins, and only read afterwards."""

    text: str
    language: str
    earlier: Sequence[str] = ()
    """The user's sentences before it in the conversation: "the other one" is told by them."""
    area_id: str | None = None
    """Where the speaker is, as far as that is known."""
    reading: Reading | None = None
    """How Home Assistant's own sentences read it."""
    kind: Kind = Kind.UNKNOWN
    said: Said
    """When, whether and what for: what it says besides what is to be done.

    Without the conditions that were met when it was read.
    """
    unmet: Shown | None = None
    """What was so then in the stead of a condition."""
    about: tuple[Exposed, ...] = ()
    """What the conditions were about that were met."""
    mentioned: Mentioned
    """The devices and places that it speaks of."""
    done: tuple[Done, ...] = ()
    """What the command before it did, if nothing else was spoken of since."""
    referred: tuple[Exposed, ...] = ()
    """The devices that it certainly means by what was done before it, though it does not name them."""
    asked: str = ""
    """The model's question right before it."""
    answered: str = ""
    """The answer right before it: what the user heard last."""
    instructed: Heard | None = None
    """In an AI task, where nobody speaks: its author's instructions, as if they had been said."""
    _meant: dict[str, Meant] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What parts of it mean, as far as somebody asked: most do."""

    @classmethod
    async def async_of(
        cls,
        hass: HomeAssistant,
        said: conversation.ConversationInput,
        earlier: Sequence[str],
        home: Home,
    ) -> Self:
        """Read a sentence that was said to an agent, with those before it, in a home."""
        reading, kind = await _async_kind(hass, said)
        sentence = said.text, said.language, home.names | _routine(reading)
        moments = await _async_moments(hass, *sentence)
        area_id = area_of(hass, said.device_id)
        code = language_of(said.language).code
        decided = await async_decided(hass, moments, home, code, area_id)
        text = said.text
        if decided.met:
            # The condition has told what "it" is; what is left is a command as any other.
            earlier = [*earlier, *decided.met]
            text = _plain(decided.said) or said.text
            reading, read_as = await _async_kind(hass, replace(said, text=text))
            if reading and reading.is_exact and text != said.text:
                kind = read_as
            else:
                reading = None
        mentioned = _mentioned(hass, home, said.language, _lines([*earlier, text]), area_id)
        return cls(
            text=said.text,
            language=said.language,
            earlier=tuple(earlier),
            area_id=area_id,
            reading=reading,
            kind=_believed(kind, reading, decided.said, mentioned, said),
            said=decided.said,
            unmet=decided.unmet,
            about=decided.about,
            mentioned=mentioned,
        )

    @classmethod
    def nothing(
        cls, hass: HomeAssistant, language: str | None, home: Home, instructions: str = ""
    ) -> Self:
        """Return what was heard where nobody spoke: in an AI task, with its author's instructions.

        They mention devices, and open no door.
        """
        language = language or hass.config.language
        return cls(
            text="",
            language=language,
            said=read("", None, ()),
            mentioned=_mentioned(hass, home, language, instructions),
        )

    @classmethod
    async def async_of_task(
        cls, hass: HomeAssistant, language: str | None, home: Home, instructions: str
    ) -> Self:
        """Return what was heard in an AI task, with its instructions read as words, if not too long."""
        heard = cls.nothing(hass, language, home, instructions)
        if len(instructions) > LONGEST:
            return heard
        said = await _async_moments(hass, instructions, heard.language, home.names)
        return replace(heard, instructed=replace(heard, text=instructions, said=said))

    async def async_part(
        self, hass: HomeAssistant, said: conversation.ConversationInput, clause: Clause
    ) -> Self:
        """Return a part of the sentence as if it had been said by itself, and for now.

        `said` is what the whole was said with.
        """
        text = clause.command or clause.text
        now = Said(mood=clause.mood, clauses=(replace(clause, text=text, moments=()),))
        reading, kind = await _async_kind(hass, replace(said, text=text))
        before = [
            *self.earlier,
            *(each.text for each in takewhile(clause.__ne__, self.said.clauses)),
        ]
        home = self.mentioned.home
        mentioned = _mentioned(hass, home, self.language, _lines([*before, text]), self.area_id)
        return replace(
            self,
            text=text,
            earlier=tuple(before),
            reading=reading,
            kind=_believed(kind, reading, now, mentioned, replace(said, text=text)),
            said=now,
            unmet=None,
            mentioned=mentioned,
        )

    def referring(self, reading: Reading, devices: Sequence[Exposed], command: str = "") -> Self:
        """Return it as what it certainly means by what was done before: to do this, to these devices.

        `command` is the sentence that said what is to be done, where it is an answer that picks some.
        """
        text = command or self.text
        clause = Clause(text=text, command=text, mood=Mood.COMMAND)
        return replace(
            self,
            reading=reading,
            kind=Kind.COMMAND,
            said=Said(mood=Mood.COMMAND, clauses=(clause,)),
            unmet=None,
            referred=tuple(devices),
        )

    def meant(self, text: str) -> Meant:
        """Return what a part of the sentence, or one before it, says of the devices that it means."""
        if (meant := self._meant.get(text)) is None:
            code = language_of(self.language).code
            meant = self._meant[text] = Meant(text, code, self.mentioned.home, self.area_id)
        return meant

    @property
    def may_be_command(self) -> bool:
        """Whether what is said of it may be a claim: where nobody knows, it may."""
        return self.kind in (Kind.COMMAND, Kind.UNREAD) or self.is_for_later

    @property
    def asks(self) -> bool:
        """Whether the user asks or tells something, and wants nothing done."""
        if self.said.mood is Mood.COMMAND:
            # "All lights off" is a question of Home Assistant's as well.
            return False
        if self.understood:
            # "Garage door closed?"
            return self.said.mood is Mood.QUESTION and self.text.rstrip().endswith(_ASKED)
        return self.kind is Kind.QUESTION or self.said.mood in (Mood.QUESTION, Mood.STATEMENT)

    @property
    def absent(self) -> Sequence[Absent]:
        """What a question names that is certainly not in the home, the fewest words first."""
        if not self.asks or self.said.mood is not Mood.QUESTION or len(self.text) > _LONGEST:
            return ()
        return absent(self.text, language_of(self.language).code, self.mentioned.home)

    def of_absent(self, among: Iterable[Exposed]) -> frozenset[Exposed]:
        """Return the devices that are others of the kind that is asked about, and were not named."""
        match self.absent:
            case [Absent(is_sure=True) as asked, *_]:
                alike = frozenset(filter(asked.is_one, among))
                return alike - {*self.mentioned.named_in(self.text)} if alike else alike
        return frozenset()

    @property
    def is_for_later(self) -> bool:
        """Whether something is to be done at another moment than now, or on a condition."""
        may_be = self.kind is Kind.COMMAND or self.said.mood is Mood.COMMAND
        moments = (each for clause in self.said.clauses for each in clause.moments)
        is_later = any(not each.of_answer for each in moments)
        return may_be and is_later and self.asked_about is None

    @property
    def only_forbids(self) -> bool:
        """Whether all that it says is what is not to be done."""
        clauses = self.said.clauses
        return self.said.mood is Mood.COMMAND and all(
            each.negated and not each.begins_at_its_end() for each in clauses
        )

    @property
    def unmet_words(self) -> Mapping[str, str]:
        """What a sentence about a condition that is not met says: a `name`, and its `state`."""
        if (unmet := self.unmet) is None:
            return {}
        # A unit is written as it is: °C.
        is_value = any(map(str.isdigit, unmet.state))
        return {"name": unmet.name, "state": unmet.state if is_value else unmet.state.lower()}

    @property
    def is_all_unmet(self) -> bool:
        """Whether all that it wants done is on a condition that is not met."""
        return bool(self.unmet) and all(
            not each.negated and any(one.is_met is False for one in each.moments)
            for each in self.said.clauses
        )

    @property
    def understood(self) -> Reading | None:
        """The command that it is, word by word, of what is exposed."""
        reading = self.reading
        if not reading or not reading.is_exact or reading.is_question:
            return None
        if reading.is_to_be_said_later and language_of(self.language).moments:
            return None  # what is for later is ours to tell: "tell them that dinner is in an hour"
        return None if may_be_temperature(reading, self.meant(self.text)) else reading

    @property
    def asked_about(self) -> Reading | None:
        """The question that it is, word by word, of what is exposed."""
        reading = self.reading
        if reading is None or not (reading.is_exact and reading.is_question):
            return None
        return None if self.said.mood is Mood.COMMAND and reading.is_of_all_switched else reading


def area_of(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return the id of the area where a device is."""
    if device_id is None or (device := dr.async_get(hass).async_get(device_id)) is None:
        return None
    return dr.async_get_effective_area_id(hass, device)


async def _async_moments(
    hass: HomeAssistant, text: str, language: str | None, names: Collection[str]
) -> Said:
    """Read a text for what it says, beside the event loop where that takes long."""
    if is_quick(text, language, names):
        return read(text, language, names)
    return await hass.async_add_executor_job(read, text, language, names)


async def _async_kind(
    hass: HomeAssistant, said: conversation.ConversationInput
) -> tuple[Reading | None, Kind]:
    try:
        async with asyncio.timeout(PATIENCE):
            reading = await async_read(hass, said)
    except TimeoutError:
        LOGGER.debug("Home Assistant's sentences took too long")
        return None, Kind.UNREAD
    if reading is None:
        return None, Kind.UNKNOWN
    if reading.is_question:
        return reading, Kind.QUESTION
    return reading, Kind.UNKNOWN if reading.begins_unknown else Kind.COMMAND


def _believed(
    kind: Kind,
    reading: Reading | None,
    moments: Said,
    mentioned: Mentioned,
    said: conversation.ConversationInput,
) -> Kind:
    """Return what a sentence is where Home Assistant is mistaken, or makes nothing of it."""
    if kind is Kind.COMMAND and reading and not is_command(reading, mentioned, said.language):
        kind = Kind.UNKNOWN
    if reading and reading.is_bare and moments.mood is Mood.UNKNOWN:
        kind = Kind.UNKNOWN
    if kind is not Kind.UNKNOWN or moments.mood is not Mood.COMMAND:
        return kind
    if mentioned.named_in(said.text):
        return Kind.COMMAND
    code = language_of(said.language).code
    meant = Meant(commands(moments.clauses), code, mentioned.home, None)
    domains = {domain for each in meant.kinds for domain in each.domains}
    is_about_home = meant.doers or not domains.isdisjoint(mentioned.home.domains)
    return Kind.COMMAND if is_about_home else kind


def _routine(reading: Reading | None) -> frozenset[str]:
    """Return the name of the script that a sentence is about: "run the bedtime routine" is for now.

    Scripts are tools, and not in a home; and a sentence that only has such a name in it is no less
    for later: "lights out at bedtime".
    """
    if reading and reading.is_exact and reading.slots.get("domain") == [SCRIPT]:
        return frozenset((str(reading.slots["name"]),))
    return frozenset()


def _plain(said: Said) -> str:
    """Return the words of a sentence that is one command for now, and no more; else none."""
    match said.clauses:
        case [only] if only.is_now and not only.negated and not only.excepted:
            return only.command
    return ""


def _lines(sentences: Sequence[str]) -> str:
    return "\n".join(" ".join(each.split()) for each in sentences)


def _mentioned(
    hass: HomeAssistant, home: Home, language: str, said: str = "", area_id: str | None = None
) -> Mentioned:
    return Mentioned(home, Places(hass, language), said, area_id, language)
