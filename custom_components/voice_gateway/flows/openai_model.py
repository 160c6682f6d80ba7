"""The form for a model at a server that speaks OpenAI's protocol."""

from pathlib import PurePosixPath
from typing import override

from homeassistant.helpers.selector import BooleanSelector, SelectOptionDict

from ..const import CONF_MAX_TOKENS, CONF_TEMPERATURE, CONF_THINK, MIN_MAX_TOKENS
from ..models.openai.capabilities import OpenAIModel
from ..models.openai.server import OpenAIServer
from ..models.openai.server_kinds import UNKNOWN, ServerKind
from .fields import Fields, number, optional, whole
from .model import ModelFlow

# Tokens: no server gives its limit.
_MOST_TOKENS = 64000


class OpenAIModelFlow(ModelFlow):
    """Choose a model of a server, and its options."""

    step = "openai"
    async_step_openai = ModelFlow.async_step_user

    def __init__(self) -> None:
        """Begin without a request to the server."""
        super().__init__()
        self._known: list[OpenAIModel] = []
        self._kind: ServerKind = UNKNOWN

    @override
    async def _async_load(self) -> None:
        server: OpenAIServer = self._get_entry().runtime_data
        self._known = await server.models()
        self._kind = await server.kind()

    @override
    def _models(self) -> list[SelectOptionDict]:
        """Return the models, in the server's order."""
        return [
            SelectOptionDict(value=model.id, label=" ".join((*self._marks(model), model.id)))
            for model in self._known
        ]

    @override
    def _suggested_model(self) -> str | None:
        calling = (model.id for model in self._known if model.calls_tools is not False)
        return next(calling, None)

    @override
    def _calls_tools(self, model: str) -> bool | None:
        return next((each.calls_tools for each in self._known if each.id == model), None)

    @override
    def _called(self, model: str) -> str:
        """Return a model's name; llama.cpp uses the path of its file."""
        return PurePosixPath(model).name

    @override
    def _options(self) -> Fields:
        return {
            optional(CONF_MAX_TOKENS): whole(MIN_MAX_TOKENS, _MOST_TOKENS),
            optional(CONF_THINK): BooleanSelector(),
            optional(CONF_TEMPERATURE): number(0, 2, 0.05),
        }
