"""Reminders and requests about plans.

Like times, they are parsed with data, the table `plans` of each language.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

from .alarms import AlarmParser
from .clause import Clause, DialogueAct
from .follow_ups import FullSentenceMatcher
from .parser import parse
from .plan_requests import PICKS, PlanAct, PlanRequest, ReminderForm, parse_only_times
from .time_expressions import time_parser
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text, TokenSequence
from .utterance import Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """A reminder or notification, and its time."""

    form: ReminderForm
    text: Text
    """The content in the user's words; for a notice the event."""
    times: tuple[TimeExpression, ...]
    lead: Text
    """The words that ask for it: "let me know"."""
    is_certain: bool = True
    """It cannot be a question."""


_LEADS: Final = ("remind", "notify", "tell")
_CANCELS: Final = (
    *("cancel_all", "cancel_this", "cancel_this_maybe"),
    *("cancel_about", "cancel_about_maybe"),
)
_SEVERAL: Final = 2
_CHANGE: Final = 24
"""The most tokens of a new time: each further one is searched for long."""
_JOINTS: Final = (ReminderForm.TO, ReminderForm.THAT, ReminderForm.ABOUT)
_EVENTS: Final = frozenset((TimeType.WHEN, TimeType.WHENEVER))
_COMPLETE: Final = _EVENTS | {TimeType.IN}
"""Times that need no hour or day."""
_TIMES: Final = frozenset((TimeType.AT, TimeType.EVERY, TimeType.IN))


_IMPERATIVES: Final = ("bids", "bids_surely")


type _Words = tuple[ReminderForm, Text, tuple[TimeExpression, ...]]


def _is_command_for_home(clause: Clause, utterance: Utterance) -> bool:
    """Return True if a clause is a command for the home in the imperative, not an infinitive."""
    is_plain = clause.act is DialogueAct.COMMAND and not (
        clause.has_content or clause.has_recipient or clause.negated
    )
    begins = clause.text.begins
    return (
        is_plain and any(map(begins, _IMPERATIVES)) and utterance.link(clause.command).has_mention
    )


