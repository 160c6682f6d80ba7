"""Trial of a model: its accuracy and speed with twelve sentences about a simulated home.

The trial tests the model alone, with the agent's settings, and filters its stream as in a turn. It
omits the steps that work without the model and the correction of calls, so that a model does better
in the user's home than here.
"""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import partial
from statistics import median
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from ..const import DOMAIN, LOGGER
from ..models.client import Completion, Deltas, ModelClient, ModelError, Reason
from ..models.history import Note
from ..models.text_calls.stream import rescue_calls
from ..turn.instructions import DEFAULT_INSTRUCTIONS, NOTHING_DONE, NOTHING_READ
from ..turn.speech_filter import SpeechFilter
from ..turn.streams import async_receive, without_calls
from .home import MadeUpHome
from .sentences import RIGHT, Right, Words

_LIMIT: Final = 600.0
"""Seconds for all sentences: slow hardware takes minutes to process the prompt."""
_ROUNDS: Final = 3
# Median seconds of a sentence above which a model is too slow for speech.
_SLOW: Final = 10.0
# Correct sentences out of twelve: with fewer than these, a household meets errors every day.
_GOOD, _FAIR = 11, 8
# Reasons for which one sentence fails, but the next one may succeed.
_GOES_ON = (Reason.TIMEOUT, Reason.CUT_SHORT, Reason.EMPTY, Reason.REFUSED, Reason.CONNECTION_LOST)


class TrialVerdict(StrEnum):
    """The verdict on a model; the suffix of its text's key."""

    FAILED = "failed"
    NO_CALLS = "no_calls"
    SLOW = "slow"
    POOR = "poor"
    FAIR = "fair"
    GOOD = "good"


@dataclass(slots=True, kw_only=True)
class Result:
    """The result of a trial; it is filled in during the trial."""

    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """The keys of the sentences."""
    seconds: list[float] = field(default_factory=list)
    """Duration of each sentence, until it was carried out or answered."""
    late: int = 0
    """Number of sentences that exceeded the agent's timeout."""
    calls: int = 0
    answer_tokens: int = 0
    answer_seconds: float = 0.0
    """Sums over all answers: tokens, as far as the server counts them, and generation time."""
    failure: ModelError | None = None
    """The error that ended the trial early."""

    @property
    def tokens_per_second(self) -> float | None:
        """The generation speed, if the server counts tokens."""
        return self.answer_tokens / self.answer_seconds if self.answer_seconds else None

    @property
    def seconds_each(self) -> float | None:
        """The median duration of a sentence."""
        return median(self.seconds) if self.seconds else None

    def as_dict(self) -> dict[str, Any]:
        """Return the result as a JSON object."""
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "failure": self.failure and self.failure.reason,
            "verdict": self.verdict,
        }

    @property
    def verdict(self) -> TrialVerdict:
        """The verdict on the model."""
        tried, right = len(self.seconds), len(self.right)
        if self.failure:
            return TrialVerdict.FAILED
        if tried < len(RIGHT) or 2 * self.late > tried:
            return TrialVerdict.SLOW
        if self.calls == 0:
            return TrialVerdict.NO_CALLS
        if right < _FAIR:
            return TrialVerdict.POOR
        if median(self.seconds) > _SLOW:
            return TrialVerdict.SLOW
        return TrialVerdict.GOOD if right >= _GOOD else TrialVerdict.FAIR


TRIALS: HassKey[dict[str, Result]] = HassKey(f"{DOMAIN}_trials")
"""The result of each agent's last trial, by the id of its subentry."""


