"""The text a model is given: its template, and what is left out when the context is too short."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
import json
from typing import Any

from script.ollama.models import Model
from script.ollama.request import Message

_TOOLS_INTRO = """

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools>:
<tools>"""
_TOOLS_OUTRO = """
</tools>

For each function call, return a json object with function name and arguments within \
{tag}{end_tag} with NO other text. Do not include any backticks or ```json.
{tag}
{{"name": <function-name>, "arguments": <args-json-object>}}
{end_tag}"""
_GO_GEMMA = """{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if or (eq .Role "user") (eq .Role "system") }}<start_of_turn>user
{{ .Content }}<end_of_turn>
{{ if $last }}<start_of_turn>model
{{ end }}
{{- else if eq .Role "assistant" }}<start_of_turn>model
{{ .Content }}{{ if not $last }}<end_of_turn>
{{ end }}
{{- end }}
{{- end }}"""
_GO_TURNS = """{{ range $i, $message := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ if .Content }}{{ .Content }}CALLS{{ end }}{{ if not $last }}<|im_end|>
{{ end }}{{ else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}{{ if and $last (ne .Role "assistant") }}<|im_start|>assistant
{{ end }}{{ end }}"""
_GO_CALLS = """{{ else if .ToolCalls }}TAG
{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{ end }}END_TAG"""
_GO_TOOL = """{{ range .Tools }}
{"type": "function", "function": {{ .Function }}}{{ end }}"""


def go_template(model: Model) -> str:
    """Return the template in Go's notation, as `/api/show` gives it; `render` writes the same."""
    if model.weights.family == "gemma3":
        return _GO_GEMMA
    tools = calls = ""
    if model.tools:
        outro = _TOOLS_OUTRO.format(tag=model.tag, end_tag=model.end_tag)
        tools = f"{{{{ if .Tools }}}}{_TOOLS_INTRO}{_GO_TOOL}{outro}{{{{ end }}}}"
        calls = _GO_CALLS.replace("END_TAG", model.end_tag).replace("TAG", model.tag)
    system = "{{ if .System }}\n{{ .System }}{{ end }}"
    opening = "{{ if or .System .Tools }}<|im_start|>system"
    head = f"{opening}{system}{tools}<|im_end|>\n{{{{ end }}}}"
    return head + _GO_TURNS.replace("CALLS", calls)


def render(model: Model, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> str:
    """Render a conversation as the template of Ollama's `qwen2.5-coder` or `gemma3` does.

    Neighbours of one role are joined (`template/template.go`, collate). The prompt ends where the
    model is to go on.
    """
    if model.weights.family == "gemma3":
        return _gemma(_joined(messages))
    # System messages are gathered at the top wherever they stand.
    system = "\n\n".join(m.content for m in messages if m.role == "system")
    parts = []
    if system or tools:
        parts.append("<|im_start|>system")
        if system:
            parts.append(f"\n{system}")
        if tools:
            parts.append(_TOOLS_INTRO)
            parts += [f'\n{{"type": "function", "function": {_signature(t)}}}' for t in tools]
            parts.append(_TOOLS_OUTRO.format(tag=model.tag, end_tag=model.end_tag))
        parts.append("<|im_end|>\n")
    joined = _joined(messages)
    parts += [_turn(model, message) for message in joined]
    if joined[-1].role == "assistant":
        return "".join(parts).removesuffix("<|im_end|>\n")
    return "".join(parts) + "<|im_start|>assistant\n"


async def fit(
    model: Model,
    messages: Sequence[Message],
    tools: Sequence[Mapping[str, Any]],
    tokenize: Callable[[str], Awaitable[list[int]]],
    context: int,
) -> list[int]:
    """Tokenize a conversation, without its oldest messages where it does not fit otherwise.

    System messages and the last message always stay, and a tool's result never stands without
    the call it belongs to (`server/prompt.go`, chatPrompt). The result may still be too long.
    """
    tokens: list[int] = []
    for index in range(len(messages)):
        start = _call_of(messages, index)
        system = [m for m in messages[:start] if m.role == "system"]
        tokens = await tokenize(render(model, [*system, *messages[start:]], tools))
        if len(tokens) < context:
            break
    return tokens


def _call_of(messages: Sequence[Message], index: int) -> int:
    """Index of the message whose tool calls a tool's result answers; else `index` itself."""
    start = index
    while start > 0 and messages[start].role == "tool":
        start -= 1
    return start if messages[start].role == "assistant" and messages[start].tool_calls else index


def _gemma(messages: Sequence[Message]) -> str:
    """Render what a model without tools and without a system role reads."""
    roles = {"system": "user", "user": "user", "assistant": "model"}
    turns = [
        f"<start_of_turn>{roles[message.role]}\n{message.content}<end_of_turn>\n"
        for message in messages
        if message.role in roles
    ]
    text = "<bos>" + "".join(turns)
    if messages[-1].role == "assistant":
        return text.removesuffix("<end_of_turn>\n")
    return f"{text}<start_of_turn>model\n"


def _joined(messages: Sequence[Message]) -> list[Message]:
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role != "tool":
            last = joined[-1]
            joined[-1] = replace(last, content=f"{last.content}\n\n{message.content}")
        else:
            joined.append(message)
    return joined


def _turn(model: Model, message: Message) -> str:
    match message.role:
        case "user":
            return f"<|im_start|>user\n{message.content}<|im_end|>\n"
        case "assistant":
            return f"<|im_start|>assistant\n{_said(model, message)}<|im_end|>\n"
        case "tool":
            wrapped = f"<tool_response>\n{message.content}\n</tool_response>"
            return f"<|im_start|>user\n{wrapped}<|im_end|>\n"
    return ""


def _said(model: Model, message: Message) -> str:
    """What the assistant said, or, where it said nothing, what it called."""
    if message.content or not message.tool_calls:
        return message.content
    calls = "".join(
        f'{{"name": "{name}", "arguments": {_go_json(dict(sorted(arguments.items())))}}}\n'
        for name, arguments in message.tool_calls
    )
    return f"{model.tag}\n{calls}{model.end_tag}"


def _signature(function: Mapping[str, Any]) -> str:
    """A tool as the model reads it: what Ollama's types keep of a schema, and no more."""
    parameters = function.get("parameters") or {}
    kept = {
        "type": parameters.get("type", ""),
        **{key: parameters[key] for key in ("$defs", "items", "required") if parameters.get(key)},
        "properties": {
            name: _property(schema)
            for name, schema in sorted((parameters.get("properties") or {}).items())
        },
    }
    return _go_json(
        {
            "name": function.get("name", ""),
            "description": function.get("description", ""),
            "parameters": kept,
        }
    )


def _property(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return {}
    kept: dict[str, Any] = {}
    for key in ("anyOf", "type", "items", "description", "enum", "properties", "required"):
        match key, schema.get(key):
            case _, value if not value:
                continue
            case "anyOf", list(options):
                kept[key] = [_property(option) for option in options]
            case "properties", dict(properties):
                kept[key] = {name: _property(inner) for name, inner in properties.items()}
            case _, value:
                kept[key] = value
    return kept


def _go_json(value: Any) -> str:
    """JSON as Go's encoding/json writes it: no spaces, HTML's special characters escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
