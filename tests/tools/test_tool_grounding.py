"""A command asks a server's tool for what it does, in the user's words and language."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from mcp.types import Tool, ToolAnnotations

from custom_components.voice_gateway.mcp_servers.tool import McpTool
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.call import PolicyContext
from custom_components.voice_gateway.tools.policy.coverage import compare_coverage
from custom_components.voice_gateway.tools.taint import Taint
from tests.nlu.saying import hears
from tests.tools.comparing import proposed_call, verdict

from ..tables import table
from .test_taint_policy import DESCRIBED, has_read, no_call

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "lang": {"type": "string", "default": "auto"}},
}

type Row = tuple[str, str, str, Mapping[str, Any], str]
# The language, what is said, the tool's name, what it is called with, and what comes of it.
OWN_WORDS: list[Row] = table(__file__, "OWN_WORDS")


async def test_users_own_words_need_no_question(full_house: HomeAssistant) -> None:
    """After something of others was read, in other words than a tool's own, and in seven languages."""
    wrong = []
    for language, said, name, arguments, comes in OWN_WORDS:
        tool = McpTool(
            Tool(name=name, description="Does its work.", input_schema=SCHEMA), name, no_call
        )
        tool.server = "helper"
        proposed = proposed_call(tool=tool, arguments=dict(arguments), is_written=False)
        utterance = await hears(full_house, said, language=language)
        turn = PolicyContext(
            utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
        )
        if (got := verdict(compare_coverage, proposed, turn)) != comes:
            wrong.append((said, name, arguments, got))
    assert not wrong


async def test_what_may_be_an_errand_is_asked_about(full_house: HomeAssistant) -> None:
    """Where nobody knows for certain whether a sentence is a command."""
    tool = McpTool(Tool(name="bin_mail", description="", input_schema=SCHEMA), "bin_mail", no_call)
    tool.server = "helper"
    for language, said, comes in (
        ("nl", "gooi die reclame van de bakker maar weg", "asks call_with"),
        ("nl", "bedankt, welterusten", "no"),
        ("nl", "gooi je die reclame weg?", "no"),
        ("en", "good night then", "no"),
    ):
        proposed = proposed_call(tool=tool, arguments={"id": 3}, is_written=False)
        utterance = await hears(full_house, said, language=language)
        turn = PolicyContext(
            utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
        )
        assert verdict(compare_coverage, proposed, turn) == comes, said


async def test_of_what_was_said_before_only_a_name_is_meant(full_house: HomeAssistant) -> None:
    """A code that was to be remembered goes to nobody with the next sentence."""
    tool = McpTool(Tool(name="post_message", input_schema=SCHEMA), "post_message", no_call)
    tool.server = "helper"
    for text, comes in (
        ("the game is off", "yes"),
        ("the game is off, locker code 4711", "asks call_with"),
    ):
        proposed = proposed_call(tool=tool, arguments={"to": "Ida", "text": text}, is_written=False)
        before = ("remember the locker code 4711 of mine", "did Ida write?")
        utterance = await hears(full_house, "tell her the game is off", *before)
        turn = PolicyContext(
            utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
        )
        assert verdict(compare_coverage, proposed, turn) == comes, text


async def test_to_read_for_a_question_needs_none(full_house: HomeAssistant) -> None:
    """Where nothing was read yet, also by a name that nobody said; to act, it does."""
    acts = ToolAnnotations(read_only_hint=False)
    rows: tuple[tuple[str, str, Mapping[str, str], Taint, ToolAnnotations | None, str], ...] = (
        ("any news from next door?", "read_sms", {"text": "neighbour"}, DESCRIBED, None, "yes"),
        ("did the bank write?", "get_mails", {}, DESCRIBED, None, "yes"),
        ("hat die Bank geschrieben?", "get_mails", {"text": "bank"}, DESCRIBED, None, "yes"),
        ("did the bank write?", "get_mails", {"text": "door codes"}, DESCRIBED, None, "no"),
        ("any news from next door?", "read_sms", {"text": "post"}, has_read("mail"), None, "no"),
        ("did the bank write?", "read_and_reply", {"text": "bank"}, DESCRIBED, None, "no"),
        ("did the bank write?", "send_sms", {"text": "bank"}, DESCRIBED, None, "no"),
        # What is said not to only read, as a phone that is found by its ringing.
        ("where is my phone?", "find_phone", {}, DESCRIBED, acts, "no"),
    )
    wrong = []
    for said, name, arguments, taint, hints, comes in rows:
        definition = Tool(name=name, description="", input_schema=SCHEMA, annotations=hints)
        tool = McpTool(definition, name, no_call)
        tool.server = "helper"
        proposed = proposed_call(tool=tool, arguments=dict(arguments), is_written=False)
        utterance = await hears(full_house, said, language="de" if "Bank" in said else "en")
        turn = PolicyContext(utterance, Journal(), ToolManager(), hass=full_house, taint=taint)
        if (got := verdict(compare_coverage, proposed, turn)) != comes:
            wrong.append((said, name, arguments, got))
    assert not wrong


async def test_a_number_may_be_larger_than_any(full_house: HomeAssistant) -> None:
    tool = McpTool(Tool(name="order_food", input_schema=SCHEMA), "order_food", no_call)
    tool.server = "helper"
    arguments = {"text": "pizzas", "count": 10**400, "code": "9" * 400}
    proposed = proposed_call(tool=tool, arguments=arguments, is_written=False)
    utterance = await hears(full_house, "order two pizzas")
    turn = PolicyContext(
        utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
    )
    assert verdict(compare_coverage, proposed, turn) == "asks call_with"
