"""The form of an account at Anthropic: adding, changing its API key, one that is refused."""

from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.const import CONF_KIND, EntryKind
from tests.anthropic import KEY, PlayedAnthropic, error

from .forms import begin, change, fill_in

MODELS = "/v1/models"


async def add_account(hass: HomeAssistant, key: str = KEY) -> ConfigEntry[Any]:
    """Add an account as a user does."""
    form = await begin(hass, EntryKind.ANTHROPIC)
    result = await fill_in(hass, form, {CONF_API_KEY: key})
    assert result["type"] is FlowResultType.CREATE_ENTRY, result
    await hass.async_block_till_done()
    return result["result"]


async def test_key_is_tried_and_added(home: HomeAssistant, anthropic: PlayedAnthropic) -> None:
    entry = await add_account(home, f" {KEY}\n")
    assert entry.title == "Anthropic"
    assert entry.data == {CONF_KIND: EntryKind.ANTHROPIC, CONF_API_KEY: KEY}
    assert entry.state is ConfigEntryState.LOADED
    # Trying a key costs nothing.
    assert not anthropic.chats
    assert not anthropic.reads


@pytest.mark.parametrize(
    ("status", "kind", "shown"),
    [
        (403, "permission_error", "anthropic_unauthorized"),
        (402, "billing_error", "anthropic_no_credit"),
        (429, "rate_limit_error", "anthropic_overloaded"),
        (529, "overloaded_error", "anthropic_overloaded"),
        (500, "api_error", "anthropic_error"),
        (404, "not_found_error", "anthropic_error"),
    ],
)
async def test_what_the_api_says_is_told_and_the_form_can_be_sent_again(
    home: HomeAssistant, anthropic: PlayedAnthropic, status: int, kind: str, shown: str
) -> None:
    anthropic.whole[MODELS] = error(status, kind, "No.")
    form = await begin(home, EntryKind.ANTHROPIC)
    form = await fill_in(home, form, {CONF_API_KEY: KEY})
    assert form["errors"] == {"base": shown}
    anthropic.whole.clear()
    result = await fill_in(home, form, {CONF_API_KEY: KEY})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_key_of_another_entry_is_not_taken(
    home: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    await add_account(home)
    anthropic.key = "sk-ant-second"
    second = await add_account(home, "sk-ant-second")
    form = await change(home, second)
    form = await fill_in(home, form, {CONF_API_KEY: KEY})
    assert form["errors"] == {CONF_API_KEY: "key_in_use"}
    # The own one may be sent once more.
    result = await fill_in(home, form, {CONF_API_KEY: "sk-ant-second"})
    assert result["reason"] == "reconfigure_successful"
    await home.async_block_till_done()
