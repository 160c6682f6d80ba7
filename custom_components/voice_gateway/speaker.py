"""The person who speaks: the conversation's user, or the name in a tag before the sentence.

A tag, as voice-match programs write it, tells whose notes are meant. It adds no right, and replaces
no user that is known.
"""

from contextvars import ContextVar
import re
from typing import Final

from homeassistant.core import HomeAssistant

TAGGED: Final[ContextVar[str]] = ContextVar("voice_gateway_tagged", default="")
"""The name in the tag of the current turn; empty without one."""
_NAME: Final = "name"
"""The word in the form of a tag that stands for the name: "[name]"."""


def is_tag_form(form: str) -> bool:
    """Return True if the form of a tag has a place for the name, and an end behind it."""
    return bool(form.strip().partition(_NAME)[2])


def untagged(tagged: str, form: str) -> tuple[str, str]:
    """Return the name in a sentence's tag, and the sentence without it; no name without a tag."""
    if not is_tag_form(form):
        return "", tagged
    before, _, behind = form.strip().partition(_NAME)
    tag = rf"\s*{re.escape(before)}(?P<name>[^\n]{{1,60}}?){re.escape(behind)}\s*"
    match = re.match(tag, tagged)
    return (match["name"].strip(), tagged[match.end() :]) if match else ("", tagged)


def speaker_of(hass: HomeAssistant, user_id: str | None) -> str | None:
    """Return the id of the person who speaks; None if that is unknown."""
    name = TAGGED.get().casefold()
    found = [
        str(each.attributes["id"])
        for each in hass.states.async_all("person")
        if (each.attributes.get("user_id") == user_id if user_id else each.name.casefold() == name)
    ]
    return found[0] if len(found) == 1 else None
