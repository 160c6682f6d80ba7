"""Adding an MCP server by its address, with real servers and real logins."""

import asyncio
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.components.application_credentials import (
    ClientCredential,
    async_import_client_credential,
)
from homeassistant.components.auth import DATA_STORE, indieauth
from homeassistant.config_entries import ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import config_entry_oauth2_flow as oauth2, issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.application_credentials import (
    async_get_description_placeholders,
)
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from ..mcp_entry import add_server, set_up
from ..mcp_servers.conftest import text_of, until
from ..mcp_servers.guarded import Guard
from ..mcp_servers.servers import HttpProcess
from .forms import begin, fill_in, ticks, values

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")

MAT = "the key is under the mat"


async def log_in(hass: HomeAssistant, page: ConfigFlowResult) -> ConfigFlowResult:
    """Do what a browser does with the login page; return what the flow shows then."""
    assert page["type"] is FlowResultType.EXTERNAL_STEP
    async with (
        aiohttp.ClientSession() as browser,
        browser.get(page["url"], allow_redirects=False) as response,
    ):
        assert response.status == 302, await response.text()
        back = response.headers["Location"]
    assert back.startswith(oauth2.MY_AUTH_CALLBACK_PATH)
    query = parse_qs(urlsplit(back).query)
    state = oauth2._decode_jwt(hass, query["state"][0])
    answer = {"state": state, "code": query["code"][0]}
    await hass.config_entries.flow.async_configure(page["flow_id"], answer)
    return await hass.config_entries.flow.async_configure(page["flow_id"])


async def connected(entry: Any) -> McpSession:
    """Return an entry's session when its server is connected."""
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, 30)
    session: McpSession = entry.runtime_data
    return session


async def reauth_form(hass: HomeAssistant) -> ConfigFlowResult:
    """Return the form that asks for other credentials when it is there."""
    flows = hass.config_entries.flow
    await until(flows.async_progress)
    (flow,) = flows.async_progress()
    return await flows.async_configure(flow["flow_id"])


async def add_guarded(hass: HomeAssistant, guard: Guard) -> Any:
    """Add a server that wants a login; return its entry."""
    page = await fill_in(hass, await begin(hass, "mcp_url"), {"url": guard.url})
    tools = await log_in(hass, page)
    done = await fill_in(hass, tools, {"tools": ["secret"]})
    await connected(done["result"])
    return done["result"]


@pytest.mark.parametrize("http_server", ["streamable-http", "sse"], indirect=True)
async def test_address_is_tried_then_its_tools_are_chosen_and_offered(
    hass: HomeAssistant, http_server: HttpProcess
) -> None:
    address = f" {http_server.url.removeprefix('http://')}#top "
    tools = await fill_in(hass, await begin(hass, "mcp_url"), {"url": address})
    labels, ticked = ticks(tools)
    assert ticked == list(labels)
    done = await fill_in(hass, tools, {"tools": ["add"]})
    assert done["title"] == "everyday"
    assert done["data"] == {"kind": "mcp_url", "url": http_server.url, "headers": {}}
    session = await connected(done["result"])
    assert [tool.name for tool in session.offered_tools] == ["add"]
    assert text_of(await session.async_call("add", {"a": 2, "b": 3})) == "5"

    same = await fill_in(hass, await begin(hass, "mcp_url"), {"url": http_server.url})
    assert same["reason"] == "already_configured"


@pytest.mark.parametrize(
    "address", ["", "ftp://example.com", "http://", "two words", "http://[::", "http://xn--/"]
)
async def test_what_is_no_address_is_said(hass: HomeAssistant, address: str) -> None:
    form = await fill_in(hass, await begin(hass, "mcp_url"), {"url": address})
    assert form["errors"] == {"url": "mcp_invalid_url"}
    assert values(form)["url"] == address


