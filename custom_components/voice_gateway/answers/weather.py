"""Current weather and forecasts of the home's weather service."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import datetime as dt
from functools import cached_property
from typing import Any, Final

from homeassistant.components.weather import DOMAIN, SERVICE_GET_FORECASTS, WeatherEntityFeature
from homeassistant.util import dt as dt_util

from ..home.exposed import Exposed
from ..languages.dates import begun, sentences
from ..names.matching import words
from .handler import HomeAnswer, QuestionHandler, agreed
from .intervals import Interval
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_SNOW: Final = frozenset(("snowy", "snowy-rainy"))
_FALLING: Final = {
    "rain": frozenset(("lightning-rainy", "pouring", "rainy", "snowy-rainy")),
    "snow": _SNOW,
}
_LIKELY: Final = 50
"""Percentage from which on rain is expected, even if the condition is another one."""
_UNLIKELY: Final = 30
"""Percentage up to which no rain is expected."""
_HOUR: Final = dt.timedelta(hours=1)
_MOST: Final = 7
_MOST_HOURS: Final = 24
_FEATURES: Final = {
    "hourly": WeatherEntityFeature.FORECAST_HOURLY,
    "daily": WeatherEntityFeature.FORECAST_DAILY,
    "twice_daily": WeatherEntityFeature.FORECAST_TWICE_DAILY,
}


@dataclass(frozen=True, slots=True)
class _Outlook:
    """The weather of a day or an hour, or of several together."""

    at: dt.datetime
    conditions: tuple[str, ...]
    low: float | None
    high: float | None
    chance: float | None
    amount: float | None

    def falls(self, what: str) -> bool | None:
        """Return True if "rain" or "snow" is expected; None if that is uncertain.

        Only the condition distinguishes snow from rain.
        """
        if any(each in _FALLING[what] for each in self.conditions):
            return True
        if what == "snow" or (self.conditions and _SNOW.issuperset(self.conditions)):
            return False if self.conditions else None
        if (self.chance or 0) >= _LIKELY or (self.chance is None and (self.amount or 0) > 0):
            return True
        is_dry = bool(self.conditions) and (self.chance or 0) <= _UNLIKELY
        return False if is_dry else None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question about the weather."""

    what: str
    """"rain", "snow", "temperature" or "weather"."""
    states: frozenset[str] = frozenset()
    """The weather conditions in the question."""
    is_when: bool = False
    is_whether: bool = True

    def is_so(self, found: Iterable[_Outlook]) -> bool | None:
        """Return True if the outlook is as asked; None if uncertain, or not a yes-no question."""
        if not self.is_whether:
            return None
        if self.what in _FALLING:
            falls = [each.falls(self.what) for each in found]
            return any(falls) or agreed(falls)
        is_all = all(self.states == {*each.conditions} for each in found)
        return True if len(self.states) == 1 and is_all else None


_TO_GO_OUT: Final = {"umbrella": _Asked("rain"), "clothes": _Asked("weather", is_whether=False)}
"""The questions behind words for an umbrella and clothes."""


