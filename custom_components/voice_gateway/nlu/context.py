"""The context of an utterance: what was said and done before it, in values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Self

from ..home.exposed import Exposed
from ..json_schema import Json
from .clause import Clause, DialogueAct, ParsedText
from .parser import parse
from .tokenizer import NOTHING, Text

_PARSED: Final = 3
"""Sentences before, of which the clauses are known."""
_REMEMBERED: Final = 64
"""Sentences that are parsed once for several turns."""


@lru_cache(_REMEMBERED)
def parse_once(text: str, code: str, names: frozenset[str]) -> tuple[Text, ParsedText]:
    """Return a sentence in a language, and its clauses, as `parse` does: once for several turns."""
    said = Text(text, code)
    return said, parse(said, names)


@dataclass(frozen=True, slots=True)
class PastAction:
    """What one call of the last command did."""

    intent_type: str
    values: Json
    devices: tuple[Exposed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueContext:
    """What was said and done before an utterance. Nothing of it is parsed again."""

    earlier: tuple[Text, ...] = ()
    """The user's sentences before it in the conversation: "the other one" is told by them."""
    parsed: tuple[ParsedText, ...] = ()
    """The last ones of these, clause by clause."""
    actions: tuple[PastAction, ...] = ()
    """What the command before it did, if nothing else was spoken of since."""
    question: Text = NOTHING
    """The model's question right before it."""
    answer: Text = NOTHING
    """The answer right before it: what the user heard last."""

    @classmethod
    def of(cls, earlier: Sequence[Text], names: frozenset[str]) -> Self:
        """Return it of the sentences before, of which the last ones were parsed when they were said.

        Args:
            earlier: the sentences.
            names: those of the home.
        """
        last = [parse_once(str(each), each.code, names) for each in earlier[-_PARSED:]]
        texts = (*earlier[:-_PARSED], *(text for text, _ in last))
        return cls(earlier=texts, parsed=tuple(parsed for _, parsed in last))

    def after(self, clauses: Iterable[Clause]) -> Self:
        """Return it after some clauses of the same sentence."""
        said = [ParsedText(act=each.act, clauses=(each,)) for each in clauses]
        texts = (each.clauses[0].text for each in said)
        return replace(self, earlier=(*self.earlier, *texts), parsed=(*self.parsed, *said))

    @property
    def command(self) -> Clause | None:
        """The sentence right before it, where that was one command for now."""
        match [clause for parsed in self.parsed[-1:] for clause in parsed.clauses]:
            case [Clause(act=DialogueAct.COMMAND) as only] if only.is_plain:
                return only
        return None

    @property
    def before(self) -> Text:
        """The sentence right before it."""
        return self.earlier[-1] if self.earlier else NOTHING
