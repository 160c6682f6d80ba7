"""The servers that speak OpenAI's protocol, how each is recognised, and what it says differently.

A server that is none of these is asked as most of them are. What it refuses is left out from then
on (`capabilities.py`), so nothing here has to be complete.

Sources: llama.cpp `tools/server/README.md`; https://docs.vllm.ai, "OpenAI-Compatible Server";
https://docs.sglang.ai, "OpenAI APIs"; https://lmstudio.ai/docs, "REST API v0"; https://localai.io;
https://docs.litellm.ai; https://openrouter.ai/docs; https://platform.openai.com/docs/api-reference;
https://docs.ollama.com, "OpenAI compatibility".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from yarl import URL

from ..limits import AT_ONCE

type ServerFields = Mapping[str, Any]

# Templates ask for one of these; one that a template does not know is not read.
_NO_THOUGHT: ServerFields = {
    "chat_template_kwargs": {"enable_thinking": False, "thinking": False, "reasoning_effort": "low"}
}
_THOUGHT: ServerFields = {
    "chat_template_kwargs": {
        "enable_thinking": True,
        "thinking": True,
        "reasoning_effort": "medium",
    }
}
# Requests at once to a server that reads all of them together.
_MANY_AT_ONCE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerKind:
    """A kind of server."""

    name: str
    owners: tuple[str, ...] = ()
    """What its list of models says of who owns one."""
    host: str = ""
    """The end of its address, where there is only one such server."""
    tells: tuple[str, str] | None = None
    """A path above `/v1` where it alone answers with an object, and what that has: `data` are models."""
    extra: ServerFields = field(default_factory=dict)
    """What a request has beside what every server takes."""
    beside_tools: ServerFields = field(default_factory=dict)
    """What a request has that shows tools."""
    thought: ServerFields = field(default_factory=lambda: _THOUGHT)
    no_thought: ServerFields = field(default_factory=lambda: _NO_THOUGHT)
    """How a request says whether the model is to think."""
    length: str = "max_tokens"
    """What the limit of an answer's tokens is called."""
    at_once: int = AT_ONCE
    """Requests that it is given at once; where it has slots, as many as these."""
    reads_for_free: bool = False
    """Whether it costs nothing to have it read a prompt that nobody has asked yet."""
    locked: str = ""
    """A path that only who has the key may ask for, where others may see the list of models."""
    wants_all_named: bool = False
    """Whether a schema is only followed that requires every property that it has."""


LLAMA_CPP = ServerKind(
    name="llama.cpp",
    owners=("llamacpp",),
    extra={"cache_prompt": True},
    beside_tools={"parallel_tool_calls": True},
    locked="/props",
    reads_for_free=True,
)
UNKNOWN = ServerKind(name="OpenAI-compatible")

KINDS = (
    ServerKind(
        name="OpenAI",
        host="api.openai.com",
        # What a model that thinks takes in any case; one that does not refuses it, once.
        thought={"reasoning_effort": "medium"},
        no_thought={"reasoning_effort": "low"},
        length="max_completion_tokens",
        at_once=_MANY_AT_ONCE,
        wants_all_named=True,
    ),
    ServerKind(
        name="OpenRouter",
        host="openrouter.ai",
        locked="/v1/key",
        thought={"reasoning": {"enabled": True}},
        no_thought={"reasoning": {"enabled": False}},
        at_once=_MANY_AT_ONCE,
        wants_all_named=True,
    ),
    LLAMA_CPP,
    ServerKind(name="vLLM", owners=("vllm",), at_once=_MANY_AT_ONCE, reads_for_free=True),
    ServerKind(name="SGLang", owners=("sglang",), at_once=_MANY_AT_ONCE, reads_for_free=True),
    ServerKind(
        name="Ollama",
        owners=("library",),
        thought={"reasoning_effort": "medium"},
        no_thought={"reasoning_effort": "none"},
        reads_for_free=True,
    ),
    ServerKind(
        name="LM Studio",
        owners=("organization_owner",),
        tells=("/api/v0/models", "data"),
        reads_for_free=True,
    ),
    ServerKind(name="LocalAI", tells=("/system", "backends"), reads_for_free=True),
    ServerKind(name="LiteLLM", tells=("/model/info", "data"), at_once=_MANY_AT_ONCE),
)
"""All kinds that are known, the surest marks first."""


def kind_at(url: str) -> ServerKind | None:
    """Return the kind of server that an address alone tells."""
    host = URL(url).host or ""
    return next(
        (kind for kind in KINDS if kind.host and f".{host}".endswith(f".{kind.host}")), None
    )


def kind_of(models: Iterable[Mapping[str, Any]]) -> ServerKind | None:
    """Return the kind of server that a list of models tells."""
    owners = {str(model.get("owned_by")) for model in models}
    return next((kind for kind in KINDS if owners & set(kind.owners)), None)
