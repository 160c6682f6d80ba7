"""The conversation as a model may see it."""

from collections.abc import Iterable, Iterator
from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_dumps

_INTERRUPTED = llm.ToolResult(data={"error": "The call was interrupted; no result"}, error=True)


def with_all_results(content: Iterable[conversation.Content]) -> Iterator[conversation.Content]:
    """Yield the conversation with exactly one result per call, in the calls' order.

    Providers refuse a call without its result. A turn that was interrupted leaves such calls:
    they get a result that says so. Results of no call are left out.
    """
    calls: list[llm.ToolInput] = []
    results: dict[str, conversation.ToolResultContent] = {}
    agent_id = ""

    def answered() -> Iterator[conversation.Content]:
        for call in calls:
            yield results.get(call.id) or conversation.ToolResultContent(
                agent_id=agent_id,
                tool_call_id=call.id,
                tool_name=call.tool_name,
                result=_INTERRUPTED,
            )
        calls.clear()
        results.clear()

    for item in content:
        if isinstance(item, conversation.ToolResultContent):
            results[item.tool_call_id] = item
            continue
        yield from answered()
        yield item
        if isinstance(item, conversation.AssistantContent) and item.tool_calls:
            calls.extend(item.tool_calls)
            agent_id = item.agent_id
    yield from answered()


def result_text(result: llm.ToolResult) -> str:
    """Return a tool's result as a model reads it: text as it is, errors as `Error: …`, else JSON.

    Tools give text as `{"result": text}` and errors as `{"error": …, "error_text": …}`, as Home
    Assistant's own do.
    """
    data = result.data
    if result.error:
        return f"Error: {data.get('error_text') or data.get('error') or json_dumps(data)}"
    match data:
        case {"result": str(text)} if len(data) == 1:
            return text
        case llm.IntentResponseDict():
            return _intent_text(data)
        case _:
            return json_dumps(data)


def _intent_text(response: llm.IntentResponseDict) -> str:
    """Return what an intent did, without what a model has no use for: ids, types, empty parts."""
    speech = response.get("speech", {}).get("plain", {}).get("speech")
    told: dict[str, Any] = {"speech": speech} if speech else {}
    for outcome in ("success", "failed"):
        if targets := response.get("data", {}).get(outcome):
            told[outcome] = [target["name"] for target in targets]
    if slots := response.get("speech_slots"):
        told["details"] = slots
    if not told:
        return "Done"
    return speech if told.keys() == {"speech"} else json_dumps(told)