async def test_address_where_nobody_is_is_said_and_values_are_kept(
    hass: HomeAssistant, http_server: HttpProcess
) -> None:
    entered = {
        "url": http_server.url,
        "access_token": "abc",
        "headers": [{"name": "X-Region", "value": "eu"}],
    }
    http_server.kill()
    form = await fill_in(hass, await begin(hass, "mcp_url"), entered)
    assert form["errors"] == {"base": "mcp_unreachable"}
    placeholders = form["description_placeholders"]
    assert placeholders
    assert placeholders["reason"].startswith(f"No connection to 127.0.0.1:{http_server.port}")
    assert values(form) == entered

    await asyncio.to_thread(http_server.restart)
    tools = await fill_in(hass, form, entered)
    done = await fill_in(hass, tools, {"tools": ["add"]})
    assert done["data"]["headers"] == {"X-Region": "eu"}
    assert done["data"]["access_token"] == "abc"


async def test_path_where_no_mcp_server_is_is_said(hass: HomeAssistant) -> None:
    server = TestServer(web.Application())
    await server.start_server()
    form = await fill_in(hass, await begin(hass, "mcp_url"), {"url": str(server.make_url("/"))})
    assert form["errors"] == {"base": "mcp_wrong_path"}
    await server.close()


async def key_server(key: str) -> TestServer:
    """Return a server in plain aiohttp that wants a key, and knows of no logins."""

    async def answer(request: web.Request) -> web.Response:
        if key not in (request.headers.get("Authorization"), request.headers.get("X-API-Key")):
            return web.Response(status=401, text="no key")
        message = await request.json()
        results: dict[str, Any] = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "keyed", "version": "1"},
            },
            "tools/list": {"tools": [{"name": "look", "inputSchema": {"type": "object"}}]},
        }
        if "id" not in message:
            return web.Response(status=202)
        head = {"jsonrpc": "2.0", "id": message["id"]}
        if result := results.get(message["method"]):
            return web.json_response(head | {"result": result})
        return web.json_response(head | {"error": {"code": -32601, "message": "unknown"}})

    async def nothing(_: web.Request) -> web.Response:
        return web.Response(status=405)

    app = web.Application()
    app.router.add_post("/mcp", answer)
    app.router.add_get("/mcp", nothing)
    return TestServer(app, host="127.0.0.1")


@pytest.mark.parametrize(
    ("key", "entered"),
    [
        ("Bearer open-sesame", {"access_token": "open-sesame"}),
        ("open-sesame", {"headers": [{"name": "X-API-Key", "value": "open-sesame"}]}),
        (
            "Basic open-sesame",
            {"headers": [{"name": "authorization", "value": "Basic open-sesame"}]},
        ),
    ],
)
async def test_token_or_header_lets_in_and_a_wrong_one_is_asked_for_again(
    hass: HomeAssistant, key: str, entered: dict[str, Any]
) -> None:
    async with await key_server(key) as server:
        url = {"url": str(server.make_url("/mcp"))}
        form = await begin(hass, "mcp_url")
        for wrong in ({}, {"access_token": "open-barley"}):
            form = await fill_in(hass, form, url | wrong)
            assert form["errors"] == {"base": "mcp_unauthorized"}
        tools = await fill_in(hass, form, url | entered)
        done = await fill_in(hass, tools, {"tools": ["look"]})
        await connected(done["result"])


async def test_changed_token_is_asked_for(hass: HomeAssistant) -> None:
    async with await key_server("Bearer open-sesame") as server:
        entry = add_server(hass, UrlServer(url=str(server.make_url("/mcp")), headers={"A": "1"}))
        token = {"access_token": "open-barley"}
        hass.config_entries.async_update_entry(entry, data=entry.data | token)
        await set_up(hass, entry)
        form = await reauth_form(hass)
        assert form["step_id"] == "mcp_url_reauth"
        assert values(form) == {"access_token": None, "headers": [{"name": "A", "value": "1"}]}
        form = await fill_in(hass, form, {"access_token": "open-rye"})
        assert form["errors"] == {"base": "mcp_unauthorized"}
        done = await fill_in(hass, form, {"access_token": "open-sesame"})
        assert done["reason"] == "reauth_successful"
        await hass.async_block_till_done()
        assert entry.data["headers"] == {}
        await connected(entry)


