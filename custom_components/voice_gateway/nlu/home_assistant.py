"""Recognition by Home Assistant's sentences: its plausibility, and paraphrases for it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
import re
from typing import Any, Self

from hassil.models import UnmatchedTextEntity
from hassil.recognize import MISSING_ENTITY, RecognizeResult
from homeassistant.components import conversation
from homeassistant.components.climate import DOMAIN as CLIMATE
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.components.conversation.default_agent import DefaultAgent, LanguageIntents
from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import nearest_word, words
from .entity_linking import EntityLinker
from .tokenizer import Text

_QUESTIONS = frozenset(
    (
        intent.INTENT_GET_STATE,
        intent.INTENT_GET_TEMPERATURE,
        intent.INTENT_GET_CURRENT_DATE,
        intent.INTENT_GET_CURRENT_TIME,
        intent.INTENT_TIMER_STATUS,
        intent.INTENT_NEVERMIND,
        intent.INTENT_RESPOND,
        "HassGetWeather",
        "HassClimateGetTemperature",
    )
)
_OF_ALL = "all"
_COMMAND = "conversation_command"
_SWITCHED = ("fan", "light", "switch")


@dataclass(frozen=True, slots=True)
class IntentMatch:
    """Home Assistant's recognition of a sentence."""

    intent_type: str
    slots: Mapping[str, Any]
    """The arguments of the intent: name, area, domain and the like."""
    response: str | None
    """The key of the response that confirms it."""
    is_exact: bool
    """Every word is understood, and all that it names is exposed."""
    begins_unknown: bool
    """It begins with words that are taken for an unknown name: "is the light on"."""
    unknown: Mapping[str, str] = field(default_factory=dict)
    """The unknown words, by the slot that they fill."""

    @classmethod
    def of(cls, intent_type: str, slots: Mapping[str, Any] | None = None) -> Self:
        """Return an intent that was recognized here, not by Home Assistant."""
        return cls(intent_type, slots or {}, None, is_exact=False, begins_unknown=False)

    @property
    def is_question(self) -> bool:
        """Whether the intent is a question, and has no effect."""
        return self.intent_type in _QUESTIONS

    @property
    def is_to_be_said_later(self) -> bool:
        """Whether it delays a command that Home Assistant did not parse: any words beside a time."""
        return _COMMAND in self.slots

    @property
    def is_bare(self) -> bool:
        """Whether it only takes unknown words for a script's name: "the offer for the lamp"."""
        return self.response == SCRIPT and "name" in self.unknown

    def domains_told(self, domains: AbstractSet[str]) -> AbstractSet[str]:
        """Return the domains that its verb applies to, by the key of the response.

        "Turn on" locks a lock, and opens a cover: "unlock" is for locks only, "open" for none. A
        verb for covers switches nothing: "lower the lights" does not turn them off.
        """
        if self.response == "lock":
            return domains & {"lock"}
        return domains & {"cover", "valve"} if self.opens else domains - {"cover", "lock"}

    @property
    def opens(self) -> bool:
        """Whether its verb is for covers and valves: "raise", "shut"."""
        return str(self.response).startswith(("cover", "valve"))

    @property
    def is_of_all_switched(self) -> bool:
        """Whether it asks if all of a category are on or off; without "are", it may be an order."""
        return (
            self.intent_type == intent.INTENT_GET_STATE
            and self.response == _OF_ALL
            and self.slots.get("domain") in _SWITCHED
        )


async def async_recognize(
    hass: HomeAssistant, said: conversation.ConversationInput
) -> IntentMatch | None:
    """Return Home Assistant's recognition of a sentence; None without one."""
    if (agent := default_agent(hass)) is None:
        return None
    # Home Assistant caches that it found nothing strictly, and searches no further when it receives
    # the same text again (2026.11): a pipeline that prefers local handling has asked it already.
    said = replace(said, text=f"{said.text.strip()} ")
    if (result := await agent.async_recognize_intent(said)) is None:
        return None
    # This result is cached, and shows whether all named entities are exposed.
    is_exact = not result.unmatched_entities and bool(
        await agent.async_recognize_intent(said, strict_intents_only=True)
    )
    return _reading(said.text, result, is_exact=is_exact)


def _reading(text: str, result: RecognizeResult, *, is_exact: bool) -> IntentMatch:
    slots = {entity.name: entity.value for entity in result.entities_list}
    if "name" in slots and isinstance(domain := result.context.get("domain"), str):
        slots.setdefault("domain", [domain])
    return IntentMatch(
        result.intent.name,
        slots,
        result.response,
        is_exact=is_exact,
        begins_unknown=_begins_unknown(text, result),
        unknown={
            unknown.name: unknown.text
            for unknown in result.unmatched_entities_list
            if isinstance(unknown, UnmatchedTextEntity) and unknown.text != MISSING_ENTITY
        },
    )


