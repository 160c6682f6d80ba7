"""A server's result in a model's format."""

import json
from typing import Any

from homeassistant.helpers import llm
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

# Characters, some 2,000 tokens. A local model reads 100 to 300 tokens a second and has room for
# 4,000 to 8,000: more would displace the question, and take too long.
MAX_CHARACTERS = 8000


def tool_result(result: CallToolResult) -> llm.ToolResult:
    """Return a result for a model: `{"result": text}`, `{"error": text}`, or the server's object.

    Texts are joined; other parts are named. An object is kept when the server gave no text, or only
    the same object as text. A result longer than 8,000 characters is cut, and says so.
    """
    text = "\n".join(_words(part) for part in result.content)
    if result.is_error:
        return llm.ToolResult(
            data={"error": _cut(text or "The tool failed and did not say why")}, error=True
        )
    structured = result.structured_content
    if isinstance(structured, dict) and _says_the_same(structured, text):
        as_text = json.dumps(structured, ensure_ascii=False)
        if len(as_text) <= MAX_CHARACTERS:
            return llm.ToolResult(data=structured)
        text = text or as_text
    return llm.ToolResult(data={"result": _cut(text)})


def _says_the_same(structured: dict[str, Any], text: str) -> bool:
    if not text:
        return True
    # Servers that must return an object wrap other values so.
    values = [structured, *([structured["result"]] if list(structured) == ["result"] else [])]
    try:
        return json.loads(text) in values
    except ValueError:
        return text in values


def _words(part: ContentBlock) -> str:
    match part:
        case TextContent():
            return part.text
        case ImageContent():
            return f"[image {part.mime_type}, {_size(part.data)}]"
        case AudioContent():
            return f"[audio {part.mime_type}, {_size(part.data)}]"
        case ResourceLink():
            return f"[resource {_joined(part.title or part.name, part.uri, part.mime_type)}]"
        case EmbeddedResource(resource=TextResourceContents(text=text)):
            return text
        case EmbeddedResource(resource=BlobResourceContents() as resource):
            named = _joined("resource", resource.uri, resource.mime_type)
            return f"[{named}, {_size(resource.blob)}]"
        case _:
            return f"[{part.type}]"


def _joined(*details: str | None) -> str:
    return " ".join(detail for detail in details if detail)


def _size(base64: str) -> str:
    size = len(base64) * 3 // 4 - base64[-2:].count("=")
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size} {unit}"
        size = round(size / 1000)
    return f"{size} GB"


def _cut(text: str) -> str:
    if len(text) <= MAX_CHARACTERS:
        return text
    note = f"\n[Cut: these are the first {MAX_CHARACTERS:,} of {len(text):,} characters]"
    return text[:MAX_CHARACTERS] + note
