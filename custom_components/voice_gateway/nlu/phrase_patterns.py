"""Phrase templates of a language (`languages/`), compiled to patterns.

The syntax is that of Home Assistant's sentences (hassil), without permutations. A word stands
between spaces; `{name}` is a slot that is defined here, or any list of the language.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
import re
from typing import Final

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    Sequence as Parts,
    TextChunk,
)
from hassil.numbers import get_rbnf_engine
from hassil.parse_expression import parse_sentence
from hassil.sample import sample_expression

from ..languages import Language, language_of
from ..names.inflection import is_colour
from ..names.matching import MARKS, words
from .tokens import (
    DIGIT,
    LIST,
    NAME,
    PatternIndex,
    Phrase,
    PhrasePattern,
    PhraseTrie,
    fold,
    fold_punctuation,
    normalize_template,
    tokenize,
)
from .vocabulary import values_of_list, vocabulary_of

_HIGHEST = 120  # in words; higher numbers are written in digits
_GAP = " ?(?<= )"  # one space between words, also where an optional word between them is missing
_GAPS = f"{_GAP}(?:[^ ]+ )*?"  # with any words in it
_CLOCK = {"hour": "hour", "hours": "hour", "minutes": "minutes", "date": "date"}
_WORD = "[^ ]+"
_SLOT = re.compile(r"\{[^{}]*\}")
_EMPTY = re.compile(r"[\[(][\s|]*[\])]")
_MARK = re.compile(rf"\[\W\]|[^\w\s\[\](){{}}|:{MARKS}]")
_END = rf"{_GAP}(?=[^\w {NAME}{LIST}]|$)"
_FIRST = "(?<= )"
_LAST = "(?:(?= )|(?<= ))"  # an optional word may be missing at the end, too
_OF_DIGITS = frozenset(("bare", "clock", "date", "dotted", "hour", "minutes", "number"))
_LISTS_OF = {
    **dict.fromkeys(_OF_DIGITS, ()),
    "bare": ("hours",),
    "date": ("ordinals",),
    "duration": ("durations", "units"),
    "hour": ("hours",),
    "number": ("numbers",),
    "time": ("clock",),
}
"""Lists from which each digitless text of a slot has a phrase; by default the list itself."""

_EMPTY_LISTS: Final = (
    *("polite", "requests", "wishes", "own", "unnamed", "conditions.here", "conditions.is"),
)
"""Lists of words that a command may have besides its verb and its objects."""

_LIGHT_LISTS: Final = {"temperature": "color_temperature_names", "color": "color"}
"""Home Assistant's lists of the values of lights, by slot."""

type _Words = frozenset[str] | None
"""Words, at least one of which is in every matching text; None if none is obligatory."""


