"""Every language that is promised has all of its words, and those that Home Assistant knows."""

from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations
from pathlib import Path
from string import Formatter
import unicodedata

from hassil.intents import Intents, SlotList, TextSlotList
from hassil.numbers import get_rbnf_engine
from hassil.sample import sample_expression
from home_assistant_intents import get_intents
import pytest

from custom_components.voice_gateway.languages import (
    LANGUAGES,
    Language,
    Phrases,
    joined,
    language_of,
)
from script.checks.texts import LANGUAGES as PROMISED
from tests.rows import rows

PHRASES = (
    "time_patterns", "subordinators", "forms", "conditions", "state_phrases", "causative_verbs", "comparatives", "event_verbs", "crossing_verbs",
    "places", "agent_verbs", "agent_objects", "agent_names", "confirmations", "planned", "plans", "alarms", "follow_ups", "abilities", "notebook", "actions", "questions", "quantities", "steps", "past", "past_event_verbs", "answers", "replies", "access_verbs", "restatements", "claims", "tool_verbs",
)  # fmt: skip
TABLES = ("categories", "values")
NO_LISTS = (
    "code",
    "head_initial",
    "verb_first",
    "twelve_hours",
    "sounds",
    "case_endings",
    "lexicon",
    *PHRASES,
    *TABLES,
)
LISTS = [field.name for field in fields(Language) if field.name not in NO_LISTS]
SINGLE_WORDS = ("universal_quantifiers", "alternatives", "conjunctions", "negation_cues")

# Lists of phrases that a language may do without: English needs them for its own order of words.
MAY_LACK = {
    # Verbs of a quantity that not all have.
    "brightness_lowers",
    "brightness_raises",
    "speed_lowers",
    "speed_raises",
    "volume_lowers",
    "volume_raises",
    "but",
    "relays",
    "verb_ends",
    "hour",
    "kept",
    "parts_alone",
    "not_units",
    "expletive",
    "begins",
    "third",
    # What English needs as its words stand for more than one thing, and others not.
    "done_verbs",
    "doing_verbs",
    "finite_verbs",
    "does",
    "supposes",
    # What only some have a verb's form for.
    "bids_surely",
    "fronted",
    "lets",
    "orders",
    "plays_end",
    "puts_on",
    "regrets",
    "remind_last",
    # What only some have words for.
    "levels",
    "notify_at",
    "rings",
    "tomorrow",
}

# The rules of Home Assistant's sentences that hold articles, possessives, and where things are.
RULES = {
    "de": (
        "area artikel_bestimmt floor possessivpronom_mein possessivpronom_unser preposition von_dem"
    ),
    "en": "in the",
    "es": "area lista_compra",
    "fr": "au dans de le mon",
    "it": "at from in my of on onto the to",
    "nl": "my of to",
    "pl": "area",
}
# What they hold besides: words that tell one thing from another, and stems.
BESIDES = {
    "de": {"geschoss"},
    "es": {"compra", "compras", "lista"},
    "it": {"all'interno", "dentro", "de", "mi", "ne", "nostr"},
    "nl": {"voor"},
}
AREA = "somewhere"


def rule_words(code: str) -> Iterator[str]:
    """Yield the words that Home Assistant's rules make, as its sentences have them."""
    data = get_intents(code)
    assert data
    rules = Intents.from_dict(data).expansion_rules
    lists: dict[str, SlotList] = {
        name: TextSlotList.from_strings([AREA]) for name in ("area", "floor")
    }
    for rule in RULES[code].split():
        assert rule in rules, f"home_assistant_intents {code} has no rule <{rule}> any more"
        for text in sample_expression(rules[rule].expression, lists, rules, code):
            # "des {area}s", "{floor}Geschoss"
            yield from (word for word in text.casefold().split() if AREA not in word)


def test_language_is_found_by_any_form_of_its_code() -> None:
    assert language_of("de") is language_of("de-DE") is language_of("de_AT") is LANGUAGES["de"]
    assert language_of("pt-BR").conjunctions == {"e", "depois", "então"}


@pytest.mark.parametrize("code", [None, "", "xx", "den", "-de"])
def test_unknown_language_has_no_words(code: str | None) -> None:
    assert language_of(code) == Language("")


@rows("code", PROMISED)
@rows("listed", LISTS)
def test_language_is_complete(code: str, listed: str) -> None:
    assert code in LANGUAGES, f"languages/{code}.toml is missing: en.toml explains its lists"
    assert getattr(LANGUAGES[code], listed), (
        f'languages/{code}.toml: the list "{listed}" is missing or empty; en.toml explains it'
    )


@rows("code", LANGUAGES)
@rows("listed", LISTS)
def test_words_are_written_as_they_are_compared(code: str, listed: str) -> None:
    for word in getattr(LANGUAGES[code], listed):
        wanted = unicodedata.normalize("NFC", " ".join(word.casefold().split()))
        assert word == wanted, f'languages/{code}.toml, {listed}: "{word}" has to be "{wanted}"'
        assert word, f"languages/{code}.toml, {listed}: an empty word"


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_that_are_looked_for_one_by_one_are_single(code: str) -> None:
    for listed in SINGLE_WORDS:
        for word in getattr(LANGUAGES[code], listed):
            assert word.strip("-").isidentifier(), (
                f'languages/{code}.toml, {listed}: "{word}" is not one word'
            )
    for word in LANGUAGES[code].function_words:
        assert word.replace("'", "", 1).isalpha(), (
            f'languages/{code}.toml, fillers: "{word}" is not one word'
        )


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_word_means_two_things(code: str) -> None:
    language = LANGUAGES[code]
    for one, other in combinations(LISTS, 2):
        both = getattr(language, one) & getattr(language, other)
        assert not both, f"languages/{code}.toml: {sorted(both)} in {one} and in {other}"


