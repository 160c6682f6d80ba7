"""Where one logs in to a server is found, and Home Assistant made known there, over real HTTP."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
import json
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.config_entry_oauth2_flow import MY_AUTH_CALLBACK_PATH
import pytest
from yarl import URL

from custom_components.voice_gateway.mcp_servers import discovery
from custom_components.voice_gateway.mcp_servers.discovery import (
    _async_may_lead,
    async_by_document,
    async_find_login,
    async_register,
)
from custom_components.voice_gateway.mcp_servers.errors import (
    McpError,
    McpInvalidAnswer,
    McpRejected,
    McpUnreachable,
)
from custom_components.voice_gateway.mcp_servers.login import (
    Login,
    LoginServer,
    lacks_rights,
    login_data,
    with_rights,
)

pytestmark = pytest.mark.usefixtures("socket_enabled")

REDIRECT = "https://my.home-assistant.io/redirect/oauth"
RESOURCE = "/.well-known/oauth-protected-resource"
ISSUER = "/.well-known/oauth-authorization-server"


@dataclass
class Documents:
    """A web server with documents, and a note of what was asked for and sent."""

    base: str = ""
    # By path: a document, the text of a page, or the status of a refusal.
    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    sent: list[Any] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        """Return what there is at a path."""
        self.asked.append(request.path)
        if request.content_type == "application/json":
            self.sent.append(await request.json())
        match self.answers.get(request.path):
            case None:
                return web.Response(status=404)
            case str() as text:
                return web.Response(text=text)
            case URL() as place:
                return web.Response(status=302, headers={"Location": str(place)})
            case int() as status:
                return web.json_response({"error": "invalid_redirect_uri"}, status=status)
            case document:
                return web.json_response(document)

    def about(self, path: str = "/mcp", issuer: str = "") -> dict[str, Any]:
        """Return what a server says of its protection."""
        servers = [f"{self.base}{issuer}"]
        return {"resource": f"{self.base}{path}", "authorization_servers": servers}

    def issuer(self, path: str = "", **more: Any) -> dict[str, Any]:
        """Return what it says of the place where one logs in."""
        return {
            "issuer": f"{self.base}{path}",
            "authorization_endpoint": f"{self.base}/authorize",
            "token_endpoint": f"{self.base}/token",
        } | more


@pytest.fixture
async def documents() -> AsyncGenerator[Documents]:
    """Return a server with documents; there are none yet."""
    documents = Documents()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", documents.answer)
    async with TestServer(app, host="127.0.0.1") as server:
        documents.base = str(server.make_url("")).rstrip("/")
        yield documents


async def find(hass: HomeAssistant, documents: Documents, challenge: str = "") -> Any:
    """Find where one logs in to the server at /mcp."""
    return await async_find_login(hass, f"{documents.base}/mcp", challenge)


async def test_challenge_names_document_and_rights(
    hass: HomeAssistant, documents: Documents
) -> None:
    documents.answers = {
        "/about": documents.about("/", "/tenant"),
        f"{ISSUER}/tenant": documents.issuer(
            "/tenant", registration_endpoint=f"{documents.base}/register"
        ),
    }
    challenge = f'Bearer resource_metadata="{documents.base}/about", scope="read write"'
    login = await find(hass, documents, challenge)
    assert login == LoginServer(
        issuer=f"{documents.base}/tenant",
        names_issuer=False,
        authorize_url=f"{documents.base}/authorize",
        token_url=f"{documents.base}/token",
        registration_url=f"{documents.base}/register",
        takes_addresses=False,
        takes_documents=False,
        auth_methods=["client_secret_basic"],
        resource=f"{documents.base}/",
        scope="read write",
    )
    assert documents.asked == ["/about", f"{ISSUER}/tenant"]


async def test_documents_at_their_usual_places_are_found(
    hass: HomeAssistant, documents: Documents
) -> None:
    documents.answers = {
        f"{RESOURCE}/mcp": documents.about() | {"scopes_supported": ["tools"]},
        "/.well-known/openid-configuration": documents.issuer(
            token_endpoint_auth_methods_supported=["none"]
        ),
    }
    login = await find(hass, documents, "Bearer")
    assert (login.scope, login.auth_methods) == ("tools", ["none"])
    assert login.resource == f"{documents.base}/mcp"


async def test_server_of_the_first_protocol_with_logins_is_its_own_issuer(
    hass: HomeAssistant, documents: Documents
) -> None:
    documents.answers = {ISSUER: documents.issuer()}
    login = await find(hass, documents)
    assert login.authorize_url == f"{documents.base}/authorize"
    assert login.resource == f"{documents.base}/mcp"


async def test_document_about_another_server_is_ignored(
    hass: HomeAssistant, documents: Documents
) -> None:
    stranger = documents.about("/other", "/stranger")
    documents.answers = {
        "/about": stranger,
        f"{RESOURCE}/mcp": stranger | {"resource": "https://example.com/mcp"},
        f"{ISSUER}/stranger": documents.issuer("/stranger"),
    }
    assert await find(hass, documents, f"Bearer resource_metadata={documents.base}/about") is None


async def test_issuer_that_speaks_for_another_is_ignored(
    hass: HomeAssistant, documents: Documents
) -> None:
    documents.answers = {RESOURCE: documents.about(), ISSUER: documents.issuer("/other")}
    assert await find(hass, documents) is None


@pytest.mark.parametrize("page", ["<html>Welcome</html>", {"hello": "world"}, 500])
async def test_pages_that_are_no_such_documents_are_ignored(
    hass: HomeAssistant, documents: Documents, page: Any
) -> None:
    documents.answers = {RESOURCE: page, ISSUER: page}
    assert await find(hass, documents) is None


async def test_address_where_nobody_is_offers_no_login(hass: HomeAssistant) -> None:
    assert await async_find_login(hass, "http://127.0.0.1:1/mcp", "") is None


async def login_server(hass: HomeAssistant, documents: Documents, *methods: str) -> Any:
    """Return a place that lets clients register, and prove who they are by these methods."""
    documents.answers[ISSUER] = documents.issuer(
        registration_endpoint=f"{documents.base}/register",
        token_endpoint_auth_methods_supported=list(methods),
    )
    return await find(hass, documents)


AT_HOME = "http://homeassistant.local:8123/auth/external/callback"
SECRET = {"client_secret": "s"}
SAYS = SECRET | {"token_endpoint_auth_method": "client_secret_post"}


@pytest.mark.parametrize(
    ("methods", "redirect", "given", "asked", "kept"),
    [
        (["none", "client_secret_post"], REDIRECT, {}, ("web", "none"), ("none", "")),
        (["client_secret_post"], REDIRECT, SECRET, ("web", "client_secret_post"), ("client_secret_post", "s")),
        (["client_secret_basic"], REDIRECT, SECRET, ("web", "client_secret_basic"), ("client_secret_basic", "s")),
        # What the registration says of the secret counts.
        (["none"], REDIRECT, SAYS, ("web", "none"), ("client_secret_post", "s")),
        # A home that is called back by itself.
        (["none"], AT_HOME, {}, ("native", "none"), ("none", "")),
    ],
)  # fmt: skip
async def test_home_assistant_is_registered_in_the_simplest_way(
    hass: HomeAssistant,
    documents: Documents,
    *,
    methods: list[str],
    redirect: str,
    given: dict[str, str],
    asked: tuple[str, str],
    kept: tuple[str, str],
) -> None:
    login = await login_server(hass, documents, *methods)
    documents.answers["/register"] = {"client_id": "house", "redirect_uris": [redirect]} | given
    data = await async_register(hass, login, redirect)
    (sent,) = documents.sent
    assert sent["client_name"] == "Home Assistant"
    assert sent["redirect_uris"] == [redirect]
    assert (sent["application_type"], sent["token_endpoint_auth_method"]) == asked
    assert data["client_id"] == "house"
    assert (data["auth_method"], data["client_secret"]) == kept


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (400, McpRejected, 'HTTP 400: {"error": "invalid_redirect_uri"}'),
        ("<html>", McpInvalidAnswer, "can't be read"),
    ],
)
async def test_refused_registration_is_said(
    hass: HomeAssistant, documents: Documents, answer: Any, kind: type[McpError], words: str
) -> None:
    login = await login_server(hass, documents, "none")
    documents.answers["/register"] = answer
    with pytest.raises(kind, match=words):
        await async_register(hass, login, REDIRECT)


OURS = Path(__file__).parents[2] / "pages" / "client-metadata.json"


async def test_document_about_us_names_itself_and_where_one_is_sent_back() -> None:
    about = json.loads(OURS.read_text())
    assert about["client_id"] == discovery.CLIENT_DOCUMENT
    assert about["redirect_uris"] == [MY_AUTH_CALLBACK_PATH]


async def test_client_is_called_by_its_document_only_where_that_can_be_read(
    hass: HomeAssistant, documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = f"{documents.base}/client-metadata.json"
    monkeypatch.setattr(discovery, "CLIENT_DOCUMENT", ours)

    async def client(takes: bool = True, redirect: str = REDIRECT) -> Any:
        documents.answers[ISSUER] = documents.issuer(client_id_metadata_document_supported=takes)
        documents.asked.clear()
        return await async_by_document(hass, await find(hass, documents), redirect)

    about = json.loads(OURS.read_text())
    # It is not published, or not about itself; then that is tried again.
    for published in (None, 404, "<html>", about, about | {"client_id": f"{ours}x"}):
        documents.answers["/client-metadata.json"] = published
        assert await client() is None
        assert "/client-metadata.json" in documents.asked
    documents.answers["/client-metadata.json"] = about | {"client_id": ours}
    assert await client(takes=False) is None
    assert "/client-metadata.json" not in documents.asked
    data = await client()
    assert (data["client_id"], data["client_secret"], data["auth_method"]) == (ours, "", "none")
    # Read once.
    assert await client() == data
    assert "/client-metadata.json" not in documents.asked
    # A home that is called back by itself is in no document.
    assert await client(redirect=AT_HOME) is None


NOBODY = LoginServer(
    issuer="http://127.0.0.1:1/",
    names_issuer=False,
    authorize_url="http://127.0.0.1:1/",
    token_url="http://127.0.0.1:1/",
    registration_url="http://127.0.0.1:1/",
    takes_addresses=False,
    takes_documents=False,
    auth_methods=["none"],
    resource="http://127.0.0.1:1/",
    scope=None,
)


async def test_registration_where_nobody_is_is_said(hass: HomeAssistant) -> None:
    with pytest.raises(McpUnreachable, match=r"no connection to 127\.0\.0\.1"):
        await async_register(hass, NOBODY, AT_HOME)


RIGHTS = 'Bearer error="insufficient_scope", scope="notes:write notes:read"'


@pytest.mark.parametrize(
    ("scope", "challenge", "lacks"),
    [
        ("notes:read", RIGHTS, True),
        ("notes:read notes:write", RIGHTS, False),
        (None, RIGHTS, True),
        ("", "Bearer", False),
    ],
)
def test_a_login_lacks_rights_that_it_was_not_asked_for(
    scope: str | None, challenge: str, lacks: bool
) -> None:
    assert lacks_rights({"scope": scope}, challenge) is lacks


@pytest.mark.parametrize(
    ("offered", "before", "scope"),
    [
        (None, "", "notes:read notes:write"),
        ("profile", "notes:read mail", "profile notes:read mail notes:write"),
    ],
)
def test_more_rights_are_asked_for_beside_those_of_before(
    offered: str | None, before: str, scope: str
) -> None:
    login = replace(NOBODY, scope=offered)
    assert with_rights(login, {"scope": before}, RIGHTS).scope == scope
    assert with_rights(replace(login, scope=None), {}, "Bearer").scope is None


@pytest.mark.parametrize(
    ("methods", "secret", "method"),
    [
        (["client_secret_basic"], "s", "client_secret_basic"),
        (["client_secret_basic", "client_secret_post"], "s", "client_secret_post"),
        (["none"], "", "none"),
    ],
)
async def test_client_that_is_known_proves_it_in_the_servers_way(
    hass: HomeAssistant, documents: Documents, methods: list[str], secret: str, method: str
) -> None:
    login = await login_server(hass, documents, *methods)
    data = login_data(login, "house", secret)
    assert data["auth_method"] == method
    is_basic = Login(hass, data).token_auth_method == "client_secret_basic"
    assert is_basic == (method == "client_secret_basic")


async def test_nothing_is_asked_of_others_and_nobody_is_sent_to_them(
    hass: HomeAssistant, documents: Documents
) -> None:
    """A server says where one logs in: it may not use that to reach others, or to get their codes."""
    async with TestServer(web.Application(), host="127.0.0.1") as stranger:
        other = str(stranger.make_url("")).rstrip("/")
        around = {RESOURCE: documents.about()}
        long = documents.issuer() | {"service_documentation": f"{other}/{'x' * 300_000}"}
        tricks: tuple[tuple[dict[str, Any], str], ...] = (
            # What it is about is said by another host, or by one that a redirect leads to.
            ({}, f"Bearer resource_metadata={other}/about"),
            ({RESOURCE: URL(f"{other}/about"), ISSUER: URL(f"{other}/issuer")}, ""),
            # A place that may be known, with one address that is not its own.
            (around | {ISSUER: documents.issuer(token_endpoint=f"{other}/token")}, ""),
            (around | {ISSUER: documents.issuer(authorization_endpoint="https://github.com")}, ""),
            (around | {ISSUER: documents.issuer(registration_endpoint=f"{other}/register")}, ""),
            (around | {ISSUER: documents.issuer(token_endpoint="https://127.0.0.1/token")}, ""),
            # A document without an end.
            (around | {ISSUER: long}, ""),
        )
        for answers, challenge in tricks:
            documents.answers = answers
            assert await find(hass, documents, challenge) is None, answers
    assert await find(hass, documents) is None


@pytest.mark.parametrize(
    ("server", "login", "may"),
    [
        ("https://8.8.8.8/mcp", "https://8.8.8.8", True),
        ("https://8.8.8.8/mcp", "https://8.8.4.4", True),
        ("https://8.8.8.8/mcp", "http://8.8.8.8", False),
        ("http://8.8.8.8/mcp", "http://8.8.8.8", False),
        ("https://8.8.8.8/mcp", "https://192.168.1.1", False),
        ("https://8.8.8.8/mcp", "https://127.0.0.1", False),
        ("https://8.8.8.8/mcp", "https://[::1]", False),
        ("http://192.168.1.1/mcp", "http://192.168.1.2:8080", True),
        ("http://192.168.1.1/mcp", "https://8.8.8.8", True),
        ("http://192.168.1.1/mcp", "http://8.8.8.8", False),
    ],
)
async def test_login_is_encrypted_but_at_home_and_none_leads_into_the_home(
    server: str, login: str, may: bool
) -> None:
    assert await _async_may_lead(URL(server), URL(login)) is may


async def test_code_is_taken_only_from_who_lets_in(
    hass: HomeAssistant, documents: Documents
) -> None:
    says: dict[str, Any] = {"authorization_response_iss_parameter_supported": True}
    documents.answers = {RESOURCE: documents.about(), ISSUER: documents.issuer(**says)}
    login = Login(hass, login_data(await find(hass, documents), "house"))
    assert login.is_from_issuer({"iss": documents.base})
    assert not login.is_from_issuer({"iss": "https://github.com/login/oauth"})
    assert not login.is_from_issuer({})
    documents.answers[ISSUER] = documents.issuer()
    login = Login(hass, login_data(await find(hass, documents), "house"))
    assert login.is_from_issuer({})
    assert not login.is_from_issuer({"iss": "https://github.com"})


async def test_token_is_not_asked_for_where_a_redirect_leads(
    hass: HomeAssistant, documents: Documents
) -> None:
    documents.answers = {RESOURCE: documents.about(), ISSUER: documents.issuer()}
    login = Login(hass, login_data(await find(hass, documents), "house", "sesame"))
    documents.answers["/token"] = URL(f"{documents.base}/elsewhere")
    answer = {"code": "abc", "state": {"redirect_uri": REDIRECT}}
    with pytest.raises(HomeAssistantError):
        await login.async_resolve_external_data(answer)
    assert "/elsewhere" not in documents.asked
