"""The servers that speak OpenAI's protocol, how to recognise them, and their differences.

An unknown server gets the requests that most of them accept. Fields that it refuses are omitted
from then on (`capabilities.py`), so this list need not be complete.

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


def _of_template(effort: str, *, think: bool) -> ServerFields:
    # Templates use one of these, and ignore the others.
    fields = {"enable_thinking": think, "thinking": think, "reasoning_effort": effort}
    return {"chat_template_kwargs": fields}


# Concurrent requests to a server that processes them in batches.
_MANY_AT_ONCE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerKind:
    """A kind of server."""

    name: str
    owners: tuple[str, ...] = ()
    """The values of `owned_by` in its list of models."""
    host: str = ""
    """The end of its host name, if there is only one such server."""
    tells: tuple[str, str] | None = None
    """A path above `/v1` where only it returns an object, and a key of that: `data` for models."""
    beside_tools: ServerFields = field(default_factory=dict)
    """Further fields of a request with tools."""
    thought: ServerFields = field(default_factory=lambda: _of_template("medium", think=True))
    no_thought: ServerFields = field(default_factory=lambda: _of_template("low", think=False))
    """The fields of a request that turn thinking on, or off."""
    length: str = "max_tokens"
    """The name of the field that limits an answer's tokens."""
    at_once: int = AT_ONCE
    """Number of concurrent requests; if it has slots, their number counts."""
    reads_for_free: bool = False
    """Whether prefilling a prompt is free."""
    locked: str = ""
    """A path that requires the key, if the list of models does not."""
    wants_all_named: bool = False
    """Whether a strict schema must require all of its properties."""


LLAMA_CPP = ServerKind(
    name="llama.cpp",
    owners=("llamacpp",),
    beside_tools={"parallel_tool_calls": True},
    locked="props",
    reads_for_free=True,
)
UNKNOWN = ServerKind(name="OpenAI-compatible")

KINDS = (
    ServerKind(
        name="OpenAI",
        host="api.openai.com",
        # Every thinking model accepts it; any other one refuses it, once.
        thought={"reasoning_effort": "medium"},
        no_thought={"reasoning_effort": "low"},
        length="max_completion_tokens",
        at_once=_MANY_AT_ONCE,
        wants_all_named=True,
    ),
    ServerKind(
        name="OpenRouter",
        host="openrouter.ai",
        locked="v1/key",
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
        tells=("api/v0/models", "data"),
        reads_for_free=True,
    ),
    ServerKind(name="LocalAI", tells=("system", "backends"), reads_for_free=True),
    ServerKind(name="LiteLLM", tells=("model/info", "data"), at_once=_MANY_AT_ONCE),
)
"""All known kinds, those with the surest marks first."""


def kind_of(url: str, models: Iterable[Mapping[str, Any]]) -> ServerKind | None:
    """Return the kind of server if its address or its list of models identifies it; else None."""
    host, owners = f".{URL(url).host}", {str(model.get("owned_by")) for model in models}
    for kind in KINDS:
        if (kind.host and host.endswith(f".{kind.host}")) or not owners.isdisjoint(kind.owners):
            return kind
    return None