@pytest.mark.parametrize("code", PROMISED)
def test_no_number_is_a_filler(code: str) -> None:
    engine = get_rbnf_engine(code)
    numbers = {
        text
        for number in range(101)
        for text in engine.format_number(number).text_by_ruleset.values()
    }
    assert not numbers & LANGUAGES[code].function_words


@pytest.mark.parametrize("code", PROMISED)
def test_fillers_are_those_of_home_assistants_sentences(code: str) -> None:
    known = {*LANGUAGES[code].function_words, *BESIDES.get(code, ())}
    missing = set(rule_words(code)) - known
    assert not missing, (
        f"home_assistant_intents has {sorted(missing)} in its rules: they belong into the fillers "
        f"of languages/{code}.toml, or into BESIDES here if they tell one thing from another"
    )


@pytest.mark.parametrize(
    ("content", "error"),
    [("fillers = [", ValueError), ('filers = ["the"]', TypeError)],
)
def test_file_with_a_mistake_is_not_taken(
    tmp_path: Path, content: str, error: type[Exception]
) -> None:
    file = tmp_path / "xx.toml"
    file.write_text(content)
    with pytest.raises(error):
        Language.of(file)


@rows("code", PROMISED)
@rows("table", PHRASES)
def test_language_has_the_phrases_that_english_has(code: str, table: str) -> None:
    known: Phrases = getattr(LANGUAGES[code], table)
    missing = getattr(LANGUAGES["en"], table).keys() - known.keys() - MAY_LACK
    assert not missing, f"languages/{code}.toml, [{table}]: {sorted(missing)} are missing"


@pytest.mark.parametrize("code", PROMISED)
@pytest.mark.parametrize("table", TABLES)
def test_language_has_the_tables_that_english_has(code: str, table: str) -> None:
    missing = getattr(LANGUAGES["en"], table).keys() - getattr(LANGUAGES[code], table).keys()
    assert not missing, f"languages/{code}.toml: [{table}.{min(missing)}] is missing"


@pytest.mark.parametrize("code", PROMISED)
def test_language_has_all_weekdays_and_months(code: str) -> None:
    values = LANGUAGES[code].values
    assert (len(values["weekdays"]), len(values["months"])) == (7, 12)


@pytest.mark.parametrize("code", PROMISED)
def test_language_has_a_word_for_each_kind_of_device(code: str) -> None:
    kinds = LANGUAGES[code].categories["one"]
    assert kinds.keys() == LANGUAGES["en"].categories["one"].keys()
    for listed in (*kinds.values(), *LANGUAGES[code].categories["many"].values()):
        assert listed
        assert all(word == word.casefold() and " " not in word for word in listed)


@pytest.mark.parametrize("code", PROMISED)
def test_language_has_the_confirmations_that_english_has(code: str) -> None:
    ours = LANGUAGES[code].confirmations
    for intent, sentences in LANGUAGES["en"].confirmations.items():
        assert ours[intent].keys() == sentences.keys(), intent
        for key, sentence in ours[intent].items():
            both = ("{some}", "{last}")
            own = {"all": both, "any": both, "more": ("{count}",)}
            slots = own.get(key, ("{name}",))
            assert all(slot in sentence for slot in slots), sentence


@pytest.mark.parametrize("code", PROMISED)
def test_language_answers_as_english_does(code: str) -> None:
    ours = LANGUAGES[code].answers
    for table, sentences in LANGUAGES["en"].answers.items():
        assert ours[table].keys() == sentences.keys(), table
        for key, sentence in sentences.items():
            slots = {name for _, name, _, _ in Formatter().parse(sentence) if name}
            own = {name for _, name, _, _ in Formatter().parse(ours[table][key]) if name}
            assert {"state" if name == "lower" else name for name in own} == {
                "state" if name == "lower" else name for name in slots
            }, key


# Of the moments that are told, what a language may say in its own way.
OWN_WAY = {"notice", "clock", "on_the_hour", "am", "pm"}


@pytest.mark.parametrize("code", PROMISED)
def test_language_tells_of_plans_as_english_does(code: str) -> None:
    ours = LANGUAGES[code].planned
    for table, english in LANGUAGES["en"].planned.items():
        missing = english.keys() - ours[table].keys() - OWN_WAY
        assert not missing, f"languages/{code}.toml, [planned.{table}]: {sorted(missing)}"
        for key, text in ours[table].items():
            if key in english and key not in OWN_WAY:
                assert slots(text) == slots(english[key]), f"[planned.{table}] {key} of {code}"
            elif usual := english.get(key.rpartition("_")[0]):
                assert slots(text) <= slots(usual), f"[planned.{table}] {key} of {code}"


def slots(text: str) -> set[str]:
    """Return the slots of a text that we say."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_many_names_are_counted() -> None:
    names = [f"Lamp {number}" for number in range(1, 7)]
    assert joined("en", names) == "Lamp 1, Lamp 2, Lamp 3 and 3 more"
    assert joined("de", names[:4]) == "Lamp 1, Lamp 2, Lamp 3 und Lamp 4"
    assert joined("xx", names[:2]) == "Lamp 1, Lamp 2"