class PhrasePatterns:
    """The patterns of a language, each compiled on first use."""

    def __init__(self, language: Language) -> None:
        """Take the language."""
        self.language = language
        self.values = {
            name: {
                normalize_template(phrase): value
                for value, listed in table.items()
                for phrase in listed
            }
            for name, table in language.values.items()
        }
        self._lists: Mapping[str, Iterable[str]] = {
            **{name: tuple(table) for name, table in self.values.items()},
            **language.forms,
            **language.plans,
            **language.follow_ups,
            **language.abilities,
            "note_subjects": language.notebook.get("note_subjects", ()),
            "participles": language.claims.get("participles", ()),
            "percent": language.percent,
            "degrees": language.degrees,
        }
        self._known: dict[tuple[str, bool], PhrasePattern] = {}
        self._folded: dict[tuple[str, bool], PhrasePattern] = {}
        self._phrases: dict[str, frozenset[tuple[str, ...]]] = {}
        self._list_words: dict[str, frozenset[str]] = {}
        self._words: dict[str, _Words] = dict.fromkeys(("word", "any", "rest", "end"))
        self._words["name"] = frozenset((NAME, LIST))
        self._common = language.function_words.union((NAME, LIST, DIGIT))
        self._slots = self._known_slots()
        self.time_patterns = self._patterns(language.time_patterns)
        self.subordinators = self._patterns(language.subordinators)
        self.forms = self._patterns(language.forms)
        self.conditions = self._patterns(language.conditions)
        self.state_phrases = self._patterns(language.state_phrases)
        self.causative_verbs = self._patterns(language.causative_verbs)
        self.comparatives = self._patterns(language.comparatives)
        self.event_verbs = self._patterns(language.event_verbs)
        self.crossing_verbs = self._patterns(language.crossing_verbs)
        self.plans = self._patterns(language.plans)
        self.alarms = self._patterns(language.alarms)
        self.actions = self._patterns(language.actions)
        self.questions = self._patterns(language.questions)
        self.past = self._patterns(language.past)
        self.past_event_verbs = self._patterns(language.past_event_verbs)
        self.claims = self._patterns(language.claims)
        self.replies = self._patterns(language.replies)
        self.quantities = self._patterns(language.quantities)
        self.steps = self._patterns(language.steps)
        self.whole_plans = self._wholes(language.plans)
        self.timing = [*map(self._whole, language.forms.get("timing", ()))]
        self.follow_ups = self._wholes(language.follow_ups)
        self.abilities = self._wholes(language.abilities)
        self.notebook = self._wholes(language.notebook)
        self.tool_words = self._patterns(language.abilities).get("tool_words", [])
        self.agent_verbs = self._patterns(language.agent_verbs)
        self.agent_objects = self._patterns(language.agent_objects)
        self.agent_names = self._patterns(language.agent_names)
        self.category_words = frozenset(
            word
            for table in language.categories.values()
            for listed in table.values()
            for word in listed
        )
        self.form_index = PatternIndex(self.forms)
        self.time_index = PatternIndex(self.time_patterns)
        self.subordinator_index = PatternIndex(self.subordinators)
        none = {"none": self.conditions.get("none", ())}
        self.counted_index = PatternIndex(self.comparatives, self.crossing_verbs, none)
        """Phrases that compare a number, or count people."""
        self.clocks = [
            (self.pattern(template, named=True), offset)
            for template, offset in sorted(self._clocks(), key=lambda each: -len(each[0]))
            if offset != "digits"
        ]
        self.numbers = _numbers(language)
        self.time_words = self._time_words()

    def pattern(self, template: str, *, named: bool = False) -> PhrasePattern:
        """Return the pattern of a template; `named`: the slots of a clock are groups.

        Raises:
            ValueError: the template is invalid, or has an unknown slot.
        """
        if (known := self._known.get((template, named))) is None:
            known = PhrasePattern([self._phrase(template, named)], _FIRST, _LAST)
            self._known[template, named] = known
        return known

    def folded(self, name: str, *, gapped: bool = False) -> PhrasePattern:
        """Return a pattern for a list's phrases, which have no slots, in words without accents.

        Args:
            name: a list of `forms`, or one of another table: "replies.yes".
            gapped: other words may stand between those of a phrase.
        """
        if (known := self._folded.get((name, gapped))) is None:
            phrases = [*map(self._phrase_of, self._expressions(name))]
            if gapped:
                phrases = [Phrase(each.source.replace(_GAP, _GAPS), each.words) for each in phrases]
            known = self._folded[name, gapped] = PhrasePattern(phrases, _FIRST, _LAST)
        return known

    def words_of(self, *lists: str) -> frozenset[str]:
        """Return all words of the phrases of some lists, without accents, as in `folded`."""
        return frozenset[str]().union(*map(self._words_in, lists))

    def _words_in(self, name: str) -> frozenset[str]:
        if (known := self._list_words.get(name)) is None:
            known = frozenset[str]().union(*map(_words, self._expressions(name, slots=False)))
            self._list_words[name] = known
        return known

    def phrases(self, name: str) -> frozenset[tuple[str, ...]]:
        """Return the phrases of a list, word by word, as `folded` matches them."""
        if (known := self._phrases.get(name)) is None:
            texts = (sample_expression(each, {}, {}) for each in self._expressions(name))
            known = frozenset(tuple(text.split()) for listed in texts for text in listed)
            self._phrases[name] = known
        return known

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of Home Assistant's sentences and of our phrases, without accents.

        A word outside it and all names hints at an unknown entity. The first call reads a file: not
        for the event loop.
        """
        own = self.words_of("verbs", "draws_in", "draws_out") | self._brings
        return vocabulary_of(self.language) | own

    @cached_property
    def light_values(self) -> Mapping[tuple[str, ...], tuple[str, str | int]]:
        """The colours and shades of white in Home Assistant's sentences: words to slot and value.

        The first call reads a file: not for the event loop.
        """
        return {
            words(said): (slot, value)
            for slot, name in _LIGHT_LISTS.items()
            for template, value in values_of_list(self.language, name)
            for said in sample_expression(_parsed(template), {}, {})
        }

    def is_light_value(self, word: str) -> bool:
        """Return True if a word is a form of one for a colour or a white: "rote", "bianca"."""
        return any(is_colour(word, each) for phrase in self.light_values for each in phrase)

    @cached_property
    def command_words(self) -> frozenset[str]:
        """The vocabulary with work and a half: "halfway" is no misheard hallway."""
        work = (f"agent_verbs.{domain}" for domain in self.language.agent_verbs)
        return self.vocabulary | self.imperatives | self.words_of("conditions.half", *work)

    def single_words(self, name: str) -> frozenset[str]:
        """Return a list of single words, such as `conjunctions`, without accents."""
        listed: frozenset[str] = getattr(self.language, name)
        return frozenset(word for each in listed for word in words(each))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of commands, without accents.

        Phrases of several words are left out: neither "order" nor "the" is a verb by itself.
        """
        spelled = map(_spelled, self._expressions("verbs", slots=False))
        return frozenset[str]().union(*filter(None, spelled))

    @cached_property
    def states(self) -> frozenset[str]:
        """The words for desired states, without accents."""
        return self.words_of("states")

    @cached_property
    def pronouns(self) -> frozenset[str]:
        """The pronouns, without clitics."""
        listed = self.language.forms.get("pronouns", ())
        return frozenset(each for each in listed if not each.startswith("-"))

    @cached_property
    def empty_words(self) -> frozenset[str]:
        """The words that add nothing to a command, without accents.

        Function words, pronouns, particles, and the words of requests and wishes that are no verb
        and no state of a device.
        """
        language = self.language
        empty = language.function_words | language.conjunctions | self.pronouns
        told = self.verbs | self.words_of("stays", "states", "contrast", "conditions.half", "again")
        return frozenset(map(fold, empty)) | (self.words_of(*_EMPTY_LISTS) - told)

    @cached_property
    def imperatives(self) -> frozenset[str]:
        """The verbs that may begin a command, without accents, as single words."""
        return self.verbs | self.words_of("bids", "bids_surely", "puts_on")

    @cached_property
    def clitics(self) -> tuple[str, ...]:
        """The pronouns that are attached to the end of a verb."""
        listed = self.language.forms.get("pronouns", ())
        return tuple(each[1:] for each in listed if each.startswith("-"))

    def verb_stem(self, word: str) -> str:
        """Return the verb in a word with a clitic, without accents; empty if there is none.

        An ending moves the accent: "apágala" is from "apaga".
        """
        for ending in self.clitics:
            verb = fold(word.removesuffix(ending))
            if word.endswith(ending) and verb in self.verbs:
                return verb
        return ""

    def sets_value(self, line: str) -> bool:
        """Return True if a line has a half, or a number of percent or degrees."""
        halves = self.conditions.get("half", ())
        return any(each.search(line) for each in (*halves, *self._amounts))

    @cached_property
    def _amounts(self) -> Sequence[PhrasePattern]:
        return [self.pattern("{number} (%|{percent})"), self.pattern("{number} (°|{degrees})")]

    def verb_to_speaker(self, word: str) -> str:
        """Return the verb for a device in a word with a clitic for the speaker; or nothing."""
        for ending in self.language.forms.get("to_speaker", ()):
            verb = fold(word.removesuffix(ending))
            # An infinitive may be what the speaker does: "levantarme".
            if word.endswith(ending) and verb in self._device_verbs and verb[-1] != "r":
                return verb
        return ""

    @cached_property
    def _device_verbs(self) -> frozenset[str]:
        return (
            self._brings | self.words_of("puts_on", "steps.raises", "steps.lowers")
        ) & self.verbs

    @cached_property
    def _brings(self) -> frozenset[str]:
        return self.words_of(*(f"causative_verbs.{each}" for each in self.language.causative_verbs))

    def _expressions(self, name: str, *, slots: bool = True) -> Iterator[Expression]:
        """Yield the phrases of a list, without accents; `slots`: with their slots."""
        table, _, name = name.rpartition(".")
        phrases: Mapping[str, Sequence[str]] = getattr(self.language, table or "forms")
        texts = (
            _fold(each) if slots else _without_slots(_fold(each)) for each in phrases.get(name, ())
        )
        for template in filter(str.strip, texts):
            expression = _parsed(template)
            _sort_longest_first(expression)
            yield from expression.items if isinstance(expression, Alternative) else [expression]

    @cached_property
    def percent(self) -> re.Pattern[str]:
        """A pattern for the words for "%"."""
        known = sorted(self.language.percent, key=len, reverse=True)
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, known)) or '(?!)'})\b", re.IGNORECASE)

    def one_of(self, lists: Iterable[str]) -> PhrasePattern:
        """Return a pattern for a phrase of one of some lists."""
        return self._any_of(
            template for name in lists for template in _ordered(self._lists.get(name, ()))
        )

    def _any_of(self, templates: Iterable[str]) -> PhrasePattern:
        return PhrasePattern([*map(self._phrase, templates)], _FIRST, _LAST)

    def _wholes(self, phrases: Mapping[str, Collection[str]]) -> dict[str, list[PhrasePattern]]:
        return {
            name: [self._whole(template) for template in listed] for name, listed in phrases.items()
        }

    def _whole(self, template: str) -> PhrasePattern:
        """Return a pattern for a whole part of a line, including the spaces around it."""
        return PhrasePattern([self._phrase(template)], " ", "(?: |(?<= ))")

    def contains_form(self, form: str, words: Iterable[str]) -> bool:
        """Return True if a phrase of the form, a list of `forms`, occurs in the words."""
        said = f" {' '.join(words)} "
        return any(pattern.search(said) for pattern in self.forms.get(form, ()))

    def slot(self, name: str, group: str = "") -> str:
        """Return the source of a slot's pattern, in a named group if `group` is given."""
        if name not in self._slots:
            if name not in self._lists:
                raise ValueError(f"{{{name}}} is no list of {self.language.code}")
            self._slots[name] = ""  # a list that contains itself matches nothing
            self._slots[name] = self._any(self._lists[name])
        source = self._slots[name]
        return f"(?P<{group}>{source})" if group else source

    def _known_slots(self) -> dict[str, str]:
        self._slots = {"name": f"[{NAME}{LIST}]", "word": _WORD, "end": _END}
        self._slots["any"] = rf"(?P<any>{_WORD}(?: {_WORD}){{0,14}}?)"
        self._slots["rest"] = r"(?P<any>[^ ].*)(?<! )"
        self._slots["number"] = rf"(?:\d+(?:[.,]\d+)?|{self._listed('numbers')})"
        unit = self._listed("units")
        level = f"(?! (?:[%°]|{self._listed('percent')}|{self._listed('degrees')}) )"
        part = f"(?: {self._listed('fractions')})?"
        amount = f"{self._slots['number']}{part} {unit}{part}(?! {self._listed('not_units')} )"
        amount = f"(?:{self._listed('durations')}|{amount})"
        also = f"(?: {self._listed('joined')})?"
        # "In ten minutes, and five minutes later" are two durations.
        later = f" {self._listed('afterwards')} "
        self._slots["duration"] = (
            f"(?:{self._listed('some')} {unit}"
            rf"|{amount}(?:{also} {amount}(?!{later}))*(?:{also} \d\d{level}(?! {unit} ))?)"
        )
        digits = r"(?:[01]?\d|2[0-4])(?![^ ])"
        hour = f"(?:{digits}|{self._listed('hours')})"
        self._slots["hour"] = f"{hour}{level}"
        self._slots["bare"] = f"{hour}{level}(?! {unit} )"
        self._slots["date"] = rf"(?:(?:[12]?\d|3[01])(?![^ ])|{self._listed('ordinals')})"
        self._slots["minutes"] = rf"(?:[0-5]?\d)(?![^ ]){level}(?! {unit}{later})"
        self._slots["clock"] = r"(?:[01]?\d|2[0-4]):[0-5]\d"
        self._slots["dotted"] = rf"(?:[01]?\d|2[0-4])[.:][0-5]\d{level}"
        clocks = sorted((template for template, _ in self._clocks()), key=len, reverse=True)
        for days in ("weekdays", "weekly"):
            day = self._listed(days)
            self._slots[days] = f"{day}(?:(?: ,)?{also} {day})*"
        times = self._any(clocks)
        self._slots["time"] = f"(?:{times}(?: {self._listed('parts')})?)"
        return self._slots

    def _clocks(self) -> list[tuple[str, str]]:
        clock = self.language.values.get("clock", {})
        return [(template, offset) for offset, listed in clock.items() for template in listed]

    def _listed(self, name: str) -> str:
        return self.slot(name) if self._lists.get(name) else "(?!)"

    def _any(self, templates: Iterable[str]) -> str:
        return f"(?:{'|'.join(self._phrase(each).source for each in _ordered(templates))})"

    def _patterns(self, phrases: Mapping[str, Collection[str]]) -> dict[str, list[PhrasePattern]]:
        return {
            name: [self.pattern(each) for each in templates]
            if any("{any}" in each or "{rest}" in each for each in templates)
            else [self._any_of(_ordered(templates))]
            for name, templates in phrases.items()
            if templates
        }

    def _phrase(self, template: str, named: bool = False) -> Phrase:
        return self._phrase_of(_parsed(template), named)

    def _phrase_of(self, expression: Expression, named: bool = False) -> Phrase:
        source = self._of(expression, named).replace(_GAP * 2, _GAP)
        return Phrase(source, self._obligatory(expression))

    def _obligatory(self, expression: Expression) -> _Words:
        """Return the rarest words, one of which is in every text that an expression matches."""
        found = [words for parts in _between_spaces(expression) if (words := self._one_of(parts))]
        return min(found, key=lambda each: (bool(each & self._common), len(each)), default=None)

    def _one_of(self, parts: Sequence[Expression]) -> _Words:
        """Return the same for parts without a space between them."""
        spelled = _spelled(Group([*parts]))
        if spelled and "" not in spelled:
            return spelled
        match parts:
            case [Alternative(items=items)]:
                return _union(map(self._obligatory, items))
            case [ListReference(list_name=name)]:
                return self._words_of(name)
        return None

    def _words_of(self, slot: str) -> _Words:
        if slot not in self._words:
            self._words[slot] = None  # for a list that contains itself
            lists = (self._lists.get(name, ()) for name in _LISTS_OF.get(slot, (slot,)))
            words = _union(self._obligatory(_parsed(each)) for listed in lists for each in listed)
            own = frozenset((DIGIT,)) if slot in _OF_DIGITS else frozenset[str]()
            self._words[slot] = None if words is None else words | own
        return self._words[slot]

    def _of(self, expression: Expression, named: bool) -> str:
        match expression:
            case TextChunk(text=text):
                return _GAP.join(re.escape(word) for word in text.split(" "))
            case ListReference(list_name=name, slot_name="next") if name != "next":
                return f"{_GAP}(?={self.slot(name)}{_LAST})"
            case ListReference(list_name=name):
                return self.slot(name, _CLOCK.get(name, "") if named else "")
            case Permutation():
                raise ValueError("a template with a permutation")
            case Alternative(items=items):
                return f"(?:{'|'.join(self._of(item, named) for item in items)})"
            case Group(items=items):
                return "".join(self._of(item, named) for item in items)
        raise ValueError(f"a template with {expression}")

    def _time_words(self) -> frozenset[str]:
        """Return all words of time expressions: a name of only these may be a time."""
        tables = (
            self.language.time_patterns,
            self.language.subordinators,
            *self.language.values.values(),
        )
        return frozenset(
            token.text
            for table in tables
            for name, listed in table.items()
            if name != "plain"
            for template in listed
            for token in tokenize(fold_punctuation(re.sub(r"\{\w+\}|[\[\]()|]", " ", template)))
        )


