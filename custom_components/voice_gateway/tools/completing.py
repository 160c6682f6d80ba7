"""What a sentence adds to the user's command before it, or to what plays: "the pond pump too", "quieter".

By itself it is no command that covers a call, after others' texts were read.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.const import STATE_PLAYING

from ..heard.contradicting import fits
from ..heard.contrary import states_brought
from ..heard.follow_up import Follow, Following
from ..heard.moment import read
from ..heard.music import SEARCH
from ..heard.numbers import numbers_in
from ..heard.one_of import picked
from ..heard.said import Clause, Mood
from ..heard.vocabulary import words_of_template
from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import matcher, words
from .deed import Deed, Turn
from .guarded import opened
from .values import values_of, without_values

_LONGEST: Final = 120
"""Characters of a command that another sentence goes on with."""
_VOLUME: Final = "HassSetVolumeRelative"
_LEVEL: Final = "HassSetVolume"
_PAUSE: Final = "HassMediaPause"
_TRANSPORT: Final = frozenset(("HassMediaNext", "HassMediaPause", "HassMediaPrevious"))
_MORE_OR_LESS: Final = (
    Follow.BRIGHTER, Follow.DARKER, Follow.WARMER, Follow.COOLER, Follow.LOUDER, Follow.QUIETER,
    Follow.MORE, Follow.LESS,
)  # fmt: skip
_STEPS: Final = {"up": Follow.LOUDER, "down": Follow.QUIETER}


def completes(deed: Deed, turn: Turn) -> bool:
    """Tell whether a sentence only says with what the command before it is to be done: "the left one"."""
    heard = turn.heard
    if heard.asks or not heard.earlier or not deed.targets or opened(deed):
        return False
    if not all(each.is_plain for each in heard.said.clauses) or not _says_so(
        heard.earlier[-1], deed, turn
    ):
        return False
    return {*_which(deed, turn)}.issuperset(deed.targets)


def sets_what_was_turned_on(deed: Deed, turn: Turn) -> bool:
    """Tell whether a sentence only says how much of what the command before it did: "to sixty percent"."""
    heard = turn.heard
    if heard.asks or not heard.earlier or not deed.targets or not values_of(deed.arguments):
        return False
    before = heard.earlier[-1]
    if opened(deed) or not _one_command(before, turn):
        return False
    language = language_of(heard.language)
    left = without_values(heard.text, deed.arguments, heard.language)
    units = {word for each in language.percent | language.degrees for word in words(each)}
    known = matcher(language.code).fillers | units | _steps(language.code)
    is_value = left != heard.text and {*words(left)} <= known
    return is_value and [*heard.meant(before).aims_at(deed.targets)] == [*deed.targets]


@lru_cache
def _steps(code: str) -> frozenset[str]:
    """Return the words by which more or less is wanted: "a bit less bright, say forty"."""
    language = language_of(code)
    listed = [each for follow in _MORE_OR_LESS for each in language.follow_ups.get(follow, ())]
    listed += [
        each
        for form in ("by", "softly", "stumbles", "polite")
        for each in language.forms.get(form, ())
    ]
    return frozenset(word for each in listed for word in words_of_template(each))


def steers_what_plays(deed: Deed, turn: Turn) -> bool:
    """Tell whether a call is for the only thing that plays, and what was said of nothing else.

    "A bit quieter", "next one, please".
    """
    heard = turn.heard
    if not (deed.targets and _is_steered(deed, turn)):
        return False
    playing = [each for each in heard.mentioned.home.entities if _plays(each, turn)]
    here = [each for each in playing if heard.area_id and each.area == heard.area_id]
    return [*deed.targets] == (here or playing)


def _is_steered(deed: Deed, turn: Turn) -> bool:
    """Tell whether a call makes louder or quieter, pauses, or goes on to another title, as was said."""
    heard, intent_type = turn.heard, getattr(deed.tool, "intent_type", "")
    if intent_type == _VOLUME:
        wanted = Following(heard.text, heard.language).follow_up()
        return wanted is not None and wanted.follow is _step(deed.arguments.get("volume_step"))
    if heard.meant(heard.text).tells:
        return False
    read_as = heard.reading.intent_type if heard.reading else ""
    if intent_type == _LEVEL:
        # "Volume fifteen" is taken for a step.
        return read_as in (_LEVEL, _VOLUME) and _says_level(deed, turn)
    if intent_type == _PAUSE and _says_pause(turn):
        return True
    return intent_type in _TRANSPORT and read_as == intent_type


def _says_level(deed: Deed, turn: Turn) -> bool:
    """Tell whether the only number that was said is how loud it is to be."""
    return numbers_in(turn.heard.text, turn.heard.language) == {deed.arguments.get("volume_level")}


def _says_pause(turn: Turn) -> bool:
    """Tell whether a pause is all that a command says, and nothing that Home Assistant knows otherwise.

    It takes "mets en pause" for a title that is to be played.
    """
    heard = turn.heard
    if heard.understood and heard.understood.intent_type not in (_PAUSE, SEARCH):
        return False
    match heard.said.clauses:
        case [Clause(mood=Mood.COMMAND) as only] if only.is_plain:
            code = language_of(heard.language).code
            return states_brought(only.command, code) == {"paused"}
    return False


def _which(deed: Deed, turn: Turn) -> Sequence[Exposed]:
    """Return the devices that a sentence names, where it says nothing else."""
    heard = turn.heard
    wanted = Following(heard.text, heard.language).follow_up()
    if wanted is None:
        before = heard.meant(heard.earlier[-1])
        possible = [each for each in before.home.entities if each.domain in deed.domains]
        possible = [each for each in possible if before.tells and before.may_mean(each)]
        return picked(heard.meant(heard.text), possible)
    if wanted.follow is not Follow.ALSO or not wanted.which:
        return ()
    said = heard.meant(wanted.which)
    return said.aims_at(said.home.entities) if said.only_tells else ()


def _says_so(before: str, deed: Deed, turn: Turn) -> bool:
    """Tell whether a sentence is one command for now that does what a call does."""
    if (only := _one_command(before, turn)) is None:
        return False
    code, does = language_of(turn.heard.language).code, getattr(deed.tool, "intent_type", "")
    return fits(only.command, code, does, deed.domains) is True


def _one_command(before: str, turn: Turn) -> Clause | None:
    """Return the one command for now that a sentence is."""
    heard = turn.heard
    if len(before) > _LONGEST:
        return None
    match read(before, heard.language, heard.mentioned.home.names).clauses:
        case [Clause(mood=Mood.COMMAND) as only] if only.is_plain:
            return only
    return None


def _step(step: Any) -> Follow | None:
    """Return what a step of the volume makes of it: a word, or so much of it."""
    if isinstance(step, int | float):
        return Follow.LOUDER if step > 0 else Follow.QUIETER
    return _STEPS.get(str(step))


def _plays(entity: Exposed, turn: Turn) -> bool:
    state = turn.hass.states.get(entity.entity_id)
    return entity.domain == MEDIA_PLAYER and state is not None and state.state == STATE_PLAYING
