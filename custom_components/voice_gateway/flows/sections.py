"""The groups that the options of a form stand in; what is kept has none."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from homeassistant.data_entry_flow import section
import probatio

type Fields = dict[Any, Any]
"""Fields of a form: a key that says whether it is needed, and its selector."""


class Group(StrEnum):
    """What a group's options are about, in the order in which forms show them."""

    MODEL = "model_options"
    ANSWERS = "answers"
    FAILURES = "failures"
    SAFETY = "safety"
    PRIVACY = "privacy"


type Grouped = Mapping[Group, Fields]


def sections(*parts: Grouped) -> Fields:
    """Return a form's sections, closed to begin with; a group without options has none."""
    fields: Fields = {}
    for group in Group:
        options = {key: field for part in parts for key, field in part.get(group, {}).items()}
        if options:
            # The frontend shows what is in a section, such as its defaults, only where it is required.
            key = probatio.Required(group.value)
            fields[key] = section(probatio.Schema(options), {"collapsed": True})
    return fields


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as a form with sections shows them, wherever each of them stands there."""
    return {**values, **{group.value: values for group in Group}}


def flat(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's values without its sections."""
    values = {key: value for key, value in user_input.items() if key not in set(Group)}
    for group in Group:
        values |= user_input.get(group, {})
    return values
