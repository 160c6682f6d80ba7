"""The policy's divergences, each of which can be allowed to see what it is worth."""

from argparse import ArgumentParser

from homeassistant.helpers import llm

from custom_components.voice_gateway.mcp_servers.session import McpSession
from custom_components.voice_gateway.tools.call_results import error
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.policy import divergence
from custom_components.voice_gateway.tools.policy.divergence import Divergence, Provenance, Verdict


def add_option(parser: ArgumentParser) -> None:
    """Add `--without DIVERGENCE` to a bench's options."""
    parser.add_argument(
        "--without", metavar="DIVERGENCE", help="let calls differ so from what was said"
    )


def switch_off(parser: ArgumentParser, name: str | None) -> None:
    """Let calls differ so from what was said; end the program where there is no such divergence."""
    if name is None:
        return
    if name not in Divergence:
        parser.error(f"there is no divergence {name}; there are: {', '.join(Divergence)}")
    vars(divergence)["DECISIONS"] = {
        **divergence.DECISIONS,
        Divergence(name): (Verdict.ALLOW,) * len(Provenance),
    }


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
