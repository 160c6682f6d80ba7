"""The words of the supported languages, a TOML file each; pure, for the Z-Wave server as well.

`en.toml` explains the lists. A language may have no file, and a file may lack lists: each reader
documents the effect. `tests/languages` keeps those of the integration's translations complete.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
import re
import tomllib
from typing import Any, Self

# Tables of tables of phrases, and of texts that the agent speaks.
_TABLES = ("lexicon", "values")
_SAID = ("answers", "confirmations", "planned")
_FED: Mapping[str, Sequence[tuple[str, str]]] = {
    "verbs": (("forms", "verbs"),),
    "orders": (("causative_verbs", "{sense}"),),
    "infinitive": (
        ("forms", "verbs"), ("causative_verbs", "{sense}"), ("past_event_verbs", "{sense}"),
    ),
    "happens": (("event_verbs", "{sense}"), ("forms", "finite_verbs")),
    "done": (
        ("state_phrases", "{sense}"), ("past_event_verbs", "{sense}"),
        ("questions", "did_{sense}"), ("forms", "done_verbs"),
    ),
    "doing": (("forms", "verbs"), ("causative_verbs", "{sense}"), ("forms", "doing_verbs")),
}  # fmt: skip
"""The lists that each form of a verb in `lexicon` belongs to, by table."""
_STEPPING = ("raises", "lowers", "dims", "sets")
"""The lists of `steps` that contain verbs."""
_COMPARED = {
    "warmer": "temperature_more",
    "colder": "temperature_less",
    "brighter": "brightness_more",
    "darker": "brightness_less",
    "louder": "volume_more",
    "quieter": "volume_less",
    "faster": "speed_more",
    "slower": "speed_less",
}
"""The lists of `comparatives` that share words with lists of `steps`."""
_SUN = ("sunrise", "sunset", "dawn", "dusk")
_KEYS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("weekdays", "on_weekday"), (*map(str, range(7)),)),
    "weekly": (*map(str, range(7)), "01234", "56", "0123456"),
    **dict.fromkeys(("months", "ordinals"), (*map(str, range(1, 32)),)),
    **dict.fromkeys(("at_sun", "before_sun", "after_sun"), _SUN),
}
"""The keys of tables that are listed in order."""
_FORMS = re.compile(r"\|(?![^(\[]*[)\]])")
_HEADER = re.compile(r"^\[(\w+)\]$", re.MULTILINE)

type Phrases = Mapping[str, tuple[str, ...]]
"""Templates of phrases, by list."""
type Texts = Mapping[str, Mapping[str, str]]
"""Texts that the agent speaks, with {slots}, by subject and key."""


@dataclass(frozen=True, slots=True)
class Language:
    """Words of a language, in lower case (`str.casefold`) and with accents.

    All lists but `percent` and `degrees` are single words; a function word may have an apostrophe.
    """

    code: str
    """Its code, as in Home Assistant; empty for a language without a file."""
    function_words: frozenset[str] = frozenset()
    """Words that are ignored when names are matched: articles, possessives, prepositions."""
    alternatives: frozenset[str] = frozenset()
    """Determiners of another device than that of the sentence before."""
    conjunctions: frozenset[str] = frozenset()
    """Conjunctions between two commands; with a hyphen where a word is joined: "-고"."""
    negation_cues: frozenset[str] = frozenset()
    """Cues, in an answer, of something not done."""
    percent: frozenset[str] = frozenset()
    """Words for "%" after a number."""
    degrees: frozenset[str] = frozenset()
    """Words for "°" or "K" after a number."""
    time_patterns: Phrases = field(default_factory=dict)
    """Time expressions, by type."""
    subordinators: Phrases = field(default_factory=dict)
    """Openings of conditions, events and reasons."""
    forms: Phrases = field(default_factory=dict)
    """Functions of phrases in a sentence: dialogue acts, negation, anaphora and others."""
    values: Mapping[str, Phrases] = field(default_factory=dict)
    """Values of words: units in seconds, weekdays by their number and so on."""
    conditions: Phrases = field(default_factory=dict)
    """Parts of conditions, besides subjects and states."""
    state_phrases: Phrases = field(default_factory=dict)
    """States, by their meaning."""
    causative_verbs: Phrases = field(default_factory=dict)
    """Verbs of commands, by the state that they cause."""
    comparatives: Phrases = field(default_factory=dict)
    """Comparisons of a number."""
    event_verbs: Phrases = field(default_factory=dict)
    """Events, by the state afterwards."""
    crossing_verbs: Phrases = field(default_factory=dict)
    """Events of a number, by how it compares afterwards."""
    plans: Phrases = field(default_factory=dict)
    """Requests about plans and reminders."""
    alarms: Phrases = field(default_factory=dict)
    """Requests about timers and alarms."""
    follow_ups: Phrases = field(default_factory=dict)
    """Follow-ups to the last action: "undo that", "the other one, too"."""
    abilities: Phrases = field(default_factory=dict)
    """Questions for the agent's abilities and tools."""
    notebook: Phrases = field(default_factory=dict)
    """Requests to the notebook, and questions that a note may answer."""
    actions: Phrases = field(default_factory=dict)
    """Requests for tools of our own: announcements and the like."""
    questions: Phrases = field(default_factory=dict)
    """Questions about the home."""
    quantities: Phrases = field(default_factory=dict)
    """Quantities, by Home Assistant's name."""
    steps: Phrases = field(default_factory=dict)
    """More and less, by quantity."""
    past: Phrases = field(default_factory=dict)
    """Questions about the past: which time, how often, for how long."""
    past_event_verbs: Phrases = field(default_factory=dict)
    """Past events, by the state afterwards."""
    answers: Texts = field(default_factory=dict)
    """Answers to questions."""
    replies: Phrases = field(default_factory=dict)
    """Replies to a request for consent: yes, no, and function words."""
    claims: Phrases = field(default_factory=dict)
    """Claims of a model to do something or to have done it."""
    tool_verbs: Phrases = field(default_factory=dict)
    """Verbs for tools of servers, by class."""
    access_verbs: Phrases = field(default_factory=dict)
    """Verbs that unlock, open or disarm, and those that do the opposite."""
    restatements: Phrases = field(default_factory=dict)
    """Synonyms in which a yes may repeat the question."""
    lexicon: Mapping[str, Phrases] = field(default_factory=dict)
    """Forms of verbs, by the state that they cause; the lists of verbs also contain them."""
    universal_quantifiers: frozenset[str] = frozenset()
    """Quantifiers over all devices of a category or a place."""
    places: Phrases = field(default_factory=dict)
    """Synonyms of each place, with the forms of a name divided by "|"."""
    categories: Mapping[str, Phrases] = field(default_factory=dict)
    """Nouns for devices, of `one` and of `many`, by domain."""
    agent_verbs: Phrases = field(default_factory=dict)
    """Verbs whose agents are only devices of a domain: "clean"."""
    agent_objects: Phrases = field(default_factory=dict)
    """Objects of these, besides rooms: "the floor"."""
    agent_names: Phrases = field(default_factory=dict)
    """Names of other devices that do the same: "sprinkler"."""
    sounds: Phrases = field(default_factory=dict)
    """Sounds of spellings, by a letter each."""
    case_endings: frozenset[str] = frozenset()
    """Case endings that replace each other, divided by "|"; "-" is none."""
    head_initial: bool = False
    """Whether the modifier follows the noun: "lampe du salon"."""
    verb_first: bool = False
    """Whether a statement may begin with its verb, as a question does: "è buio"."""
    twelve_hours: bool = False
    """Whether clock times in digits are ambiguous: "3:15" may be in the afternoon."""
    confirmations: Texts = field(default_factory=dict)
    """Confirmations of actions, by intent and key; and how names are joined."""
    planned: Texts = field(default_factory=dict)
    """Descriptions of plans."""

    @property
    def knows_verbs(self) -> bool:
        """Whether it has lists of verbs; else a command cannot be told from other sentences."""
        return bool(self.tool_verbs)

    @classmethod
    def of(cls, file: Path) -> Self:
        """Return the language of a file, whose name begins with its code.

        A table is parsed when it is first read, which raises `tomllib.TOMLDecodeError` if invalid.

        Raises:
            tomllib.TOMLDecodeError: the part before the first table is invalid TOML.
            TypeError: the file has an unknown list.
        """
        first, *others = _HEADER.split(file.read_text("utf-8"))
        known: dict[str, Any] = {
            name: frozenset(listed) if isinstance(listed, list) else listed
            for name, listed in tomllib.loads(first).items()
        }
        tables: dict[str, Any] = {}
        for name, source in zip(others[::2], others[1::2], strict=True):
            tables[name] = _Table(name, source, tables)
        return cls(file.stem, **known, **tables)


