"""A kitchen in which timers and alarms are spoken of, and ring, on a clock that is moved."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import datetime as dt
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from homeassistant.components.assist_satellite import AssistSatelliteEntityFeature as Feature
from homeassistant.core import ServiceCall
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from bench.agents import Turn, async_add_agent, async_ask
from bench.clock import Clock
from bench.home import Home
from bench.house import House, furnished
from bench.replay import Replay, serve, steps
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.plans.last_mentioned import LastMentionedPlans
from custom_components.voice_gateway.plans.plan import Plan
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.plans.schedule import Recurrence

BEGAN = dt.datetime(2026, 11, 25, 20, tzinfo=ZoneInfo("US/Pacific"))
"""A Wednesday evening, where the test helpers' house is."""
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HOME = """
areas:
  - {name: Kitchen, id: kitchen}
devices:
  - {name: Speaker, id: speaker, area: kitchen}
entities:
  - name: Lamp
    id: light.lamp
    area: kitchen
    attributes: {supported_color_modes: [brightness], color_mode: brightness, brightness: 100}
"""
TEN = {
    "en": "set a timer for ten minutes",
    "de": "Stell einen Timer auf zehn Minuten",
    "es": "Pon un temporizador de diez minutos",
    "fr": "Mets un minuteur de dix minutes",
    "it": "Imposta un timer di dieci minuti",
    "nl": "Zet een timer van tien minuten",
    "pl": "Ustaw minutnik na dziesięć minut",
}
PIZZA = {
    "en": "set a pizza timer for ten minutes",
    "de": "Stell einen Pizza-Timer auf zehn Minuten",
    "es": "Pon un temporizador para la pizza de diez minutos",
    "fr": "Mets un minuteur pizza de dix minutes",
    "it": "Imposta un timer per la pizza di dieci minuti",
    "nl": "Zet een pizzatimer van tien minuten",
    "pl": "Ustaw minutnik na pizzę na dziesięć minut",
}
EGGS = {
    "en": "set an egg timer for five minutes",
    "de": "Stell einen Eier-Timer auf fünf Minuten",
    "es": "Pon un temporizador para los huevos de cinco minutos",
    "fr": "Mets un minuteur pour les œufs de cinq minutes",
    "it": "Imposta un timer per le uova di cinque minuti",
    "nl": "Zet een eiertimer van vijf minuten",
    "pl": "Ustaw minutnik na jajka na pięć minut",
}
PAUSE = {
    "en": "pause the timer",
    "de": "Pausiere den Timer",
    "es": "Pausa el temporizador",
    "fr": "Mets le minuteur en pause",
    "it": "Metti in pausa il timer",
    "nl": "Pauzeer de timer",
    "pl": "Wstrzymaj minutnik",
}
SEVEN = {
    "en": "set an alarm for seven tomorrow morning",
    "de": "Stell den Wecker auf morgen früh um sieben",
    "es": "Pon una alarma mañana a las siete de la mañana",
    "fr": "Mets un réveil demain matin à sept heures",
    "it": "Metti una sveglia domani alle sette",
    "nl": "Zet de wekker morgenochtend om zeven uur",
    "pl": "Ustaw budzik jutro o siódmej rano",
}
NINE = {
    "en": "set an alarm for nine on Saturday morning",
    "de": "Stell den Wecker auf Samstag früh um neun",
    "es": "Pon una alarma el sábado a las nueve de la mañana",
    "fr": "Mets un réveil samedi matin à neuf heures",
    "it": "Metti una sveglia sabato mattina alle nove",
    "nl": "Zet de wekker zaterdagochtend om negen uur",
    "pl": "Ustaw budzik w sobotę o dziewiątej rano",
}
GIVEN = {
    "-": (),
    "timer": (TEN,),
    "pizza": (PIZZA,),
    "both": (PIZZA, EGGS),
    "paused": (TEN,),
    "alarm": (SEVEN,),
    "alarms": (SEVEN, NINE),
    "ringing": (SEVEN,),
    "rung": (TEN,),
}
"""What was said before."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence, what was so when it was said, and what is so afterwards."""

    given: str
    sentence: str
    expected: str
    is_kept_back: bool


def rows(language: str) -> Iterator[Row]:
    """Yield the sentences of a language."""
    path = Path(__file__).with_name(f"{language}.txt")
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            given, sentence, expected = (each.strip() for each in line.lstrip("* ").split("|"))
            yield Row(given, sentence, expected, line.startswith("*"))