class WeatherHandler(QuestionHandler):
    """Answers questions about the current weather and the forecast.

    - A day without a forecast has no answer. The answer contains the requested value: "will it
      rain" the chance of rain; without yes or no if that is uncertain.
    - A question whether it is sunny or cloudy now is answered with the condition, not yes or no.
    """

    types = (QueryType.WEATHER, QueryType.WHETHER, QueryType.AHEAD, QueryType.SHOWN)

    @cached_property
    def _services(self) -> Sequence[Exposed]:
        return self._of_domain(DOMAIN)

    def answer(self, query: Query) -> str | None:
        """Return the current weather; None if the question has other words."""
        said = TokenConsumer(query.words)
        left = {*words(said.without("beside_weather", "conditions.is", "conditions.outside"))}
        known = {word for name in self._things.states(DOMAIN) for word in words(name)}
        if not left <= known or (query.type is QueryType.WHETHER and not left):
            return None
        return self._phrasing.all_shown(self._services)

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return the answer to a question; None if none is certain."""
        if not self._services:
            return None
        if query.type in (QueryType.WEATHER, QueryType.WHETHER):
            return await super().async_answer(query)
        told = await self._forecast(query) or self._for_going_out(query)
        return HomeAnswer(begun(told), is_ours=True) if told else None

    def _for_going_out(self, query: Query) -> str | None:
        """Return the current weather for a question about what to wear; None for another one."""
        said = TokenConsumer(query.words)
        is_asked = said.says("clothes", "umbrella", "nice")
        said.says("outside", "weather", "beside_weather")
        is_now = is_asked and not (said.left or query.span)
        return self._phrasing.all_shown(self._services) if is_now else None

    async def _forecast(self, query: Query) -> str | None:
        asked, span = self._asked(query), query.span
        if asked is None or len(self._services) != 1:
            return None
        (service,) = self._services
        is_of_hours = span and not (span.is_day or asked.is_when)
        if span and is_of_hours and (hours := await self._hours(service, span)):
            when = self._phrasing.at(hours[0].at) if span.is_point else span.words
            found = [(_together(hours), when)]
        else:
            days = await self._days(service)
            wanted = [*span.days][:_MOST] if span else [self._view.now.date()]
            if asked.is_when:
                days = [each for each in days if each.falls(asked.what)][:1]
            else:
                days = [each for each in days if each.at.date() in wanted]
                is_most = days and span and len(wanted) > 2
                if not (is_most or asked.is_so(days) or len(days) == len(wanted)):
                    return None
            found = [(each, self._phrasing.day(each.at.date())) for each in days]
        told = self._lines(service, asked, found)
        if len(told) != len(found) or not told:
            return None
        return self._phrasing.yes(asked.is_so(outlook for outlook, _ in found), sentences(told))

    async def async_lines(self, *, by_hours: bool) -> Mapping[str, Sequence[str]]:
        """Return a line for each day, or each of the next hours, by the service's name."""
        lines: dict[str, Sequence[str]] = {}
        for service in self._services:
            if by_hours:
                hours = await self._entries(service, "hourly")
                ahead = [each for each in hours if each.at + _HOUR > self._view.now][:_MOST_HOURS]
                found = [(each, self._phrasing.at(each.at)) for each in ahead]
            else:
                days = (await self._days(service))[:_MOST]
                found = [(each, self._phrasing.day(each.at.date())) for each in days]
            lines[service.names[0]] = [*map(begun, self._lines(service, _Asked("weather"), found))]
        return lines

    def _asked(self, query: Query) -> _Asked | None:
        """Return the question about the weather; None for another one, or with unknown words."""
        said = TokenConsumer(query.words)
        if said.tokens("past.how_long"):
            return None  # "Combien de temps reste-t-il ?" has "temps", but is about a duration.
        is_ahead = said.says("future") or query.span is not None
        said.says("outside")
        is_when = said.says("when")
        is_whether = not (is_when or said.says("which", "value") or query.type is QueryType.SHOWN)
        for name, asked in _TO_GO_OUT.items():
            if said.says(name) and not said.left:
                return asked
        beside = ("weather", "which", "value", "measure", "beside_weather")

        def is_all() -> bool:
            said.says(*beside)
            return not said.left

        if not (is_ahead or is_when):
            return _Asked("weather") if said.says("forecast") and is_all() else None
        for what in ("snow", "rain"):
            if said.says(what) and is_all():
                return _Asked(what, is_when=is_when, is_whether=is_whether)
        if is_when:
            return None
        if said.says("temperature", "warm", "extremes") and is_all():
            return _Asked("temperature")
        is_weather = said.says("weather_words", "forecast")
        states = frozenset[str]() if is_all() else self._states({*said.left})
        return _Asked("weather", states) if states or (is_weather and is_all()) else None

    def _states(self, said: set[str]) -> frozenset[str]:
        """Return all weather conditions that the words name."""
        names = {state: {*words(name)} for name, state in self._things.states(DOMAIN).items()}
        if not said <= set[str]().union(*names.values()):
            return frozenset()
        return frozenset(state for state, name in names.items() if name <= said)

    def _lines(
        self, service: Exposed, asked: _Asked, found: Iterable[tuple[_Outlook, str]]
    ) -> Sequence[str]:
        """Return the outlooks of days or hours in words, each with its time."""
        told = ((when, self._outlook(service, asked, outlook)) for outlook, when in found)
        return [self._phrasing.said(when, text) for when, text in told if text]

    def _outlook(self, service: Exposed, asked: _Asked, outlook: _Outlook) -> str:
        state = self._state(service)
        attributes: Mapping[str, Any] = state.attributes if state else {}
        degrees = ""
        if outlook.high is not None:
            unit = attributes.get("temperature_unit", "°")
            degrees = self._phrasing.range(outlook.low, outlook.high, unit)
        if asked.what == "temperature":
            return degrees
        conditions = dict.fromkeys(self._things.state(service, each) for each in outlook.conditions)
        told = [self._phrasing.lowered(", ".join(conditions)) if conditions else "", degrees]
        if outlook.chance is not None:
            chance = self._phrasing.number(outlook.chance, "%")
            told.append(self._phrasing.text("forecast", "chance", chance=chance))
        elif outlook.amount:
            unit = attributes.get("precipitation_unit", "")
            told.append(self._phrasing.number(outlook.amount, unit))
        return ", ".join(filter(None, told))

    # Reading

    async def _hours(self, service: Exposed, span: Interval) -> Sequence[_Outlook]:
        hours = await self._entries(service, "hourly")
        found = [each for each in hours if each.at < span.end and each.at + _HOUR > span.start]
        return found[: 1 if span.is_point else None]

    async def _days(self, service: Exposed) -> Sequence[_Outlook]:
        """Return the forecasts of the next days; those of half days are combined."""
        found = await self._entries(service, "daily") or await self._entries(service, "twice_daily")
        by_day: dict[dt.date, list[_Outlook]] = {}
        for each in found:
            if each.at.date() >= self._view.now.date():
                by_day.setdefault(each.at.date(), []).append(each)
        return [_together(each) for _, each in sorted(by_day.items())]

    async def _entries(self, service: Exposed, kind: str) -> Sequence[_Outlook]:
        state = self._state(service)
        if not (state and state.attributes.get("supported_features", 0) & _FEATURES[kind]):
            return ()
        read = await self._async_read(
            DOMAIN, SERVICE_GET_FORECASTS, entity_id=service.entity_id, type=kind
        )
        forecast = read.get(service.entity_id, {}).get("forecast") or ()
        return [
            _Outlook(
                dt_util.as_local(dt.datetime.fromisoformat(each["datetime"])),
                (each["condition"],) if each.get("condition") else (),
                each.get("templow"),
                each.get("temperature"),
                each.get("precipitation_probability"),
                each.get("precipitation"),
            )
            for each in forecast
        ]


def _together(outlooks: Sequence[_Outlook]) -> _Outlook:
    """Combine several outlooks."""
    lows, highs, chances, amounts = (
        [value for each in outlooks if (value := getattr(each, name)) is not None]
        for name in ("low", "high", "chance", "amount")
    )
    return _Outlook(
        outlooks[0].at,
        tuple(dict.fromkeys(name for each in outlooks for name in each.conditions)),
        min((*lows, *highs) if len(outlooks) > 1 else lows, default=None),
        max(highs, default=None),
        max(chances, default=None),
        sum(amounts) if amounts else None,
    )
