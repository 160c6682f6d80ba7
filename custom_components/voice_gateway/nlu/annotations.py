"""An annotated text: its tokens with the labelled spans of all phrases of its language."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
import unicodedata

from ..languages import Language
from .conditions import EventDetector
from .disfluencies import remove_disfluencies
from .phrase_patterns import PhrasePatterns, patterns_of
from .tokenizer import Text, TokenSequence, without_quotes
from .tokens import LIST, NAME, PhraseTrie, Token, fold_punctuation, tokenize

_NAMES_KEPT = 8  # houses, or what of them is exposed to different agents
_BEFORE_MOMENTS = ("asking", "questions", "except")
"""Forms that are none of the shorter moments in them: "tell me if", "when did", "bis auf"."""
_WHOLE = ("not", "requests", "wishes", "looks_up")
"""Forms of which the later words are nothing by themselves: "I'd rather you didn't"."""
ORDERS = ("verbs", "bids")
"""Forms of what somebody is told to do."""
_LASTING = ("for", "in", "after", "past", "until", "to", "now", "plain", "kept")
"""Pieces that tell no writing from another."""
_DENYING = ("not", "not_first", "complaints")
_SPANS = {"from": "hour", "to": "until_hour"}
"""What the two ends of a while are: "from six to eight"."""
_FAR = 4
"""Tokens from where a moment begins to what is known of it."""
_SPLITS_LABEL = ":"
_TOLD = ("be", "finite", "states", "reported")
"""Those by which a condition says what is so."""
_SUBJECT = 8
"""Words before a verb among which those of its condition are."""
_STOPS = frozenset(".!?;…")
_COMMAS = frozenset(",–—")


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A moment's words, or those that open a condition; `end` is the token after the last."""

    name: str
    first: int
    end: int
    opens: bool = False


