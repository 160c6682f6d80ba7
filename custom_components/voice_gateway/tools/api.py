"""An agent's tools, collected for one conversation."""

from collections.abc import Callable, Sequence
from typing import Any, override

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.llm.llm import GetDateTimeTool
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN, LOGGER
from ..home.exposed import Home, HomeWatch
from ..home.overview import SPEAKERS_AREA, overview
from ..json_schema import serialize_trimmed
from ..mcp_servers.entry import McpAPI
from ..nlu.utterance import Utterance
from .assist.offered import async_assist_tools, timer_device
from .builtin import BuiltinTools
from .executor import ToolExecutor
from .manager import Offer, ToolManager
from .tool_search import BUDGET, tokens_of
from .tool_uses import ToolUses, async_tool_uses

type SchemaSerializer = Callable[[Any], Any]

_CLOCK = "GetDateTime"
"""The name suffix of a tool that returns the time, as `ChatLog` looks for it."""


class AgentAPI(llm.API):
    """The LLM APIs of Home Assistant that an agent may use, and our own tools, as one API.

    - An API that is missing or forbidden costs its own tools, not those of the others.
    - Tools and prompt are the same for every speaker and place, so that a model's prompt cache
      stays valid.
    """

    def __init__(self, hass: HomeAssistant, api_ids: Sequence[str], builtin: BuiltinTools) -> None:
        """Take the ids of the APIs in their order; our own tools come after theirs."""
        super().__init__(hass=hass, id="|".join((DOMAIN, *api_ids)), name="Voice Gateway")
        self.ids = api_ids
        self._builtin = builtin
        self.watch = HomeWatch(hass, CONVERSATION)
        self._assist_home: Home | None = None
        self._assist_key: tuple[str | None, str | None] = None, None
        self._assist: tuple[list[llm.Tool], list[str]] = [], []
        self._clock = GetDateTimeTool()
        self._made_of: list[object] = []
        self._missing: set[str] = set()
        self._manager = ToolManager()
        self._uses: ToolUses | None = None

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> ToolExecutor:
        """Return an executor of the current tools, without an utterance."""
        offers: list[Offer] = []
        prompts: list[str] = []
        serializers: list[SchemaSerializer] = [serialize_trimmed]
        for api_id in self.ids:
            try:
                if api_id == llm.LLM_API_ASSIST:
                    tools, texts = await self._async_assist(llm_context)
                    offers.append((None, tools))
                    prompts += texts
                    continue
                instance = await llm.async_get_api(self.hass, api_id, llm_context)
            except HomeAssistantError as err:
                # Logged once, and not with each sentence.
                if api_id not in self._missing:
                    LOGGER.warning("Going on without the tools of %s: %s", api_id, err)
                self._missing.add(api_id)
                continue
            self._missing.discard(api_id)
            api = None if api_id == llm.LLM_API_HOME_ASSISTANT else instance.api
            offers.append((api, instance.tools))
            prompts.append(instance.api_prompt)
            if instance.custom_serializer:
                serializers.append(instance.custom_serializer)
        manager = self._manager_of([*offers, (None, self._own_tools(offers))])
        uses = self._uses = await async_tool_uses(self.hass) if manager.index else None
        return ToolExecutor(
            api=self,
            api_prompt="\n".join(filter(None, prompts)),
            llm_context=llm_context,
            tools=manager.told(uses.habits if uses else ()),
            custom_serializer=_first_that_knows(serializers),
            manager=manager,
            utterance=Utterance.empty(self.hass, llm_context.language, self.watch.home),
            tells_home=llm.LLM_API_ASSIST in self.ids,
            uses=uses,
        )

    @property
    def tool_choice(self) -> dict[str, Any]:
        """Other APIs' tools in the prompt, and those found by search; for diagnostics."""
        uses = self._uses.counts if self._uses else {}
        told = {tool.name for tool in self._manager.told(self._uses.habits if self._uses else ())}
        others = [tool for _, tools in self._manager.of_others for tool in tools]
        return {
            "tokens": tokens_of(others),
            "budget": BUDGET,
            "in_prompt": [tool.name for tool in others if tool.name in told],
            "found_by_words": [tool.name for tool in others if tool.name not in told],
            "uses": {tool.name: uses[tool.name] for tool in others if tool.name in uses},
        }

    def _manager_of(self, offers: Sequence[Offer]) -> ToolManager:
        made_of = ToolManager.made_of(self.hass, offers)
        if made_of != self._made_of:
            self._made_of, self._manager = made_of, ToolManager.of(self.hass, offers)
        return self._manager

    def _own_tools(self, offers: Sequence[Offer]) -> list[llm.Tool]:
        """Return our own tools, and a clock if the offers have none.

        Without a tool of this name, Home Assistant writes the time into the prompt, before the
        tools: a model would have to read them all again for each sentence. An agent without any
        tools, whose model may not support them, keeps that.
        """
        own = self._builtin.tools(tells_home=llm.LLM_API_ASSIST in self.ids)
        offered = (tool.name for _, tools in offers for tool in tools)
        if (self.ids or own) and not any(name.endswith(_CLOCK) for name in offered):
            own.append(self._clock)
        return own

    @callback
    def async_wake(self) -> None:
        """Retry MCP servers that were given up for now at once: the user is speaking."""
        for api in llm.async_get_apis(self.hass):
            if isinstance(api, McpAPI) and api.id in self.ids:
                api.session.async_retry()

    async def _async_assist(
        self, llm_context: llm.LLMContext
    ) -> tuple[Sequence[llm.Tool], Sequence[str]]:
        """Return the Assist API's tools, and its prompt about them and the home."""
        home = self.watch.home
        key = (timer_device(self.hass), llm_context.language)
        # Not whether homes are equal: data outside of them, like scripts, may have changed.
        if home is not self._assist_home or key != self._assist_key:
            tools, texts = await async_assist_tools(self.hass, llm_context, home)
            self._assist_home, self._assist_key = home, key
            self._assist = tools, [overview(home), SPEAKERS_AREA, *texts]
        return self._assist


def _first_that_knows(serializers: Sequence[SchemaSerializer]) -> SchemaSerializer:
    """Return a serializer that uses the first API that can serialize the value."""

    def serialize_any(value: Any) -> Any:
        for serializer in serializers:
            known = serializer(value)
            if known is not None and known is not probatio.UNSUPPORTED:
                return known
        return probatio.UNSUPPORTED

    return serialize_any
