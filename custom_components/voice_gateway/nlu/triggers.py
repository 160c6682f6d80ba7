"""State triggers: the conditions of plans that wait for an event."""

from dataclasses import dataclass, field, replace

from homeassistant.core import HomeAssistant

from ..home.exposed import Home, deciding_entities
from ..home.state_semantics import states_of
from .phrase_patterns import patterns_of
from .state_evaluation import ConditionEvaluator, Interpretation, async_condition_evaluator
from .time_expressions import time_parser
from .time_resolution import TimeType
from .tokenizer import NOTHING, Text, TokenSequence


@dataclass(frozen=True, slots=True)
class StateTrigger:
    """A condition to become true. The event happens when `is_so` goes from False to True."""

    entity_ids: frozenset[str]
    """The exposed entities whose states decide it; empty for the sun."""
    held: float = 0.0
    """The seconds for which it has to hold without a break."""
    is_event: bool = False
    """It is an event ("opens"): if the condition already holds, it waits for the next time."""
    _conditions: ConditionEvaluator = field(kw_only=True, repr=False, compare=False)
    _way: Interpretation = field(kw_only=True, repr=False)

    def is_so(self) -> bool | None:
        """Return True if the condition holds by the current states; None if unknown."""
        shown = self._conditions.evaluate_interpretation(self._way)
        return shown.is_so if shown else None


async def async_find_trigger(
    hass: HomeAssistant,
    condition: Text,
    home: Home,
    speaker_area: str | None,
    *,
    command: Text = NOTHING,
    user_id: str | None = None,
    kind: TimeType = TimeType.WHEN,
) -> StateTrigger | None:
    """Return the trigger for the words of a condition or an event; None if none is certain.

    `condition` is the text behind "when", "until" and the like. After "unless" and "until"
    (`kind`), a "not" may be expletive. The other arguments are as for `async_condition_evaluator`.
    """
    known = condition.language
    if not known.state_phrases:
        return None
    conditions = await async_condition_evaluator(
        hass, home, known.code, speaker_area, command, user_id=user_id
    )
    words, held = _held(condition)
    ways = conditions.interpret(words, is_exception=kind is TimeType.UNLESS, may_happen=True)
    if held is None or len({_meant(each) for each in ways}) != 1 or not all(map(_is_certain, ways)):
        return None
    if kind is TimeType.UNTIL and ways[0].query.is_denied and known.conditions.get("expletive"):
        return None  # "Finché non è chiuso": it may be until it is.
    way = replace(ways[0], entities=deciding_entities(ways[0].entities))
    return StateTrigger(
        frozenset(entity.entity_id for entity in way.entities),
        held,
        all(each.query.is_event for each in ways),
        _conditions=conditions,
        _way=way,
    )


def _held(condition: Text) -> tuple[Text, float | None]:
    """Return the words without their duration, and that in seconds; None for "some time"."""
    known = patterns_of(condition.code)
    line = TokenSequence.of(condition, known.numbers)
    spans = [span for pattern in known.conditions["held"] for span in line.find(pattern)]
    if not spans:
        return condition, 0.0
    first, end = min(spans, key=lambda span: (span[0], -span[1]))
    lasting = [span for pattern in known.conditions["lasting"] for span in line.find(pattern)]
    gone = {index for span in (*lasting, (first, end)) for index in range(*span)}
    words = line.surface(index for index in range(len(line.tokens)) if index not in gone)
    return words, time_parser(condition.code).seconds(line.normalized(first, end))


def _meant(way: Interpretation) -> object:
    """Return a key of an interpretation, equal for paraphrases."""
    asked = replace(way.query, is_event=False, subject=NOTHING, place="")
    if asked.limit is None and way.entities:
        asked = replace(
            asked, meaning="", is_denied=asked.is_denied ^ (asked.meaning == "not_home")
        )
    states = {
        (each.entity_id, states_of(each.domain, each.device_class, way.query.meaning))
        for each in way.entities
    }
    return asked, frozenset(states)


def _is_certain(way: Interpretation) -> bool:
    """Return True if the subject and the moment of the event are unambiguous."""
    asked, entities = way.query, way.entities
    if asked.is_event and (asked.is_denied or asked.count == "none"):
        return False  # "Nobody opens the door" has no moment
    if len(entities) == 1 or asked.count:
        return True
    if asked.limit is not None:
        return bool(asked.place) or len({each.area for each in entities}) <= 1
    return (
        asked.meaning in ("dry", "raining")
        or len({(each.names[0], each.area) for each in entities}) <= 1
    )