@pytest.mark.parametrize("key", ["Bearer open-sesame", "open-sesame"])
async def test_stored_keys_are_not_shown_and_kept(hass: HomeAssistant, key: str) -> None:
    async with await key_server(key) as server:
        url = str(server.make_url("/mcp?sid=open-query"))
        headers = {"A": "1", "X-API-Key": "open-sesame", "X-Other": "open-barley"}
        entry = add_server(hass, UrlServer(url=url, headers=headers))
        if "Bearer" in key:
            data = {**entry.data, "access_token": "open-sesame"}
            hass.config_entries.async_update_entry(entry, data=data)
        before = dict(entry.data)
        await set_up(hass, entry)
        form = await entry.start_reconfigure_flow(hass)
        shown = values(form)
        assert "open-" not in str(shown)
        assert shown["access_token"] is None
        assert shown["headers"][0] == {"name": "A", "value": "1"}
        # Rows that were reordered, and keys of another name.
        rows = [{"value": row["value"], "name": row["name"]} for row in shown["headers"][::-1]]
        failed = await fill_in(hass, form, {"url": "http://127.0.0.1:1/mcp", "headers": rows})
        assert failed["errors"] == {"base": "mcp_unreachable"}
        assert "open-" not in str(values(failed))
        done = await fill_in(hass, failed, {"url": shown["url"], "headers": rows})
        assert done["reason"] == "reconfigure_successful"
        await hass.async_block_till_done()
        assert entry.data == before


async def test_another_host_receives_no_stored_key(hass: HomeAssistant) -> None:
    async with await key_server("open-sesame") as server:
        headers = {"X-API-Key": "open-sesame"}
        entry = add_server(hass, UrlServer(url="http://[::1]:1/mcp", headers=headers))
        await set_up(hass, entry)
        form = await entry.start_reconfigure_flow(hass)
        moved = {"url": str(server.make_url("/mcp")), "headers": values(form)["headers"]}
        refused = await fill_in(hass, form, moved)
        assert refused["errors"] == {"base": "mcp_unauthorized"}


async def test_address_is_changed_and_not_to_that_of_another(
    hass: HomeAssistant, http_server: HttpProcess
) -> None:
    entry = add_server(hass, UrlServer(url="http://127.0.0.1:1/mcp", headers={"A": "1"}))
    add_server(hass, UrlServer(url="http://127.0.0.1:2/mcp"))
    await set_up(hass, entry)
    form = await entry.start_reconfigure_flow(hass)
    assert values(form)["headers"] == [{"name": "A", "value": "1"}]
    failed = await fill_in(hass, form, {"url": "http://127.0.0.1:1/other"})
    assert failed["errors"] == {"base": "mcp_unreachable"}
    done = await fill_in(hass, failed, {"url": http_server.url})
    assert done["reason"] == "reconfigure_successful"
    await hass.async_block_till_done()
    await connected(entry)
    assert entry.data["headers"] == {}

    form = await entry.start_reconfigure_flow(hass)
    result = await fill_in(hass, form, {"url": "http://127.0.0.1:2/mcp"})
    assert result["reason"] == "already_configured"


