"""The form for the Z-Wave tools, and their discovery."""

import asyncio
from typing import Any, override

from homeassistant.config_entries import SOURCE_RECONFIGURE, ConfigFlowResult
from homeassistant.const import CONF_NAME, CONF_UNIQUE_ID, CONF_URL
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import TextSelector
from homeassistant.helpers.typing import DiscoveryInfoType
import probatio
from zwave_js_server.client import Client
from zwave_js_server.exceptions import (
    BaseZwaveJSServerError,
    CannotConnect,
    ConnectionClosed,
    InvalidServerVersion,
)

from ..const import CONF_KIND, LOGGER, EntryKind
from ..zwave import ZWAVE_JS, unique_id
from .mcp_tools import McpSteps

_TITLE = "Z-Wave"
_DEFAULT_URL = "ws://localhost:3000"
_TIMEOUT = 10  # seconds
_FORM = probatio.Schema({probatio.Required(CONF_URL): TextSelector()})
# The first that fits.
_ERRORS: dict[type[Exception], str] = {
    InvalidServerVersion: "zwave_too_old",
    CannotConnect: "zwave_unreachable",
    ConnectionClosed: "zwave_unreachable",
    TimeoutError: "zwave_unreachable",
    BaseZwaveJSServerError: "zwave_not_the_server",
    # From an answer that is none of a Z-Wave JS server.
    LookupError: "zwave_not_the_server",
    TypeError: "zwave_not_the_server",
}


class ZwaveSteps(McpSteps):
    """The steps that add the tools for a Z-Wave network, or change how it is reached."""

    async def async_step_zwave(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask where the Z-Wave JS server is."""
        return await self._async_step_address("zwave", user_input, self._network_url())

    async def async_step_zwave_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask where it is now."""
        known = self._get_reconfigure_entry().data[CONF_URL]
        return await self._async_step_address("zwave_reconfigure", user_input, known)

    @override
    async def async_step_integration_discovery(
        self, discovery_info: DiscoveryInfoType
    ) -> ConfigFlowResult:
        """Offer the tools for a network of Home Assistant's own integration."""
        await self.async_set_unique_id(discovery_info[CONF_UNIQUE_ID])
        self._abort_if_unique_id_configured()
        self._data = {CONF_KIND: EntryKind.ZWAVE, CONF_URL: discovery_info[CONF_URL]}
        self.context["title_placeholders"] = {CONF_NAME: discovery_info[CONF_NAME]}
        return await self.async_step_zwave_confirm()

    async def async_step_zwave_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask whether to add them."""
        if user_input is not None:
            return self.async_create_entry(title=_TITLE, data=self._data)
        return self.async_show_form(
            step_id="zwave_confirm", description_placeholders=self.context["title_placeholders"]
        )

    async def _async_step_address(
        self, step_id: str, user_input: dict[str, Any] | None, url: str
    ) -> ConfigFlowResult:
        """Show a form; connect to what was entered."""
        errors = {}
        if user_input is not None:
            url = _address(user_input[CONF_URL])
            try:
                home_id = await self._async_home_id(url)
            except tuple(_ERRORS) as err:
                LOGGER.debug("%s: %r", url, err)
                errors[CONF_URL] = next(
                    key for kind, key in _ERRORS.items() if isinstance(err, kind)
                )
            else:
                return await self._async_found(unique_id(home_id), url)
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(_FORM, {CONF_URL: url}),
            errors=errors,
        )

    async def _async_found(self, network: str, url: str) -> ConfigFlowResult:
        self._data = {CONF_KIND: EntryKind.ZWAVE, CONF_URL: url}
        known = await self.async_set_unique_id(network, raise_on_progress=False)
        if self.source == SOURCE_RECONFIGURE:
            entry = self._get_reconfigure_entry()
            if known not in (None, entry):
                return self.async_abort(reason="already_configured")
            self.hass.config_entries.async_update_entry(entry, unique_id=network)
            return self._async_replace(entry)
        self._abort_if_unique_id_configured({CONF_URL: url}, reload_on_update=False)
        return self.async_create_entry(title=_TITLE, data=self._data)

    async def _async_home_id(self, url: str) -> str:
        """Return the number of the network behind an address; raises what the library does."""
        client = Client(url, async_get_clientsession(self.hass))
        try:
            async with asyncio.timeout(_TIMEOUT):
                await client.connect()
        finally:
            await client.disconnect()
        assert client.version
        return str(client.version.home_id)

    def _network_url(self) -> str:
        """Return where Home Assistant's own integration has its network."""
        urls = (
            entry.data.get(CONF_URL) for entry in self.hass.config_entries.async_entries(ZWAVE_JS)
        )
        return next(filter(None, urls), _DEFAULT_URL)


def _address(text: str) -> str:
    text = text.strip()
    return text if "://" in text else f"ws://{text}"
