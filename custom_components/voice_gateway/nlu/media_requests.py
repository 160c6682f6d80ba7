"""What somebody wants to hear: "play some jazz in the kitchen".

Home Assistant's sentences take any words for what is to be played, in some languages after any verb
that starts something. Here they are that only where nothing of them may be something else.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ..languages import language_of
from ..names.matching import words
from .clause import join_commands
from .phrases import phrases_of_form
from .tokenizer import Text
from .utterance import Utterance

SEARCH: Final = "HassMediaSearchAndPlay"
QUERY: Final = "search_query"
_LONGEST: Final = 12
"""Words of what is wanted; of more nothing is certain."""


def parse_media_request(utterance: Utterance) -> str:
    """Return what is certainly wanted to be played, in the user's words; else nothing."""
    code = language_of(utterance.language).code
    match utterance.parsed.clauses:
        case [only] if not only.negated and not only.exclusion:
            text = join_commands([only])
        case _:
            return ""
    reading = utterance.exact_command
    if reading and reading.intent_type != SEARCH:
        return ""
    if reading and not any(_begins_or_ends(text, verb) for verb in phrases_of_form(code, "plays")):
        return ""
    query = str(reading.slots.get(QUERY, "")) if reading else _after_verb(text)
    wanted = _plain(query.split(), code)
    return " ".join(wanted) if _is_certain(wanted, utterance, code) else ""


def _is_certain(wanted: Sequence[str], utterance: Utterance, code: str) -> bool:
    """Return True if some words are a title, an artist or a kind of music, and nothing else."""
    if not wanted or len(wanted) > _LONGEST:
        return False
    text = " ".join(wanted)
    said = words(text)
    if (
        said in phrases_of_form(code, "any_media")
        or utterance.link(utterance.text.alike(text)).has_mention
    ):
        return False
    if said[:1] in phrases_of_form(code, "pronouns"):
        return False
    where = {word for phrase in phrases_of_form(code, "where_media") for word in phrase}
    if not where.isdisjoint(said) or "%" in text or not _units(code).isdisjoint(said):
        return False
    return not _commands_more(said, code)


def _commands_more(said: Sequence[str], code: str) -> bool:
    """Return True if a verb of a command follows on a word that joins two: "jazz and stop it"."""
    joints = language_of(code).conjunctions
    verbs = {phrase[0] for phrase in phrases_of_form(code, "verbs") if phrase}
    return any(before in joints and word in verbs for before, word in pairwise(said))


def _units(code: str) -> frozenset[str]:
    language = language_of(code)
    return frozenset(word for each in language.percent | language.degrees for word in words(each))


def _after_verb(text: Text) -> str:
    """Return what follows the verb with which a command begins; nothing if that plays nothing."""
    said = text.split()
    rest = _after(said, phrases_of_form(text.code, "plays"))
    return " ".join(rest) if len(rest) < len(said) else ""


def _plain(said: Sequence[str], code: str) -> Sequence[str]:
    """Return what is wanted without "some" and "a song by" before it."""
    if words(" ".join(said)) in phrases_of_form(code, "any_media"):
        return said
    rest = _after(said, phrases_of_form(code, "some_media"))
    return rest or said


def _after(said: Sequence[str], known: frozenset[tuple[str, ...]]) -> Sequence[str]:
    """Return the words behind the longest phrase with which some words begin; else all of them."""
    for end in range(min(len(said), _LONGEST), 0, -1):
        if words(" ".join(said[:end])) in known:
            return said[end:]
    return said


def _begins_or_ends(text: str, phrase: tuple[str, ...]) -> bool:
    said = words(text)
    size = len(phrase)
    return any(said[at : at + size] == phrase for at in range(len(said) - size + 1))