async def test_another_home_assistant_is_logged_in_to(
    hass: HomeAssistant, hass_client: Any, hass_admin_credential: Any
) -> None:
    """Both are the same here, which makes no difference over HTTP."""
    for domain in ("application_credentials", "auth", "conversation", "mcp_server"):
        assert await async_setup_component(hass, domain, {})
    other = MockConfigEntry(domain="mcp_server", data={"llm_hass_api": ["assist"]})
    other.add_to_hass(hass)
    assert await hass.config_entries.async_setup(other.entry_id)
    client = await hass_client()
    hass.config.internal_url = str(client.make_url("")).rstrip("/")
    hass.config.components.add("my")

    url = str(client.make_url("/api/mcp"))
    page = await fill_in(hass, await begin(hass, "mcp_url"), {"url": url})
    assert page["type"] is FlowResultType.EXTERNAL_STEP
    query = parse_qs(urlsplit(page["url"]).query)
    (client_id,) = query["client_id"]
    # What Home Assistant checks before it shows its login page.
    assert await indieauth.verify_redirect_uri(
        hass,
        client_id,
        query["redirect_uri"][0],
        request_scheme="http",
        request_netloc=urlsplit(url).netloc,
    )

    # What its login page stores.
    challenge = query["code_challenge"][0]
    code = hass.data[DATA_STORE](client_id, hass_admin_credential, challenge, "S256")
    state = oauth2._decode_jwt(hass, query["state"][0])
    await hass.config_entries.flow.async_configure(page["flow_id"], {"state": state, "code": code})
    tools = await hass.config_entries.flow.async_configure(page["flow_id"])
    assert "llm__GetDateTime" in ticks(tools)[0]
    done = await fill_in(hass, tools, {"tools": ["llm__GetDateTime"]})
    entry: Any = done["result"]
    session = await connected(entry)
    assert "time" in text_of(await session.async_call("llm__GetDateTime", {}))
    # Nothing tells others apart but that their tokens are not good here.
    issues = ir.async_get(hass)
    assert issues.async_get_issue(DOMAIN, f"mcp_is_this_home_{entry.entry_id}")

    token = entry.data["token"] | {"expires_at": 0}
    hass.config_entries.async_update_entry(entry, data=entry.data | {"token": token})
    assert "time" in text_of(await session.async_call("llm__GetDateTime", {}))
    assert entry.data["token"]["expires_at"] > 0


async def test_server_that_wants_a_login_is_registered_with_and_logged_in_to(
    hass: HomeAssistant, guard: Guard
) -> None:
    entry = await add_guarded(hass, guard)
    assert entry.title == "Guarded house"
    (client,) = guard.clients.values()
    assert client.client_name == "Home Assistant"
    assert guard.resources == [guard.url]
    assert text_of(await entry.runtime_data.async_call("secret", {})) == MAT


async def test_token_is_renewed_without_losing_the_session(
    hass: HomeAssistant, guard: Guard
) -> None:
    entry = await add_guarded(hass, guard)
    session = entry.runtime_data
    first = entry.data["token"]
    hass.config_entries.async_update_entry(
        entry, data=entry.data | {"token": first | {"expires_at": 0}}
    )
    guard.tokens.clear()
    calls = (session.async_call("secret", {}) for _ in range(3))
    assert [text_of(result) for result in await asyncio.gather(*calls)] == [MAT] * 3
    await hass.async_block_till_done()
    assert entry.data["token"]["access_token"] != first["access_token"]
    # Renewed once, though three calls wanted it.
    assert len(guard.resources) == 2
    assert entry.runtime_data is session
    assert session.attempts == 1


@pytest.mark.parametrize("renews", [True, False])
async def test_token_without_expiry_is_used_until_it_is_refused(
    hass: HomeAssistant, guard: Guard, renews: bool
) -> None:
    guard.expires_in = None
    guard.renews = renews
    entry = await add_guarded(hass, guard)
    assert entry.data["token"]["expires_in"] == (3600 if renews else 315_360_000)


@pytest.mark.parametrize("renews", [True, False])
async def test_refused_login_is_asked_for_again(
    hass: HomeAssistant, guard: Guard, renews: bool
) -> None:
    guard.renews = renews
    entry = await add_guarded(hass, guard)
    # The server was set up anew: it knows neither tokens nor clients.
    guard.tokens.clear()
    guard.renewals.clear()
    guard.clients.clear()
    hass.config_entries.async_update_entry(
        entry, data=entry.data | {"token": entry.data["token"] | {"expires_at": 0}}
    )
    with pytest.raises(Exception, match="refused the credentials"):
        await entry.runtime_data.async_call("secret", {})
    form = await reauth_form(hass)
    assert form["step_id"] == "mcp_login_reauth"
    done = await log_in(hass, await fill_in(hass, form, {}))
    assert done["reason"] == "reauth_successful"
    await hass.async_block_till_done()
    session = await connected(entry)
    assert text_of(await session.async_call("secret", {})) == MAT
    assert len(guard.clients) == 1