class _Table(Mapping[str, Any]):
    """A table of a file, parsed on first use: most languages are never spoken in a home."""

    def __init__(self, name: str, source: str, tables: Mapping[str, Mapping[str, Any]]) -> None:
        """Take its name, its source, and all tables of the file, to include their phrases."""
        self._name = name
        self._source = source
        self._tables = tables

    @cached_property
    def _read(self) -> Mapping[str, Any]:
        listed: dict[str, Any] = tomllib.loads(self._source)
        if self._name in _TABLES:
            return {each: _phrases(_keyed(each, table)) for each, table in listed.items()}
        if self._name == "categories":
            return _by_number(listed)
        if self._name in _SAID:
            return {each: _keyed(each, table, split=False) for each, table in listed.items()}
        return {**_phrases(listed), **self._fed(listed)}

    def _fed(self, listed: Mapping[str, list[str]]) -> Phrases:
        """Return the lists that include phrases of other tables, with these."""
        found: dict[str, tuple[str, ...]] = {}
        for sense, forms in self._tables.get("lexicon", {}).items():
            for form, texts in forms.items():
                for table, name in _FED[form]:
                    if table == self._name:
                        key = name.format(sense=sense)
                        found[key] = (*found.get(key, listed.get(key, ())), *texts)
        match self._name:
            case "forms":
                own = found.get("verbs", tuple(listed.get("verbs", ())))
                found["verbs"] = (*own, *dict.fromkeys(self._single_verbs()))
            case "comparatives":
                found = {name: (*self._compared(name, listed),) for name in _COMPARED}
        return found

    def _single_verbs(self) -> Iterator[str]:
        """Yield the single verbs of other tables; those of "(roll|wind) up" are no verbs alone."""
        steps = self._tables.get("steps", {})
        lists = [*self._tables.get("causative_verbs", {}).values()]
        lists += [steps[key] for key in steps if key.endswith(_STEPPING)]
        for phrase in chain.from_iterable(lists):
            if "(" not in phrase:
                yield from filter(str.isalpha, phrase.split("|"))

    def _compared(self, name: str, listed: Mapping[str, list[str]]) -> Iterator[str]:
        """Yield comparatives: those listed, and words for more or less with "than"."""
        (than,) = self._tables["conditions"]["than"]
        yield from listed.get(name, ())
        yield from (f"({more}) {than}" for more in self._tables["steps"][_COMPARED[name]])

    def __getitem__(self, name: str) -> Any:
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


