r"""The marks of chat templates: what gives a model's text its structure, and is never said.

    <|im_end|>  <｜tool▁call▁begin｜>  <|tool_call>  <tool_call|>      bars of any width
    </minimax:tool_call>  <function=HassTurnOn>  <think>               names that only templates have
    [TOOL_CALLS]  [/INST]  ◁think▷  ✿FUNCTION✿                         other brackets

What a mark stands for, the words in its name tell, whatever namespace is before them: a new template
needs a word below, if anything.
"""

from dataclasses import dataclass
from functools import lru_cache
import re

from .reader import Reader, Unfinished

THOUGHT = frozenset(
    (
        *("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "analysis"),
        *("scratchpad", "monologue", "inner", "deliberation", "cot"),
    )
)
TOOLS = frozenset(("tool", "tools", "toolcall", "toolcalls", "function", "functions", "invoke"))
CALLS = TOOLS | frozenset(
    (
        "call",
        "calls",
        "action",
        "plugin",
        "python",
        "arg",
        "args",
        "arguments",
        "parameters",
        "input",
    )
)
PARAMETER = frozenset(("parameter", "param", "argument"))
RESULTS = frozenset(("response", "result", "results", "output", "outputs", "observation"))
ENDS = frozenset(("end", "eos", "eot", "eom", "eod", "endoftext", "return", "s"))
SPEAKERS = frozenset(("assistant", "model", "chatbot"))
OTHERS = frozenset(("user", "human", "system", "developer", "observation", "ipython", "inst"))
# What else stands in names of marks, and what alone is the name of one without bars.
_WORDS = (
    *(THOUGHT | CALLS | PARAMETER | RESULTS | ENDS),
    *("begin", "channel", "final", "header", "im", "message", "start", "token", "turn"),
)
_ALONE = frozenset(
    (
        *(THOUGHT | TOOLS | PARAMETER),
        *("arg", "args", "arguments", "parameters", "call", "calls", "input"),
        *("answer", "response", "reply", "output", "final", "assistant", "speak"),
        *("s", "bos", "eos", "pad", "unk", "unused"),
    )
)
_IN_BRACKETS = THOUGHT | {"inst", "args", "bos", "eos"}
_IN_SMALL_BRACKETS = ("tool_call", "tool_calls", "function_call", "function_calls")
_SMALL_BEGUN = (*_IN_SMALL_BRACKETS, "unused16", "unused17")

# What MedGemma and Pangu think between: whether it closes.
_UNUSED = {"<unused94>": False, "<unused95>": True, "[unused16]": False, "[unused17]": True}
_OPENINGS = frozenset("<[◁✿")
_BARS = "|｜‖"
_LONGEST = 160
_IN_TAG = rf"[^<>\n]{{0,{_LONGEST}}}"
_TAG = (
    rf"(?:[{_BARS}]{_IN_TAG}"
    rf"|(?P<name>[^\W\d][\w▁:.-]{{0,60}})(?P<rest>[\s=/{_BARS}]{_IN_TAG})?)"
)
_MARK = re.compile(
    rf"<(?P<tag>[\s/\\]{{0,3}}{_TAG})>|</(?P<cut>[a-z_]{{1,60}})(?=\n)"
    rf"|\[(?P<bracket>/?[A-Za-z_]{{1,24}}\d{{0,2}})\]|[◁✿](?P<other>/?\w{{1,20}})[▷✿]"
)
_BEGUN = re.compile(
    rf"<[\s/\\]{{0,3}}{_TAG}?|\[/?(?P<bracket>[A-Za-z_]{{0,24}}\d{{0,2}})|[◁✿]/?\w{{0,20}}"
)
_OF_CALLS = "(?:tool_call|function|parameter|invoke)"
DAMAGED = re.compile(
    rf"</?[{_BARS}][\w▁]*[{_BARS}]?|</(?:\w+[:_])?{_OF_CALLS}(?![a-z])"
    rf"|<(?:\w+[:_])?{_OF_CALLS}\b[^<>\n]*"
)
"""What is left of a mark that lacks its end."""
CUT_OFF = re.compile(
    rf"<[\s/]*(?:[{_BARS}]|(?:\w+:)?(?:to|fu|pa|in|th))[^<>]*|</\s*[\w:]*\s*|<\w+[_:]\w*|\[/?[A-Z]{{2,}}_?[A-Z]*"
)
"""What a text that was cut off may end with of a mark."""
_SPLIT = re.compile(r"[\W_▁\d]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TECHNICAL = re.compile(r"_|[a-z][A-Z]")
_QUOTED = re.compile(r"""\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))""")
_NAMED = re.compile(
    r"""\b(?:name|key|tool|function|action)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))"""
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark."""

    text: str
    words: frozenset[str]
    """The words of its name, in small letters."""
    closes: bool
    """Whether it is the second one of a pair."""
    value: str = ""
    """What it names: of `<function=X>` and `<invoke name="X">` "X"."""

    @property
    def is_thought(self) -> bool:
        """Return True if it is one of those that thinking stands between."""
        is_named = not self.words.isdisjoint(THOUGHT) and self.words.isdisjoint(CALLS)
        return is_named or self.text in _UNUSED

    @property
    def is_of_speaker(self) -> bool:
        """Return True if it tells who speaks from here on, or begins to."""
        is_start = self.words == {"begin"} or not self.words.isdisjoint(("start", "turn"))
        begins = is_start and not (self.closes or self._is_response)
        return begins or not self.words.isdisjoint(OTHERS | SPEAKERS)

    @property
    def ends_message(self) -> bool:
        """Return True if a message is over with it; not what a header ends with."""
        is_end = self.closes or not self.words <= {"s"}
        is_of_part = self._is_response or not self.words.isdisjoint(("header", "role"))
        return is_end and not is_of_part and not self.words.isdisjoint(ENDS)

    @property
    def _is_response(self) -> bool:
        return not self.words.isdisjoint(RESULTS) and self.words.isdisjoint(OTHERS)


def read_mark(reader: Reader) -> Mark | None:
    """Go past a mark, if it is next. Raises Unfinished while that is open."""
    if reader.peek() not in _OPENINGS:
        return None
    if found := _MARK.match(reader.text, reader.position):
        if mark := _mark_of(found[0]):
            reader.position = found.end()
        return mark
    if not reader.is_final and (begun := _BEGUN.fullmatch(reader.text, reader.position)):
        small = begun["bracket"] or ""
        may_become = (
            small.isupper() or any(name.startswith(small) for name in _SMALL_BEGUN)
            if small
            else _may_be_mark(begun)
        )
        if may_become:
            raise Unfinished
    return None


def mark_ahead(reader: Reader) -> Mark | None:
    """Return the mark that is next, and stay before it. Raises Unfinished while that is open."""
    begin = reader.position
    mark = read_mark(reader)
    reader.position = begin
    return mark


@lru_cache(256)
def _mark_of(text: str) -> Mark | None:
    """Return the mark that a text is; None for a tag of a page, an address, a placeholder."""
    found = _MARK.fullmatch(text) or _MARK.match(f"{text}\n")
    assert found
    if text in _UNUSED:
        return Mark(text, frozenset(), closes=_UNUSED[text])
    if name := found["bracket"]:
        bare = name.removeprefix("/")
        words = _words(bare)
        known = words & _IN_BRACKETS or ("_" in bare and words & {*_WORDS})
        if not (bare in _IN_SMALL_BRACKETS or (bare.isupper() and known)):
            return None
        return Mark(text, words, closes=name != bare)
    if name := found["other"]:
        return Mark(text, _words(name), closes=name.startswith("/"))
    if name := found["cut"]:
        return Mark(text, _words(name), closes=True) if _is_template(name) else None
    return _mark_of_tag(found) if _may_be_mark(found) else None


def _mark_of_tag(found: re.Match[str]) -> Mark | None:
    """Return the mark that a tag is, by its name, and by an attribute that names what it calls."""
    inside = found["tag"]
    head, equals, tail = re.sub(f"[{_BARS}]+", " ", inside).partition("=")
    names = re.sub(r"[/\\]", " ", head).split()
    value = ""
    if equals and len(names) > 1 and not re.match(rf".*[{_BARS}]\w+=", inside):
        *names, _ = names
        value = _first(_NAMED.search(f"{head}={tail}"))
    elif equals:
        value = _first(_QUOTED.match(tail))
    name = " ".join(names)
    is_barred = re.search(f"[{_BARS}]", inside) is not None
    space, _, named = name.partition(":")
    if not (equals or is_barred) and _words(space) <= CALLS and _TECHNICAL.search(named):
        # `<tool:HassTurnOn>`
        name, value = space, named
    if not (is_barred and re.search(r"[^\W\d_]", name)) and not _is_template(name):
        return None
    words = _words(name)
    closes = (
        (inside.endswith("/") and not equals)
        or re.match(rf"[{_BARS}\s]*(?:\w+[{_BARS}])?[/\\]", inside) is not None
        or not words.isdisjoint(("end", "suffix"))
        or (inside[-1] in _BARS and inside.strip()[0] not in _BARS)
    )
    return Mark(found[0], words, closes, value)


def _may_be_mark(tag: re.Match[str]) -> bool:
    """Return True if what follows a tag's name may follow a mark's."""
    rest = tag["rest"]
    return not rest or rest[0] in _BARS or _is_template(tag["name"])


def _first(found: re.Match[str] | None) -> str:
    return next((each for each in found.groups() if each), "").strip() if found else ""


def _words(name: str) -> frozenset[str]:
    words = _SPLIT.split(name)
    return frozenset(
        word.casefold() for word in (_CAMEL.split(name) if len(words) == 1 else words) if word
    )


def _is_template(name: str) -> bool:
    """Return True if only a template's tag has a name: no page's, and no placeholder."""
    if not re.fullmatch(r"[^\W\d][\w▁:.-]*", name):
        return False
    words = _words(name)
    if re.search(r"[_▁:]", name):
        return ":" in name or not words.isdisjoint(_WORDS)
    return not words.isdisjoint(_ALONE) and (len(words) == 1 or not words.isdisjoint(THOUGHT))