@lru_cache
def patterns_of(code: str) -> PhrasePatterns:
    """Return the patterns of a language by its code; the first call takes some 0.1 s."""
    return PhrasePatterns(language_of(code))


def _parsed(template: str) -> Expression:
    return parse_sentence(normalize_template(template), keep_text=False).expression


def _fold(template: str) -> str:
    """Return a template with folded words, as `names.matching.words` returns them."""
    return _MARK.sub("", fold(normalize_template(template)))


def _without_slots(template: str) -> str:
    left = _SLOT.sub("", template)
    while (shorter := _EMPTY.sub("", left)) != left:
        left = shorter
    return left.strip("| ")


def _sort_longest_first(expression: Expression) -> int:
    """Sort alternatives so that the longest matches first; return its length."""
    match expression:
        case Alternative(items=items):
            items.sort(key=_sort_longest_first, reverse=True)
            return _sort_longest_first(items[0])
        case Group(items=items):
            return sum(map(_sort_longest_first, items))
        case TextChunk(text=text):
            return len(text)
    return 0


def _words(expression: Expression) -> frozenset[str]:
    """Return the words of an expression, except those of its slots."""
    found = frozenset[str]()
    for parts in _between_spaces(expression):
        if spelled := _spelled(Group([*parts])):
            found |= spelled - {""}
        elif len(parts) == 1 and isinstance(parts[0], Alternative):
            found = found.union(*map(_words, parts[0].items))
        else:
            texts = sample_expression(Parts([*parts]), {}, {})
            found = found.union(*map(str.split, texts))
    return found


