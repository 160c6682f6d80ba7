"""Names and defaults: of options, of entries, of limits. One place for each."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from .logs import logger_of

DOMAIN = "voice_gateway"
assert __package__
LOGGER = logger_of(__package__)

CONF_KIND = "kind"


class EntryKind(StrEnum):
    """What a config entry of ours stands for; kept in its data under `kind`."""

    OLLAMA = "ollama"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    MCP_URL = "mcp_url"
    MCP_COMMAND = "mcp_command"
    ZWAVE = "zwave"


# The kinds that stand for a model server, and for an MCP server.
MODEL_KINDS = (EntryKind.OLLAMA, EntryKind.OPENAI, EntryKind.ANTHROPIC)
MCP_KINDS = (EntryKind.MCP_URL, EntryKind.MCP_COMMAND, EntryKind.ZWAVE)

SUBENTRY_CONVERSATION = "conversation"
SUBENTRY_AI_TASK = "ai_task_data"

# An agent's options, in its subentry. Home Assistant's own names where it has them.
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
    """What the user is asked before; kept in an agent's options under `ask_before`."""

    LOCKS = "locks"
    """To unlock."""
    DOORS = "doors"
    """To open doors, garages and gates."""
    ALARMS = "alarms"
    """To disarm."""
    ROUTINES = "routines"
    """To run what leads there: scripts, scenes, automations, buttons."""
    TOOLS = "tools"
    """To call what destroys, as its server says."""
    LISTS = "lists"
    """To remove from lists what was not named."""


# Before what is dangerous, the user is asked.
DEFAULT_ASK_BEFORE = [each.value for each in Danger]
# Digits of a PIN.
PIN_LENGTHS = range(4, 13)
# Seconds for an AI task. Nobody stands and waits for it, and slow hardware may look at a picture.
DEFAULT_TASK_TIMEOUT = 300

# The options of a provider's entry: where built-in tools look things up.
CONF_SEARCH_PROVIDER = "search_provider"
CONF_SEARXNG_URL = "searxng_url"
CONF_BRAVE_API_KEY = "brave_api_key"
# Whether Home Assistant's other agents get our tools that read.
CONF_OFFER_TOOLS = "offer_tools"


class SearchProvider(StrEnum):
    """Who answers web searches; kept in an entry's options under `search_provider`."""

    NONE = "none"
    SEARXNG = "searxng"
    BRAVE = "brave"


# Fired before something is done by an agent and by a plan, in the context of what is then done.
EVENT_ACTED = f"{DOMAIN}_acted"
EVENT_PLAN = f"{DOMAIN}_plan_carried_out"

# How an MCP server is reached, in its entry's data; URL, headers, command and tokens have Home
# Assistant's own names.
CONF_ARGS = "args"
CONF_ENV = "env"
CONF_CWD = "cwd"
CONF_LOGIN = "login"
# In a Z-Wave entry's data: whether its tools are for exposed devices alone.
CONF_ONLY_EXPOSED = "only_exposed"

# Sent when an MCP server came or went, or has other tools.
SIGNAL_MCP_TOOLS = f"{DOMAIN}_mcp_tools"

# The options of an MCP server's entry. Tools that are in neither list came after the last ticks.
CONF_TOOLS = "tools"
CONF_TICKED_TOOLS = "ticked_tools"
CONF_EXCLUDED_TOOLS = "excluded_tools"
# Whether automations too can call no other tools.
CONF_ONLY_AGENTS_TOOLS = "only_agents_tools"
CONF_NEW_READERS = "new_readers"

# Seconds for one tool call, and from when on a slow one is worth a warning.
TOOL_TIMEOUT = 30.0
SLOW_TOOL = 1.0
# Seconds for a question to a model server that needs no thinking: version, list, show.
SERVER_TIMEOUT = 10.0

DEFAULTS: Mapping[str, Any] = {
    # Tokens. Home Assistant's tools and a house of 40 devices take 2,000 to 4,000.
    CONF_NUM_CTX: 8192,
    # Seconds that the server keeps the model in memory after a request; -1 is for ever.
    CONF_KEEP_ALIVE: -1,
    # Thinking makes someone who speaks wait, and commands need none.
    CONF_THINK: False,
    # Choosing a tool and its arguments wants no invention: the same command is the same call tomorrow.
    CONF_TEMPERATURE: 0,
    # Tokens of an answer at most. Only what is written is paid for.
    CONF_MAX_TOKENS: 3000,
    # Each search of Anthropic's costs extra.
    CONF_WEB_SEARCH: False,
    # Reading the prompt of a sentence that may never come costs, too.
    CONF_WARM_UP: False,
    # Requests with tools in one turn; one more without them makes the model answer.
    CONF_MAX_ROUNDS: 5,
    # Seconds for a whole turn. The first prompt after a pause takes slow hardware nearly a minute.
    CONF_TIMEOUT: 90,
    # Seconds that a model may be silent before the fallback agent is asked; reading the prompt counts.
    CONF_FALLBACK_AFTER: 15,
    # What a sentence certainly wants is done without the model.
    CONF_REFLEX: True,
    # Home Assistant's own sentences act where the model called nothing that worked.
    CONF_SECOND_OPINION: True,
    # Plain actions are confirmed in Home Assistant's words instead of the model's.
    CONF_CONFIRM_AT_ONCE: True,
    # Answers are spoken; only who reads them wants lists and bold.
    CONF_KEEP_FORMATTING: False,
    CONF_ASK_BEFORE: DEFAULT_ASK_BEFORE,
    # What is said at home stays there, unless the user wants to show it to somebody.
    CONF_DIAGNOSTICS_SENTENCES: False,
    # More tools make small models slower.
    CONF_OFFER_TOOLS: False,
    # That automations can call all tools was so from the beginning.
    CONF_ONLY_AGENTS_TOOLS: False,
}
"""Options that nobody has set."""


def option(options: Mapping[str, Any], name: str) -> Any:
    """Return an option, or its default."""
    return options.get(name, DEFAULTS[name])
