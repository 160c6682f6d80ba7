"""Events: whether the words of a condition say what happens ("opens") or what holds ("is open")."""

from collections import defaultdict
from collections.abc import Iterator

from .condition_parsing import StatePhrase, find_state_phrases, longest_spans
from .phrase_patterns import PhrasePatterns
from .tokenizer import TokenSequence

_OF_THE_SUN = frozenset(("dawn", "dusk", "sunrise", "sunset"))
_SAYING = ("becomes", "held", "is", "later", "none", "not", "outside")


class EventDetector:
    """What a sentence says that is so or happens, found once for all of its conditions."""

    def __init__(self, line: TokenSequence, known: PhrasePatterns) -> None:
        """Look for the phrases of a language in a sentence."""
        self._line = line
        self._phrases = defaultdict[int, list[StatePhrase]](list)
        states = {**known.state_phrases, **known.comparatives}
        for each in find_state_phrases(line, states, {**known.event_verbs, **known.crossing_verbs}):
            self._phrases[each.first].append(each)
        self._said = {name: longest_spans(line, known.conditions.get(name, ())) for name in _SAYING}

    def is_event(self, first: int, end: int) -> bool:
        """Return True if the words of a condition, some tokens of the sentence, say what happens."""
        phrases = [*self._inside(first, end)]
        known = {index for each in phrases for index in range(each.first, each.end)}

        def has(name: str) -> bool:
            said = self._said[name]
            return any(at in said and at not in known for at in range(first, end))

        if has("later") or has("held"):
            return True
        if has("none") or has("not"):
            return False  # "nobody moves": it is so, and happens at no moment
        return any(each.is_event for each in phrases) or bool(phrases and has("becomes"))

    def sun_event(self, first: int, end: int) -> str:
        """Return what the sun does by the words of a condition, if they say nothing else."""
        left = {index for index in range(first, end) if not self._line.tokens[index].is_mark}
        for name in ("is", "outside", "later"):
            for start in range(first, end):
                left.difference_update(range(start, self._said[name].get(start, start)))
        return next(
            (
                each.name
                for each in self._inside(first, end)
                if each.name in _OF_THE_SUN and left <= {*range(each.first, each.end)}
            ),
            "",
        )

    def _inside(self, first: int, end: int) -> Iterator[StatePhrase]:
        for at in range(first, end):
            yield from (each for each in self._phrases.get(at, ()) if each.end <= end)
