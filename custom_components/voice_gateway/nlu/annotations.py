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

_NAMES_KEPT = 8  # homes, or sets of entities that are exposed to different agents
_BEFORE_MOMENTS = ("asking", "questions", "except")
"""Forms that are not the shorter time expressions in them: "tell me if", "when did", "bis auf"."""
_WHOLE = ("not", "requests", "wishes", "looks_up")
"""Forms whose later words have no meaning of their own: "I'd rather you didn't"."""
ORDERS = ("verbs", "bids")
"""Forms that begin an imperative."""
_LASTING = ("for", "in", "after", "past", "until", "to", "now", "plain", "kept")
"""Time expressions that never modify a noun for a text."""
_DENYING = ("not", "not_first", "complaints")
_SPANS = {"from": "hour", "to": "until_hour"}
"""The two ends of a time range: "from six to eight"."""
_FAR = 4
"""Tokens between the beginning of a time expression and its known part."""
_SPLITS_LABEL = ":"
_TOLD = ("be", "finite", "states", "reported")
"""Forms of the predicate of a condition."""
_SUBJECT = 8
"""Words before a verb in which the predicate of its condition is looked for."""
_STOPS = frozenset(".!?;…")
_COMMAS = frozenset(",–—")


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The tokens of a time expression or a subordinator; `end` is the token after the last."""

    name: str
    first: int
    end: int
    opens: bool = False


class AnnotatedText:
    """The tokens of a sentence, with the spans of time expressions and of all forms.

    A form is a list of phrases in the table `forms` of `languages/`, such as `polite` or `reads`.
    """

    def __init__(self, text: Text, language: Language, names: Collection[str]) -> None:
        """Take a sentence, its language, and the names in which no form is looked for."""
        self.patterns = patterns_of(language.code)
        self.sequence = TokenSequence(text, _tokens(text, self.patterns, frozenset(names)))
        self._hide_quoted_words()
        remove_disfluencies(self.sequence, self.patterns)
        self._forms: dict[str, dict[int, int]] = {}
        for name, first, end in self.sequence.find_all(self.patterns.form_index):
            self._forms.setdefault(name, {})[first] = end
        verbs = self._forms.setdefault("verbs", {})
        for index, token in enumerate(self.sequence.tokens):
            if self.patterns.verb_stem(token.text):
                verbs.setdefault(index, index + 1)
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
        """Return the number of tokens."""
        return len(self.sequence.tokens)

    @cached_property
    def events(self) -> EventDetector:
        """The detector of the events in its conditions."""
        return EventDetector(self.sequence, self.patterns)

    def span_end(self, name: str, index: int) -> int:
        """Return the end of a form that begins at a token outside all time expressions, or 0."""
        return found.get(index, 0) if (found := self._outside.get(name)) else 0

    def has_form(self, index: int) -> bool:
        """Return True if any form begins at a token."""
        return any(index in found for found in self._forms.values())

    def spans_among(self, name: str, indexes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the spans of a form that begin at some tokens."""
        if found := self._outside.get(name):
            for index in indexes:
                if end := found.get(index):
                    yield index, end

    def says(self, indexes: Iterable[int], *forms: str) -> bool:
        """Return True if any form begins at any of the tokens, outside of time expressions."""
        found = [self._outside[form] for form in forms if form in self._outside]
        return bool(found) and any(at in each for at in indexes for each in found)

    def starts(self, indexes: Iterable[int], *forms: str) -> list[int]:
        """Return those of the tokens at which any form begins, outside of time expressions."""
        return [index for index in indexes if self.begins(index, *forms)]

    def covered(self, indexes: Sequence[int], *forms: str) -> set[int]:
        """Return all tokens of the forms that begin at any of the tokens."""
        spans = (span for form in forms for span in self.spans_among(form, indexes))
        return {index for span in spans for index in range(*span)}

    def begins(self, index: int, *forms: str) -> bool:
        """Return True if any form begins at a token, outside of time expressions."""
        return any(index in self._outside.get(form, ()) for form in forms)

    def names_thing(self, indexes: Iterable[int]) -> bool:
        """Return True if `is_thing` is true of one of some tokens."""
        return any(map(self.is_thing, indexes))

    def is_filler(self, index: int) -> bool:
        """Return True if a token is a function word: an article, a preposition."""
        return self.sequence.tokens[index].text in self.patterns.language.function_words

    def spans(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of a form within the sentence, also in time expressions."""
        for first, end in sorted(self._forms.get(name, {}).items()):
            if first > 0 and end < len(self):
                yield first, end

    def follows(self, name: str, index: int) -> bool:
        """Return True if a form ends before a token."""
        return any(
            end == index for _, end in self.spans_among(name, range(max(0, index - 2), index))
        )

    def denies(self, index: int) -> bool:
        """Return True if a negation begins at a token: "don't", "not so bright"."""
        return any(self.span_end(form, index) for form in _DENYING)

    def is_compared(self, index: int) -> bool:
        """Return True if a token belongs to a comparison of a number, or counts people."""
        return index in self._compared

    def is_thing(self, index: int) -> bool:
        """Return True if a token is a name or a category word."""
        text = self.sequence.tokens[index].text
        return text in (NAME, LIST) or text in self.patterns.category_words

    def piece(self, index: int) -> TimeSpan | None:
        """Return the time expression that begins at a token."""
        return next((piece for piece in self.time_spans if piece.first == index), None)

    def is_inside(self, index: int) -> bool:
        """Return True if a token belongs to a time expression."""
        return index in self._inside

    def is_stop(self, index: int) -> bool:
        """Return True if a token ends a sentence: not in "24. Dezember" or "boats.example"."""
        tokens = self.sequence.tokens
        within = index + 1 < len(tokens) and tokens[index + 1].start == tokens[index].end
        is_part = within and tokens[index].text == "." and not tokens[index + 1].is_mark
        return tokens[index].text in _STOPS and index not in self._inside and not is_part

    def is_comma(self, index: int) -> bool:
        """Return True if a token is a comma or a dash."""
        return self.sequence.tokens[index].text in _COMMAS and not self.is_part(index)

    def is_conjunction(self, index: int) -> bool:
        """Return True if a token coordinates two commands."""
        joins = self.sequence.tokens[index].text in self.patterns.language.conjunctions
        joins = joins or bool(self.span_end("contrast", index))
        return joins and not self.is_part(index) and not self.span_end("except", index)

    def is_part(self, index: int) -> bool:
        """Return True if a token belongs to a time expression or to a longer form: "can't you"."""
        return index in self._inside or index in self._bound

    def boundary(self, at: int) -> tuple[int, bool]:
        """Return the end of the marks and conjunctions at a token, and if they end a sentence."""
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
        """Return the index of the next mark or conjunction."""
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

        A state ("is open") and a verb with a subject ("I get home") do not count. A verb at the
        very end counts only if there is no other: "wenn es dunkel ist soll das Licht angehen".
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
        """Return True if a possible verb is in a condition: "the light is on", "più di 20"."""
        if self.is_compared(index) or self.span_end("be", index + 1):
            return True
        before = range(max(0, index - _SUBJECT), index)
        # "Si la météo annonce de la pluie": no other predicate precedes it.
        is_first = not self.says(before, *_TOLD)
        if self.span_end("reported", index) and is_first:
            return True
        is_kind = self.sequence.tokens[index].text in self.patterns.category_words
        return is_kind and any(self.span_end("be", after) for after in range(index + 1, end))

    def has_time(self, first: int, end: int) -> bool:
        """Return True if some tokens have a time that does not begin a condition."""
        return any(not piece.opens and first <= piece.first < end for piece in self.time_spans)

    def has_words(self, first: int, end: int) -> bool:
        """Return True if some tokens have words outside time expressions."""
        return not all(map(self.is_inside, range(first, end)))

    def _hide_quoted_words(self) -> None:
        """Hide the content of list items and spoken texts: its words have no other meaning."""
        for form in ("items", "texts"):
            for pattern in self.patterns.forms.get(form, ()):
                found = next(self.sequence.find(pattern, "any"), None)
                if found and not (form == "texts" and self._is_reported(found[0])):
                    self.sequence.hide(*found)

    def _is_reported(self, end: int) -> bool:
        """Return True if a condition reports a text: "si la météo annonce de la pluie, ..."."""
        subordinators = self.patterns.subordinators
        begins = (each for name in ("if", "unless") for each in subordinators.get(name, ()))
        return any(after < end for each in begins for _, after in self.sequence.find(each))

    def _denies_a_verb(self, first: int, end: int) -> bool:
        """Return True if a possible exception is a negated command: "but not open it".

        If nothing precedes it, its verb may be the last word: "nur nicht die Tür aufmachen".
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
        # "Spegni la luce quando finisce il film" is no question.
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
        # Of two of the same length, the unclear one comes first.
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
        """Return where an imperative begins behind a "then" at a token, or 0.

        "Et après dis-moi", but not "après le film".
        """
        ends = (end for at, end in self._forms.get("then", {}).items() if at <= index < end)
        end = next(ends, 0)
        return end if any(end in self._forms.get(form, {}) for form in ORDERS) else 0

    def _is_of_a_writing(self, piece: TimeSpan) -> bool:
        """Return True if a time expression modifies a noun for a text: "the note for tonight"."""
        before = piece.first - 1
        if piece.name in _LASTING or before < 1 or not self.is_filler(before):
            return False
        return any(
            end == before
            for form in ("writings", "any_list")
            for end in self._forms.get(form, {}).values()
        )

    def _within(self, piece: TimeSpan, before: Sequence[TimeSpan]) -> TimeSpan:
        """Return a time expression, as an unclear one if it ends a longer one that is unknown.

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
        """Return True if words mean "so" there: "así que" is "as soon as" after a command."""
        tokens = self.sequence.tokens
        begins = next((i + 1 for i in range(first - 1, -1, -1) if tokens[i].text in _STOPS), 0)
        is_apart = first > begins and tokens[first - 1].text in _COMMAS
        return is_apart or (first > begins and not self._commands(begins, first))

    def _is_told(self, first: int) -> bool:
        """Return True if a question word begins a subordinate clause, beside a command."""
        tokens = self.sequence.tokens
        begins = next((i + 1 for i in range(first - 1, -1, -1) if tokens[i].text in _STOPS), 0)
        ends = next((i for i in range(first, len(tokens)) if tokens[i].text in _STOPS), len(tokens))
        comma = next((i for i in range(first, ends) if tokens[i].text in _COMMAS), ends)
        return self._commands(begins, first) or self._commands(comma, ends)

    def _commands(self, first: int, end: int) -> bool:
        """Return True if a command's verb is among some tokens; "tell me" may be a question."""
        verbs = self._forms.get("verbs", {})
        return any(each in verbs for each in range(first, end))

    def _is_within(self, piece: TimeSpan, forms: Sequence[tuple[int, int]]) -> bool:
        """Return True if a time expression is the beginning or all of another form: "when did"."""
        is_told = piece.opens and piece.end in self._forms.get("begins", {})
        return any(
            piece.first <= first < piece.end < end
            or ((first, end) == (piece.first, piece.end) and not is_told)
            for first, end in forms
        )


def _tokens(text: Text, known: PhrasePatterns, names: frozenset[str]) -> list[Token]:
    tokens = without_quotes(text)
    # Names contain numbers as digits and as words, and so do utterances.
    tokens = known.numbers.replace(tokens)
    fillers = _Fillers(known, tokens)
    return _names(known.language.code, names).replace(tokens, fillers.may_be_skipped)


class _Fillers:
    """Function words that a name may skip: all but those before a possible time expression."""

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
    """Return a trie of the names that cannot be mistaken for a time expression or a verb."""
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
        # "Tomorrow" and "vacuum" are read as a time and a verb, also if an entity is named so.
        if telling and not (len(words) == 1 and known.contains_form("verbs", words)):
            tree.add(words, LIST if known.contains_form("lists", words) else NAME)
    return tree
