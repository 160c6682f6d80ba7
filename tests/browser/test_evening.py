"""A newcomer's whole evening, with the release's own package, in few clicks."""

import pytest

from . import evening
from .conftest import Walk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

MOST_CLICKS = 14


async def test_newcomer_speaks_and_an_mcp_tool_is_used_in_few_clicks(walk: Walk) -> None:
    await evening.begin(walk)
    await evening.add_model_server(walk)
    await evening.add_tools(walk)
    await evening.talk(
        walk,
        evening.Talk(
            "Turn on the kitchen lights",
            "I turned on the Kitchen Lights.",
            "What do we have in the pantry?",
            "There are twelve eggs and one bag of flour.",
        ),
    )
    walk.told.append(
        f"A newcomer's evening: {walk.clicks.number} clicks after Add integration, to a command that"
        f" was done and an MCP tool that was used; at most {MOST_CLICKS}."
    )
    assert walk.clicks.number <= MOST_CLICKS, ", ".join(walk.clicks.on)


async def test_package_is_the_releases(walk: Walk) -> None:
    manifest = await walk.home.api.command("manifest/get", integration="voice_gateway")
    assert manifest["version"] == "1.0.0"
    records = await walk.home.api.command("system_log/list")
    assert [str(each) for each in records if "voice_gateway" in str(each)] == []