class ReminderParser(FullSentenceMatcher):
    """Parses a sentence that may set a reminder, or be about plans."""

    def __init__(self, text: Text) -> None:
        """Take a sentence."""
        super().__init__(text)
        self._noun: Sequence[tuple[int, int]] = ()
        if (nouns := self._spans("reminder_words")) and nouns[0][0] <= 1:
            last = [first for first, end in self._spans("remind_last") if end == self._end]
            if last:
                # "Eine Erinnerung für morgen erstellen"
                self._noun, self._end = [(0, nouns[0][1])], last[0]

    # Requests about plans

    def parse_alarm(
        self, labels: Sequence[Text], topic: ReminderForm | None = None, *, is_ringing: bool
    ) -> PlanRequest | None:
        """Return the request about timers and alarms as `AlarmParser.parse` does."""
        return AlarmParser(self._line.source, topic).parse(labels, is_ringing=is_ringing)

    def parse_alarms(
        self, labels: Sequence[Text], topic: ReminderForm | None, *, is_ringing: bool
    ) -> Sequence[PlanRequest]:
        """Return the requests about timers and alarms as `AlarmParser.parse_all` does."""
        return AlarmParser(self._line.source, topic).parse_all(labels, is_ringing=is_ringing)

    def pick[Item](self, listed: Sequence[Item]) -> Sequence[Item]:
        """Return those of a list in the order of their times that "both" or "the long one" means."""
        for name, part in PICKS.items():
            if self._whole(self._known.whole_plans.get(name, ())) is not None:
                return listed[part]
        return ()

    def complete(self, unfinished: Text) -> Text | None:
        """Return an earlier sentence with the time, day or duration that this one consists of.

        None if it has other words: it does not answer when, or for how long.
        """
        said = self._without_lead or self.without_polite_end
        if (found := self._bare_times(said)) is not None:
            mark = "," * any(each.type in _EVENTS for each in found[1])
            return unfinished.alike(f"{found[0]}{mark} {unfinished}")
        whole = unfinished.alike(f"{unfinished} {said}")
        request = AlarmParser(whole).parse((), is_ringing=False)
        is_whole = request and request.act is PlanAct.SET and (request.seconds or request.times)
        return whole if is_whole else None

    @property
    def _without_lead(self) -> Text:
        """The sentence behind "remind me of it"; empty if it begins otherwise."""
        it = self._known.words_of("plans.to", "plans.that", "plans.about") | self._known.pronouns
        for first, end in self._spans("remind"):
            if first in self._beginnings:
                own = range(end, self._polite_end)
                begin = next((at for at in own if self._line.tokens[at].text not in it), end)
                return self._said(begin, self._polite_end)
        return NOTHING

    def _bare_times(self, said: Text) -> tuple[Text, tuple[TimeExpression, ...]] | None:
        """Return words that consist of times, and these; "at" may be missing: "half past six"."""
        texts = self._known.language.planned.get("when", {})
        leads = (text for key, text in texts.items() if key == "at" or key.startswith("at_"))
        for words in (said, *(said.alike(lead.format(time=said)) for lead in leads)):
            moments = parse_only_times(words)
            if moments and all(
                each.has_time or each.has_day or each.type in _COMPLETE for each in moments
            ):
                return words, moments
        return None

    def parse_request(self, topic: ReminderForm | None = None) -> PlanRequest | None:
        """Return the request about plans; None if the sentence is none.

        `topic`: the form of the plan that the turn before was about, to which a bare time applies.
        """
        found = self._listing() or self._cancelling() or self._after_all()
        return found or self._changing(topic)

    def _listing(self) -> PlanRequest | None:
        for name in ("listing", "listing_maybe"):
            if (which := self._whole(self._known.whole_plans.get(name, ()))) is not None:
                if which and parse_only_times(which) is None:
                    return None
                return PlanRequest(
                    act=PlanAct.LIST,
                    which=which,
                    is_certain=name == "listing",
                    only_reminders=self._says("reminder_words"),
                )
        return None

    def _cancelling(self) -> PlanRequest | None:
        reminders_only = self._says("reminder_words")
        for name in _CANCELS:
            if (which := self._whole(self._known.whole_plans.get(name, ()))) is not None:
                return PlanRequest(
                    act=PlanAct.CANCEL,
                    is_certain=not name.endswith("_maybe"),
                    all=name == "cancel_all",
                    which=which,
                    only_reminders=reminders_only and not which,
                )
        return None

    def _after_all(self) -> PlanRequest | None:
        """Return the cancellation of a command: "don't turn it off after all"."""
        if not (spans := self._spans("after_all")):
            return None
        match parse(self._without(spans), ()).clauses:
            case [Clause(negated=True, times=(), command=command)] if command:
                return PlanRequest(act=PlanAct.CANCEL, is_certain=False, command=command)
        return None

    def _changing(self, topic: ReminderForm | None) -> PlanRequest | None:
        patterns = self._known.plans.get("change", ())
        begins: set[int] = set()
        new = {*self._beginnings}
        while new:
            # "No wait, seven thirty" has two openings.
            ends = {self._line.end_of(pattern, first) for first in new for pattern in patterns}
            marks = {
                each + 1 for each in ends if each < self._end and self._line.tokens[each].is_mark
            }
            new = (ends | marks) - begins - {0}
            begins |= new
        instead = self._spans("instead")
        begins |= {0} if instead or topic else set()
        for begin in sorted(begins, reverse=True):
            if begin >= self._end or self._end - begin > _CHANGE:
                continue
            words = self._without(instead, begin)
            # "Vingt heures trente" is a time of day, but for a timer.
            bare = self._bare_times(words) if topic else None
            is_timer = topic is ReminderForm.TIMER
            moments = (is_timer and parse_only_times(words)) or (bare and bare[1])
            if moments := moments or parse_only_times(words):
                return PlanRequest(act=PlanAct.CHANGE, is_certain=False, times=moments)
        return None

    # Reminders

    @staticmethod
    async def async_split(
        utterance: Utterance, hass: HomeAssistant, said: conversation.ConversationInput
    ) -> tuple[Sequence[Reminder] | PlanRequest, Utterance] | None:
        """Return the reminders, timer or alarm of a sentence, and the sentence with its commands.

        None if it sets none of these, or has no command beside. "Remind me to call mum and turn off
        the light" has one; "remind me to lock the door and close the window" has none, as both may
        be the content of the reminder. `said` is the input of the whole sentence.
        """
        clauses = utterance.parsed.clauses
        # Offsets refer to the whole sentence.
        if len(clauses) < _SEVERAL or any(
            each.text.source != utterance.text.source for each in clauses
        ):
            return None
        alarm: PlanRequest | None = None
        lead = next((each for each in clauses if ReminderParser(each.text).begins_reminder), None)
        if lead is None:
            alarms = ((each, ReminderParser(each.text).parse_set()) for each in clauses)
            lead, alarm = next((each for each in alarms if each[1]), (None, None))
        if lead is None or (alarm is None and utterance.link(lead.command).has_mention):
            return None
        beside = [
            each for each in clauses if each != lead and _is_command_for_home(each, utterance)
        ]
        own = [each for each in clauses if each not in beside]
        if not beside or (alarm and len(own) > 1):
            return None
        spans = [(token.start, token.end) for each in own for token in each.text.tokens]
        first, end = min(spans)[0], max(spans)[1]
        if any(first < each.text.tokens[0].start < end for each in beside):
            return None
        match beside:
            case [only] if only.is_immediate:
                rest = await utterance.async_parse_clause(hass, said, only)
            case _:
                rest = replace(utterance, parsed=replace(utterance.parsed, clauses=tuple(beside)))
        if alarm:
            return alarm, rest
        text = utterance.text.part(utterance.text.source[first:end], [(first, end)])
        sentence = ReminderParser(text)
        return sentence.parse_reminders() or sentence.parse_reminders(lead.times), rest

    def parse_set(self) -> PlanRequest | None:
        """Return the request to set a timer or alarm, with its time; None without one."""
        found = self.parse_alarm((), is_ringing=False)
        is_set = found and found.act is PlanAct.SET and (found.seconds or found.times)
        return found if is_set else None

    @property
    def begins_reminder(self) -> bool:
        """Whether it begins with words that ask for a reminder, after polite ones."""
        return any(
            first in self._beginnings for name in _LEADS[:2] for first, _ in self._spans(name)
        )

    def parse_reminders(self, when: tuple[TimeExpression, ...] = ()) -> Sequence[Reminder]:
        """Return the reminders that the sentence may set, the most likely first: usually one.

        `when` is the time if the sentence itself has none.
        """
        found: list[Reminder] = []
        for name in _LEADS:
            for first, end in self._spans(name):
                is_first = first in self._beginnings
                front = when if is_first else self._moments(0, first)
                if is_first or front:
                    found += [
                        Reminder(
                            form=form,
                            text=text,
                            times=(*front, *moments),
                            lead=self._said(first, end),
                            is_certain=name != "tell",
                        )
                        for form, text, moments in self._reminded(name, front, end)
                    ]
        # A notice of an event is more specific than a bare reminder.
        return list(dict.fromkeys((*found, *self._told_at())))

    def added_to(self, before: Text) -> Sequence[Reminder]:
        """Return the reminders of "and at nine about the oven", behind the sentence of another one."""
        joints = self._line.source.language.conjunctions
        own = [
            at for at in self._beginnings if at < self._end and self._line.tokens[at].text in joints
        ]
        earlier = ReminderParser(before)
        leads = [span for span in earlier._spans("remind") if span[0] in earlier._beginnings]
        if not (own and leads):
            return ()
        said = f"{earlier._said(*leads[0])} {self._said(own[0] + 1, self._end)}"
        found = ReminderParser(before.alike(said)).parse_reminders()
        return [each for each in found if each.form in _JOINTS and each.times]

    def _told_at(self) -> Iterator[Reminder]:
        """Yield a bare reminder if the words that ask for it surround its time."""
        for first in self._beginnings:
            for pattern in self._known.whole_plans.get("notify_at", ()):
                within = self._line.is_whole(pattern, first, self._polite_end)
                moments = self._moments(*within) if within else ()
                if moments and {each.type for each in moments} <= _TIMES:
                    lead, form = self._line.source, ReminderForm.BARE
                    yield Reminder(form=form, text=NOTHING, times=moments, lead=lead)

    def parse_timeless(self) -> Reminder | None:
        """Return a reminder without a time; None if the sentence asks for none."""
        for first, end in self._spans("remind"):
            if end == self._end and first:
                # "I have an appointment tomorrow, remind me"
                return self._behind(first)
            if first not in self._beginnings or self._asks(end):
                continue
            joints = self._joints(end)
            form, begin = next(
                ((form, after) for form, at, after in joints if at == end),
                (ReminderForm.PLAIN, end),
            )
            text = self._said(begin, self._end)
            bare = ReminderForm.BARE
            lead = self._said(first, end)
            return Reminder(form=form if text else bare, text=text, times=(), lead=lead)
        return None

    def parse_appointment(self) -> Reminder | None:
        """Return an appointment as a reminder: "schedule lunch for tomorrow at noon"."""
        for first, end in self._spans("schedule"):
            if first in self._beginnings:
                text, moments = self._parted(end)
                if self._tells_more(text):
                    text, moments = self._parted_before(end)
                if text and moments and {each.type for each in moments} <= _TIMES:
                    lead, form = self._said(first, end), ReminderForm.PLAIN
                    return Reminder(form=form, text=text, times=moments, lead=lead)
        return None

    def _tells_more(self, text: Text) -> bool:
        """Return True if words have a part of a time that is not parsed."""
        line = TokenSequence.of(text, self._known.numbers)
        return time_parser(self._code).has_unread_time(line.text)

    def _parted_before(self, first: int) -> tuple[Text, tuple[TimeExpression, ...]]:
        """Return the words from a token on, and the time behind "for": "for Friday at three"."""
        fillers = self._line.source.language.function_words
        for begin in range(first + 1, self._end):
            if self._line.tokens[begin].text not in fillers:
                continue
            words = self._line.normalized(begin + 1, self._end)
            moment = TimeExpression(type=TimeType.AT, text=self._said(begin, self._end))
            moment = time_parser(self._code).parse(moment, words)
            if moment.has_time and not moment.is_unread:
                return self._said(first, begin), (moment,)
        return NOTHING, ()

    def _behind(self, first: int) -> Reminder | None:
        """Return a reminder whose content precedes the words that ask for it."""
        match parse(self._said(0, first), ()).clauses:
            case [Clause(command=text, negated=False, exclusion="", times=moments)] if text:
                lead = self._said(first, self._end)
                return Reminder(form=ReminderForm.PLAIN, text=text, times=moments, lead=lead)
        return None

    def _reminded(
        self, lead: str, front: tuple[TimeExpression, ...], first: int
    ) -> Iterator[_Words]:
        """Yield the contents behind "remind me", with times; `front` are the times before it."""
        joints = self._joints(first)
        is_found = False
        for form, begin, after in reversed(joints):
            between = self._moments(first, begin)
            text = self._said(after, self._end)
            if text and (between or (front and begin == first)):
                is_found = True
                yield form, text, between
        moments = self._moments(first)
        if (moments and not front) or (front and first == self._end):
            kinds = {each.type for each in (*front, *moments)}
            event = next((each.condition for each in (*front, *moments) if each.condition), NOTHING)
            if (event or not is_found) and (lead != "tell" or kinds <= _EVENTS):
                is_found = True
                yield ReminderForm.NOTICE if event else ReminderForm.BARE, event, moments
        if not (is_found or front):
            yield from self._with_moment_behind(lead, first, joints)

    def _moments(self, first: int, end: int | None = None) -> tuple[TimeExpression, ...]:
        """Return the times that a part of the sentence consists of; empty if it has other words."""
        end = self._end if end is None else end
        return (parse_only_times(self._said(first, end)) if first < end else None) or ()

    def _with_moment_behind(
        self, lead: str, first: int, joints: Sequence[tuple[ReminderForm, int, int]]
    ) -> Iterator[_Words]:
        """Yield the contents with their time behind or within them."""
        form, begin = next(
            ((form, after) for form, at, after in joints if at == first),
            (ReminderForm.PLAIN, first),
        )
        if lead == "tell" and form not in (ReminderForm.TO, ReminderForm.THAT):
            return
        if begin == first and (lead != "remind" or self._asks(first)):
            return
        text, moments = self._parted(begin)
        if text and form is ReminderForm.ABOUT:
            inner = ReminderParser(text)
            for own, at, after in inner._joints(0):
                if at == 0:
                    form, text = own, inner._said(after, inner._end)
        if text and moments:
            yield form, text, moments

    def _parted(self, first: int) -> tuple[Text, tuple[TimeExpression, ...]]:
        """Return the words from a token on, and the times at their end, or within."""
        for begin in range(first + 1, self._end):
            if moments := parse_only_times(self._said(begin, self._end)):
                return self._said(first, begin), moments
        match parse(self._said(first, self._end), ()).clauses:
            case [Clause(negated=False, exclusion="", times=moments)]:
                said = {token.start for moment in moments for token in moment.text.tokens}
                tokens = range(first, self._end)
                left = (index for index in tokens if self._line.tokens[index].start not in said)
                return self._line.surface(left), moments
        return NOTHING, ()

    def _joints(self, first: int) -> list[tuple[ReminderForm, int, int]]:
        """Return the spans of words that introduce a content, the longest at each token."""
        found: dict[int, tuple[ReminderForm, int, int]] = {}
        for form in _JOINTS:
            for begin, end in self._spans(form):
                if begin >= first and end > found.get(begin, (form, 0, 0))[2]:
                    found[begin] = form, begin, end
        covered = 0
        kept: list[tuple[ReminderForm, int, int]] = []
        for form, begin, end in sorted(found.values(), key=lambda each: each[1]):
            if begin >= covered:
                kept.append((form, begin, end))
                covered = end
        return kept

    def _asks(self, first: int) -> bool:
        return any(
            begin == first
            for name in ("questions", "asking")
            for pattern in self._known.forms.get(name, ())
            for begin, _ in self._line.find(pattern)
        )

    # Words

    def _spans(self, name: str) -> list[tuple[int, int]]:
        found = [
            span for pattern in self._known.plans.get(name, ()) for span in self._line.find(pattern)
        ]
        return [*found, *self._noun] if name == "remind" else found

    def _says(self, name: str) -> bool:
        return bool(self._spans(name))

    def _without(self, spans: Sequence[tuple[int, int]], first: int = 0) -> Text:
        gone = {index for span in spans for index in range(*span)}
        return self._line.surface(index for index in range(first, self._end) if index not in gone)
