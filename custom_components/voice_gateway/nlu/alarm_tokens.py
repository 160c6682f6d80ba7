"""The tokens of a sentence about timers and alarms: nouns, acts, durations, times, names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
import re
from typing import Final

from .follow_ups import FullSentenceMatcher
from .parser import parse
from .plan_requests import (
    PICKS,
    PlanAct,
    ReminderForm,
    is_named,
    label_words,
    parse_only_times,
    timer_heads,
)
from .time_expressions import time_parser
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text
from .tokens import NAME, Token

_LONGEST: Final = 24
"""The most words of a sentence that is parsed."""
_DAY: Final = 86_400
_MINUTES: Final = "min"
"""A unit of every language."""
LONGEST_NAME: Final = 4
"""The most words of a name."""
_MORNING: Final = range(5, 12)
"""Hours that are in the morning if an alarm has no am or pm."""
_DIGITS: Final = re.compile(r"(\d\d?) ?([0-5]\d)")
ACTS: Final = tuple(each for each in PlanAct if each is not PlanAct.STOP)
_OPENING: Final = ("polite", "requests", "wishes")
_TIMES: Final = frozenset((TimeType.AT, TimeType.EVERY, TimeType.IN))


class AlarmTokens(FullSentenceMatcher):
    """A sentence that may be about a timer or an alarm, and the functions of its tokens."""

    def __init__(self, text: Text, topic: ReminderForm | None = None) -> None:
        """Take a sentence; nothing is found in one that is too long.

        `topic`: TIMER or ALARM if the turn before was about one, which a pronoun then stands for.
        """
        super().__init__(text)
        if self._end > _LONGEST:
            super().__init__(text.alike(""))
        for first, end in reversed(self._spans("tomorrow")):
            start, stop = self._line.tokens[first].start, self._line.tokens[end - 1].end
            tomorrow = text.language.planned["when"]["tomorrow"]
            self._line.replace(first, end, [Token(tomorrow, start, stop)])
        self._is_waking = bool(self._spans("waking"))
        timers = [*self._spans("timer"), *self._compounds]
        nouns = [*timers, *self._spans("alarm")]
        self.form: ReminderForm | None = None
        """Whether it is about a timer or an alarm; None if it has no word for either."""
        self.part: slice | None = None
        """The part of them that it is about."""
        is_elliptic = topic and topic.rings and self._end and not (nouns or self._is_waking)
        self._topic = topic if is_elliptic else None
        if nouns or self._is_waking:
            self.form = ReminderForm.TIMER if timers else ReminderForm.ALARM
        elif self._topic and (nouns := self._picks or [*self._pronouns][:1]):
            self.form = topic
        for first, end in sorted(nouns, reverse=True):
            self._line.hide(first, end)
        self._is_longer = bool(self._spans(PlanAct.LENGTHEN))
        self._says_ring = bool(self._spans("ring_verbs"))
        # "Five more minutes" are five minutes.
        for name in ("more", "rings"):
            for first, end in reversed(self._spans(name)):
                self._line.drop(first, end)
        if topic is ReminderForm.TIMER and self._end:
            self._add_unit()
        self._is_longer = self._is_longer or bool(self._spans(PlanAct.LENGTHEN))
        self._end = self._without_marks(len(self._line.tokens))
        self.nouns = [at for at in range(self._end) if self._line.tokens[at].text == NAME]
        """The tokens that stand for a timer or an alarm."""

    def _add_unit(self) -> None:
        """Add the unit that a duration has from the timer before it: "a sauce timer for ten"."""
        tokens = self._line.tokens
        nouns = [at for at, each in enumerate(tokens) if each.text == NAME]
        beside = {at + step for at in nouns for step in (-1, 1)}
        lengths = self._line.covered([self._known.pattern("{duration}")])
        match [at for at, each in enumerate(tokens) if each.text.isdecimal()]:
            case [at] if at not in beside and not lengths:
                end = tokens[at].end
                self._line.replace(at + 1, at + 1, [Token(_MINUTES, end, end)])

    def _spans(self, name: str) -> list[tuple[int, int]]:
        return [
            span
            for pattern in self._known.alarms.get(name, ())
            for span in self._line.find(pattern)
        ]

    def _found(self, *names: str) -> frozenset[int]:
        return frozenset(at for name in names for span in self._spans(name) for at in range(*span))

    @property
    def _compounds(self) -> Iterator[tuple[int, int]]:
        """The spans of compounds with a word for a timer: "Eiertimer"."""
        heads = timer_heads(self._known)
        for at, token in enumerate(self._line.tokens):
            if token.text not in heads and token.text.endswith(heads):
                yield at, at + 1

    @property
    def _picks(self) -> list[tuple[int, int]]:
        """The span of the words for a part of the timers or alarms: "the first one"."""
        # "How long" is no length.
        acts = self._found(*(each for each in ACTS if each is not PlanAct.SET))
        said = [
            (end - first, part, (first, end))
            for name, part in PICKS.items()
            for pattern in self._known.plans.get(name, ())
            for first, end in self._line.find(pattern)
            if acts.isdisjoint(range(first, end))
        ]
        _, self.part, span = max(said, key=lambda each: each[0], default=(0, None, None))
        return [span] if span else []

    @property
    def _pronouns(self) -> Iterator[tuple[int, int]]:
        """The spans of pronouns before a name, a time, or the end: "one for the rice"."""
        lengths = self._line.covered([self._known.pattern("{duration}")])
        longer = self._found(PlanAct.LENGTHEN)
        tokens = self._line.tokens
        times = (
            at
            for at, each in enumerate(tokens)
            if each.text in self._known.time_words or each.text[0].isdecimal()
        )
        behind = lengths.union(self._found("named"), times)
        for first, end in sorted(self._spans("one"), key=lambda each: (each[0], -each[1])):
            at = end
            while at < self._end and at not in behind and self._is_filler(at):
                at += 1
            # "Another five minutes" are more of the same timer.
            is_free = (lengths | longer).isdisjoint(range(first, end))
            if is_free and (at == self._end or at in behind or tokens[at].is_mark):
                yield first, end

    @cached_property
    def _strict(self) -> frozenset[int]:
        """The tokens of the act, of its object, and of polite phrases."""
        opening = [each for name in _OPENING for each in self._known.forms.get(name, ())]
        acts = (each for each in ACTS if each is not PlanAct.SET)
        own = self._found("waking", "recall", "earliest", *acts) | self._line.covered(opening)
        return own | {*self.nouns, *self._universal} | self._marks

    @cached_property
    def _loose(self) -> frozenset[int]:
        """The same with function words and words that add nothing to them: "two timers"."""
        counts = self._numbers & {noun - 1 for noun in self.nouns}
        listed = self._found(PlanAct.SET, "beside", "a") | self._strict | counts
        listed |= self._line.covered(self._known.plans.get("instead", ()))
        return listed.union(filter(self._is_filler, range(self._end)))

    @cached_property
    def _marks(self) -> frozenset[int]:
        tokens = self._line.tokens
        return frozenset(
            at for at in range(self._end) if tokens[at].is_mark and tokens[at].text != "'"
        )

    @cached_property
    def _numbers(self) -> frozenset[int]:
        tokens = self._line.tokens
        return frozenset(at for at in range(self._end) if tokens[at].text[0].isdecimal())

    @cached_property
    def _universal(self) -> frozenset[int]:
        """The universal quantifiers before a noun: in "all my timers", not in "every morning"."""
        words = self._line.source.language.universal_quantifiers
        if self._topic and not self.form:
            tokens = self._line.tokens[: self._end]
            return self._found("all").union(
                at for at, each in enumerate(tokens) if each.text in words
            )
        found: set[int] = set()
        for noun in self.nouns:
            at = noun - 1
            while at >= 0 and (self._is_filler(at) or at in self._found("beside")):
                at -= self._line.tokens[at].text not in words
                if at >= 0 and self._line.tokens[at].text in words:
                    break
            if at >= 0 and self._line.tokens[at].text in words:
                found.add(at)
        return frozenset(found)

    @property
    def _means_all(self) -> bool:
        """Whether the request is for all timers or alarms: "all timers", not "every morning"."""
        return bool(self._universal) and not self._seconds

    @cached_property
    def _is_new(self) -> bool:
        """Whether a noun follows an indefinite article: "a five minute timer"."""
        if not self.nouns:
            return False
        noun = self.nouns[0]
        return any(at in range(noun - LONGEST_NAME - 1, noun) for at in self._found("a"))

    # Durations and times

    @cached_property
    def _has_condition(self) -> bool:
        """Whether the sentence has a condition or an event."""
        clauses = parse(self._line.source, ()).clauses
        return any(each.condition for clause in clauses for each in clause.times)

    @cached_property
    def _lengths(self) -> frozenset[int]:
        """The tokens of durations."""
        spans = [*self._line.find(self._known.pattern("{duration}"))]
        if len(spans) > 1:
            # "A second timer for five minutes": the word before the noun is an ordinal.
            spans = [each for each in spans if not self._is_ordinal(each)]
        return frozenset(at for span in spans for at in range(*span))

    def _is_ordinal(self, span: tuple[int, int]) -> bool:
        words = self._line.normalized(*span)
        return span[1] in self.nouns and time_parser(self._code).seconds(words) == 1

    @cached_property
    def _seconds(self) -> float | None:
        words = self._line.normalized_of(sorted(self._lengths))
        return time_parser(self._code).seconds(words) if self._lengths else None

    def _none_of(self, left: Sequence[int]) -> tuple[TimeExpression, ...] | None:
        """Return no times if some tokens have only durations and filler words; otherwise None."""
        return () if self._lengths.union(self._loose).issuperset(left) else None

    def _times(self, left: Sequence[int], act: PlanAct) -> tuple[TimeExpression, ...] | None:
        """Return the times of some tokens; None if these have other words.

        A change may have two, the alarm's own time first: "my seven o'clock alarm".
        """
        if self._loose.issuperset(left):
            return ()
        stretches = [*self._stretches(left)]
        timed = [
            each
            for each in stretches
            if time_parser(self._code).has_time_of_day(self._clock_words(each))
        ]
        if len(timed) > 1:
            both = [self._moments(each) for each in stretches]
            if act is not PlanAct.CHANGE or len(both) > len(timed) or None in both:
                return None
            return tuple(moment for each in both for moment in each or ())
        return self._moments(left)

    def _moments(self, left: Sequence[int]) -> tuple[TimeExpression, ...] | None:
        """Return the expressions of one time; None if the tokens have other words."""
        for first, at in enumerate(left):
            said = parse_only_times(self._line.surface(left[first:]))
            if said and all(each.type in _TIMES for each in said):
                return tuple(map(_recurring, said))
            if at not in self._loose:
                break
        told = [at for each in self._stretches(left) for at in each]
        moment = TimeExpression(type=TimeType.AT, text=self._line.surface(told))
        # No clock shows "twenty-five hours".
        is_length = 0 < (self._seconds or 0) < _DAY and self._lengths.issuperset(told)
        if is_length and self._line.source.language.twelve_hours:
            return (replace(moment, type=TimeType.IN, seconds=self._seconds),)
        moment = time_parser(self._code).parse(moment, self._clock_words(told))
        if not moment.is_unread and (moment.has_time or moment.has_day):
            return (_recurring(moment, is_every=self._says_all(told)),)
        if is_length:
            return (TimeExpression(type=TimeType.IN, text=moment.text, seconds=self._seconds),)
        return None

    def _says_all(self, told: Sequence[int]) -> bool:
        words = self._line.source.language.universal_quantifiers
        return any(self._line.tokens[at].text in words for at in told)

    def _stretches(self, left: Sequence[int]) -> Iterator[Sequence[int]]:
        """Yield runs of adjacent tokens, without filler words at their ends."""
        loose = self._loose - self._lengths
        stretch: list[int] = []
        for at in (*left, self._end + 1):
            if stretch and at != stretch[-1] + 1:
                while stretch and stretch[-1] in loose:
                    stretch.pop()
                if stretch:
                    yield stretch
                stretch = []
            if stretch or at not in loose:
                stretch.append(at)

    def _clock_words(self, told: Sequence[int]) -> str:
        """Return tokens with digits as a clock shows them: "615" and "six fifteen" are 6:15."""
        words = self._line.normalized_of(told)
        return re.sub(
            rf"(?<= ){_DIGITS.pattern}(?= )",
            lambda found: f"{found[1]}:{found[2]}" if int(found[1]) < 24 else found[0],
            words,
        )

    def _in_the_morning(self, moment: TimeExpression) -> TimeExpression:
        """Return the time of an alarm, in the morning if its hour leaves that open."""
        is_open = moment.time is not None and not moment.part_of_day
        if is_open and moment.time and moment.time.hour in _MORNING:
            return replace(moment, meridiem="am")
        return moment

    # Names

    def _names(self, known: frozenset[str], *, is_new: bool) -> Iterator[Sequence[int]]:
        """Yield the tokens of possible names: first none, then those of a known name, then any."""
        yield ()
        free = [at for at in range(self._end) if at not in self._loose | self._numbers]
        if not is_new:
            own = [at for at in free if is_named(self._folded(at), known, self._code)]
            if own:
                yield own
        for length in range(1, LONGEST_NAME + 1):
            for first in range(self._end - length + 1):
                name = range(first, first + length)
                is_free = (self._strict | self._lengths | self._numbers).isdisjoint(name)
                if (
                    is_free
                    and self._loose.isdisjoint((name[0], name[-1]))
                    and (self._is_placed(name) or self.form is None)
                ):
                    yield name

    def _is_placed(self, name: range) -> bool:
        """Return True if tokens have a name's position: before or behind a noun, behind "for"."""
        if name.stop in self.nouns:
            return True
        lead = self._lead(name)
        # "Minuteur pizza", and "timer pizza ten minutes", but no "timer switch".
        is_free = self._line.source.language.head_initial or name.stop in self._lengths
        is_behind = is_free and lead - 1 in self.nouns
        return is_behind or not self._joints.isdisjoint(range(lead, name.start))

    def _lead(self, name: Sequence[int]) -> int:
        """Return where the words begin that introduce a name: "for the"."""
        first = name[0]
        act = self._found(PlanAct.RENAME)
        while (
            first
            and first - 1 not in act
            and (first - 1 in self._joints or self._is_filler(first - 1))
        ):
            first -= 1
        return first

    @cached_property
    def _joints(self) -> frozenset[int]:
        return self._found("named")

    def _is_filler(self, at: int) -> bool:
        return self._line.tokens[at].text in self._line.source.language.function_words

    @property
    def _compound(self) -> Sequence[int]:
        """The noun, if it contains the name: "Eiertimer"; a pronoun has none."""
        nouns = () if self._topic else self.nouns[:1]
        return nouns if nouns and label_words(self._line.surface(nouns)) else ()

    def _label(self, name: Sequence[int]) -> Text:
        """Return the label of a timer or alarm with its noun: "pizza timer"; empty without one."""
        if (self._topic and self.form) or self._spans(PlanAct.RENAME):
            return self._line.source.alike(self._named_like_topic(name))
        if not self.nouns:
            return NOTHING
        noun = self.nouns[0]
        if not name:
            return self._line.surface(self._compound)
        if name[-1] + 1 in self.nouns:
            return self._line.surface([*name, name[-1] + 1])
        return self._line.surface([noun, *range(self._lead(name), name[-1] + 1)])

    def _named_like_topic(self, name: Sequence[int]) -> str:
        """Return a name with the noun that a pronoun stands for; empty without a name."""
        language = self._line.source.language
        noun = language.planned["alarms"][self.form or self._topic or ReminderForm.TIMER]
        if not name:
            return ""
        is_before = self._spans(PlanAct.RENAME) and not language.head_initial
        if is_before or name[-1] + 1 in self.nouns:
            return f"{self._line.surface(name)} {noun}"
        return f"{noun} {self._line.surface(range(self._lead(name), name[-1] + 1))}"

    def _folded(self, at: int) -> str:
        return next(iter(self._line.surface([at]).words), "")


def _recurring(moment: TimeExpression, *, is_every: bool = False) -> TimeExpression:
    """Return the time of an alarm, which recurs if it is of several days: "at the weekend"."""
    if moment.type is TimeType.AT and (is_every or len(moment.weekdays) > 1):
        return replace(moment, type=TimeType.EVERY)
    return moment
