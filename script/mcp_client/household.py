"""A Home Assistant to which the suite's servers are added, as people add one."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
import json
from pathlib import Path
import socket
import tempfile
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.components.application_credentials import (
    ClientCredential,
    async_import_client_credential,
)
from homeassistant.config_entries import SOURCE_USER, ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import frame
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.config_entry_oauth2_flow import async_get_implementations
from homeassistant.loader import DATA_CUSTOM_COMPONENTS
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]
from yarl import URL

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers import discovery
from custom_components.voice_gateway.mcp_servers.elicitation import (
    ElicitationAnswer,
    ElicitationQuestion,
)
from custom_components.voice_gateway.mcp_servers.errors import McpError
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState

# Seconds: the suite itself gives up after thirty.
_PATIENCE = 25
# How often somebody logs in for one scenario. Nobody does so for ever.
_LOGINS = 3
_DOCUMENT = Path(__file__).parents[2] / "pages" / "client-metadata.json"
# Where the suite expects it.
_PUBLISHED = "https://conformance-test.local/client-metadata.json"
_CALLBACK = "/auth/external/callback"


@asynccontextmanager
async def household() -> AsyncGenerator[Household]:
    """Start a Home Assistant that knows nothing yet."""
    with tempfile.TemporaryDirectory() as folder:
        async with _home_assistant(folder) as household:
            yield household


@asynccontextmanager
async def _home_assistant(folder: str) -> AsyncGenerator[Household]:
    async with common.async_test_home_assistant(config_dir=folder) as hass:
        # The helpers leave out integrations that are not Home Assistant's own.
        hass.data.pop(DATA_CUSTOM_COMPONENTS)
        frame.async_setup(hass)
        # Not the usual port: a Home Assistant may be running here.
        http = {"http": {"server_port": _free_port()}}
        for domain in ("homeassistant", "http", "application_credentials", "conversation"):
            assert await async_setup_component(hass, domain, http)
        # So that people are sent back by an address that needs no browser's request.
        hass.config.components.add("my")
        async with (
            TestServer(hass.http.app) as server,
            aiohttp.ClientSession() as browser,
            _published(hass, browser),
        ):
            yield Household(hass, str(server.make_url("")).rstrip("/"), browser)
        await hass.async_stop(force=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@asynccontextmanager
async def _published(hass: HomeAssistant, browser: aiohttp.ClientSession) -> AsyncGenerator[None]:
    """Publish the document about us where the suite expects it, at an address that nobody has."""
    app = web.Application()
    about = json.loads(_DOCUMENT.read_text()) | {"client_id": _PUBLISHED}

    async def document(_: web.Request) -> web.Response:
        return web.json_response(about)

    app.router.add_get(URL(_PUBLISHED).path, document)
    async with TestServer(app) as pages:

        async def there(
            request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
        ) -> aiohttp.ClientResponse:
            if str(request.url) != _PUBLISHED:
                return await handler(request)
            return await browser.get(pages.make_url(request.url.path))

        async_get_clientsession(hass)._middlewares = (there,)  # noqa: SLF001
        discovery.CLIENT_DOCUMENT = _PUBLISHED
        yield


class Household:
    """Does with a server what a scenario is about."""

    def __init__(self, hass: HomeAssistant, address: str, browser: aiohttp.ClientSession) -> None:
        """Take Home Assistant, its own address, and what follows links."""
        self._hass = hass
        self._address = address
        self._browser = browser
        self._client_id = ""

    async def play(self, url: str, scenario: str, context: Mapping[str, Any]) -> None:
        """Add a server, call its tools, and remove it; raises what goes wrong."""
        if secret := context.get("client_secret"):
            self._client_id = context["client_id"]
            known = ClientCredential(self._client_id, secret)
            # Scenarios run at once: under one name, the last one's would be that of all.
            await async_import_client_credential(self._hass, DOMAIN, known, self._client_id)
        entry = (await self._add(url))["result"]
        try:
            async with asyncio.timeout(_PATIENCE):
                session: McpSession = entry.runtime_data
                while session.state is not SessionState.CONNECTED:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                for name, arguments in _calls(session, scenario, context):
                    await self._call(entry, name, arguments)
        finally:
            await self._hass.config_entries.async_remove(entry.entry_id)

    async def _add(self, url: str) -> ConfigFlowResult:
        flows = self._hass.config_entries.flow
        step = await flows.async_init(DOMAIN, context={"source": SOURCE_USER})
        step = await flows.async_configure(step["flow_id"], {"next_step_id": "mcp_url"})
        step = await self._logged_in(await flows.async_configure(step["flow_id"], {"url": url}))
        if step.get("step_id") != "mcp_tools" or step["data_schema"] is None:
            raise RuntimeError(
                f"{step.get('errors')} {step.get('reason')} {step.get('description_placeholders')}"
            )
        (key,) = (key for key in step["data_schema"].schema if key == "tools")
        return await flows.async_configure(step["flow_id"], {"tools": key.default()})

    async def _logged_in(self, step: ConfigFlowResult) -> ConfigFlowResult:
        """Log in where that is what a form wants, as the browser of somebody who always agrees does."""
        flows = self._hass.config_entries.flow
        if step.get("step_id") == "mcp_credentials" and step["data_schema"]:
            known = await async_get_implementations(self._hass, DOMAIN)
            meant = next(
                name
                for name, client in known.items()
                if getattr(client, "client_id", "") == self._client_id
            )
            step = await flows.async_configure(step["flow_id"], {"implementation": meant})
        for _ in range(_LOGINS):
            if step["type"] is not FlowResultType.EXTERNAL_STEP:
                break
            async with self._browser.get(step["url"], allow_redirects=False) as page:
                back = urlsplit(page.headers["Location"])
            async with self._browser.get(f"{self._address}{_CALLBACK}?{back.query}") as page:
                await page.read()
            step = await flows.async_configure(step["flow_id"])
        return step

    async def _call(self, entry: Any, name: str, arguments: dict[str, Any]) -> None:
        for _ in range(_LOGINS):
            try:
                await entry.runtime_data.async_call(name, arguments, ask=_agree)
            except McpError:
                if not await self._log_in_again(entry):
                    raise
            else:
                return

    async def _log_in_again(self, entry: Any) -> bool:
        """Do what Home Assistant asks for, where it asks to log in again; return whether it did."""
        await asyncio.sleep(0.2)
        flows = self._hass.config_entries.flow
        waiting = [
            each
            for each in flows.async_progress()
            if each["context"].get("entry_id") == entry.entry_id
        ]
        for flow in waiting:
            step = await flows.async_configure(flow["flow_id"])
            step = await self._logged_in(await flows.async_configure(step["flow_id"], {}))
            await self._hass.async_block_till_done()
        return bool(waiting)


async def _agree(question: ElicitationQuestion) -> ElicitationAnswer:
    """Answer a question as somebody does who leaves all as it is proposed."""
    first = next(iter((question.choices or {"": True}).values()))
    return question.answered(first)


def _calls(
    session: McpSession, scenario: str, context: Mapping[str, Any]
) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that a scenario wants: those it names, else one of each tool."""
    if named := context.get("toolCalls"):
        return [(each["name"], each["arguments"]) for each in named]
    schemas = {tool.original_name: tool.input_schema for tool in session.tools}
    if "preservation" in scenario:
        focal = next(iter(schemas.values()))
        return [(name, {"schema": focal}) for name in schemas if name.endswith("echo")]
    return [(name, _arguments(schema)) for name, schema in schemas.items()]


def _arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    values = {"number": 5, "integer": 5, "boolean": True, "string": "a"}
    return {
        name: values.get(str(field.get("type")), {})
        for name, field in (schema.get("properties") or {}).items()
        if name in (schema.get("required") or ()) and isinstance(field, dict)
    }
