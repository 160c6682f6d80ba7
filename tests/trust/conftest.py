"""A house with locks and lists, with an agent that has tools of servers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from mcp.types import CallToolResult, TextContent, Tool, ToolAnnotations
import pytest

from custom_components.voice_gateway.mcp_servers.tool import McpTool
from tests.agent import Agent, Answer, add_agent
from tests.deeds import Deeds
from tests.extra_tools import API_ID, add_tools
from tests.ollama import PlayedOllama, calls, says
from tests.tools.conftest import full_house

__all__ = ("full_house",)

# A tool's server, name, description, arguments, and whether its server says that it only reads.
TOOLS: Sequence[tuple[str, str, str, str, bool | None]] = (
    ("mail", "read_mail", "Reads the mail.", "", True),
    ("web", "search_pages", "Searches the web.", "query", True),
    ("web", "fetch", "Fetches a page.", "url", None),
    ("sms", "send_message", "Sends a message.", "number text", None),
    ("pushes", "push", "Pushes a message to a user.", "user text", None),
    ("shop", "order", "Orders a product.", "product amount", None),
    ("notes", "note", "Keeps a note.", "text", None),
    ("blog", "post", "Posts a text.", "text", None),
    ("letters", "nachricht", "Eine Nachricht.", "text", None),
    ("letters", "memo", "メモを保存する。", "text", None),
    ("where", "share_location", "Shares the location.", "contact", None),
)


@dataclass
class Servers:
    """Servers whose tools give the mail, or say that they found something."""

    sent: list[str] = field(default_factory=list)
    """The calls that reached them, but for those that read mail."""

    async def does(self, name: str, arguments: dict[str, Any], **_: Any) -> CallToolResult:
        """Carry out a call."""
        if name != "read_mail":
            self.sent.append(f"{name} {' '.join(map(str, arguments.values()))}".strip())
        return CallToolResult(content=[TextContent(type="text", text="Mum says hello.")])

    def tool(self, server: str, name: str, about: str, keys: str, reads: bool | None) -> McpTool:
        """Return a tool of one of them."""
        properties = {key: {"type": "string"} for key in keys.split()}
        definition = Tool(
            name=name,
            description=about,
            input_schema={"type": "object", "properties": properties},
            annotations=None if reads is None else ToolAnnotations(read_only_hint=reads),
        )
        tool = McpTool(definition, name, self.does)
        tool.server = tool.server_title = server
        return tool


@dataclass
class House:
    """A house whose model makes the calls that it is given."""

    agent: Agent
    ollama: PlayedOllama
    deeds: Deeds
    servers: Servers

    async def hears(
        self,
        said: str,
        *steps: Any,
        language: str = "en",
        written: bool = False,
        after: Answer | None = None,
    ) -> tuple[Answer, list[str]]:
        """Say a sentence; return the answer and all that was done or sent.

        Each step is a text or the calls of a message; the first message is never `written` as text.
        """
        script = [
            says(step)
            if isinstance(step, str)
            else says("\n".join(json.dumps(each["function"]) for each in step))
            if written and number
            else calls(*step)
            for number, step in enumerate(steps)
        ]
        self.ollama.script = [*script, *[says("Well.")] * 4]
        conversation = after.conversation_id if after else None
        answer = await self.agent.hears(said, conversation, language=language)
        await self.agent.hass.async_block_till_done()
        done = [each for each in self.deeds.taken() if "get_items" not in each]
        sent = [*self.servers.sent]
        self.servers.sent.clear()
        return answer, [*done, *sent]

    def add(self, entity_id: str, name: str, state: str = "on", **attributes: Any) -> None:
        """Add a device, or change it."""
        hass = self.agent.hass
        hass.states.async_set(entity_id, state, {"friendly_name": name, **attributes})
        async_expose_entity(hass, "conversation", entity_id, True)


@pytest.fixture
async def house(full_house: HomeAssistant, ollama: PlayedOllama) -> House:
    """Return the house with the servers' tools."""
    servers = Servers()
    add_tools(full_house, *(servers.tool(*each) for each in TOOLS))
    apis = [llm.LLM_API_ASSIST, API_ID]
    agent = await add_agent(full_house, ollama.url, tools=apis, second_opinion=False)
    return House(agent, ollama, Deeds(full_house), servers)
