"""How an agent or an AI task is called: after its model, as long as nobody calls it otherwise."""

import re

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant

from ..const import DOMAIN


def is_named_after(name: str, model: str) -> bool:
    """Return True if a name is a model's, or that of the second or third one with this model."""
    return re.fullmatch(rf"{re.escape(model)}( \d+)?", name) is not None


def free_name(hass: HomeAssistant, kind: str, name: str, but: ConfigSubentry | None = None) -> str:
    """Return a name, with a number where another one of this kind is called so already.

    `kind` is the type of subentry; `but` is the one that is to be called so.
    """
    taken = {
        subentry.title
        for entry in hass.config_entries.async_entries(DOMAIN)
        for subentry in entry.get_subentries_of_type(kind)
        if but is None or subentry.subentry_id != but.subentry_id
    }
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free