async def async_recognize_strict(
    hass: HomeAssistant, said: conversation.ConversationInput
) -> IntentMatch | None:
    """Return Home Assistant's strict recognition of a sentence; None without one."""
    if (agent := default_agent(hass)) is None:
        return None
    result = await agent.async_recognize_intent(said, strict_intents_only=True)
    return _reading(said.text, result, is_exact=True) if result else None


async def async_recognize_command(
    hass: HomeAssistant,
    said: conversation.ConversationInput,
    texts: Iterable[str],
    name: str | None = None,
) -> IntentMatch | None:
    """Return the recognition of the first of some texts that is a command, for `name` if given."""
    for text in texts:
        reading = await async_recognize_strict(hass, replace(said, text=text))
        if reading and not reading.is_question and name in (None, reading.slots.get("name")):
            return reading
    return None


async def async_response_phrases(hass: HomeAssistant, language: str) -> LanguageIntents | None:
    """Return Home Assistant's responses in a language, if it knows it."""
    agent = default_agent(hass)
    return await agent.async_get_or_load_intents(language) if agent else None


def default_agent(hass: HomeAssistant) -> DefaultAgent | None:
    """Return Home Assistant's own agent, which has its sentences, if it is set up."""
    return get_agent_manager(hass).default_agent


def _begins_unknown(text: str, result: RecognizeResult) -> bool:
    beginning = text.strip().casefold()
    return any(
        isinstance(unknown, UnmatchedTextEntity)
        and beginning.startswith(unknown.text.strip().casefold())
        for unknown in result.unmatched_entities_list
    )


_NAMES = ("name", "area", "floor")


def is_plausible_command(reading: IntentMatch, said: EntityLinker) -> bool:
    """Return True if a sentence is plausibly the command that Home Assistant recognizes.

    A full recognition is. Unknown words in it must be a possible name; for a slot with fixed
    values, such as a colour, an unknown word is accepted only beside a device or a place of this
    home. In a language without lists, every recognition is plausible.
    """
    unknown = reading.unknown
    if not unknown:
        return True
    if unknown.keys() - set(_NAMES) and not reading.slots.keys() & set(_NAMES):
        return False
    forms = said.text.language.forms
    unnamed, verbal = _words(forms.get("unnamed", ())), _words(forms.get("verbal", ()))
    for slot in _NAMES:
        named = words(unknown.get(slot, ""))
        if not verbal.isdisjoint(named):
            return False
        if _follows(named, unnamed):
            told = EntityLinker(said.text.alike(unknown[slot]), said.home, said.speaker_area)
            if not told.is_about_home:
                return False
    return True


def may_be_temperature(reading: IntentMatch, said: EntityLinker) -> bool:
    """Return True if a number for a room's brightness may be its temperature: "set the den to 22".

    The sentence only names the room, and a climate device is in it.
    """
    much = reading.slots.get("brightness")
    is_of_room = "area" in reading.slots and "name" not in reading.slots
    if reading.intent_type != "HassLightSet" or not is_of_room or not isinstance(much, int | float):
        return False
    heated = {each.area for each in said.home.entities if each.domain == CLIMATE}
    known = said.place_words | said.text.function_words | said.text.patterns.verbs
    rest = {*words(said.text.without_number([much]))} - known
    return "%" not in said.text and not rest and not heated.isdisjoint(said.areas)


def _follows(named: tuple[str, ...], unnamed: Collection[str]) -> bool:
    """Return True if words begin with one that no name follows; a verb may precede it."""
    return any(word in unnamed for word in named[:-1][:2])


def _words(listed: Collection[str]) -> frozenset[str]:
    return frozenset(word for each in listed for word in words(each))


_COMMA = re.compile(",")
ELIDED = re.compile(r"^[^\W\d_]{1,4}['’](?=\w{3})")
_MOST = 14
"""The most words of a command that is paraphrased."""
_TELLING = 4
"""The most words of a list's name."""


def paraphrase_with_name(meant: EntityLinker, devices: Sequence[Exposed]) -> Iterator[str]:
    """Yield a command with the name of the first of its devices, at every possible position.

    The first position is that of the replaced mention. The other words keep their order; "the
    color" and the like is also tried without.
    """
    said = meant.text.spoken
    tells = _telling(said, meant, devices)
    if len(said) > _MOST or not any(tells):
        return
    whole = unlinked(meant, devices)
    first = tells.index(True)
    name = devices[0].names[0]
    for rest in dict.fromkeys(((*whole.split(),), (*whole.without("value_names"),))):
        for place in sorted(range(len(rest) + 1), key=lambda place: abs(place - first)):
            yield " ".join((*rest[:place], name, *rest[place:]))


def unlinked(meant: EntityLinker, devices: Sequence[Exposed], *, fillers: bool = False) -> Text:
    """Return a command without the mentions of its devices.

    Without articles and quantifiers before or between them too, or with all `fillers`.
    """
    said = meant.without_prepositions.spoken
    tells = _named(said, meant, devices) if fillers else _telling(said, meant, devices)
    left = (word for word, is_told in zip(said, tells, strict=True) if not is_told)
    return meant.text.alike(" ".join(left))


