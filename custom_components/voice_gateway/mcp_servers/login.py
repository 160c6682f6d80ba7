"""Login to a server with OAuth: the entry's data of it, and its tokens. See `discovery.py`."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
import re
from typing import Any, Literal, override

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_ACCESS_TOKEN, CONF_TOKEN
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers import config_entry_oauth2_flow, oauth2
from homeassistant.helpers.config_entry_oauth2_flow import (
    LocalOAuth2ImplementationWithPkce,
    OAuth2Session,
)

from ..const import CONF_LOGIN, DOMAIN
from ..logs import guard

# Home Assistant's logger of responses from authorization servers.
guard(oauth2.__name__, config_entry_oauth2_flow.__name__)

type AuthMethod = Literal["none", "client_secret_post", "client_secret_basic"]
# The method of a server that names none (RFC 8414, section 2).
BASIC: Literal["client_secret_basic"] = "client_secret_basic"
_TOKENS = ("access_token", "refresh_token", "id_token")
_KEPT = ("issuer", "names_issuer", "authorize_url", "token_url", "resource", "scope")
# Seconds until a token without an expiry is renewed; one that can't be renewed is used until it is
# refused.
_RENEWED = 3600
_UNTIL_REFUSED = 10 * 365 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginServer:
    """The authorization server of a server."""

    # The issuer: the origin of all its addresses, and of a code (RFC 9207).
    issuer: str
    names_issuer: bool
    authorize_url: str
    token_url: str
    # The registration address of clients; None if the user has to register by hand.
    registration_url: str | None
    # Whether a client's id may be its address, as Home Assistant's is (IndieAuth).
    takes_addresses: bool
    # Whether a client's id may be the address of a document about it.
    takes_documents: bool
    # The methods of client authentication, in the server's words (RFC 7591, section 2).
    auth_methods: Sequence[str]
    # The resource of the login (RFC 8707), and the requested rights.
    resource: str
    scope: str | None


def secrets_of_login(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the secrets of a login and of its tokens."""
    yield data[CONF_LOGIN]["client_secret"]
    token = data.get(CONF_TOKEN, {})
    yield from (value for name in _TOKENS if isinstance(value := token.get(name), str))


def scopes_of(challenge: str) -> frozenset[str]:
    """Return the rights that a server names in a refusal (RFC 6750, section 3)."""
    return frozenset((challenge_parameter(challenge, "scope") or "").split())


def challenge_parameter(challenge: str, name: str) -> str | None:
    """Return a parameter of a challenge (RFC 9110, section 11.2)."""
    found = re.search(rf'\b{name}=(?:"([^"]+)"|([^\s,]+))', challenge)
    return found and (found[1] or found[2])


def lacks_rights(data: Mapping[str, Any], challenge: str) -> bool:
    """Return True if a server wants rights that a login has not requested yet."""
    return not scopes_of(challenge) <= {*str(data.get("scope") or "").split()}


def with_rights(login: LoginServer, data: Mapping[str, Any], challenge: str) -> LoginServer:
    """Return a login that requests those rights too, besides those of the login before."""
    before = str(data.get("scope") or "").split()
    wanted = [*(login.scope or "").split(), *before, *sorted(scopes_of(challenge))]
    return replace(login, scope=" ".join(dict.fromkeys(wanted)) or None)


def auth_method(login: LoginServer, *, without_secret: bool) -> AuthMethod:
    """Return the simplest method of client authentication that a server supports."""
    if without_secret and "none" in login.auth_methods:
        return "none"
    return "client_secret_post" if "client_secret_post" in login.auth_methods else BASIC


def login_data(
    login: LoginServer, client_id: str, client_secret: str = "", method: str | None = None
) -> dict[str, Any]:
    """Return an entry's data of a login; the method of authentication is the simplest one."""
    method = method or auth_method(login, without_secret=not client_secret)
    return {
        **{name: getattr(login, name) for name in _KEPT},
        "client_id": client_id,
        "client_secret": "" if method == "none" else client_secret,
        "auth_method": method,
    }


class Login(LocalOAuth2ImplementationWithPkce):
    """The OAuth implementation for one server, in Home Assistant's way."""

    def __init__(self, hass: HomeAssistant, data: Mapping[str, Any], domain: str = DOMAIN) -> None:
        """Take an entry's data of a login; `domain` is the application credential's."""
        super().__init__(
            hass,
            domain,
            data["client_id"],
            data["authorize_url"],
            data["token_url"],
            data["client_secret"],
        )
        self.data = dict(data)
        if data["auth_method"] == BASIC:
            self.token_auth_method = BASIC

    @property
    @override
    def extra_authorize_data(self) -> dict[str, Any]:
        """Return the parameters of the authorization request."""
        extra = super().extra_authorize_data | {"resource": self.data["resource"]}
        return extra | ({"scope": scope} if (scope := self.data["scope"]) else {})

    def is_from_issuer(self, query: Mapping[str, str]) -> bool:
        """Return True if a code came from the issuer, by the parameters of the redirect.

        A malicious server could otherwise have another issuer's code sent to itself.
        """
        if (said := query.get("iss")) is None:
            return not self.data.get("names_issuer")
        # Letter by letter (RFC 9207, section 2.4).
        return said == str(self.data.get("issuer", said))

    @override
    async def _token_request(self, data: dict[str, Any]) -> dict[str, Any]:
        body, headers = oauth2.client_auth(
            data | {"resource": self.data["resource"]},
            self.client_id,
            self.client_secret,
            self.token_auth_method,
        )
        # As Home Assistant's own, but without redirects: a code and a secret are for one address.
        token: dict[str, Any] = await oauth2.async_token_request(
            self.hass,
            self.token_url,
            body,
            domain=self.service_domain,
            headers=headers,
            allow_redirects=False,
        )
        # Home Assistant insists on an expiry; servers may leave it out (RFC 6749, section 5.1).
        renewable = "refresh_token" in token or "refresh_token" in data
        return {"expires_in": _RENEWED if renewable else _UNTIL_REFUSED} | token

    @override
    async def _async_refresh_token(self, token: dict[str, Any]) -> dict[str, Any]:
        if "refresh_token" not in token:
            raise ConfigEntryAuthFailed("the login has expired")
        return await super()._async_refresh_token(token)


def access_token_of(hass: HomeAssistant, entry: ConfigEntry[Any]) -> Callable[[], Awaitable[str]]:
    """Return a function that returns the token of an entry's login, renewed if it has expired.

    It raises Home Assistant's exceptions when the token can't be renewed.
    """
    session = OAuth2Session(hass, entry, Login(hass, entry.data[CONF_LOGIN]))

    async def access_token() -> str:
        await session.async_ensure_token_valid()
        return str(session.token[CONF_ACCESS_TOKEN])

    return access_token
