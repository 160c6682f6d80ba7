"""Reference resolution for plans: by their devices, words and times."""

from collections.abc import Sequence
from dataclasses import dataclass
import datetime as dt

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.clock import DAY, to_instant
from ..home.exposed import Exposed
from ..names.inflection import is_like_any
from ..names.matching import matcher
from ..nlu.plan_requests import parse_only_times
from ..nlu.reminders import ReminderParser
from ..nlu.time_resolution import TimeExpression
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from .plan import Plan
from .plans import MOST, Plans
from .schedule import OnEvent, Recurrence, day_of, next_after, when_of
from .undo import entity_id_of

_MOMENT = dt.timedelta(seconds=1)
_MINUTE = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class PlanLookup:
    """Finds the plans that an utterance refers to."""

    hass: HomeAssistant
    plans: Plans
    heard: Utterance
    now: dt.datetime

    def about(self, plans: Sequence[Plan], said: Text) -> Sequence[Plan]:
        """Return the plans that match the time, or every content word, of a reference."""
        if moments := parse_only_times(said):
            return [each for each in plans if self.is_at(each, moments)]
        fillers = self.heard.text.language.function_words
        spoken = [word for word in self._words(said) if word not in fillers]
        return [each for each in plans if spoken and self._has(each, spoken)]

    def picked(self, plans: Sequence[Plan], said: Text) -> Sequence[Plan]:
        """Return the plan that an answer to "which one" names, or all; none if it is ambiguous."""
        in_order = sorted(plans, key=lambda each: each.left(self.now))
        if picked := ReminderParser(said).pick(in_order):
            return picked
        found = self.about(plans, said)
        return found if len(found) == 1 else ()

    def on_day(self, plans: Sequence[Plan], said: Text) -> Sequence[Plan]:
        """Return the plans that are due on the day that words name; all if they name none."""
        moments = parse_only_times(said) if said else None
        today = dt_util.as_local(self.now).date()
        day = today if moments == () else day_of(moments or (), self.now)
        return [each for each in plans if day is None or self.time_on(each, day)]

    def is_at(self, plan: Plan, moments: Sequence[TimeExpression]) -> bool:
        """Return True if a plan matches the day, the time or the event of time expressions."""
        when = when_of(moments, self.now, self.hass)
        if when is None and (day := day_of(moments, self.now)):
            return self.time_on(plan, day) is not None
        if isinstance(when, OnEvent):
            return plan.when == when
        at = next_after(when, self.now, self.hass) if when else None
        is_next = bool(plan.due and at and abs(plan.due - at) < _MINUTE)
        if isinstance(plan.when, Recurrence):
            return is_next or plan.when.time in {each.time for each in moments if each.time}
        return is_next and not isinstance(when, Recurrence)

    def time_on(self, plan: Plan, day: dt.date) -> dt.datetime | None:
        """Return the time at which a plan is due on a day; None if it is not."""
        begins, ends = to_instant(day) - _MOMENT, to_instant(day + DAY)
        return next(self.plans.times(plan, begins, ends, MOST), None)

    def of_command(
        self, plans: Sequence[Plan], part: Utterance, latest: Sequence[Plan]
    ) -> Sequence[Plan]:
        """Return the plans that do what a command says; without a mention, those among `latest`."""
        alike = [each for each in plans if self._does(each, part)]
        meant = part.link(part.text)
        if not meant.has_mention:
            return [each for each in latest if each in alike]
        aimed = {*meant.resolve({each for plan in alike for each in self._targets(plan)})}
        aimed |= {*meant.named}
        return [each for each in alike if aimed.intersection(self._targets(each))]

    def _does(self, plan: Plan, part: Utterance) -> bool:
        """Return True if a plan has the command's intent, or the intent of either is unknown."""
        if plan.say:
            return False
        reading = part.intent_match
        if reading is None or plan.call is None or not plan.call.intent_type:
            return True
        return reading.intent_type == plan.call.intent_type

    def _targets(self, plan: Plan) -> Sequence[Exposed]:
        ids = {entity_id_of(self.hass, each) for each in plan.targets}
        return [each for each in self.heard.home.entities if each.entity_id in ids]

    def _has(self, plan: Plan, spoken: Sequence[str]) -> bool:
        """Return True if all words occur in a plan or in the names of its devices and areas."""
        home = self.heard.home
        areas = (home.areas.get(each.area) for each in self._targets(plan))
        names = [area.name for area in areas if area]
        texts = (plan.spoken.text, plan.spoken.moment, *plan.about, *names)
        known = frozenset(word for text in texts for word in self._words(text))
        return all(is_like_any(each, known) for each in spoken) or "".join(spoken) in known

    def _words(self, text: str) -> Sequence[str]:
        return matcher(self.heard.language).tokens(text)