def _ordered(templates: Iterable[str]) -> list[str]:
    return sorted(templates, key=lambda each: (-len(each), each))


def _union(found: Iterable[_Words]) -> _Words:
    """Return words, one of which is in every text that any of several expressions matches."""
    every = [*found]
    return None if None in every else frozenset(word for each in every for word in each or ())


def _between_spaces(expression: Expression) -> list[list[Expression]]:
    """Return the parts of an expression between spaces, each one or several words."""
    match expression:
        case TextChunk(text=text):
            return [[TextChunk(each)] if each else [] for each in text.split(" ")]
        case Group(items=items) if not isinstance(expression, Alternative):
            found: list[list[Expression]] = [[]]
            for item in items:
                first, *others = _between_spaces(item)
                found[-1] += first
                found += others
            return found
    return [[expression]]


def _spelled(expression: Expression) -> _Words:
    """Return all spellings of an expression without spaces and slots."""
    match expression:
        case TextChunk(text=text) if " " not in text:
            return frozenset((text,))
        case Group(items=items):
            spelled = [*map(_spelled, items)]
            if isinstance(expression, Alternative):
                return _union(spelled)
            if None not in spelled:
                return frozenset(map("".join, product(*(each or () for each in spelled))))
    return None


def _numbers(language: Language) -> PhraseTrie:
    """Return a trie of the number words of a language, except "one", which may be an article."""
    tree = PhraseTrie()
    if not language.time_patterns:
        return tree
    engine = get_rbnf_engine(language.code)
    for number in (0, *range(2, _HIGHEST + 1)):
        for word in engine.format_number(number).text_by_ruleset.values():
            tree.add([token.text for token in tokenize(fold_punctuation(word))], str(number))
    return tree
