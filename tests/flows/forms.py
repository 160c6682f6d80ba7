"""How tests fill in forms."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_REAUTH,
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntry,
    ConfigFlowResult,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, section

from custom_components.voice_gateway.const import DOMAIN, SUBENTRY_CONVERSATION


async def begin(hass: HomeAssistant, choice: str) -> ConfigFlowResult:
    """Choose what to add; return its form."""
    menu = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert menu["type"] is FlowResultType.MENU
    return await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": choice})


async def change(hass: HomeAssistant, entry: ConfigEntry[Any]) -> ConfigFlowResult:
    """Choose to reconfigure an entry; return its form."""
    context = {"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id}
    return await hass.config_entries.flow.async_init(DOMAIN, context=context)  # type: ignore[arg-type]


async def log_in_again(hass: HomeAssistant, entry: ConfigEntry[Any]) -> ConfigFlowResult:
    """Return the form that asks for what lets us in again."""
    context = {"source": SOURCE_REAUTH, "entry_id": entry.entry_id}
    return await hass.config_entries.flow.async_init(DOMAIN, context=context, data=entry.data)  # type: ignore[arg-type]


async def fill_in(
    hass: HomeAssistant, form: ConfigFlowResult, user_input: dict[str, Any]
) -> ConfigFlowResult:
    """Fill in a form; return what comes next."""
    assert form["type"] is FlowResultType.FORM
    return await hass.config_entries.flow.async_configure(form["flow_id"], user_input)


def values(form: Any) -> dict[str, Any]:
    """Return the values that a form shows."""
    return {str(key): (key.description or {}).get("suggested_value") for key in _keys(form)}


def options_of(form: Any) -> dict[str, dict[str, Any]]:
    """Return the options of each section of a form, and the values that they show."""
    return {
        str(name): {
            str(key): (key.description or {}).get("suggested_value") for key in part.schema.schema
        }
        for name, part in form["data_schema"].schema.items()
        if isinstance(part, section)
    }


GROUPS: dict[str, dict[str, Any]] = {
    name: {} for name in ("model_options", "answers", "failures", "safety", "privacy")
}
"""The sections of an agent's form, with nothing changed in them."""


def in_sections(form: Any, user_input: dict[str, Any]) -> dict[str, Any]:
    """Return what is entered in a form, with the options in their sections."""
    entered = dict(user_input)
    for name, options in options_of(form).items():
        entered[name] = {key: entered.pop(key) for key in options if key in entered}
    return entered


def choices(form: Any, field: str) -> dict[str, str]:
    """Return what can be chosen in a field of a form, with its labels."""
    options = _keys(form)[field].config["options"]
    return {option["value"]: option["label"] for option in options}


def ticks(form: Any, field: str = "tools") -> tuple[dict[str, str], list[str]]:
    """Return what can be ticked in a field of a form, with its labels, and what is ticked."""
    (key,) = (key for key in _keys(form) if key == field)
    return choices(form, field), key.default()


def _keys(form: Any) -> Any:
    assert form["data_schema"]
    return form["data_schema"].schema


async def begin_use(
    hass: HomeAssistant, entry: ConfigEntry[Any], kind: str = SUBENTRY_CONVERSATION
) -> Any:
    """Choose to add an agent or a task to a model server; return its form."""
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, kind), context={"source": SOURCE_USER}
    )


async def change_use(hass: HomeAssistant, entry: ConfigEntry[Any]) -> Any:
    """Choose to reconfigure the first agent or task of a model server; return its form."""
    use = next(iter(entry.subentries.values()))
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, use.subentry_type),
        context={"source": SOURCE_RECONFIGURE, "subentry_id": use.subentry_id},
    )


async def fill_in_use(hass: HomeAssistant, form: Any, **user_input: Any) -> Any:
    """Fill in the form of an agent or a task; return what comes next."""
    assert form["type"] is FlowResultType.FORM, form
    return await hass.config_entries.subentries.async_configure(
        form["flow_id"], in_sections(form, user_input)
    )
