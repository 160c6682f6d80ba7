"""The two agents that are compared, set up as a user would have them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import json
from types import MappingProxyType
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.components.conversation.trace import ConversationTrace, async_get_traces
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er, llm
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import CONF_KIND, DOMAIN as OURS, EntryKind
from custom_components.voice_gateway.turn.consent_dialog import QUESTIONS

CORE = "ollama"
AGENTS = {"core": CORE, "voice_gateway": OURS}
"""Domains, by the names that results have."""
OF_LLAMA = "llama_cpp"
"""Home Assistant's own integration for a server that speaks OpenAI's protocol."""
SERVERS = {EntryKind.OLLAMA.value: CORE, EntryKind.OPENAI.value: OF_LLAMA}
"""Home Assistant's integrations that are compared, by the kinds of servers."""
_YES = {
    "de": "Ja",
    "en": "Yes",
    "es": "Sí",
    "fr": "Oui",
    "it": "Sì",
    "nl": "Ja",
    "pl": "Tak",
}
_KNOWN_NOTES = ("messages", "completion", "tools", "stats", "turn")
PATIENCE = 180.0
"""Seconds after which a turn is given up: a small model that raves does not end by itself, and a
cold one needs two minutes on a slow computer."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent did and said."""

    speech: str
    content: Sequence[conversation.Content]
    """What the turn added to the chat log, the sentence first."""
    trace: ConversationTrace | None
    conversation_id: str | None
    listens: bool = False
    """Whether the microphone stays open."""
    agreed: bool = False
    """Whether Home Assistant asked first, and the user said yes."""

    @property
    def notes(self) -> Sequence[Mapping[str, Any]]:
        """What the agent noted in the conversation's trace.

        It is read only here: a copy of all that a trace holds takes as long as the turn.
        """
        events = self.trace.as_dict()["events"] if self.trace else ()
        return [
            event["data"]
            for event in events
            if event["event_type"] == "agent_detail" and event["data"]
        ]

    @property
    def calls(self) -> Sequence[llm.ToolInput]:
        """The tools that were called."""
        return [
            call
            for item in self.content
            if isinstance(item, conversation.AssistantContent)
            for call in item.tool_calls or ()
        ]

    @property
    def errors(self) -> Sequence[Mapping[str, Any]]:
        """What refused calls resulted in."""
        return [
            item.result.data
            for item in self.content
            if isinstance(item, conversation.ToolResultContent) and item.result.error
        ]

    @property
    def deeds(self) -> Sequence[str]:
        """The calls and their results, a line each."""
        lines = []
        for item in self.content:
            match item:
                case conversation.AssistantContent(tool_calls=[*calls]):
                    lines += [
                        f"  call: {call.tool_name}({short(call.tool_args)})" for call in calls
                    ]
                case conversation.ToolResultContent():
                    mark = "error" if item.result.error else "result"
                    lines.append(f"  {mark}: {cut(short(item.result.data))}")
                case _:
                    pass
        return lines

    @property
    def story(self) -> Sequence[str]:
        """What the agent noted beside what every turn leaves in the trace, and what it said."""
        notes = [
            {key: value for key, value in note.items() if key not in _KNOWN_NOTES}
            for note in self.notes
        ]
        told = [f"  note: {short(note)}" for note in notes if note]
        return [*told, f"  spoken: {cut(self.speech)}"]


def cut(text: str) -> str:
    """Return the beginning of a text, in one line."""
    return " ".join(text.split())[:300]


def short(value: Any) -> str:
    """Return a value in one line."""
    return json.dumps(value, ensure_ascii=False, default=str)


async def async_add_agent(
    hass: HomeAssistant,
    domain: str,
    url: str,
    model: str,
    entry_options: Mapping[str, Any] = MappingProxyType({}),
    *,
    kind: str = EntryKind.OLLAMA,
    **options: Any,
) -> str:
    """Set up an agent with the Assist API and else its defaults; return its entity's id.

    The same model does AI tasks, with the same options. `kind` is that of the server.
    """
    model_key = "chat_model" if domain == OF_LLAMA else "model"
    subentries = [
        {
            "data": {model_key: model, "llm_hass_api": [llm.LLM_API_ASSIST], **options},
            "subentry_type": kind,
            "title": domain,
            "unique_id": None,
        }
        for kind in (conversation.DOMAIN, "ai_task_data")
    ]
    data: dict[str, Any] = {"url": url}
    if domain == OURS:
        data[CONF_KIND] = kind
    if domain == OF_LLAMA:
        # As its form finds out.
        data = {"base_url": url, "streaming": True}
    version, minor_version = (3, 3) if domain == CORE else (1, 1)
    entry = common.MockConfigEntry(
        domain=domain,
        data=data,
        version=version,
        minor_version=minor_version,
        options=dict(entry_options),
        subentries_data=subentries,
    )
    entry.add_to_hass(hass)
    if not await hass.config_entries.async_setup(entry.entry_id):
        raise RuntimeError(f"{domain} could not be set up; --verbose shows why")
    await hass.async_block_till_done()
    for entity in er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id):
        if entity.domain == conversation.DOMAIN:
            return entity.entity_id
    raise RuntimeError(f"{domain} has no agent")


async def async_agree(
    hass: HomeAssistant, agent: str, turn: Turn, device_id: str | None, *, language: str = "en"
) -> Turn:
    """Say yes, once, where Home Assistant asks before something dangerous; return both turns as one.

    Who gives a command says yes to whether it is meant. What a model asks stays unanswered.
    """
    if not is_asked(hass, turn):
        return turn
    yes = _YES[language.partition("-")[0]]
    done = await async_ask(hass, agent, yes, device_id, turn.conversation_id, language=language)
    return replace(done, agreed=True)


def is_asked(hass: HomeAssistant, turn: Turn) -> bool:
    """Return True if the user was asked before something is done, and has not answered."""
    questions = hass.data.get(QUESTIONS)
    return questions is not None and questions.is_asked(turn.conversation_id)


async def async_ask(
    hass: HomeAssistant,
    agent: str,
    sentence: str,
    device_id: str | None = None,
    conversation_id: str | None = None,
    *,
    language: str = "en",
    user_id: str | None = None,
) -> Turn:
    """Say a sentence to an agent, in a new conversation or another one, and wait for all it does.

    Nobody's in Home Assistant, or a user's. A turn that takes longer than PATIENCE is ended; what it did until then stays done.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            result = await conversation.async_converse(
                hass,
                sentence,
                conversation_id,
                Context(user_id=user_id),
                language,
                agent,
                device_id=device_id,
            )
    except Exception as err:  # noqa: BLE001 - the pipeline would say "Unexpected error"
        return Turn(f"raised {err!r}", (), None, conversation_id)
    finally:
        await hass.async_block_till_done()
    # An agent that raised leaves no conversation.
    log = hass.data[DATA_CHAT_LOGS].get(result.conversation_id or "")
    speech = result.response.speech.get("plain", {}).get("speech", "")
    return Turn(
        speech=speech,
        content=[item for item in log.content if item.role != "system"] if log else [],
        trace=async_get_traces()[-1],
        conversation_id=result.conversation_id,
        listens=result.continue_conversation,
    )


async def async_tool_names(hass: HomeAssistant) -> dict[str, str]:
    """Return today's names of the Assist API's tools, by the names without their prefix."""
    context = llm.LLMContext("bench", Context(), "en", "conversation", None)
    instance = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    return {tool.name.rpartition("__")[2]: tool.name for tool in instance.tools}
