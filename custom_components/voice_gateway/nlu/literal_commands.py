"""Clauses in a language without lists: the parts of a sentence that Home Assistant reads literally.

Its sentences are the only grammar of such a language. They read one command at a time.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
import re
from typing import Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from ..languages import language_of
from ..names.matching import is_spaceless, split_names
from .clause import Clause, DialogueAct, ParsedText
from .home_assistant import async_recognize_command
from .tokenizer import Text

_MARKS: Final = r"[.!?,;。、！？，；،؟]+"
_UNSPOKEN: Final = dict.fromkeys(range(0x64B, 0x653))
"""Arabic vowel marks, which few sentences have."""
_MOST: Final = 6
"""The most stretches of a sentence: every run of them is read."""


async def async_parse_literally(
    hass: HomeAssistant, said: conversation.ConversationInput, names: frozenset[str]
) -> ParsedText | None:
    """Return a sentence's clauses, if Home Assistant reads some of several as commands.

    The others may be anything, and stay as they are.
    """
    code = language_of(said.language).code
    stretches = _stretches(said.text, code)
    clauses: list[Clause] = []
    while stretches:
        for count in range(len(stretches), 0, -1):
            part = said.text[stretches[0][0] : stretches[count - 1][1]].strip()
            if command := await _async_literal(hass, said, part, code):
                break
        text, spoken = (Text(split_names(each, names), code) for each in (part, command or part))
        act = DialogueAct.COMMAND if command else DialogueAct.UNKNOWN
        clauses.append(Clause(text=text, command=spoken, act=act))
        stretches = stretches[count:]
    is_command = any(each.act is DialogueAct.COMMAND for each in clauses)
    return ParsedText(act=DialogueAct.COMMAND, clauses=tuple(clauses)) if is_command else None


async def _async_literal(
    hass: HomeAssistant, said: conversation.ConversationInput, part: str, code: str
) -> str:
    """Return the spelling of a text that Home Assistant reads as a command; empty if none is."""
    for each in _spellings(part, code):
        if await async_recognize_command(hass, said, [each]):
            return each
    return ""


def _spellings(part: str, code: str) -> Iterator[str]:
    """Yield a text, without Arabic vowel marks, and without a polite word at its end."""
    yield part
    yield part.translate(_UNSPOKEN)
    rest, _, last = part.rpartition(" ")
    if rest and last in "|".join(language_of(code).forms.get("polite", ())).split("|"):
        yield rest


def _stretches(text: str, code: str) -> Sequence[tuple[int, int]]:
    """Return the places of the stretches between marks and conjunctions; none if there is one."""
    found, start = [], 0
    for joint in (*_joints(code).finditer(text), None):
        end = joint.start() if joint else len(text)
        if text[start:end].strip():
            found.append((start, end))
        start = joint.end() if joint else end
    return found if 1 < len(found) <= _MOST else []


@lru_cache
def _joints(code: str) -> re.Pattern[str]:
    """Return a pattern of marks and conjunctions, some of which are joined to a word."""
    words, begun, joints = [], [], []
    for each in language_of(code).conjunctions:
        word = re.escape(each.strip("-"))
        if each.startswith("-"):
            joints.append(rf"(?<={word})\s*" if is_spaceless(each[-1]) else rf"(?<={word})\s+")
        elif each.endswith("-"):
            joints.append(rf"(?<!\w){word}(?=\w\w)")
        else:
            begun.append(rf"{word}(?!\w)" if not is_spaceless(each[0]) else word)
            words += [] if is_spaceless(each[0]) else [rf"(?<!\w){word}(?!\w)"]
    lead = rf"(?:\s*(?:{'|'.join(begun)}))?" if begun else ""
    return re.compile("|".join((_MARKS + lead, *joints, *words)), re.IGNORECASE)
