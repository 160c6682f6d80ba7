"""The form for the Z-Wave tools, and their discovery."""

import asyncio
from typing import Any, override

from aiohttp import ClientError
from homeassistant.config_entries import SOURCE_RECONFIGURE, ConfigFlowResult
from homeassistant.const import CONF_NAME, CONF_UNIQUE_ID, CONF_URL
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import TextSelector
from homeassistant.helpers.typing import DiscoveryInfoType
import probatio
from zwave_js_server.const import MIN_SERVER_SCHEMA_VERSION
from zwave_js_server.version import get_server_version

from ..const import CONF_KIND, LOGGER, EntryKind
from ..mcp_servers.settings import ToolSelection
from ..texts import async_texts
from ..zwave.networks import UNTICKED, ZWAVE_JS, unique_id, zwave_server
from .fields import Fields
from .mcp_tools import McpSteps
from .steps import FormError, step_of

_TITLE = "Z-Wave"
_DEFAULT_URL = "ws://localhost:3000"
_TIMEOUT = 10  # seconds
_FORM: Fields = {probatio.Required(CONF_URL): TextSelector()}
_ERRORS: dict[type[Exception], str] = {
    ClientError: "zwave_unreachable",
    TimeoutError: "zwave_unreachable",
    # From an answer that no Z-Wave JS server gives.
    LookupError: "zwave_not_the_server",
    TypeError: "zwave_not_the_server",
    ValueError: "zwave_not_the_server",
}


class ZwaveSteps(McpSteps):
    """The steps that add the tools for a Z-Wave network, or change its connection."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        super().__init__()
        # Home Assistant's name for the discovered network.
        self._network = ""

    async def _async_step_address(
        self, step_id: str, user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        """Ask for the address of the Z-Wave JS server, and connect to it."""
        answer = None
        if user_input is not None:
            url = _address(user_input[CONF_URL])
            answer = self._async_found(url)
        else:
            url = self._changed.data[CONF_URL] if self._changed else self._network_url()
        return await self._ask(step_id, _FORM, {CONF_URL: url}, answer)

    async_step_zwave = step_of(_async_step_address, "zwave")
    async_step_zwave_reconfigure = step_of(_async_step_address, "zwave_reconfigure")

    @override
    async def async_step_integration_discovery(
        self, discovery_info: DiscoveryInfoType
    ) -> ConfigFlowResult:
        """Offer the tools for a network of Home Assistant's own integration."""
        await self.async_set_unique_id(discovery_info[CONF_UNIQUE_ID])
        self._abort_if_unique_id_configured()
        self._data = {CONF_KIND: EntryKind.ZWAVE, CONF_URL: discovery_info[CONF_URL]}
        self._network = discovery_info[CONF_NAME]
        # Without it, the offer would have the network's name.
        texts = await async_texts(self.hass, "config", "step.zwave")
        self.context["title_placeholders"] = {CONF_NAME: texts["title"]}
        return await self.async_step_zwave_confirm()

    async def async_step_zwave_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for confirmation to add them."""
        answer = None if user_input is None else self._async_choose()
        return await self._ask("zwave_confirm", {}, None, answer, {CONF_NAME: self._network})

    async def _async_choose(self) -> ConfigFlowResult:
        """Ask which of the server's tools agents may use; raises FormError if it can't run."""
        server = zwave_server(self._data[CONF_URL], self.hass.config.language)
        self._choice = ToolSelection().of_ours(UNTICKED)
        await self._async_introduce(_TITLE, self._data, server)
        return await self.async_step_mcp_tools()

    async def _async_found(self, url: str) -> ConfigFlowResult:
        """Add the network behind a server, or change its address; raises FormError."""
        network = await self._async_network(url)
        self._data = {CONF_KIND: EntryKind.ZWAVE, CONF_URL: url}
        known = await self.async_set_unique_id(network, raise_on_progress=False)
        if self.source == SOURCE_RECONFIGURE:
            entry = self._get_reconfigure_entry()
            if entry.unique_id == network:
                self._data = {**entry.data, CONF_URL: url}
            if known not in (None, entry):
                return self.async_abort(reason="already_configured")
            self.hass.config_entries.async_update_entry(entry, unique_id=network)
            return self._async_replace(entry)
        self._abort_if_unique_id_configured({CONF_URL: url}, reload_on_update=False)
        return await self._async_choose()

    async def _async_network(self, url: str) -> str:
        """Return the unique ID of the network behind a server; raises FormError."""
        try:
            async with asyncio.timeout(_TIMEOUT):
                version = await get_server_version(url, async_get_clientsession(self.hass))
        except tuple(_ERRORS) as err:
            LOGGER.debug("%s: %r", url, err)
            key = next(key for kind, key in _ERRORS.items() if isinstance(err, kind))
            raise FormError({CONF_URL: key}) from err
        if version.max_schema_version < MIN_SERVER_SCHEMA_VERSION:
            raise FormError({CONF_URL: "zwave_too_old"})
        return unique_id(str(version.home_id))

    def _network_url(self) -> str:
        """Return the address of the network in Home Assistant's own integration."""
        urls = (
            entry.data.get(CONF_URL) for entry in self.hass.config_entries.async_entries(ZWAVE_JS)
        )
        return next(filter(None, urls), _DEFAULT_URL)


def _address(text: str) -> str:
    text = text.strip()
    return text if "://" in text else f"ws://{text}"
