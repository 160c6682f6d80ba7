"""What models of one's own servers have in common, as agents use them: some know no tools."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Protocol

from homeassistant.components import conversation
from homeassistant.helpers import llm

from .client import Completion, Deltas, ModelError, Reason
from .generation_faults import with_second_try
from .history import has_calls
from .learned import LearnedCapabilities
from .limits import bounded
from .logprobs import weights_of
from .say_parser import unwrapped
from .text.thinking import thinking_apart


class Server[K: LearnedCapabilities](Protocol):
    """Where models are."""

    async def known(self, model: str) -> K:
        """Return what is known of a model. Raises ModelError."""

    def fails_often(self, model: str) -> bool:
        """Return True if calls of a model's last messages failed, as far as anybody counts."""


class OwnServerClient[K: LearnedCapabilities](ABC):
    """A model of a server of one's own: half of a ModelClient.

    A model that called tools and has to answer is shown them all the same: else the server would
    have to read them again for the next sentence.
    """

    __slots__ = ()

    server: Server[K]
    model: str
    _shown: llm.APIInstance | None
    """The tools of the last request."""

    @property
    def fails_often(self) -> bool:
        """Whether its calls often fail, where it is told of tools in its prompt."""
        return self.server.fails_often(self.model)

    async def sees(self) -> bool:
        """Return True if it can look at pictures; see ModelClient."""
        return (await self.server.known(self.model)).sees

    async def stream(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        *,
        structure: Mapping[str, Any] | None = None,
    ) -> Deltas:
        """Ask for the next message; see ModelClient."""
        known = await self.server.known(self.model)
        yield {"role": "assistant"}
        ask = partial(self._answer, content, tools, completion, known, structure)
        answer = bounded(with_second_try(ask, tools, completion), may_repeat=structure is not None)
        answer = thinking_apart(answer, known.thinking)
        async with aclosing(answer if structure else unwrapped(answer)) as deltas:
            async for delta in deltas:
                yield delta

    async def have_weighed(
        self, content: Sequence[conversation.Content], answers: Sequence[str]
    ) -> Mapping[str, float] | None:
        """Return how likely it begins with each of these answers, as `ModelClient.weigh` does."""
        known = await self.server.known(self.model)
        if not known.tells_weights or known.thinking.opened_by_template:
            return None
        completion = Completion()
        has_said = False
        try:
            async with aclosing(bounded(self._weighed(content, completion, known))) as deltas:
                async for delta in deltas:
                    has_said = has_said or bool(delta.get("content"))
        except ModelError as err:
            # Some refuse to tell it, with any words. What else is wrong shows when it is asked plainly.
            if err.reason is Reason.SERVER_ERROR:
                return None
            raise
        known.tells_weights = bool(completion.likely) or not has_said
        return weights_of(completion.likely, answers)

    @abstractmethod
    def _weighed(
        self, content: Sequence[conversation.Content], completion: Completion, known: K
    ) -> Deltas:
        """Ask for the first words of an answer, and for what could have been there instead."""

    @abstractmethod
    def _answer(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        known: K,
        structure: Mapping[str, Any] | None,
    ) -> Deltas:
        """Ask in the way that the model knows: with tools, or with tools in its prompt."""

    def _called(self, content: Sequence[conversation.Content]) -> llm.APIInstance | None:
        """Return the tools that the model was shown for the calls in this conversation."""
        return self._shown if has_calls(content) else None

    async def have_read(
        self, prompt: conversation.Content, tools: llm.APIInstance | None, words: str
    ) -> None:
        """Have prompt and tools read, before words that say nothing."""
        beginning = [prompt, conversation.UserContent(content=words)]
        async with aclosing(self.stream(beginning, tools, Completion())) as deltas:
            async for _ in deltas:
                pass
