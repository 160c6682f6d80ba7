"""Timers and alarms: "a pizza timer for ten minutes", "wake me at seven", "how long is left?".

They are parsed with the table `alarms` of each language. All words of a sentence have to be known,
except the name of a timer or an alarm.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from .alarm_tokens import ACTS, LONGEST_NAME, AlarmTokens
from .anaphora import Anaphora
from .plan_requests import PlanAct, PlanRequest, ReminderForm, is_named, label_words
from .time_expressions import time_parser
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text, TokenSequence

_COORDINATES: Final = (",", ":")
_BY_LENGTH: Final = (PlanAct.LENGTHEN, PlanAct.SHORTEN)
_OF_RUNNING: Final = (
    *(*_BY_LENGTH, PlanAct.LEFT, PlanAct.PAUSE, PlanAct.RESTART, PlanAct.RESUME),
    *(PlanAct.RENAME, PlanAct.SNOOZE),
)
_OF_NAMED: Final = (PlanAct.NEXT, PlanAct.LIST, PlanAct.CHANGE, PlanAct.CANCEL)
"""Acts that need the noun or a known name of a timer or an alarm."""


class AlarmParser(AlarmTokens):
    """Parses a sentence that may set a timer or an alarm, or be about one."""

    def parse_all(self, labels: Sequence[Text], *, is_ringing: bool) -> Sequence[PlanRequest]:
        """Return several timers or alarms to set, else the only request as from `parse`."""
        may_set = self._end and (self.form or self._lengths)
        if may_set and (several := self._several()):
            return several
        request = self.parse(labels, is_ringing=is_ringing)
        return [request] if request else []

    def parse(self, labels: Sequence[Text], *, is_ringing: bool) -> PlanRequest | None:
        """Return the request about timers and alarms; None if other words are in the sentence.

        `labels` are the names of the existing ones.
        """
        if not (self.form or labels or is_ringing):
            return self._timing()
        loose = self._loose | self._found("stop", PlanAct.CANCEL)
        if is_ringing and self._found("stop", PlanAct.CANCEL) and len(loose) == self._end:
            return PlanRequest(act=PlanAct.STOP, form=self.form or ReminderForm.ALARM)
        if self.form is None and (request := self._timing()):
            return request
        for act in self._acts(is_ringing=is_ringing):
            if request := self._request(act, labels, is_ringing=is_ringing):
                return request
        if self._topic is ReminderForm.ALARM and (skipped := self._skipped):
            return skipped
        # "And on Saturday at nine", but "and make it nine" changes the last one.
        words = self._line.source.language.conjunctions
        is_added = self._topic and self._line.tokens[0].text in words
        if is_added and not self._line.covered(self._known.plans.get("change", ())):
            self.form = self._topic
            return self._request(PlanAct.SET, labels, is_ringing=is_ringing)
        return None

    @property
    def _skipped(self) -> PlanRequest | None:
        """The request that an alarm does not ring on one day: "but not tomorrow"."""
        gone = self._found("skip") | self._strict
        if 0 in gone and 1 in self._marks:
            # "No, the day after" is another day.
            return None
        left = [at for at in range(self._end) if at not in gone]
        times = self._moments(left) if self._found("skip") and left else None
        if not times or any(each.type is not TimeType.AT or each.has_time for each in times):
            return None
        return PlanRequest(
            act=PlanAct.CANCEL, is_certain=False, times=times, form=ReminderForm.ALARM
        )

    def _timing(self) -> PlanRequest | None:
        """Return a timer that is set by its duration alone: "set ten minutes for the rice"."""
        for pattern in self._known.timing:
            for first in self._line.beginnings:
                within = self._line.is_whole(pattern, first, self._end)
                if within is None or self._numbers.intersection(range(*within)):
                    continue
                if (
                    self._seconds
                    and within[1] - within[0] <= LONGEST_NAME
                    and not self._has_condition
                ):
                    return PlanRequest(
                        act=PlanAct.SET,
                        is_certain=False,
                        form=ReminderForm.TIMER,
                        seconds=self._seconds,
                        label=self._line.surface(range(*within)),
                    )
        return self._named_length()

    def _named_length(self) -> PlanRequest | None:
        """Return a timer of which only its name and its duration are said: "eggs six minutes"."""
        if not self._end:
            return None
        begins = {*self._lengths} - {at + 1 for at in self._lengths}
        words = self._line.normalized_of(sorted(self._lengths))
        # "Zes uur" is also a time of day.
        is_clock = time_parser(self._code).has_time_of_day(words)
        if not begins or is_clock:
            return None
        begins |= {at for at in self._marks if at + 1 in begins}
        empty = self._strict | self._lengths | {*filter(self._is_filler, range(self._end))}
        for name in self._names(frozenset(), is_new=True):
            lead = range(self._lead(name), name[0]) if name else range(0)
            is_placed = name and (name[-1] + 1 in begins or not self._joints.isdisjoint(lead))
            known = (self._folded(at) in self._known.vocabulary for at in name)
            if (
                is_placed
                and empty.union(name, lead).issuperset(range(self._end))
                and not any(known)
                and not self._has_condition
            ):
                return PlanRequest(
                    act=PlanAct.SET,
                    is_certain=False,
                    form=ReminderForm.TIMER,
                    seconds=self._seconds,
                    label=self._line.surface(name),
                )
        return None

    def _acts(self, *, is_ringing: bool) -> Iterator[PlanAct]:
        """Yield the acts that the sentence may be, the most likely first."""
        is_any = False
        for act in ACTS:
            is_said = self._is_longer if act is PlanAct.LENGTHEN else bool(self._spans(act))
            is_said = is_said or (act is PlanAct.NEXT and bool(self._found("recall", "earliest")))
            # "Half an hour later" snoozes only what rings.
            is_later = act is PlanAct.SNOOZE and self._is_longer and not is_ringing
            is_said = is_said and not is_later
            if is_said and not (act in _BY_LENGTH and (self._seconds is None or self._is_new)):
                is_any = True
                yield act
        if not is_any and self.form:
            yield PlanAct.SET
        elif not is_any and is_ringing and self._seconds:
            yield PlanAct.SNOOZE

    def _request(
        self, act: PlanAct, labels: Sequence[Text], *, is_ringing: bool
    ) -> PlanRequest | None:
        """Return the request for an act; None if the sentence has unknown words, or too few."""
        # "Remove them all" is about those of the turn before, as is "what time was that?"
        is_all = act is PlanAct.CANCEL and self._means_all
        is_plain = self._whole(self._known.whole_plans.get("cancel_this_maybe", ())) is not None
        is_it = act is PlanAct.CANCEL and Anaphora.of(self._line.source).refers_back
        is_it = (is_it and not is_plain) or (act is PlanAct.NEXT and self._says_ring)
        is_elliptic = bool(self._topic and (is_all or is_it or self._found("recall", "earliest")))
        form = self.form or (self._topic if is_elliptic else None)
        form = form or (ReminderForm.ALARM if is_ringing else ReminderForm.TIMER)
        at_time = form is ReminderForm.ALARM and act not in _OF_RUNNING
        known = frozenset(word for each in labels for word in label_words(each))
        for name in self._names(known, is_new=act is PlanAct.SET):
            gone = (
                {*self._strict, *name, *range(self._lead(name), name[0])} if name else self._strict
            )
            left = [at for at in range(self._end) if at not in gone]
            times = self._times(left, act) if at_time else self._none_of(left)
            if times is None:
                continue
            if act is PlanAct.RENAME and not (name and name[0] - 1 in self._found(act)):
                continue
            which = self._line.surface(name or self._compound)
            words = label_words(which)
            is_known = bool(words) and all(is_named(each, known, self._code) for each in words)
            if not (self.form or is_known or is_elliptic) and act in _OF_NAMED:
                return None
            if name and not is_known and self._has_condition:
                return None
            if act is PlanAct.CHANGE and not at_time and not self._seconds:
                return None
            says_when = bool(times) if at_time else self._seconds is not None
            # "Another one for the rice", "a timer for the cake": its duration is open.
            is_another = bool(name and (self._topic or self._is_new)) and not is_known
            if act is PlanAct.SET and not (
                self.form and (says_when or self._spans(act) or self._is_waking or is_another)
            ):
                return None
            return PlanRequest(
                act=act,
                is_certain=bool(self.form or is_known),
                all=self._means_all or self.part is not None or bool(self._spans("earliest")),
                part=self.part,
                which=NOTHING if act is PlanAct.RENAME else which,
                times=tuple(map(self._in_the_morning, times)),
                form=form,
                seconds=None if at_time else self._seconds,
                label=self._label(name),
            )
        return None

    def _several(self) -> Sequence[PlanRequest]:
        """Return the timers or alarms that the sentence sets, if it sets several; else nothing.

        "Two timers, one for five minutes and one for ten": the noun, the unit and the day of the
        first are those of the others.
        """
        topic: ReminderForm | None = None
        days: list[TimeExpression] = []
        found: list[PlanRequest] = []
        for part in self._coordinated():
            parser = AlarmParser(part, topic)
            if topic is ReminderForm.ALARM:
                # "At six, ten past six and twenty past six"
                parser.form = topic
            request = parser.parse((), is_ringing=False)
            times = request.times if request else ()
            says_when = request and (request.seconds or any(each.has_time for each in times))
            is_heading = topic is None and not says_when
            topic = parser.form or topic
            if not is_heading and (request is None or request.act is not PlanAct.SET):
                return ()
            if request and says_when:
                found.append(_on_day_of(days, request))
            days += [each for each in times if each.names_day]
        return found if len(found) > 1 else ()

    def _coordinated(self) -> Iterator[Text]:
        """Yield the parts of the sentence that may each be a request for a timer or an alarm."""
        text = self._line.source
        line = TokenSequence.of(text, text.patterns.numbers)
        joints, end = text.language.conjunctions.union(_COORDINATES), len(line.tokens)
        # "A las seis y diez" is one time.
        amounts = line.covered([text.patterns.pattern("{time}|{duration}")])
        parts: list[Text] = []
        for at in range(end - 1, 0, -1):
            if line.tokens[at].text in joints and at not in amounts:
                part = line.surface(range(at + 1, end))
                own = AlarmParser(part, self.form)
                if self.form is ReminderForm.ALARM:
                    own.form = self.form
                if own.nouns or own.parse((), is_ringing=False):
                    parts.append(part)
                    end = at
        yield line.surface(range(end))
        yield from reversed(parts)


def _on_day_of(days: Sequence[TimeExpression], request: PlanRequest) -> PlanRequest:
    """Return a request on the last of some days, if it names none itself."""
    if not days or any(each.names_day for each in request.times):
        return request
    return replace(request, times=tuple(each.on_day_of(days[-1]) for each in request.times))
