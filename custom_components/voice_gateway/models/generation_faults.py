"""A server that cannot read what its model wrote: no fault of the server's, and no crash.

Servers say so in many words, as a status or in the stream:

    error parsing tool call: raw='{"name": "Lamp"}]', err=invalid character ']'         Ollama
    XML syntax error on line 4: element <parameter> closed by </function>
    Failed to parse input at pos 12: <tool_call>{"name": …                              llama.cpp
    unexpected tokens remaining in message header                                       vLLM
    Failed to call a function. See 'failed_generation' for more details.                Groq
"""

import re

from .client import ModelError, Reason

# What went wrong, and of what; and what a request has, which is then what is wrong.
_FAILED = re.compile(
    r"pars(?:e|ing)|decod|unmarshal|malformed|unterminated|unexpected|mismatched|incomplete"
    r"|(?:invalid|not valid|not a valid) (?:character|json|tool|function)|syntax error|validation failed|does not match|fail\w* to (?:call|generate)|tool_use_failed"
)
_GENERATED = re.compile(
    r"tool|function|json|xml|token|message header|harmony|output|generat|input at"
)
_ASKED = re.compile(r"grammar|schema|template|request body|messages\[|image|unknown field")
# A refused request is its own fault, unless this is said.
_CERTAIN = re.compile(
    r"tool_use_failed|failed_generation|unexpected tokens?\b"
    r"|(?:tool|function)[ _]calls?\b.*(?:pars|malformed|invalid|fail)"
    r"|(?:pars\w*|malformed|invalid|fail\w*)\b.*\b(?:tool|function)[ _]call"
)
_QUOTED = re.compile(r"raw='(?P<raw>.*)', err|[<\[{].*[>\]}]", re.DOTALL)
_REFUSED = (400, 422)


def is_of_generation(status: int, words: str) -> bool:
    """Return True if a server says, with an HTTP status or within a stream, what a model wrote wrong."""
    said = words.casefold()
    if status in _REFUSED:
        return _CERTAIN.search(said) is not None
    return bool(_FAILED.search(said) and _GENERATED.search(said)) and not _ASKED.search(said)


def note(err: ModelError, status: int, words: str, written: str = "") -> None:
    """Note of a server's error whether it is the model's, and what the model had written."""
    if err.reason is Reason.SERVER_ERROR and is_of_generation(status, words):
        found = _QUOTED.search(words)
        err.of_generation = True
        err.written = written or (found["raw"] or found[0] if found else "")
