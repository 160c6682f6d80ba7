"""The home's notes, stored across restarts."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
import datetime as dt
from typing import Any, Final, Self

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now
from lru import LRU

from ..const import DOMAIN, LOGGER
from ..nlu.tokenizer import Text

LONGEST: Final = 500
"""The most characters of a note."""
MOST: Final = 500
"""The most notes of a home."""
_VERSION: Final = 1
_CONVERSATIONS: Final = 64
_CHANGES: Final = 256
_TYPES: Final = {"id": str, "text": str, "language": str, "at": str, "is_foreign": bool}


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookEntry:
    """One note."""

    id: str = field(default_factory=ulid_now)
    text: str
    """The note, as it was spoken or typed."""
    language: str
    owner: str | None = None
    """The id of the person whose note it is; None for all residents."""
    is_foreign: bool = False
    """Whether it may be third-party text."""
    at: str = field(default_factory=lambda: dt_util.utcnow().isoformat())
    """When it was made: a time in ISO format."""

    @classmethod
    def of_json(cls, data: Any) -> Self:
        """Return a stored note. Raises TypeError, ValueError or LookupError if it is invalid."""
        if any(not isinstance(data[name], kind) for name, kind in _TYPES.items()):
            raise TypeError("No note")
        if not isinstance(data["owner"], str | None) or not 0 < len(data["text"]) <= LONGEST:
            raise ValueError("No note")
        dt.datetime.fromisoformat(data["at"])
        return cls(**data)

    @property
    def content(self) -> Text:
        """The note in its language."""
        return Text(self.text, self.language)


@dataclass(frozen=True, slots=True)
class MentionedNotes:
    """The notes in an answer: "that" refers to them."""

    answer: str
    ids: Sequence[str]
    is_question: bool = False
    """Whether the answer asks which of them to forget."""


class Notebook:
    """The notes of a home.

    - A note is stored before the user hears of it.
    - An invalid entry of the file stays there; an unreadable file is never overwritten.
    - A person's notes are read out to that person alone; shared notes to everyone.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty."""
        self._store: Store[dict[str, Any]] = Store(
            hass, _VERSION, f"{DOMAIN}.notebook", private=True, atomic_writes=True
        )
        self._entries: dict[str, NotebookEntry] = {}
        self._unread: list[Any] = []
        self._listeners: list[Callable[[], None]] = []
        self._changes: LRU[str, tuple[list[NotebookEntry], list[NotebookEntry]]] = LRU(_CHANGES)
        """Added and removed notes, by the id of the context."""
        self.mentioned: LRU[str, MentionedNotes] = LRU(_CONVERSATIONS)
        """The notes in the last answer, by conversation."""

    async def async_load(self) -> None:
        """Load the stored notes."""
        try:
            stored = (await self._store.async_load() or {}).get("notes", [])
        except (HomeAssistantError, NotImplementedError, AttributeError, ValueError) as err:
            LOGGER.error("%s can't be read, and no note will be stored: %s", self._store.path, err)
            self._store.make_read_only()
            return
        for data in stored:
            try:
                entry = NotebookEntry.of_json(data)
            except LookupError, TypeError, ValueError:
                self._unread.append(data)
            else:
                self._entries[entry.id] = entry
        if self._unread:
            LOGGER.warning(
                "%s has %s notes that can't be read", self._store.path, len(self._unread)
            )

    @property
    def all(self) -> Sequence[NotebookEntry]:
        """All notes, the newest first."""
        return [*reversed(self._entries.values())]

    def of(self, owner: str | None) -> Sequence[NotebookEntry]:
        """Return the notes for a person, the newest first; for an unknown one, the shared ones."""
        return [each for each in self.all if each.owner in (None, owner)]

    async def async_change(
        self,
        context_id: str,
        *,
        add: Sequence[NotebookEntry] = (),
        remove: Sequence[NotebookEntry] = (),
    ) -> None:
        """Add and remove notes, in a context by which that can be undone.

        Raises HomeAssistantError if there are too many, or they can't be stored.
        """
        if len(self._entries) + len(add) - len(remove) > MOST:
            raise HomeAssistantError("The notebook is full")
        before = dict(self._entries)
        for each in remove:
            self._entries.pop(each.id, None)
        self._entries |= {each.id: each for each in add}
        added, removed = self._changes.setdefault(context_id, ([], []))
        try:
            await self._store.async_save(
                {"notes": [*map(asdict, self._entries.values()), *self._unread]}
            )
        except Exception:
            self._entries = before
            raise
        added += add
        removed += remove
        for listener in self._listeners:
            listener()

    def has_changed_in(self, context_id: str) -> bool:
        """Return True if a context has changed notes, which was not undone."""
        return any(self._changes.get(context_id, ()))

    async def async_undo(self, context_id: str) -> None:
        """Undo the changes of a context."""
        if change := self._changes.pop(context_id, None):
            added, removed = change
            await self.async_change(f"undo of {context_id}", add=removed, remove=added)

    @callback
    def async_listen(self, listener: Callable[[], None]) -> CALLBACK_TYPE:
        """Call a listener after each change."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def async_forget(self) -> None:
        """Delete all notes and their file."""
        self._entries.clear()
        await self._store.async_remove()


NOTEBOOK: HassKey[Notebook] = HassKey(f"{DOMAIN}_notebook")
