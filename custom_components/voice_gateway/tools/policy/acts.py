"""The dialogue act and the addressee: questions, statements and refusals change nothing."""

from typing import Final

from homeassistant.helpers import llm

from ...home.lookup import find_entities
from ...mcp_servers.tool import McpTool
from ...names.matching import words
from ...nlu.clause import DialogueAct
from ...nlu.replies import NO
from ...nlu.utterance import RecognitionStatus
from ..assist.locations import Locations
from ..context_tool import RequestTool
from ..journal import DirectReply
from .call import ComparedCall
from .coverage import is_agreed
from .divergence import Difference, Divergence

DECLINED: Final = "The user was asked before this was done, and did not say yes"


def compare_act(call: ComparedCall) -> Difference | None:
    """A question or a statement is not a command."""
    if _only_reads(call.tool) or not call.asks or is_agreed(call):
        return None
    if call.utterance.parsed.act is not DialogueAct.STATEMENT:
        return Difference(
            Divergence.QUESTION, "The user asked a question: read the state, and answer"
        )
    tool, text = call.tool, call.utterance.text
    # "Could they be told?" requests it, though it reads like the report that they were.
    may_request = text.phrase_end(0, "inverted") > text.phrase_end(0, "reports")
    if call.acts_on_devices or (
        isinstance(tool, RequestTool) and not (may_request or text.says(*tool.requests))
    ):
        told = "The user told you something, and asked for nothing: answer in words"
        return Difference(Divergence.STATEMENT, told)
    return None


def compare_reply(call: ComparedCall) -> Difference | None:
    """Refuse a call if the answer to its question begins with a no: "don't, I forgot the milk"."""
    if call.is_declined and call.utterance.text.phrase_end(0, NO):
        return Difference(Divergence.DECLINED, DECLINED, DirectReply.AS_SAID)
    return None


def compare_content(call: ComparedCall) -> Difference | None:
    """Content addressed to a third person is not a command: "tell Anna that the light is off"."""
    is_content = all(each.has_recipient for each in call.clauses)
    if call.targets and call.acts_on_devices and is_content:
        told = "The user wants somebody to be told that: do nothing of it"
        return Difference(Divergence.RECIPIENT, told)
    return None


def compare_request(call: ComparedCall) -> Difference | None:
    """A tool of ours, such as an announcement, must be requested, for the places that were named.

    A place in the message does not count: "tell them that the kitchen is flooded".
    """
    tool, text = call.tool, call.utterance.text
    if not isinstance(tool, RequestTool):
        return None
    if call.utterance.exact_command and not text.says(*tool.requests):
        return Difference(Divergence.OTHERWISE, "The user said something else")
    # "Cancel the dentist appointment" begins with a word for no.
    if text.phrase_end(0, NO) and not text.phrase_end(0, *tool.requests):
        return Difference(Divergence.NEGATED, "The user said not to do this", DirectReply.AS_SAID)
    if not tool.has_places:
        return None
    passed_on = [word for each in tool.content for word in words(str(call.arguments.get(each, "")))]
    rest = " ".join(each for each in text.words if each not in passed_on)
    if not (named := call.utterance.link(text.alike(rest)).areas):
        return None
    locations = Locations(call.hass, call.utterance.language)
    # The tool itself answers about a place that does not exist.
    places = [locations.constrain(each, "").areas for each in call.arguments.get("places") or ()]
    if places and all(named.issuperset(each or ()) for each in places):
        return None
    names = ", ".join(call.utterance.home.areas[each].name for each in sorted(named))
    return Difference(Divergence.UNBOUNDED, f"The user said where: call it with the places {names}")


def compare_known(call: ComparedCall) -> Difference | None:
    """Do not answer a question about an unknown entity with the state of a similar one."""
    name = call.arguments.get("name")
    if isinstance(call.tool, McpTool) or not call.tool.annotations.read_only or not name:
        return None
    utterance, home = call.utterance, call.utterance.home
    found = find_entities(str(name), home.entities, home, utterance.language)
    if not utterance.similar_to_unknown(found):
        return None
    wanted = utterance.unknown_entities[0].name
    told = f"No device is called {wanted}: tell the user"
    return Difference(Divergence.ABSENT, told, DirectReply.NOT_FOUND, [wanted])


def compare_parsing(call: ComparedCall) -> Difference | None:
    """Refuse a call written as text if the utterance was not parsed in time."""
    is_unread = call.utterance.status is RecognitionStatus.UNREAD
    if call.is_written and is_unread and not _only_reads(call.tool):
        told = "It is not known what the user asks for: only read, and answer"
        return Difference(Divergence.UNREAD, told)
    return None


def _only_reads(tool: llm.Tool) -> bool:
    """Return True if a tool never acts, as far as known: many tools have no such hint."""
    if tool.annotations.read_only or isinstance(tool, llm.IntentTool):
        return tool.annotations.read_only
    if isinstance(tool, McpTool):
        return not {"read_only_hint", "destructive_hint"} & tool.declared.keys()
    return tool.annotations == llm.ToolAnnotations()