@pytest.mark.parametrize("guard", [False], indirect=True)
async def test_without_registration_application_credentials_are_used(
    hass: HomeAssistant, guard: Guard
) -> None:
    assert await async_setup_component(hass, "application_credentials", {})
    form = await begin(hass, "mcp_url")
    result = await fill_in(hass, form, {"url": guard.url})
    assert result["reason"] == "missing_credentials"

    credential = ClientCredential("the-house", "its-secret", name="House")
    await async_import_client_credential(hass, DOMAIN, credential, "house")
    guard.know("the-house", "its-secret", oauth2.MY_AUTH_CALLBACK_PATH)
    choice = await fill_in(hass, await begin(hass, "mcp_url"), {"url": guard.url})
    assert choice["step_id"] == "mcp_credentials"
    placeholders = choice["description_placeholders"]
    assert placeholders == {"host": "127.0.0.1"}
    tools = await log_in(hass, await fill_in(hass, choice, {"implementation": "house"}))
    done = await fill_in(hass, tools, {"tools": ["secret"]})
    entry: Any = done["result"]
    # Home Assistant keeps credentials from being deleted while they are in use.
    assert entry.data["auth_implementation"] == "house"
    session = await connected(entry)
    assert text_of(await session.async_call("secret", {})) == MAT

    guard.tokens.clear()
    with pytest.raises(Exception, match="refused the credentials"):
        await session.async_call("secret", {})
    form = await reauth_form(hass)
    choice = await fill_in(hass, form, {})
    done = await log_in(hass, await fill_in(hass, choice, {"implementation": "house"}))
    assert done["reason"] == "reauth_successful"
    # The same login needs no new session.
    assert entry.runtime_data is session
    await connected(entry)


async def test_where_registration_is_refused_application_credentials_are_used(
    hass: HomeAssistant, guard: Guard
) -> None:
    guard.refuses = True
    result = await fill_in(hass, await begin(hass, "mcp_url"), {"url": guard.url})
    assert result["reason"] == "missing_credentials"


async def test_where_one_is_sent_back_to_is_told_beside_the_credentials(
    hass: HomeAssistant,
) -> None:
    async def told() -> str:
        placeholders = await async_get_description_placeholders(hass)
        return placeholders["redirect_uri"]

    assert await told() == "/auth/external/callback"
    hass.config.internal_url = "http://homeassistant.local:8123"
    assert await told() == "http://homeassistant.local:8123/auth/external/callback"
    hass.config.components.add("my")
    assert await told() == oauth2.MY_AUTH_CALLBACK_PATH


@pytest.mark.parametrize("guard", [False], indirect=True)
async def test_other_credentials_can_be_entered(hass: HomeAssistant, guard: Guard) -> None:
    assert await async_setup_component(hass, "application_credentials", {})
    credential = ClientCredential("another", "its-secret", name="Other")
    await async_import_client_credential(hass, DOMAIN, credential, "other")
    choice = await fill_in(hass, await begin(hass, "mcp_url"), {"url": guard.url})
    result = await fill_in(hass, choice, {"implementation": "new"})
    assert result["reason"] == "missing_credentials"


async def test_login_that_the_user_declines_adds_nothing(hass: HomeAssistant, guard: Guard) -> None:
    page = await fill_in(hass, await begin(hass, "mcp_url"), {"url": guard.url})
    answer = {"state": {}, "error": "access_denied"}
    await hass.config_entries.flow.async_configure(page["flow_id"], answer)
    result = await hass.config_entries.flow.async_configure(page["flow_id"])
    assert result["reason"] == "user_rejected_authorize"
    assert not hass.config_entries.async_entries(DOMAIN)


async def test_login_that_does_not_let_in_is_said(hass: HomeAssistant, guard: Guard) -> None:
    page = await fill_in(hass, await begin(hass, "mcp_url"), {"url": guard.url})
    guard.expires_in = -1
    form = await log_in(hass, page)
    assert form["step_id"] == "mcp_url"
    assert form["errors"] == {"base": "mcp_unauthorized"}
