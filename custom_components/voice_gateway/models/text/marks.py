r"""The marks of chat templates, which structure a model's text and are never spoken.

    <|im_end|>  <｜tool▁call▁begin｜>  <|tool_call>  <tool_call|>      bars of any width
    </minimax:tool_call>  <function=HassTurnOn>  <think>               names that only templates have
    [TOOL_CALLS]  [/INST]  [tool_use: HassTurnOn]  ◁think▷  ✿FUNCTION✿  other brackets

The words in a mark's name determine its function, whatever namespace precedes them: a new template
needs at most a new word below.
"""

from dataclasses import dataclass
from functools import lru_cache
import re

from .reader import Reader, Unfinished

THOUGHT = {
    *("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "analysis"),
    *("scratchpad", "monologue", "inner", "deliberation", "cot", "rationale", "plan", "internal"),
    *("hidden", "reason"),
}
TOOLS = {
    *("tool", "tools", "toolcall", "toolcalls", "functioncall", "functioncalls"),
    *("function", "functions", "fn", "invoke", "execute"),
}
CALLS = TOOLS | {
    *("call", "calls", "action", "plugin", "python"),
    *("arg", "args", "arguments", "parameters", "input"),
}
PARAMETER = {"parameter", "param", "argument"}
RESULTS = {"response", "result", "results", "output", "outputs", "observation"}
ENDS = {"end", "eos", "eot", "eom", "eod", "endoftext", "return", "s"}
SPEAKERS = {"assistant", "model", "chatbot"}
OTHERS = {"user", "human", "system", "developer", "observation", "ipython", "inst"}
# Words of a mark that opens the header of a message.
_HEADER = {"begin", "start", "turn", "im", "header", "id", "of", "role", "extra", "special"}
# Further words in names of marks, and words that name a mark without bars only on their own.
_WORDS = (
    *(THOUGHT | CALLS | PARAMETER | RESULTS | ENDS),
    *("begin", "channel", "extra", "final", "header", "im", "message", "special", "start", "token"),
    "turn",
)
_ALONE = {
    *(THOUGHT | CALLS | PARAMETER),
    *("answer", "solution", "response", "result", "reply", "output", "final", "assistant"),
    *("speak", "speech", "say", "text"),
    *("s", "bos", "eos", "eot", "eom", "eod", "endoftext", "pad", "unk", "unused"),
}
_USES = CALLS | {"use", "uses"}
_IN_BRACKETS = THOUGHT | {"inst", "args", "bos", "eos", "pad", "unk"}
# Marks of thinking of MedGemma, Gemini and Pangu: True for the closing one.
_UNUSED = {
    **dict.fromkeys(("<unused94>", "<ctrl94>", "[unused16]"), False),
    **dict.fromkeys(("<unused95>", "<ctrl95>", "[unused17]"), True),
}
_OPENINGS = frozenset("<[◁✿")
_BARS = "|｜‖"
_IN_TAG = r"[^<>\n]{0,160}"
_TAG = (
    rf"(?:[{_BARS}]{_IN_TAG}"
    rf"|(?P<name>[^\W\d][\w▁:.-]{{0,60}})(?P<rest>[ \t=/{_BARS}]{_IN_TAG})?)"
)
_MARK = re.compile(
    rf"<(?P<tag>[\s/\\]{{0,3}}{_TAG})>|</(?P<cut>[a-z_]{{1,60}})(?=\n)"
    rf"|\[(?P<bracket>/?[A-Za-z_]{{1,24}}\d{{0,2}})(?:: ?(?P<called>[\w.-]{{1,80}}))?\]|[◁✿](?P<other>/?\w{{1,20}})[▷✿]|\[(?P<minimax>e~)\["
    r"|(?P<comment>(?s:<!--.*?-->))"
)
_BEGUN = re.compile(
    rf"<[\s/\\]{{0,3}}{_TAG}?|\[/?(?P<bracket>[A-Za-z_]{{0,24}}\d{{0,2}})(?:~|: ?[\w.-]{{0,80}})?|[◁✿]/?\w{{0,20}}"
    r"|(?P<comment><!(?:-|\[[A-Z]*)?|(?s:<!--.*))"
)
_OF_CALLS = "(?:tool_call|function|parameter|invoke)"
_DAMAGED = re.compile(
    rf"</?[{_BARS}][\w▁]*[{_BARS}]?[\w▁]*|</(?:\w+[:_])?{_OF_CALLS}(?![a-z])"
    rf"|<(?:\w+[:_])?{_OF_CALLS}\b[^<>\n]*|<!\[CDATA\["
)
# A bracket before a word, and the rest of its line: `>` may follow.
_UNENDED = re.compile(r"<[^\s\d<>=-][^<>\n]{0,160}")
_SPLIT = re.compile(r"[\W_▁\d]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Words that do not occur in sentences: with an underscore, an inner dot, or an inner capital.
_TECHNICAL = re.compile(r"\w*(?:_|\w\.\w|[a-z0-9][A-Z])[\w.:-]*")
_QUOTED = re.compile(r"""\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))""")
_NAMED = re.compile(
    r"""\b(?:name|key|tool|function|action)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))"""
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark: its words, whether it closes, and the name that it holds: "X" in `<function=X>`."""

    text: str
    words: frozenset[str]
    closes: bool
    value: str = ""

    @property
    def is_thought(self) -> bool:
        """Return True if it opens or closes thinking."""
        return bool(self.words & THOUGHT and not self.words & CALLS) or self.text in _UNUSED

    @property
    def is_of_speaker(self) -> bool:
        """Return True if it names the next speaker, or opens a header that does."""
        speakers = OTHERS | SPEAKERS
        begins = self.words and self.words <= _HEADER | speakers and not self.closes
        return bool(begins or self.words & speakers)

    @property
    def ends_message(self) -> bool:
        """Return True if it ends a message; False for the end of a header."""
        is_response = self.words & RESULTS and not self.words & OTHERS
        is_of_part = is_response or self.words & {"header", "role", "box", "ref"}
        is_end = self.closes or not self.words <= {"s"}
        return bool(is_end and not is_of_part and self.words & ENDS)


def mark_ahead(reader: Reader) -> Mark | None:
    """Return the next mark without consuming it. Raises Unfinished while undecided."""
    if reader.peek() not in _OPENINGS:
        return None
    if found := _MARK.match(reader.text, reader.position):
        return _mark_of(found[0])
    begun = None if reader.is_final else _BEGUN.fullmatch(reader.text, reader.position)
    if begun and (begun["bracket"] or begun["comment"] or _may_be_mark(begun)):
        raise Unfinished
    return None


def read_mark(reader: Reader) -> Mark | None:
    """Consume and return the next mark, else return None. Raises Unfinished while undecided."""
    if mark := mark_ahead(reader):
        reader.position += len(mark.text)
    return mark


def skip_broken_mark(reader: Reader, *, in_word: bool = False) -> bool:
    """Consume a mark that lacks its end; return True if there was one.

    Of a tag with an unknown name, only the bracket is consumed; `in_word`, it is a comparison.
    Raises Unfinished while undecided.
    """
    text, begin = reader.text, reader.position
    begun = _BEGUN.fullmatch(text, begin) if reader.is_final else None
    if begun and _is_cut_off(begun, in_word=in_word):
        reader.position = len(text)
    elif damaged := _DAMAGED.match(text, begin):
        reader.position = damaged.end()
    elif not in_word and (unended := _UNENDED.match(text, begin)):
        if unended.end() == len(text) and not reader.is_final:
            raise Unfinished
        reader.position += text[unended.end() : unended.end() + 1] != ">"
    return reader.position > begin


def _is_cut_off(begun: re.Match[str], *, in_word: bool) -> bool:
    """Return True if a text's end is a mark's beginning: `<` and a word, or `[` and capitals."""
    if name := begun["bracket"]:
        return len(name) > 1 and name.isupper()
    first, name = begun[0][1:2], begun["name"]
    if begun["comment"] or first in {"/", *_BARS} or (name and _is_template(name)):
        return True
    return not in_word and first.isalpha() and _may_be_mark(begun)


@lru_cache(256)
def _mark_of(text: str) -> Mark | None:
    """Return a text as a mark; None for an HTML tag, an address or a placeholder."""
    found = _MARK.fullmatch(text) or _MARK.match(f"{text}\n")
    assert found
    if found["comment"]:
        return Mark(text, frozenset(), closes=True)
    if text in _UNUSED:
        return Mark(text, frozenset(), closes=_UNUSED[text])
    if name := found["bracket"]:
        bare, value = name.removeprefix("/"), found["called"] or ""
        words = words_of(bare)
        if value:
            is_known = words <= _USES and ("_" in bare or is_technical(value))
        elif "_" in bare:
            is_known = not words.isdisjoint(_WORDS)
        else:
            is_known = bool(words & _IN_BRACKETS) and (bare.isupper() or "think" in bare)
        return Mark(text, words, name != bare, value) if is_known else None
    if name := found["other"] or found["minimax"]:
        return Mark(text, words_of(name), closes=name.startswith("/"))
    if name := found["cut"]:
        return Mark(text, words_of(name), closes=True) if _is_template(name) else None
    return _mark_of_tag(found) if _may_be_mark(found) else None


def _mark_of_tag(found: re.Match[str]) -> Mark | None:
    """Return a tag as a mark, by its name, and by an attribute that names the called tool."""
    inside = found["tag"]
    head, equals, tail = re.sub(f"[{_BARS}]+", " ", inside).partition("=")
    names = [name for name in re.sub(r"[/\\]", " ", head).split() if re.search(r"[^\W\d]", name)]
    if equals and len(names) > 1 and not re.match(rf".*[{_BARS}]\w+=", inside):
        *names, _ = names
        given = _NAMED.search(f"{head}={tail}")
    else:
        given = _QUOTED.match(tail) if equals else None
    value = next(filter(None, given.groups()), "").strip() if given else ""
    name = " ".join(names)
    is_barred = re.search(f"[{_BARS}]", inside) is not None
    if not is_barred and (called := _called_in(name)):
        # `<tool:HassTurnOn>`
        name, value = called
    # `<action name="HassTurnOn">`
    is_call = words_of(name) <= CALLS and is_technical(value)
    if not (is_barred and re.search(r"[^\W\d_]", name)) and not (is_call or _is_template(name)):
        return None
    words = words_of(name)
    closes = (
        (inside.endswith("/") and not equals)
        or re.match(rf"[{_BARS}\s]*(?:\w+[{_BARS}])?[/\\]", inside)
        or words & {"end", "suffix"}
        or (inside[-1] in _BARS and inside.strip()[0] not in _BARS)
    )
    return Mark(found[0], words, bool(closes), value)


def _may_be_mark(tag: re.Match[str]) -> bool:
    """Return True if the text after a tag's name is valid in a mark."""
    rest, name = tag["rest"], tag["name"]
    if not rest or rest[0] in _BARS:
        return True
    return _is_template(name) or words_of(name) <= CALLS or _called_in(name) is not None


def _called_in(name: str) -> tuple[str, str] | None:
    """Return a namespace of tools, and the name of a tool that a tag has within it."""
    space, *called = re.split("[:.]", name, maxsplit=1)
    is_part = not called or words_of(called[0]) <= CALLS | PARAMETER
    if is_part or not (is_technical(called[0]) and words_of(space) <= CALLS):
        return None
    return space, called[0]


@lru_cache(256)
def words_of(name: str) -> frozenset[str]:
    """Return the words of a mark's name or a key, however they are joined, in lower case."""
    words = _SPLIT.split(name)
    return frozenset(
        word.casefold() for word in (_CAMEL.split(name) if len(words) == 1 else words) if word
    )


def is_technical(word: str) -> bool:
    """Return True if a word looks like an identifier, and not like a word of a sentence."""
    return bool(_TECHNICAL.fullmatch(word))


def _is_template(name: str) -> bool:
    """Return True if a name occurs only in a template's tags, not in HTML or placeholders."""
    if not re.fullmatch(r"[^\W\d][\w▁:.-]*", name):
        return False
    words = words_of(name)
    if re.search(r"[_▁:-]", name):
        return ":" in name or not words.isdisjoint(_WORDS)
    return bool(words & _ALONE and (len(words) == 1 or words & THOUGHT or words <= CALLS))
