"""Names and defaults of options, entries and limits, each defined once."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from .logs import logger_of

DOMAIN = "voice_gateway"
assert __package__
LOGGER = logger_of(__package__)

CONF_KIND = "kind"


class EntryKind(StrEnum):
    """The kind of server of a config entry; kept in its data under `kind`."""

    OLLAMA = "ollama"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    MCP_URL = "mcp_url"
    MCP_COMMAND = "mcp_command"
    ZWAVE = "zwave"


# The kinds of model servers, and of MCP servers.
MODEL_KINDS = (EntryKind.OLLAMA, EntryKind.OPENAI, EntryKind.ANTHROPIC)
MCP_KINDS = (EntryKind.MCP_URL, EntryKind.MCP_COMMAND, EntryKind.ZWAVE)

SUBENTRY_CONVERSATION = "conversation"
SUBENTRY_AI_TASK = "ai_task_data"

# An agent's options, in its subentry. Home Assistant's own names if it has them.
CONF_NUM_CTX = "num_ctx"
CONF_KEEP_ALIVE = "keep_alive"
CONF_THINK = "think"
CONF_TEMPERATURE = "temperature"
CONF_MAX_ROUNDS = "max_rounds"
CONF_TIMEOUT = "timeout"
CONF_REFLEX = "reflex"
CONF_SECOND_OPINION = "second_opinion"
CONF_CONFIRM_AT_ONCE = "confirm_at_once"
CONF_KEEP_FORMATTING = "keep_formatting"
CONF_NOTEBOOK = "notebook"
CONF_SPEAKER_TAG = "speaker_tag"
CONF_TALK_MINUTES = "talk_minutes"
CONF_DIAGNOSTICS_SENTENCES = "diagnostics_sentences"
CONF_FALLBACK_AGENT = "fallback_agent"
CONF_FALLBACK_AFTER = "fallback_after"
CONF_ASK_BEFORE = "ask_before"
CONF_PIN = "pin"
CONF_MAX_TOKENS = "max_tokens"
CONF_WEB_SEARCH = "web_search"
CONF_WARM_UP = "warm_up"

MIN_NUM_CTX = 2048
MAX_NUM_CTX = 262144
MIN_MAX_TOKENS = 256


class Danger(StrEnum):
    """Calls that require confirmation; kept in an agent's options under `ask_before`."""

    LOCKS = "locks"
    """Unlocking."""
    DOORS = "doors"
    """Opening doors, garages and gates."""
    ALARMS = "alarms"
    """Disarming."""
    ROUTINES = "routines"
    """Running scripts, scenes, automations and buttons that do one of these."""
    TOOLS = "tools"
    """Calling tools that their server marks as destructive."""
    LISTS = "lists"
    """Removing list items that the user did not name."""


# By default, all dangerous calls require confirmation.
DEFAULT_ASK_BEFORE = [each.value for each in Danger]
# Digits of a PIN.
PIN_LENGTHS = range(4, 13)
# Seconds for an AI task. No user waits for it, and slow hardware may have to process an image.
DEFAULT_TASK_TIMEOUT = 300

# The options of a provider's entry: the sources of the built-in tools.
CONF_SEARCH_PROVIDER = "search_provider"
CONF_SEARXNG_URL = "searxng_url"
CONF_BRAVE_API_KEY = "brave_api_key"
# Whether Home Assistant's other agents get our read-only tools.
CONF_OFFER_TOOLS = "offer_tools"


class SearchProvider(StrEnum):
    """The provider of web searches; kept in an entry's options under `search_provider`."""

    NONE = "none"
    SEARXNG = "searxng"
    BRAVE = "brave"


# Fired before an agent or a plan makes its calls, in the context of these calls.
EVENT_ACTED = f"{DOMAIN}_acted"
EVENT_PLAN = f"{DOMAIN}_plan_carried_out"

# The connection settings of an MCP server, in its entry's data; URL, headers, command and tokens
# have Home Assistant's own names.
CONF_ARGS = "args"
CONF_ENV = "env"
CONF_CWD = "cwd"
CONF_LOGIN = "login"
# In a Z-Wave entry's data: whether its tools are limited to exposed devices.
CONF_ONLY_EXPOSED = "only_exposed"

# Sent when an MCP server connects or disconnects, or its tools change.
SIGNAL_MCP_TOOLS = f"{DOMAIN}_mcp_tools"

# The options of an MCP server's entry. Tools in neither list appeared after the last selection.
CONF_TOOLS = "tools"
CONF_TICKED_TOOLS = "ticked_tools"
CONF_EXCLUDED_TOOLS = "excluded_tools"
# Whether automations are limited to the agents' tools, too.
CONF_ONLY_AGENTS_TOOLS = "only_agents_tools"
CONF_NEW_READERS = "new_readers"

# Seconds for one tool call, and the duration from which a call is logged as slow.
TOOL_TIMEOUT = 30.0
SLOW_TOOL = 1.0
# Seconds for a request to a model server that runs no model: version, list, show.
SERVER_TIMEOUT = 10.0

DEFAULTS: Mapping[str, Any] = {
    # Tokens. Home Assistant's tools and a house of 40 devices take 2,000 to 4,000.
    CONF_NUM_CTX: 8192,
    # Seconds that the server keeps the model in memory after a request; -1 means without end.
    CONF_KEEP_ALIVE: -1,
    # Thinking delays spoken answers, and commands need none.
    CONF_THINK: False,
    # The same command should always lead to the same tool call.
    CONF_TEMPERATURE: 0,
    # Maximum tokens of an answer. Only the tokens that are generated are charged.
    CONF_MAX_TOKENS: 3000,
    # Each search of Anthropic's costs extra.
    CONF_WEB_SEARCH: False,
    # Prefilling a prompt costs tokens, even if no utterance follows.
    CONF_WARM_UP: False,
    # Requests with tools in one turn; a further one without tools makes the model answer.
    CONF_MAX_ROUNDS: 5,
    # Seconds for a whole turn. The first prompt after a pause takes slow hardware nearly a minute.
    CONF_TIMEOUT: 90,
    # Seconds without output, prefill included, before the fallback agent is asked.
    CONF_FALLBACK_AFTER: 15,
    # Unambiguous commands are executed without the model.
    CONF_REFLEX: True,
    # Home Assistant's own intents act if no call of the model succeeded.
    CONF_SECOND_OPINION: True,
    # Simple actions are acknowledged in Home Assistant's words instead of the model's.
    CONF_CONFIRM_AT_ONCE: True,
    # Answers are spoken; lists and bold only help readers.
    CONF_KEEP_FORMATTING: False,
    # Notes are made only on request.
    CONF_NOTEBOOK: True,
    # Without a form, no sentence has a tag.
    CONF_SPEAKER_TAG: "",
    # As long as Home Assistant itself remembers a conversation.
    CONF_TALK_MINUTES: 5,
    CONF_ASK_BEFORE: DEFAULT_ASK_BEFORE,
    # Utterances stay out of diagnostics unless the user includes them.
    CONF_DIAGNOSTICS_SENTENCES: False,
    # More tools make small models slower.
    CONF_OFFER_TOOLS: False,
    # Automations could call all tools in the first release.
    CONF_ONLY_AGENTS_TOOLS: False,
}
"""Values of options that are not set."""


def option(options: Mapping[str, Any], name: str) -> Any:
    """Return an option, or its default."""
    return options.get(name, DEFAULTS[name])