def _keyed(name: str, table: Any, *, split: bool = True) -> dict[str, Any]:
    """Return a table by key, also from a list; `split` divides the forms of its entries."""
    if isinstance(table, dict):
        return table
    entries = [_FORMS.split(each) if split else each for each in table]
    return dict(zip(_KEYS[name], entries, strict=False))


def _by_number(listed: Mapping[str, list[str]]) -> Mapping[str, Phrases]:
    """Return the nouns of categories, of `one` and of `many`, by domain."""
    found: dict[str, dict[str, tuple[str, ...]]] = {"one": {}, "many": {}}
    for domain, names in listed.items():
        forms = [name.partition("|") for name in names]
        for number, place in (("one", 0), ("many", 2)):
            if words := [word for each in forms for word in each[place].split()]:
                found[number][domain] = (*words,)
    return found


def _phrases(table: Mapping[str, list[str]]) -> Phrases:
    return {name: tuple(listed) for name, listed in table.items()}


LANGUAGES = {file.stem: Language.of(file) for file in sorted(Path(__file__).parent.glob("*.toml"))}
"""All languages with a file, by code."""
_UNKNOWN = Language("")
_REGION = re.compile(r"[-_].*", re.DOTALL)


@lru_cache(64)
def language_of(code: str | None) -> Language:
    """Return the language of a code such as de, de-DE or de_DE; an empty one if unknown."""
    return LANGUAGES.get(_REGION.sub("", code or "").casefold(), _UNKNOWN)


MOST_NAMES = 4
"""The most names that are listed before the others are counted."""


def joined(
    language: str | None, names: Sequence[str], most: int = MOST_NAMES, *, how: str = "all"
) -> str:
    """Return names joined for speech: "A, B and C", or for `how` "any": "A, B or C".

    Of more than `most` names, the last ones are counted.
    """
    words = language_of(language).confirmations.get("names", {})
    if len(names) > most:
        count = len(names) - most + 1
        more = words.get("more", "+{count}").format(count=count)
        names = [*names[: most - 1], more]
    *some, last = names
    if not some:
        return last
    return words.get(how, "{some}, {last}").format(some=", ".join(some), last=last)
