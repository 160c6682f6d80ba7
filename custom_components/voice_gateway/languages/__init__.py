"""Words of the languages that people speak, a TOML file for each; pure, so that the Z-Wave server can use it.

To add or mend a language is to edit its file, of which `en.toml` explains every list. Where a language has no
file, or a list is empty, nothing is known of it: whoever reads the list says what holds then. The
languages that the integration is translated to have no empty list, which `tests/languages` sees to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
import re
import tomllib
from typing import Any, Self

# Lists of these are tables of tables; those of words that we say have one text for each key.
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
"""The lists that each form of a verb in `lexicon` stands in, by table."""
_STEPPING = ("raises", "lowers", "dims", "sets")
"""The lists of `steps` that are of verbs."""
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
"""The lists of `comparatives` that have the words of lists of `steps`."""
_SUN = ("sunrise", "sunset", "dawn", "dusk")
_KEYS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("weekdays", "on_weekday"), (*map(str, range(7)),)),
    "weekly": (*map(str, range(7)), "01234", "56", "0123456"),
    **dict.fromkeys(("months", "ordinals"), (*map(str, range(1, 32)),)),
    **dict.fromkeys(("at_sun", "before_sun", "after_sun"), _SUN),
}
"""The keys of what is listed in their order."""
_FORMS = re.compile(r"\|(?![^(\[]*[)\]])")
_HEADER = re.compile(r"^\[(\w+)(?=[.\]])", re.MULTILINE)

type Phrases = Mapping[str, tuple[str, ...]]
"""Templates of phrases, as `en.toml` explains them, by what they are for."""
type Texts = Mapping[str, Mapping[str, str]]
"""What we say, with {slots}, by what it is about and by key."""


@dataclass(frozen=True, slots=True)
class Language:
    """Words of a language, in lower case (`str.casefold`) and with their accents.

    All lists but `percent` and `degrees` are single words; a filler may have an apostrophe.
    """

    code: str
    """Its code, as Home Assistant has it; empty for a language that has no file."""
    function_words: frozenset[str] = frozenset()
    """Words that say nothing in a device's name as somebody speaks it."""
    alternatives: frozenset[str] = frozenset()
    """Words by which a sentence means another one than the sentence before."""
    conjunctions: frozenset[str] = frozenset()
    """Words that join two commands in one sentence."""
    negation_cues: frozenset[str] = frozenset()
    """Words by which a sentence says what is not."""
    percent: frozenset[str] = frozenset()
    """What follows a number instead of "%"."""
    degrees: frozenset[str] = frozenset()
    """What follows a number instead of "°" or "K"."""
    time_patterns: Phrases = field(default_factory=dict)
    """When something is to be done: `en.toml` has all kinds."""
    subordinators: Phrases = field(default_factory=dict)
    """What opens a condition or an event, of which the words follow."""
    forms: Phrases = field(default_factory=dict)
    """What makes a sentence a command, a question, the opposite, or only polite."""
    values: Mapping[str, Phrases] = field(default_factory=dict)
    """What words are worth: units in seconds, weekdays by their number and so on."""
    conditions: Phrases = field(default_factory=dict)
    """What a condition is made of, besides what it asks about and of which state."""
    state_phrases: Phrases = field(default_factory=dict)
    """What is said of the state of something, by what it means."""
    causative_verbs: Phrases = field(default_factory=dict)
    """What a command brings about by its verb, by what is so afterwards."""
    comparatives: Phrases = field(default_factory=dict)
    """How a number is compared."""
    event_verbs: Phrases = field(default_factory=dict)
    """What is said to happen to something, by what it means afterwards."""
    crossing_verbs: Phrases = field(default_factory=dict)
    """What is said of a number that becomes another, by how it compares afterwards."""
    plans: Phrases = field(default_factory=dict)
    """What is said of what is planned, and how somebody asks to be reminded."""
    alarms: Phrases = field(default_factory=dict)
    """What is said of timers and alarms, and what they are called."""
    follow_ups: Phrases = field(default_factory=dict)
    """What is said of what was just done: "undo that", "the other one, too", "a bit brighter"."""
    abilities: Phrases = field(default_factory=dict)
    """How somebody asks what we can do, and what our tools are called."""
    questions: Phrases = field(default_factory=dict)
    """How somebody asks what is so in the home."""
    quantities: Phrases = field(default_factory=dict)
    """What is said of something that is measured, by Home Assistant's name of it."""
    steps: Phrases = field(default_factory=dict)
    """What says that something is to be more or less than now, by what is measured."""
    past: Phrases = field(default_factory=dict)
    """How somebody asks what was so: in which time, how often, for how long."""
    past_event_verbs: Phrases = field(default_factory=dict)
    """What is said to have happened, by what it meant afterwards."""
    answers: Texts = field(default_factory=dict)
    """How such questions are answered."""
    replies: Phrases = field(default_factory=dict)
    """What is said to a question before something dangerous: yes, no, and what is said beside them."""
    claims: Phrases = field(default_factory=dict)
    """How somebody says that they do something, or have done it, and what they speak of then."""
    tool_verbs: Phrases = field(default_factory=dict)
    """What somebody wants of a server's tool, by what its verb is."""
    access_verbs: Phrases = field(default_factory=dict)
    """Words that open what keeps people out, and such that close it."""
    restatements: Phrases = field(default_factory=dict)
    """In which other words a yes may say again what was asked, by what that does."""
    lexicon: Mapping[str, Phrases] = field(default_factory=dict)
    """Verbs that bring one state about, by that state: their forms, which the lists of verbs have, too."""
    universal_quantifiers: frozenset[str] = frozenset()
    """Words by which all of a kind or of a place are meant."""
    places: Phrases = field(default_factory=dict)
    """Names of each place that mean the same, in each the forms of one name, divided by "|"."""
    categories: Mapping[str, Phrases] = field(default_factory=dict)
    """What devices are called by what they are, `one` and `many` of them, by their domain."""
    agent_verbs: Phrases = field(default_factory=dict)
    """What only devices of a kind do, by their domain: "clean"."""
    agent_objects: Phrases = field(default_factory=dict)
    """To what they do it, if that is no room: "the floor"."""
    agent_names: Phrases = field(default_factory=dict)
    """What is called so does it, too: "sprinkler"."""
    sounds: Phrases = field(default_factory=dict)
    """How sounds are written, by a letter for each: what sounds alike, whoever writes it."""
    case_endings: frozenset[str] = frozenset()
    """Endings that the cases of a word have in the place of each other, divided by "|"; "-" is none."""
    head_initial: bool = False
    """What tells one of a kind stands behind it: "lampe du salon"."""
    verb_first: bool = False
    """What is told may begin with its verb, as a question does: "è buio"."""
    twelve_hours: bool = False
    """A clock's digits count the hours of a day to twelve: "3:15" may be in the afternoon."""
    confirmations: Texts = field(default_factory=dict)
    """What is said of an action, by intent and key; and how names are joined."""
    planned: Texts = field(default_factory=dict)
    """How the user is told when something will be done, and what."""

    @classmethod
    def of(cls, file: Path) -> Self:
        """Return the language of a file, whose name begins with its code.

        A table is parsed when it is first read, which raises `tomllib.TOMLDecodeError` if it is no TOML.

        Raises:
            tomllib.TOMLDecodeError: what stands before the first table is no TOML.
            TypeError: it has a list that is none of the above.
        """
        first, *others = _HEADER.split(file.read_text("utf-8"))
        known: dict[str, Any] = {
            name: frozenset(listed) if isinstance(listed, list) else listed
            for name, listed in tomllib.loads(first).items()
        }
        sources: dict[str, str] = {}
        for name, rest in zip(others[::2], others[1::2], strict=True):
            sources[name] = f"{sources.get(name, '')}[{name}{rest}"
        tables: dict[str, Any] = {}
        for name, source in sources.items():
            tables[name] = _Table(name, source, tables)
        return cls(file.stem, **known, **tables)


