"""A real MCP server that wants a login, and the real place where one logs in, in this process.

The SDK's own authorization server; whoever comes is let in without being asked who it is.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import secrets
import socket
import time
from typing import override
from urllib.parse import urlencode

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl, AnyUrl
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol


class _Connection(H11Protocol):
    """uvicorn's, which leaves a timer behind when a client resets its connection."""

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()


@dataclass
class Guard(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Who is known, and with which tokens; what a test may look at and change."""

    url: str = ""
    # Seconds that a token is good for; None for ever, and without saying so.
    expires_in: int | None = 3600
    renews: bool = True
    # Whether clients that want to register are turned away.
    refuses: bool = False
    clients: dict[str, OAuthClientInformationFull] = field(default_factory=dict)
    codes: dict[str, AuthorizationCode] = field(default_factory=dict)
    tokens: dict[str, AccessToken] = field(default_factory=dict)
    renewals: dict[str, RefreshToken] = field(default_factory=dict)
    # The resource that each token was asked for.
    resources: list[str | None] = field(default_factory=list)

    def know(self, client_id: str, client_secret: str, redirect_uri: str) -> None:
        """Make a client known by hand."""
        self.clients[client_id] = OAuthClientInformationFull(
            client_id=client_id,
            client_secret=client_secret,
            redirect_uris=[AnyUrl(redirect_uri)],
            token_endpoint_auth_method="client_secret_post",
        )

    @override
    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    @override
    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        if self.refuses:
            raise RegistrationError("invalid_client_metadata", "not you")
        self.clients[client_info.client_id] = client_info

    @override
    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        code = AuthorizationCode(
            code=secrets.token_hex(),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return f"{params.redirect_uri}?{urlencode({'code': code.code, 'state': params.state})}"

    @override
    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    @override
    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        return self._token(client.client_id, authorization_code.resource)

    @override
    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        return self.renewals.get(refresh_token)

    @override
    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        if self.renewals.pop(refresh_token.token, None) is None:
            raise TokenError("invalid_grant", "used before")
        return self._token(client.client_id, refresh_token.resource)

    @override
    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.tokens.get(token)

    @override
    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.tokens.pop(token.token, None)

    def _token(self, client_id: str, resource: str | None) -> OAuthToken:
        self.resources.append(resource)
        token = secrets.token_hex()
        until = None if self.expires_in is None else int(time.time()) + self.expires_in
        self.tokens[token] = AccessToken(
            token=token, client_id=client_id, scopes=[], expires_at=until, resource=resource
        )
        renewal = secrets.token_hex() if self.renews else None
        if renewal:
            self.renewals[renewal] = RefreshToken(
                token=renewal, client_id=client_id, scopes=[], resource=resource
            )
        return OAuthToken(access_token=token, refresh_token=renewal, expires_in=self.expires_in)


@asynccontextmanager
async def guarded_server(*, registers: bool = True) -> AsyncGenerator[Guard]:
    """Run such a server; with `registers` clients make themselves known."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        guard = Guard(url=f"{base}/mcp")
        server = MCPServer(
            "guarded",
            title="Guarded house",
            auth_server_provider=guard,
            auth=AuthSettings(
                issuer_url=AnyHttpUrl(base),
                resource_server_url=AnyHttpUrl(guard.url),
                client_registration_options=ClientRegistrationOptions(enabled=registers),
                validate_token_resource=True,
            ),
        )

        @server.tool()
        def secret() -> str:
            """Tell what only those may know who are logged in."""
            return "the key is under the mat"

        config = uvicorn.Config(
            server.streamable_http_app(),
            http=_Connection,
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
        running = uvicorn.Server(config)
        # Not `serve`: that would take over the test's signals.
        task = asyncio.create_task(running._serve([listener]))
        try:
            yield guard
        finally:
            running.should_exit = True
            await task