class Trial:
    """One trial of a model.

    - It ends at its deadline, and returns the results so far.
    - It neither reads nor changes the user's home: the tools act on a simulated home.
    - It makes one request at a time: an utterance during the trial waits for at most one request.
    """

    def __init__(
        self, hass: HomeAssistant, model: ModelClient, context: llm.LLMContext, *, patience: float
    ) -> None:
        """Take the agent's model, the context of calls, and a sentence's timeout in seconds."""
        self._hass = hass
        self._model = model
        self._context = context
        self._patience = patience
        self._result = Result()

    async def async_run(self, words: Words) -> Result:
        """Send all sentences to the model; return the result. A ModelError ends up in it."""
        ends = self._hass.loop.time() + _LIMIT
        try:
            async with asyncio.timeout_at(ends):
                log = self._log(words.home())
                await self._model.read(log.content[0], log.llm_api)
            for key, right in RIGHT.items():
                if self._hass.loop.time() < ends:
                    await self._say(key, words, right, ends)
        except TimeoutError:
            LOGGER.debug("The model did not even read the prompt in time")
        except ModelError as err:
            LOGGER.debug("The trial failed: %s: %s", err.reason, err.detail)
            self._result.failure = err
        return self._result

    async def _say(self, key: str, words: Words, right: Right, ends: float) -> None:
        home, result = words.home(), self._result
        now = self._hass.loop.time
        began = now()
        try:
            said = await self._converse(
                home, words.sentences[key], right, min(began + self._patience, ends)
            )
            is_met = right.is_met(home, said)
        except ModelError as err:
            if err.reason not in _GOES_ON:
                raise
            if now() >= ends:
                return
            result.late += err.reason is Reason.TIMEOUT
            is_met = False
        result.calls += home.calls
        result.seconds.append(now() - began)
        (result.right if is_met else result.wrong).append(key)

    async def _converse(self, home: MadeUpHome, sentence: str, right: Right, ends: float) -> str:
        """Run the rounds of a sentence; return the model's answer. Raises ModelError.

        `ends` is the deadline by the event loop's clock. As in a turn, a successful command needs
        no answer of the model, and a model that recites its prompt is asked again.
        """
        log = self._log(home)
        log.async_add_user_content(conversation.UserContent(content=sentence))
        again = Note(content=NOTHING_DONE if right.changes else NOTHING_READ)
        note: Sequence[Note] = []
        for number in range(1, _ROUNDS + 1):
            before = len(log.content)
            recites = await self._ask(log, note, ends, last=number == _ROUNDS)
            called = len(log.content) > before and log.unresponded_tool_results
            if not (called or recites) or (right.changes and right.is_met(home, "")):
                break
            note = [again] if recites else []
        answers = (each for each in log.content if isinstance(each, conversation.AssistantContent))
        return "\n".join(each.content for each in answers if each.content)

    async def _ask(
        self, log: conversation.ChatLog, note: Sequence[Note], ends: float, *, last: bool
    ) -> bool:
        """Request a message, and make its calls; return True if the model recited its prompt."""
        assert log.llm_api
        completion = Completion()
        offered = [tool.name for tool in log.llm_api.tools]
        tools = None if last else log.llm_api
        stream = self._model.stream([*log.content, *note], tools, completion)
        stream = rescue_calls(self._timed(stream, completion), partial(_meant, offered), offered)
        # As in a turn: a model that recites its prompt would do so for minutes.
        ears = SpeechFilter(self._hass.config.language, offered)
        stream = without_calls(ears.of(stream)) if last else ears.of(stream)
        await async_receive(log, self._context.agent_id or DOMAIN, stream, completion, ends)
        return ears.recites

    async def _timed(self, stream: Deltas, completion: Completion) -> Deltas:
        """Pass a message on; add up its generation time, by the clock if the server omits it."""
        now, begun = self._hass.loop.time, None
        async with aclosing(stream) as deltas:
            async for delta in deltas:
                if begun is None and delta.keys() - {"role"}:
                    begun = now()
                yield delta
        seconds = completion.answer_seconds or (now() - begun if begun is not None else 0.0)
        if completion.answer_tokens and seconds:
            self._result.answer_tokens += completion.answer_tokens
            self._result.answer_seconds += seconds

    def _log(self, home: MadeUpHome) -> conversation.ChatLog:
        """Return a new, hidden conversation about a home."""
        log = conversation.ChatLog(self._hass, ulid_now())
        log.llm_api = home.api(self._hass, self._context)
        prompt = f"{DEFAULT_INSTRUCTIONS}\n{log.llm_api.api_prompt}"
        log.content[0] = conversation.SystemContent(content=prompt)
        return log


def _meant(offered: Sequence[str], written: str) -> str | None:
    """Return the tool with a written name, with or without its prefix; None if there is none."""
    short = written.rpartition("__")[2]
    return next((name for name in offered if name.rpartition("__")[2] == short), None)
