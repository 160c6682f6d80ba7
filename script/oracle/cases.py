"""The sentences to record: a case is a sentence in a language, said in a home in certain states."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
import hashlib
import json
from typing import Any, Self

type Json = dict[str, Any]

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pl")
"""The languages of the product's word lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A sentence with everything that its interpretation depends on."""

    set: str
    """The origin of the sentence, for counts: "tests/heard", "strangers"."""
    text: str
    language: str
    home: str
    """The name of the home, as `homes.Homes` resolves it."""
    device: str | None = None
    """The device that is spoken to; its area is the speaker's."""
    setup: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """States that differ from the home's own, by entity id."""
    earlier: Sequence[str] = ()
    """The user's sentences before this one in the conversation."""
    now: str = ""
    """The time at which it is said, in ISO format, if not the oracle's own."""
    calls: Sequence[Json] = ()
    """The calls that a model would obviously make: `name` and `arguments`."""

    @property
    def key(self) -> str:
        """A hash of the sentence and its circumstances. Origin and calls are not part of it."""
        parts = [self.text, self.language, self.home, self.device, self.now]
        text = json.dumps([*parts, self.setup, [*self.earlier]], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def is_of_repository(self) -> bool:
        """Whether the sentence stands in a test or a bench, and may be committed."""
        return self.set.startswith(("tests/", "bench/"))

    def as_json(self) -> Json:
        """Return the case as JSON, without empty fields."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the case of a golden line; other keys are ignored."""
        return cls(**{each.name: data[each.name] for each in fields(cls) if each.name in data})


def without_duplicates(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the first case of each key, with the calls of all of that key."""
    found: dict[str, Case] = {}
    for case in cases:
        known = found.setdefault(case.key, case)
        more = [each for each in case.calls if each not in known.calls]
        if more and known is not case:
            found[case.key] = replace(known, calls=[*known.calls, *more])
    yield from found.values()


def plain(value: Any) -> Any:
    """Return a value as JSON."""
    match value:
        case bool() | int() | float() | None:
            return value
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
        case set() | frozenset():
            return sorted(map(str, value))
    return str(value)