def split_command(meant: EntityLinker, code: str) -> Iterator[Sequence[str]]:
    """Yield a coordinated command as several: one for each part, or one for each device.

    the lamp on and the fan off             the lamp on         the fan off
    turn the lamp and the fan on            turn the lamp on    turn the fan on
    turn the lamp, the TV and the fan on    turn the lamp on    turn the TV on      turn the fan on
    """
    said = meant.text.spoken
    joints = language_of(code).conjunctions
    places = [place for place, word in enumerate(said) if word.casefold() in joints]
    if len(places) != 1 or len(said) > 2 * _MOST:
        return
    (joint,) = places
    before, after = said[:joint], said[joint + 1 :]
    if not (before and after):
        return
    if "," in meant.text:
        yield _each_of_several(meant, said, joint)
        return
    yield " ".join(before), " ".join(after)
    tells = _telling(said, meant, [*meant.named])
    first, end = joint, joint + 1
    while first and tells[first - 1]:
        first -= 1
    while end < len(said) and tells[end]:
        end += 1
    if first < joint and end > joint + 1:
        one = (*said[:first], *said[first:joint], *said[end:])
        other = (*said[:first], *said[joint + 1 : end], *said[end:])
        yield " ".join(one), " ".join(other)


def _each_of_several(meant: EntityLinker, said: Sequence[str], joint: int) -> Sequence[str]:
    """Return a command for each item of a list of devices, split at commas and the conjunction."""
    tells = _telling(said, meant, [*meant.named])
    told = [place for place, is_told in enumerate(tells) if is_told]
    if not told or not all(tells[place] or place == joint for place in range(told[0], told[-1])):
        return ()
    first, end = told[0], told[-1] + 1
    # A word behind a comma or "and" begins the next item.
    begins = {
        len(meant.text.alike(meant.text[: found.start()]).spoken)
        for found in _COMMA.finditer(meant.text)
    }
    things: list[list[str]] = [[]]
    for place in range(first, end):
        if place in begins or place == joint:
            things.append([])
        if place != joint:
            things[-1].append(said[place])
    if not all(things) or not begins <= {*range(first + 1, end)}:
        return ()
    return [" ".join((*said[:first], *each, *said[end:])) for each in things]


def _telling(said: Sequence[str], meant: EntityLinker, devices: Sequence[Exposed]) -> list[bool]:
    """Return which words mention the devices, with function words before or between them."""
    language = language_of(meant.text.code)
    tells = _named(said, meant, devices)
    empty = language.function_words | language.universal_quantifiers
    for place in range(len(said) - 2, -1, -1):
        tells[place] = tells[place] or (said[place].casefold() in empty and tells[place + 1])
    return tells


def _named(said: Sequence[str], meant: EntityLinker, devices: Sequence[Exposed]) -> list[bool]:
    """Return which words mention the devices."""
    telling = meant.words_for(devices)
    # "L'arrosage" matches by the word behind its article.
    return [
        telling.issuperset(words(word)) or telling.issuperset(words(ELIDED.sub("", word)))
        for word in said
    ]


def find_list(text: Text, lists: Sequence[Exposed]) -> tuple[Exposed, int, int] | None:
    """Return the only list that a command mentions by a part of its name; its words in `spoken`.

    At least one word is left before or after the name.
    """
    said = text.spoken
    if not lists or len(said) > _MOST:
        return None
    fillers, general = text.function_words, text.patterns.words_of("any_list")
    spans: dict[tuple[int, int], Mapping[Exposed, int]] = {}
    for start in range(1, len(said)):
        if words(said[start - 1])[-1:] and words(said[start - 1])[-1] not in fillers:
            continue
        for end in range(start + 1, min(start + _TELLING, len(said)) + 1):
            if told := _told(said[start:end], lists, general):
                spans[start, end] = told
    best = max((max(told.values()) for told in spans.values()), default=-1)
    found = {
        each: span
        for span, told in sorted(spans.items(), key=lambda item: item[0][0] - item[0][1])
        for each, count in told.items()
        if count == best
    }
    if len(found) != 1:
        return None
    ((meant, (start, end)),) = found.items()
    return (meant, start, end) if end - start < len(said) - 1 else None


def _told(
    span: Sequence[str], lists: Sequence[Exposed], general: frozenset[str]
) -> Mapping[Exposed, int]:
    """Return the lists that some words may mention, each with the number of words of its name."""
    told: dict[Exposed, int] = {}
    for each in lists:
        own = {word for name in each.names for word in words(name)}
        own |= {"".join(pair) for name in each.names for pair in _pairs(words(name))}
        meant = [nearest_word(word, own) for part in span for word in words(part)]
        if not all(word in own or word in general for word in meant):
            continue
        count = len(own.intersection(meant))
        if count or (len(lists) == 1 and meant):
            told[each] = count
    return told


def _pairs(own: Sequence[str]) -> Iterator[Sequence[str]]:
    return (own[place : place + 2] for place in range(len(own) - 1))
