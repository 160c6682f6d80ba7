"""Secrets in forms: a stored one never reaches the browser, and stays unless it is replaced."""

from collections.abc import Callable, Mapping
from typing import Any

from homeassistant.const import CONF_NAME, CONF_URL

from ..redactor import Redactor
from .server_urls import is_same_host


class StoredSecrets:
    """The stored values of a form.

    - `shown` has `***` in place of each secret, and nothing in fields for a single key.
    - Texts that come back as they were shown are the stored ones again.
    - Another host receives no stored value.
    """

    def __init__(self, stored: Mapping[str, Any], redactor: Redactor, *keys: str) -> None:
        """Take the values, the redactor of their secrets, and the names of fields for a key."""
        self._redactor = redactor
        self._texts: dict[tuple[str, str], str] = {}
        self._keys = {name: stored[name] for name in keys if name in stored}
        self._url = stored.get(CONF_URL)
        values = {name: value for name, value in stored.items() if name not in keys}
        self.shown: Mapping[str, Any] = self._each(values, self._hide)

    def restored(self, entered: Mapping[str, Any], *, keeps: bool = True) -> dict[str, Any]:
        """Return what was entered, with the stored texts that were shown redacted.

        With `keeps`, an empty field for a key keeps the stored one.
        """
        if not is_same_host(entered.get(CONF_URL, self._url), self._url):
            return dict(entered)
        texts = self._each(entered, lambda place, text: self._texts.get((place, text), text))
        empty = [name for name in self._keys if not entered.get(name, "").strip()]
        return {**texts, **{name: self._keys[name] for name in empty if keeps}}

    def _hide(self, place: str, text: str) -> str:
        hidden = self._redactor.text(text)
        if hidden != text:
            self._texts[place, hidden] = text
        return hidden

    def _each(self, value: Any, change: Callable[[str, str], str], place: str = "") -> Any:
        """Return a form's value with each text changed; `place` is its name, or what precedes it.

        The rows of a field may be reordered, and arguments of a command be inserted.
        """
        match value:
            case str():
                return change(place, value)
            case Mapping():
                name = value.get(CONF_NAME, "")
                return {
                    key: self._each(part, change, f"{name}/{key}") for key, part in value.items()
                }
            case list():
                before = [place, *(part if isinstance(part, str) else place for part in value)]
                return [
                    self._each(part, change, self._redactor.text(last))
                    for last, part in zip(before, value, strict=False)
                ]
            case _:
                return value
