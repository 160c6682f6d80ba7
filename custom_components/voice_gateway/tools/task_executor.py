"""The tools of an AI task, which has no speaker."""

from collections.abc import Sequence

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..home.exposed import Home
from ..nlu.utterance import Utterance
from .executor import ToolExecutor
from .journal import Journal
from .manager import ToolManager


async def async_for_task(
    instance: llm.APIInstance,
    instructions: str,
    content: Sequence[conversation.Content],
    ends: float,
) -> ToolExecutor:
    """Return the executor of an AI task, which ends at a time of the event loop's clock.

    The tools may be those of an API that is not ours. `content` is the model's entire input.
    """
    hass, context = instance.api.hass, instance.llm_context
    if isinstance(instance, ToolExecutor):
        tools, home = instance, instance.utterance.home
    else:
        home = Home.seen_by(hass, context.assistant)
        manager = ToolManager()
        manager.add(*instance.tools)
        tools = ToolExecutor(
            api=instance.api,
            api_prompt=instance.api_prompt,
            llm_context=context,
            tools=manager.all(),
            custom_serializer=instance.custom_serializer,
            manager=manager,
            utterance=Utterance.empty(hass, context.language, home),
        )
    utterance = await Utterance.async_parse_task(hass, context.language, home, instructions)
    return tools.for_turn(utterance, Journal(), ends, content=content)
