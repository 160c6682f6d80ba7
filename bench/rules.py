"""The policy's rules, each of which can be switched off to see what it is worth."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any

from homeassistant.helpers import llm

from custom_components.voice_gateway.mcp_servers.session import McpSession
from custom_components.voice_gateway.tools import policy
from custom_components.voice_gateway.tools.call_results import error
from custom_components.voice_gateway.tools.executor import ToolExecutor


def add_option(parser: ArgumentParser) -> None:
    """Add `--without RULE` to a bench's options."""
    parser.add_argument(
        "--without", metavar="RULE", help="without a rule of ours on what may be called"
    )


def switch_off(parser: ArgumentParser, name: str | None) -> None:
    """Let calls be made as if there were no such rule; end the program where there is none."""
    if name is None:
        return
    rules: Sequence[Callable[..., Any]] = vars(policy).get("RULES", ())
    left = tuple(rule for rule in rules if rule.__name__ != name)
    if len(left) == len(rules):
        there = ", ".join(rule.__name__ for rule in rules)
        parser.error(f"there is no rule {name}; there are: {there or 'none'}")
    vars(policy)["RULES"] = left


def switch_all_off() -> None:
    """Let every call be made as the model makes it, whoever wrote it: nothing is held, or asked."""
    ToolExecutor.async_call_tool = _async_call_plainly  # type: ignore[assignment,method-assign]
    McpSession.offered_tools = property(lambda session: list(session.tools))  # type: ignore[assignment,method-assign]


async def _async_call_plainly(executor: ToolExecutor, tool_input: llm.ToolInput) -> llm.ToolResult:
    """Call the tool that a name means."""
    tool = executor.manager.find(tool_input.tool_name)
    if tool is None:
        return error(f"There is no {tool_input.tool_name}")
    call = llm.ToolInput(tool.name, tool_input.tool_args, tool_input.id)
    # What is said, and done in the model's stead, stands on what came of the calls.
    entry = executor.journal.begin(tool, call)
    try:
        result = await tool.async_call(executor.api.hass, call, executor.llm_context)
    except Exception as err:  # noqa: BLE001 - as Home Assistant's own agents do
        result = error(repr(err))
    if not isinstance(result, llm.ToolResult):
        result = llm.ToolResult(data=result)
    entry.end(result)
    return result