class AnnotatedText:
    """A sentence's line, its pieces in order, and where each form of its language is."""

    def __init__(self, text: Text, language: Language, names: Collection[str]) -> None:
        """Take a sentence, its language, and the names in which nothing is looked for."""
        self.patterns = patterns_of(language.code)
        self.sequence = TokenSequence(text, _tokens(text, self.patterns, frozenset(names)))
        self._hide_quoted_words()
        remove_disfluencies(self.sequence, self.patterns)
        self._forms: dict[str, dict[int, int]] = {}
        for name, first, end in self.sequence.find_all(self.patterns.form_index):
            self._forms.setdefault(name, {})[first] = end
        self._forms["except"] = {
            first: end
            for first, end in self._forms.get("except", {}).items()
            if not self._denies_a_verb(first, end)
        }
        self._bound = {
            index
            for form in _WHOLE
            for first, end in self._forms.get(form, {}).items()
            for index in range(first + 1, end)
        }
        self._compared = {
            index
            for _, first, end in self.sequence.find_all(self.patterns.counted_index)
            for index in range(first, end)
        }
        self._duration = self.patterns.pattern("{duration}")
        self.time_spans = self._pieces()
        self._inside = {
            index for piece in self.time_spans for index in range(piece.first, piece.end)
        }
        self._outside = {
            name: outside
            for name, found in self._forms.items()
            if (outside := {at: end for at, end in found.items() if at not in self._inside})
        }

    def __len__(self) -> int:
        """Return how many tokens there are."""
        return len(self.sequence.tokens)

    @cached_property
    def events(self) -> EventDetector:
        """What its conditions say that happens."""
        return EventDetector(self.sequence, self.patterns)

    def span_end(self, name: str, index: int) -> int:
        """Return where a form ends that begins at a token outside all pieces; 0 where none does."""
        return found.get(index, 0) if (found := self._outside.get(name)) else 0

    def spans_among(self, name: str, indexes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield where a form begins and ends among some tokens."""
        if found := self._outside.get(name):
            for index in indexes:
                if end := found.get(index):
                    yield index, end

    def says(self, indexes: Iterable[int], *forms: str) -> bool:
        """Return True if one of some forms begins among some tokens outside all pieces."""
        found = [self._outside[form] for form in forms if form in self._outside]
        return bool(found) and any(at in each for at in indexes for each in found)

    def starts(self, indexes: Iterable[int], *forms: str) -> list[int]:
        """Return the tokens at which one of some forms begins outside all pieces."""
        return [index for index in indexes if self.begins(index, *forms)]

    def covered(self, indexes: Sequence[int], *forms: str) -> set[int]:
        """Return the tokens of some forms that begin among some tokens."""
        spans = (span for form in forms for span in self.spans_among(form, indexes))
        return {index for span in spans for index in range(*span)}

    def begins(self, index: int, *forms: str) -> bool:
        """Return True if one of some forms begins at a token outside all pieces."""
        return any(index in self._outside.get(form, ()) for form in forms)

    def names_thing(self, indexes: Iterable[int]) -> bool:
        """Return True if one of some tokens is a thing, as `is_thing` has it."""
        return any(map(self.is_thing, indexes))

    def is_filler(self, index: int) -> bool:
        """Return True if a token says nothing: an article, a preposition."""
        return self.sequence.tokens[index].text in self.patterns.language.function_words

    def spans(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield where a form begins and ends in the sentence, also within a piece; not at its ends."""
        for first, end in sorted(self._forms.get(name, {}).items()):
            if first > 0 and end < len(self):
                yield first, end

    def follows(self, name: str, index: int) -> bool:
        """Return True if a form ends before a token."""
        return any(
            end == index for _, end in self.spans_among(name, range(max(0, index - 2), index))
        )

    def denies(self, index: int) -> bool:
        """Return True if something is denied from a token on: "don't", "not so bright"."""
        return any(self.span_end(form, index) for form in _DENYING)

    def is_compared(self, index: int) -> bool:
        """Return True if a token belongs to what compares a number, or counts people."""
        return index in self._compared

    def is_thing(self, index: int) -> bool:
        """Return True if a token is the name of something, or what things of a kind are called."""
        text = self.sequence.tokens[index].text
        return text in (NAME, LIST) or text in self.patterns.category_words

    def piece(self, index: int) -> TimeSpan | None:
        """Return the piece that begins at a token."""
        return next((piece for piece in self.time_spans if piece.first == index), None)

    def is_inside(self, index: int) -> bool:
        """Return True if a token belongs to a piece."""
        return index in self._inside

    def is_stop(self, index: int) -> bool:
        """Return True if a sentence ends with a token: not with that of "24. Dezember", or "boats.example"."""
        tokens = self.sequence.tokens
        within = index + 1 < len(tokens) and tokens[index + 1].start == tokens[index].end
        is_part = within and tokens[index].text == "." and not tokens[index + 1].is_mark
        return tokens[index].text in _STOPS and index not in self._inside and not is_part

    def is_comma(self, index: int) -> bool:
        """Return True if a token is a comma or a dash."""
        return self.sequence.tokens[index].text in _COMMAS and not self.is_part(index)

    def is_conjunction(self, index: int) -> bool:
        """Return True if a token joins two commands."""
        joins = self.sequence.tokens[index].text in self.patterns.language.conjunctions
        joins = joins or bool(self.span_end("contrast", index))
        return joins and not self.is_part(index) and not self.span_end("except", index)

    def is_part(self, index: int) -> bool:
        """Return True if a token is nothing by itself: it belongs to a piece, or to "can't you"."""
        return index in self._inside or index in self._bound

    def boundary(self, at: int) -> tuple[int, bool]:
        """Return where the marks and joints that begin at a token end, and whether a sentence does."""
        ends = False
        after = at
        while after < len(self):
            text = self.sequence.tokens[after].text
            if self.is_stop(after):
                ends = True
            elif not (self.is_comma(after) or self.is_conjunction(after) or text == _SPLITS_LABEL):
                break
            after += 1
        return after, ends

    def next_boundary(self, after: int) -> int:
        """Return where the next mark or joint is."""
        for index in range(after, len(self)):
            if self.boundary(index)[0] > index:
                return index
        return len(self)

    def head(self, after: int) -> int | None:
        """Return the first token that is neither a time, a polite word nor a mark."""
        skipped = after
        for index in range(after, len(self)):
            if index < skipped:
                continue
            if (piece := self.piece(index)) and not piece.opens:
                skipped = piece.end
            elif end := self.span_end("polite", index) or self.then_orders(index):
                skipped = end
            elif self.is_stop(index):
                return None
            elif not (self.is_comma(index) or self.is_conjunction(index)):
                return index
        return None

    def last_verb(self, first: int, end: int) -> int | None:
        """Return the verb of a command, the last one: "if the lights go off turn on the radio".

        It is neither a state ("is open") nor a subject's ("I get home"), and at the very end only where
        there is no other: "wenn es dunkel ist soll das Licht angehen".
        """
        found = [
            index
            for index in range(first, end)
            if (self.span_end("verbs", index) or self.span_end("wishes", index))
            and not self.follows("subjects", index)
            and not self._belongs_to_condition(index, end)
        ]
        return next(
            (index for index in reversed(found) if index < end - 1), found[-1] if found else None
        )

    def _belongs_to_condition(self, index: int, end: int) -> bool:
        """Return True if what may be a verb is none: "the light is on", "open is", "più di 20"."""
        if self.is_compared(index) or self.span_end("be", index + 1):
            return True
        before = range(max(0, index - _SUBJECT), index)
        # "Si la météo annonce de la pluie": nothing else is said before it of what would be so.
        is_first = not self.says(before, *_TOLD)
        if self.span_end("reported", index) and is_first:
            return True
        is_kind = self.sequence.tokens[index].text in self.patterns.category_words
        return is_kind and any(self.span_end("be", after) for after in range(index + 1, end))

    def has_time(self, first: int, end: int) -> bool:
        """Return True if some tokens say a time that opens no condition."""
        return any(not piece.opens and first <= piece.first < end for piece in self.time_spans)

    def has_words(self, first: int, end: int) -> bool:
        """Return True if some tokens say more than times."""
        return not all(map(self.is_inside, range(first, end)))

    def _hide_quoted_words(self) -> None:
        """Make names of what is put on a list or to be said: it is text, whatever it says."""
        for form in ("items", "texts"):
            for pattern in self.patterns.forms.get(form, ()):
                found = next(self.sequence.find(pattern, "any"), None)
                if found and not (form == "texts" and self._is_reported(found[0])):
                    self.sequence.hide(*found)

    def _is_reported(self, end: int) -> bool:
        """Return True if what is announced is a condition: "si la météo annonce de la pluie, ..."."""
        subordinators = self.patterns.subordinators
        begins = (each for name in ("if", "unless") for each in subordinators.get(name, ()))
        return any(after < end for each in begins for _, after in self.sequence.find(each))

    def _denies_a_verb(self, first: int, end: int) -> bool:
        """Return True if an exception is none, since a command follows: "but not open it".

        Where nothing is before it, its verb may be its last word: "nur nicht die Tür aufmachen".
        """
        verbs = self._forms.get("verbs", {})
        negates = any(end - 1 in self._forms.get(form, {}) for form in ("not", "not_first"))
        polite = self._forms.get("polite", {})
        is_first = all(index in polite for index in range(first))
        return negates and (end in verbs or is_first)

    def _pieces(self) -> list[TimeSpan]:
        rivals = [span for form in _BEFORE_MOMENTS for span in self._forms.get(form, {}).items()]
        rivals += [
            span for span in self._forms.get("hence", {}).items() if self._concludes(span[0])
        ]
        # "Spegni la luce quando finisce il film": that asks nothing.
        asking = self._forms.get("questions", {}).items()
        told = [each for each in rivals if each not in asking or not self._is_told(each[0])]
        otherwise = self._forms.get("otherwise", {})
        possible = (
            TimeSpan(name, first, end, opens)
            for index, opens in (
                (self.patterns.time_index, False),
                (self.patterns.subordinator_index, True),
            )
            for name, first, end in self.sequence.find_all(index)
        )
        found = [
            each
            for each in possible
            if not self._is_within(each, told if each.opens else rivals)
            and not (each.opens and each.first in self._bound)
            and not (each.opens and otherwise.get(each.first, 0) > each.end)
            and not (each.opens and self.then_orders(each.first))
            and not self._is_of_a_writing(each)
        ]
        pieces: list[TimeSpan] = []
        # Of two that are as long, it is the one of which nothing is certain.
        for piece in sorted(
            found,
            key=lambda each: (
                each.first,
                each.name not in _SPANS,  # "from six to eight tonight" is not six minutes to eight
                -each.end,
                each.opens,
                each.name != "unclear",
            ),
        ):
            if pieces and piece.first < pieces[-1].end:
                continue
            follows = bool(pieces) and pieces[-1].end == piece.first
            if piece.name != "to" or (follows and pieces[-1].name == "from"):
                pieces.append(self._within(piece, pieces))
        return [replace(each, name=_SPANS.get(each.name, each.name)) for each in pieces]

    def then_orders(self, index: int) -> int:
        """Return where an order begins before which a token says that it comes next; 0 where none does.

        "Et après dis-moi", but not "après le film".
        """
        ends = (end for at, end in self._forms.get("then", {}).items() if at <= index < end)
        end = next(ends, 0)
        return end if any(end in self._forms.get(form, {}) for form in ORDERS) else 0

    def _is_of_a_writing(self, piece: TimeSpan) -> bool:
        """Return True if a moment says which writing is meant: "the note for tonight"."""
        before = piece.first - 1
        if piece.name in _LASTING or before < 1 or not self.is_filler(before):
            return False
        return any(
            end == before
            for form in ("writings", "any_list")
            for end in self._forms.get(form, {}).values()
        )

    def _within(self, piece: TimeSpan, before: Sequence[TimeSpan]) -> TimeSpan:
        """Return a piece, as an unclear one where it is the end of a moment that is not understood.

        "In a proper half hour" is not for half an hour.
        """
        is_bare = piece.name == "for" and self.sequence.end_of(self._duration, piece.first)
        if not is_bare:
            return piece
        begins = self._forms.get("within", {})
        reached = before[-1].end if before else 0
        for first in range(piece.first - 1, max(reached, piece.first - _FAR) - 1, -1):
            if self.is_thing(first):
                break
            if first in begins:
                return TimeSpan("unclear", first, piece.end)
        return piece

    def _concludes(self, first: int) -> bool:
        """Return True if words are for "so" there: "así que", which is "as soon as" after a command."""
        tokens = self.sequence.tokens
        begins = next((i + 1 for i in range(first - 1, -1, -1) if tokens[i].text in _STOPS), 0)
        is_apart = first > begins and tokens[first - 1].text in _COMMAS
        return is_apart or (first > begins and not self._commands(begins, first))

    def _is_told(self, first: int) -> bool:
        """Return True if what looks like a question is none: with a command before it, or after a comma."""
        tokens = self.sequence.tokens
        begins = next((i + 1 for i in range(first - 1, -1, -1) if tokens[i].text in _STOPS), 0)
        ends = next((i for i in range(first, len(tokens)) if tokens[i].text in _STOPS), len(tokens))
        comma = next((i for i in range(first, ends) if tokens[i].text in _COMMAS), ends)
        return self._commands(begins, first) or self._commands(comma, ends)

    def _commands(self, first: int, end: int) -> bool:
        """Return True if there is a command's verb among some tokens; "tell me" may ask."""
        verbs = self._forms.get("verbs", {})
        return any(each in verbs for each in range(first, end))

    def _is_within(self, piece: TimeSpan, forms: Sequence[tuple[int, int]]) -> bool:
        """Return True if a piece is the beginning of a form, or all of one: "when did"."""
        is_told = piece.opens and piece.end in self._forms.get("begins", {})
        return any(
            piece.first <= first < piece.end < end
            or ((first, end) == (piece.first, piece.end) and not is_told)
            for first, end in forms
        )


def _tokens(text: Text, known: PhrasePatterns, names: frozenset[str]) -> list[Token]:
    tokens = without_quotes(text)
    # Names have numbers in digits and in words; so has who speaks of them.
    tokens = known.numbers.replace(tokens)
    fillers = _Fillers(known, tokens)
    return _names(known.language.code, names).replace(tokens, fillers.may_be_skipped)


class _Fillers:
    """Tells which tokens say nothing in a name: not those before what may be a moment."""

    def __init__(self, known: PhrasePatterns, tokens: Sequence[Token]) -> None:
        self._skipped = set[int]()
        skips = False
        for index in reversed(range(len(tokens))):
            word = tokens[index].text
            if word not in known.language.function_words:
                skips = word not in known.time_words and not word[0].isdigit()
            elif skips:
                self._skipped.add(index)

    def may_be_skipped(self, index: int) -> bool:
        return index in self._skipped


@lru_cache(_NAMES_KEPT)
def _names(code: str, names: frozenset[str]) -> PhraseTrie:
    """Return what finds names that are told from a moment's words."""
    known = patterns_of(code)
    tree = PhraseTrie()
    for name in sorted(names):
        plain = fold_punctuation(unicodedata.normalize("NFC", name))
        tokens = known.numbers.replace(tokenize(plain))
        fillers = _Fillers(known, tokens)
        words = tuple(
            token.text for index, token in enumerate(tokens) if not fillers.may_be_skipped(index)
        )
        telling = [word for word in words if word not in known.time_words and word[0].isalpha()]
        # What is nothing but a moment's words, or a verb, is taken for that: "tomorrow", "vacuum".
        if telling and not (len(words) == 1 and known.contains_form("verbs", words)):
            tree.add(words, LIST if known.contains_form("lists", words) else NAME)
    return tree
