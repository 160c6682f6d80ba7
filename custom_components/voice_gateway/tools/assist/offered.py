"""Home Assistant's Assist tools, with shorter descriptions.

Home Assistant describes every argument that a tool could have in any home. A model on slow hardware
needs half a minute to read that. Here the description contains only what makes a difference in this
home: no floors if there are none, only device classes that exist, no enumeration of one value.
The tools stay Home Assistant's own.
"""

import asyncio
from copy import copy
from dataclasses import replace
from typing import Any

from homeassistant.components.homeassistant.llm import GetLiveContextTool
from homeassistant.components.intent.const import TIMER_DATA
from homeassistant.components.intent.timers import TimerManager
from homeassistant.components.llm import DATA_PLATFORMS
from homeassistant.const import Platform
from homeassistant.core import DOMAIN as HOMEASSISTANT, HomeAssistant
from homeassistant.helpers import llm

from ...const import DOMAIN, LOGGER
from ...home.exposed import Home
from ...json_schema import schema_of, serialize
from ...nlu.requests import SEARCH
from .features import is_possible
from .intents import IntentTool
from .live_context import LiveContextTool
from .media import RESUME, ResumeTool, SearchTool, search_tool, told
from .target_repair import DEVICE_CLASSES
from .tool_aliases import other_names

# This platform's text is replaced by the tools' descriptions below, and others' by `home.overview`.
_OURS = "intent"
# These tools keep their authors' descriptions.
_USERS_OWN = ("intent_script", "script")
# Offered even without a device that supports timers.
_CANCEL_TIMERS = "intent__HassCancelAllTimers"
# Characters: a longer description is cut to its first sentence.
_LONG = 100
# From 0 to this, a number's range needs no description.
_PERCENT = 100
_KINDS: dict[str, type[IntentTool]] = {SEARCH: SearchTool, RESUME: ResumeTool}
_BRIEF: dict[str, str] = {
    "intent__HassTurnOn": "Turn on, open or press; for a lock: lock.",
    "intent__HassTurnOff": "Turn off or close; for a lock: unlock.",
    "intent__HassSetPosition": "Set a cover's or valve's position in percent.",
}


async def async_assist_tools(
    hass: HomeAssistant, llm_context: llm.LLMContext, home: Home
) -> tuple[list[llm.Tool], list[str]]:
    """Return the tools of the Assist API, and the prompts that belong to them."""
    tools: list[llm.Tool] = []
    prompts: list[str] = []
    llm_context = replace(llm_context, device_id=timer_device(hass))
    platforms = await hass.data[DATA_PLATFORMS].async_get_platforms()
    for domain, platform in sorted(platforms.items()):
        await asyncio.sleep(0)  # describing all tools takes long in a large home
        if domain == DOMAIN:
            continue  # Ours are for agents that need them to answer.
        if domain == HOMEASSISTANT:
            # Its prompt lists the home, which takes long to write, and is not used.
            tools.append(LiveContextTool(GetLiveContextTool(), home))
            continue
        try:
            given = platform.async_get_tools(hass, llm_context, llm.LLM_API_ASSIST)
        except Exception:  # noqa: BLE001 - any error there costs its own tools
            LOGGER.exception("The tools of %s are left out", domain)
            continue
        if given is None or domain == Platform.ASSIST_SATELLITE:
            # Our own tool announces in certain places, too.
            continue
        tools += (
            _in_our_words(hass, tool, home, keep_words=domain in _USERS_OWN)
            for tool in given.tools
            if (llm_context.device_id or tool.name != _CANCEL_TIMERS)
            and is_possible(hass, getattr(tool, "intent_type", ""), home)
        )
        if search := search_tool(hass, [tool.name for tool in given.tools]):
            tools.append(_in_our_words(hass, search, home, keep_words=True))
        if given.prompt and domain != _OURS:
            prompts.append(given.prompt)
    return tools, prompts


def _in_our_words(hass: HomeAssistant, tool: llm.Tool, home: Home, *, keep_words: bool) -> llm.Tool:
    """Return a tool with the description that this home needs."""
    if not isinstance(tool, llm.IntentTool):
        ours = copy(tool)
        ours.description = tool.description if keep_words else _brief(tool)
        return ours
    schema = schema_of(tool, serialize)
    known = told(schema) if tool.intent_type == SEARCH else schema
    kind = _KINDS.get(tool.intent_type, IntentTool)
    intent_tool = kind(
        tool, schema, _in_this_home(known, home), other_names(hass, home, tool.intent_type)
    )
    intent_tool.description = tool.description if keep_words else _brief(tool)
    return intent_tool


def _brief(tool: llm.Tool) -> str | None:
    """Return a tool's description in one sentence."""
    if (ours := _BRIEF.get(tool.name)) or not tool.description:
        return ours
    first, _, rest = tool.description.partition(". ")
    return f"{first}." if rest and len(tool.description) > _LONG else tool.description


def timer_device(hass: HomeAssistant) -> str | None:
    """Return the id of a device that supports timers, if there is one.

    Home Assistant offers its timers to such devices alone. Here every agent has them: otherwise the
    prompt would change from one satellite to the next.
    """
    manager: TimerManager | None = hass.data.get(TIMER_DATA)
    return min(manager.handlers, default=None) if manager else None


def has_timers(hass: HomeAssistant, device_id: str | None) -> bool:
    """Return True if a device supports Home Assistant's timers."""
    manager: TimerManager | None = hass.data.get(TIMER_DATA)
    return bool(manager and device_id and manager.is_timer_device(device_id))


def _in_this_home(schema: dict[str, Any], home: Home) -> dict[str, Any]:
    """Return a tool's JSON schema without the parts that make no difference in a home."""
    required = schema.get("required", [])
    properties: dict[str, Any] = {}
    for name, part in schema["properties"].items():
        if name not in required:
            match name, part:
                case ("area", _) if not home.areas:
                    continue
                case ("floor", _) if not home.floors:
                    continue
                case _, {"items": {"enum": [_only]}}:
                    continue
                case "device_class", {"items": {"enum": classes}}:
                    telling = home.telling_classes(DEVICE_CLASSES)
                    there = [each for each in classes if each in telling]
                    if there:
                        items = {"type": "string", "enum": there}
                        properties[name] = {"type": "array", "items": items}
                    continue
        is_percent = part.get("minimum") == 0 and part.get("maximum") == _PERCENT
        properties[name] = {
            key: value for key, value in part.items() if not (is_percent and key == "description")
        }
    return {**schema, "properties": properties}
