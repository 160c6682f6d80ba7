"""Whether devices are what a command acts upon, or only what it is about: "order a new lamp".

Also of what is to be played, found, read or written: after others' texts were read, that turns nothing off.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Final

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.helpers import intent

from ..heard.contrary import states_brought
from ..heard.doers import work
from ..heard.meant import Meant
from ..heard.phrases import phrases, phrases_in, verbs
from ..heard.referring import without_endings
from ..heard.said import Clause, commands
from ..heard.templates import templates
from ..heard.vocabulary import words_of_template
from ..heard.whole import Whole
from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import matcher, words
from .deed import Deed, Turn

_LETS: Final = ("requests", "wishes")
"""Forms that have somebody do something."""
_SEVERAL: Final = 2
_PLAYED: Final = frozenset(("automation", "scene"))
_RUN: Final = _PLAYED | {"button", "input_button", "script"}
_BRINGS: Final = frozenset(
    (
        intent.INTENT_TURN_ON,
        intent.INTENT_TURN_OFF,
        "HassLawnMowerDock",
        "HassLawnMowerStartMowing",
        "HassMediaNext",
        "HassMediaPause",
        "HassMediaPrevious",
        "HassMediaUnpause",
        "HassVacuumReturnToBase",
        "HassVacuumStart",
    )
)
"""What brings about states that are said in words."""


def says_what(fitting: Sequence[Clause], deed: Deed, turn: Turn) -> bool:
    """Tell whether commands say what is to become of a call's devices: not "order a new lamp".

    Of what is set to a value, that is said already; and a scene or a script is run by its name.
    """
    code, intent_type = language_of(turn.heard.language).code, getattr(deed.tool, "intent_type", "")
    domains = {each.domain for each in deed.targets}
    if intent_type not in _BRINGS or domains <= _RUN or not templates(code).brings:
        return True
    names = [name for each in deed.targets for name in each.names]
    text = without_endings(commands(fitting), code)
    ways = phrases(code, "draws_in") | phrases(code, "draws_out") | phrases(code, "stops")
    return (
        bool(states_brought(text, code, names))
        or any(phrases_in(words(text), ways))
        or not turn.heard.meant(text).doers.isdisjoint(domains)
        or _is_to_work(text, deed, turn)
        or (intent_type == intent.INTENT_TURN_ON and _is_put_on(text, deed, turn))
    )


def _is_put_on(text: str, deed: Deed, turn: Turn) -> bool:
    """Tell whether a verb that turns on what it names is all that is said of it: "pon el ventilador"."""
    said = turn.heard.meant(text)
    verbs_of_putting = {word for phrase in phrases(said.code, "puts_on") for word in phrase}
    known = said.words_for(deed.targets) | matcher(said.code).fillers | said.place_words
    left = [word for word in words(text) if word not in known]
    return len(left) == 1 and left[0] in verbs_of_putting


def _is_to_work(text: str, deed: Deed, turn: Turn) -> bool:
    """Tell whether devices that are named are to do what only such ones do: "get Robin to hoover".

    "Buy a hoover for Robin" wants something else.
    """
    said = turn.heard.meant(text)
    if not said.named.issuperset(deed.targets):
        return False
    done = work(text, said.code)
    language = language_of(said.code)
    listed = (each for form in _LETS for each in language.forms.get(form, ()))
    known = {word for each in listed for word in words_of_template(each)}
    known |= verbs(said.code) | matcher(said.code).fillers | said.place_words
    known.update(word for each in deed.targets for word in _words_of(each))
    return all(each.domain in done.domains for each in deed.targets) and done.rest <= known


def may_be_a_text(deed: Deed, turn: Turn) -> bool:
    """Tell whether what is said of devices is a text to be found, read or written, but for music."""
    is_music = all(each.domain == MEDIA_PLAYER for each in deed.targets)
    return not is_music and all(_is_of_text(each, turn) for each in turn.clauses(deed))


def is_title(deed: Deed, turn: Turn) -> bool:
    """Tell whether what is said of devices is what is to be played: "play the song Turn Off the Lamp".

    What plays is not turned off by that; and "play" is said of scenes and scripts as well.
    """
    domains = {each.domain for each in deed.targets}
    ends = getattr(deed.tool, "intent_type", "") == intent.INTENT_TURN_OFF
    if not domains or domains <= _PLAYED or (domains == {MEDIA_PLAYER} and not ends):
        return False
    language = turn.heard.language
    return all(Whole(each.command, language).begins("plays") for each in turn.clauses(deed))


def is_anothers(
    entity: Exposed, said: Meant, fitting: Sequence[Clause], deed: Deed, turn: Turn
) -> bool:
    """Tell whether what seems to mean a device was said of other things."""
    return _is_put_together(entity, said, fitting, deed, turn) or _is_anothers_name(entity, said)


def _is_put_together(
    entity: Exposed, said: Meant, fitting: Sequence[Clause], deed: Deed, turn: Turn
) -> bool:
    """Tell whether a name is made of words that were said of something else.

    "Turn on the bedside lamp of Jan, and read what Mia writes" names no bedside lamp of Mia.
    """
    if entity not in said.named:
        return False
    if len(fitting) >= _SEVERAL:
        acting = [each for each in fitting if says_what([each], deed, turn)] or fitting
        return not any(_means_it(entity, turn.heard.meant(each.command)) for each in acting)
    spoken, own = words(said.text), _words_of(entity)
    rivals = [_words_of(each) for each in said.named if each != entity]
    rivals = [each for each in rivals if not own.isdisjoint(each)]
    language = language_of(said.code)
    known = own.union(*rivals, matcher(said.code).fillers, language.joints, language.all)
    stretches = [{*some} for is_known, some in groupby(spoken, known.__contains__) if is_known]
    return bool(rivals) and not any(own.intersection(spoken) <= each for each in stretches)


def _means_it(entity: Exposed, said: Meant) -> bool:
    """Tell whether words name a device, or mean it and name no other one like it."""
    if entity in said.named:
        return True
    return said.means(entity) and not any(each.domain == entity.domain for each in said.named)


def _is_anothers_name(entity: Exposed, said: Meant) -> bool:
    """Tell whether what may be the word for a device's kind belongs to the name of another one.

    "Turn off the string lights" means no other lights.
    """
    named = [each for each in said.named if each.domain == entity.domain]
    alone = said.by_name_alone([*named, entity])
    return bool(named and alone) and entity not in named and entity not in alone


def _is_of_text(clause: Clause, turn: Turn) -> bool:
    """Tell whether a clause may be a text, or is one that follows: "write a note: turn it off"."""
    text, clauses = turn.heard.text, turn.heard.said.clauses
    return (
        clause.is_of_text
        or is_of_writing(clause, turn)
        or any(
            before.is_of_text and after == clause and f"{before.text}:" in text
            for before, after in pairwise(clauses)
        )
    )


def is_of_writing(clause: Clause, turn: Turn) -> bool:
    """Tell whether a clause does something with what was written: "forward the mail about the lamp"."""
    own = {word for each in turn.heard.meant(clause.text).named for word in _words_of(each)}
    written = phrases(language_of(turn.heard.language).code, "writings")
    return any(not own.issuperset(each) for each in phrases_in(words(clause.text), written))


def _words_of(entity: Exposed) -> frozenset[str]:
    return frozenset(word for name in entity.names for word in words(name))
