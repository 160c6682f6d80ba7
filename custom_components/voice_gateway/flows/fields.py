"""The fields of forms, and the groups of an agent's options."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import probatio

from ..const import DEFAULTS

type Fields = dict[Any, Any]
"""Fields of a form: a key that is required or optional, and its selector."""

PASSWORD = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))
URL_FIELD = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))


def select_list(
    options: Sequence[str] | Sequence[SelectOptionDict],
    *,
    multiple: bool = False,
    translation_key: str | None = None,
) -> SelectSelector:
    """Return a list with one choice, or with several ticks."""
    config = SelectSelectorConfig(options=options, multiple=multiple, mode=SelectSelectorMode.LIST)
    if translation_key:
        config["translation_key"] = translation_key
    return SelectSelector(config)


def select_dropdown(
    options: Sequence[SelectOptionDict], *, custom_value: bool = False
) -> SelectSelector:
    """Return a long list with one choice; with `custom_value` another one may be typed."""
    return SelectSelector(
        SelectSelectorConfig(
            options=options, custom_value=custom_value, mode=SelectSelectorMode.DROPDOWN
        )
    )


def optional(name: str) -> probatio.Optional:
    """Return the key of an option, with its default."""
    return probatio.Optional(name, default=DEFAULTS[name])


def switches(*names: str) -> Fields:
    """Return options that are on or off."""
    return {optional(name): BooleanSelector() for name in names}


def number(low: float, high: float, step: float, unit: str | None = None) -> NumberSelector:
    """Return a field for a number."""
    config = NumberSelectorConfig(min=low, max=high, step=step, mode=NumberSelectorMode.BOX)
    if unit:
        config["unit_of_measurement"] = unit
    return NumberSelector(config)


def whole(low: int, high: int, unit: str | None = None) -> Callable[[Any], int]:
    """Return a field for a whole number."""
    field: Callable[[Any], int] = probatio.All(number(low, high, 1, unit), probatio.Coerce(int))
    return field


class Group(StrEnum):
    """The topic of a group of options, in the order of the forms."""

    MODEL = "model_options"
    ANSWERS = "answers"
    FAILURES = "failures"
    SAFETY = "safety"
    PRIVACY = "privacy"


type Grouped = Mapping[Group, Fields]


def sections(groups: Grouped) -> Fields:
    """Return a form's sections, closed by default; a group without options has none."""
    # The frontend shows a section's contents, such as its defaults, only if it is required.
    return {
        probatio.Required(group.value): section(probatio.Schema(options), {"collapsed": True})
        for group in Group
        if (options := groups.get(group))
    }


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values in the structure of a form with sections, each value in every section."""
    return {**values, **{group.value: values for group in Group}}


def flat(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's values without its sections."""
    values = {key: value for key, value in user_input.items() if key not in set(Group)}
    for group in Group:
        values |= user_input.get(group, {})
    return values
