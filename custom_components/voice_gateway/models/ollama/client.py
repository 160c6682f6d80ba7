"""The client of an Ollama model with an agent's options.

Source of the formats: https://docs.ollama.com/api (docs/api.md, api/types.go).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, override

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ...const import CONF_KEEP_ALIVE, CONF_NUM_CTX, DEFAULTS
from ...json_schema import Json
from ..history import Message, RequestBody
from ..learned import LearnedCapabilities
from ..logprobs import LIKELIEST
from ..self_hosted import ModelRequest, OwnServerClient
from .server import OllamaServer

# Tokens that are kept free for the answer; a spoken one has about 50.
_ANSWER_TOKENS = 512


@dataclass(slots=True, kw_only=True, eq=False)
class OllamaClient(OwnServerClient[LearnedCapabilities]):
    """A model of a server with an agent's options; `keep_alive` is in seconds, -1 without end."""

    # Separate messages let the server reuse its cache of those before an utterance.
    takes_turns: ClassVar[bool] = False
    no_words: ClassVar[str] = ""
    server: OllamaServer
    num_ctx: int = DEFAULTS[CONF_NUM_CTX]
    keep_alive: int = DEFAULTS[CONF_KEEP_ALIVE]

    @override
    async def _is_read_ahead(self) -> bool:
        return self.keep_alive != 0

    @override
    def _context(self, known: LearnedCapabilities) -> int:
        return self.num_ctx

    @override
    def _body(self, request: ModelRequest, known: LearnedCapabilities) -> RequestBody:
        extra: RequestBody = {}
        if request.offered:
            extra["tools"] = request.functions()
        if request.weighs:
            extra |= {"logprobs": True, "top_logprobs": LIKELIEST}
        answer = min(_ANSWER_TOKENS, self.num_ctx // 8)
        messages = self._messages(request, known, answer=answer, fixed=extra)
        if request.schema is not None and known.takes_format:
            # It takes no tokens: the model does not see it. A constrained model calls no tools.
            extra["format"] = request.schema
        return {
            "model": self.model,
            "messages": messages,
            "think": self.think,
            "keep_alive": self.keep_alive,
            "options": {
                "num_ctx": self.num_ctx,
                "temperature": self.temperature,
                # Stops a model that does not come to an end.
                "num_predict": self.max_tokens or self.num_ctx // 4,
            },
            # Request an error instead of silently dropping the oldest messages.
            "truncate": False,
            "shift": False,
            **extra,
        }

    @override
    def _call(self, call: llm.ToolInput) -> Json:
        return {"function": {"name": call.tool_name, "arguments": call.tool_args}}

    @override
    def _result_of(self, item: conversation.ToolResultContent) -> Json:
        return {"tool_name": item.tool_name}

    @override
    def _with_files(self, message: Message, files: Mapping[str, tuple[str, str]]) -> Message:
        return {**message, "images": [files[path][0] for path in message["images"]]}