class _Table(Mapping[str, Any]):
    """A table of a file: of most, those of a language that nobody speaks, nothing is read."""

    def __init__(self, name: str, source: str, tables: Mapping[str, Mapping[str, Any]]) -> None:
        """Take its name, its source, and all tables of the file, of which its lists have phrases, too."""
        self._name = name
        self._source = source
        self._tables = tables

    @cached_property
    def _read(self) -> Mapping[str, Any]:
        listed: dict[str, Any] = tomllib.loads(self._source)[self._name]
        if self._name in _TABLES:
            return {each: _phrases(_keyed(each, table)) for each, table in listed.items()}
        if self._name == "categories":
            return _by_number(listed)
        if self._name in _SAID:
            return {each: _keyed(each, table, split=False) for each, table in listed.items()}
        return {**_phrases(listed), **self._fed(listed)}

    def _fed(self, listed: Mapping[str, list[str]]) -> Phrases:
        """Return the lists that have phrases of other tables, with these."""
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
        """Yield the single verbs of other tables: those of "(roll|wind) up" are no verbs of their own."""
        steps = self._tables.get("steps", {})
        lists = [*self._tables.get("causative_verbs", {}).values()]
        lists += [steps[key] for key in steps if key.endswith(_STEPPING)]
        for phrase in chain.from_iterable(lists):
            if "(" not in phrase:
                yield from filter(str.isalpha, phrase.split("|"))

    def _compared(self, name: str, listed: Mapping[str, list[str]]) -> Iterator[str]:
        """Yield how a number is compared by a word for more or less, besides what is listed."""
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
    """Return a table, also where it is a list, of whose entries `split` divides the forms."""
    if isinstance(table, dict):
        return table
    entries = [_FORMS.split(each) if split else each for each in table]
    return dict(zip(_KEYS[name], entries, strict=False))


def _by_number(listed: Mapping[str, list[str]]) -> Mapping[str, Phrases]:
    """Return the names of kinds, of `one` and of `many`, by domain."""
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
"""All languages that have a file, by their code."""
_UNKNOWN = Language("")
_REGION = re.compile(r"[-_].*", re.DOTALL)


@lru_cache(64)
def language_of(code: str | None) -> Language:
    """Return the language of a code such as de, de-DE or de_DE; one without words if there is none."""
    return LANGUAGES.get(_REGION.sub("", code or "").casefold(), _UNKNOWN)


MOST_NAMES = 4
"""So many names are said one by one."""


def joined(
    language: str | None, names: Sequence[str], most: int = MOST_NAMES, *, how: str = "all"
) -> str:
    """Return names as somebody says them one after the other: "A, B and C", or of "any": "or C".

    Of more than `most` the last ones are counted.
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