@dataclass
class Kitchen:
    """A home with a satellite that has no timers of its own, and an agent whose model says nothing."""

    house: House
    clock: Clock
    agent: str
    announced: list[str] = field(default_factory=list)
    last: str = ""
    """What was said last."""

    @property
    def plans(self) -> Sequence[Plan]:
        """What is planned."""
        return self.house.hass.data[PLANS].all

    @property
    def now(self) -> dt.datetime:
        """What time it is, in UTC."""
        return self.clock.now()

    def furnish(self) -> None:
        """Put the satellite there; after a restart as well."""
        hass = self.house.hass
        entry = er.async_get(hass).async_get_or_create(
            "assist_satellite",
            "test",
            "speaker",
            suggested_object_id="speaker",
            device_id=self.house.device_ids["speaker"],
        )
        hass.states.async_set(entry.entity_id, "idle", {"supported_features": Feature.ANNOUNCE})

        async def announce(call: ServiceCall) -> None:
            self.announced.append(call.data["message"])

        hass.services.async_register("assist_satellite", "announce", announce)

    async def async_hear(
        self, sentence: str, language: str, conversation: str | None = None
    ) -> Turn:
        """Say a sentence to the satellite."""
        device_id = self.house.device_ids["speaker"]
        return await async_ask(
            self.house.hass, self.agent, sentence, device_id, conversation, language=language
        )

    async def async_pass(self, **time: float) -> None:
        """Let time go by."""
        await self.clock.async_move(self.house.hass, self.now + dt.timedelta(**time))

    async def async_restart(self) -> None:
        """Stop Home Assistant, and start it on what it has stored."""
        await self.house.async_restart()
        self.furnish()
        await self.house.hass.async_block_till_done()

    async def async_forget(self) -> None:
        """Forget all that was planned."""
        plans = self.house.hass.data[PLANS]
        await plans.async_remove([each.id for each in plans.all])

    async def async_begin(self) -> None:
        """Forget all that was planned, and let it be a Wednesday evening again."""
        await self.async_forget()
        self.house.hass.data[PLANS].latest = LastMentionedPlans()
        self.announced.clear()
        self.clock.set(BEGAN)

    async def async_play(self, row: Row, language: str, *, restarts: bool = False) -> str:
        """Say a sentence of the table; return what is not so afterwards, empty where all is."""
        await self.async_begin()
        for each in GIVEN[row.given]:
            await self.async_hear(each[language], language)
        if restarts and row.given != "-":
            await self.async_restart()
        match row.given:
            case "timer" | "both":
                await self.async_pass(minutes=1, seconds=57)
            case "paused":
                await self.async_pass(minutes=1, seconds=57)
                await self.async_hear(PAUSE[language], language)
                await self.async_pass(minutes=5)
            case "ringing":
                await self.async_pass(hours=11, seconds=20)
            case "rung":
                await self.async_pass(minutes=10, seconds=20)
        before = self.plans
        for sentence in row.sentence.split(" / "):
            turn = await self.async_hear(sentence, language)
        self.last = turn.speech
        found = (self._wrong(each, turn.speech, before) for each in row.expected.split(" + "))
        wrong = "; ".join(filter(None, found))
        return f"{wrong}; said: {turn.speech}" if wrong else ""

    def _wrong(self, expected: str, speech: str, before: Sequence[Plan]) -> str:
        plans = [each for each in self.plans if not each.is_running]
        kind, *words = expected.split(" ", 1)
        rest = words[0] if words else ""
        match kind:
            case "timer" | "told":
                *name, length = rest.split()
                wanted = float(length[:-1]) * {"m": 60, "s": 1}[length[-1]]
                fitting = [
                    each
                    for each in plans
                    if (each.is_timer or kind == "told")
                    and all(word in each.spoken.text.casefold() for word in name)
                    and each.due
                    and abs((each.due - self.now).total_seconds() - wanted) < 20
                ]
                return "" if len(fitting) == 1 else f"plans: {self._told(plans)}"
            case "paused":
                left = [each.say.left for each in plans if each.say and each.say.left]
                return "" if len(left) == 1 and abs(left[0] - 480) < 5 else f"left: {left}"
            case "left":
                is_one = len(plans) == 1 and rest in plans[0].spoken.text.casefold()
                return "" if is_one else f"plans: {self._told(plans)}"
            case "none":
                return f"plans: {self._told(self.plans)}" if self.plans else ""
            case "alarm":
                found = [_alarm(each) for each in plans if each.rings and not each.is_timer]
                return "" if found == rest.split(" and ") else f"alarms: {found}"
            case "says":
                missing = [each for each in rest.split(", ") if each not in speech.casefold()]
                return f"missing: {missing}" if missing or before != self.plans else ""
            case "ask":
                return "" if speech.rstrip().endswith("?") and not self.plans else "not asked"
            case "nothing":
                return f"plans: {self._told(plans)}" if plans or "imer" in speech else ""
        return f"no such expectation: {expected}"

    def _told(self, plans: Sequence[Plan]) -> Sequence[str]:
        return [
            f"{each.spoken.text} at {each.due and dt_util.as_local(each.due)}" for each in plans
        ]


def _alarm(plan: Plan) -> str:
    if isinstance(plan.when, Recurrence):
        days = ",".join(DAYS[each] for each in plan.when.weekdays) or "every"
        return f"{days} {plan.when.time:%H:%M}"
    assert plan.due
    return f"{dt_util.as_local(plan.due):%Y-%m-%d %H:%M}"


@asynccontextmanager
async def kitchen_of(folder: Path, clock: Clock, **options: Any) -> AsyncGenerator[Kitchen]:
    """Run a Home Assistant with the kitchen in it."""
    file = folder / "kitchen.yaml"
    file.write_text(HOME)
    replay = Replay("replay")
    async with furnished(Home.read(file)) as house, serve(replay) as url:
        agent = await async_add_agent(house.hass, DOMAIN, url, replay.model, **options)
        replay.begin("", steps(""))
        kitchen = Kitchen(house, clock, agent)
        kitchen.furnish()
        try:
            yield kitchen
        finally:
            await kitchen.async_forget()
