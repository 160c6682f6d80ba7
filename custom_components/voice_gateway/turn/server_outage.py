"""A model server that can't be reached: one repair issue for all its agents, and two lines in the log."""

from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.hass_dict import HassKey

from .. import untrusted_text
from ..addresses import shown_address
from ..const import DOMAIN, LOGGER
from ..models.client import Reason
from ..models.provider import ProviderConfigEntry

# Turns in a row without the server; one or two are lost when it is started anew.
_TURNS = 3


class ServerOutage:
    """Whether a model server can be reached, as its agents and AI tasks find.

    - The log tells once that it can't be, and once that it can again.
    - After three turns in a row there is an issue, which names the server; it goes with the first
      answer, or with the last agent.
    """

    def __init__(self, hass: HomeAssistant, entry: ProviderConfigEntry) -> None:
        """Take the server's entry."""
        self._hass = hass
        self._entry = entry
        self._turns = 0
        self._uses: dict[str, ConfigSubentry] = {}

    @classmethod
    def of(cls, hass: HomeAssistant, entry: ProviderConfigEntry) -> ServerOutage:
        """Return that of an entry: one for all its agents, as long as it is loaded."""
        outages = hass.data.setdefault(_OUTAGES, {})
        if entry.entry_id not in outages:
            outages[entry.entry_id] = cls(hass, entry)

            def forget() -> None:
                del outages[entry.entry_id]

            entry.async_on_unload(forget)
        return outages[entry.entry_id]

    @callback
    def async_join(self, use: ConfigSubentry) -> None:
        """Note an agent that asks the server from now on."""
        self._uses[use.subentry_id] = use

    @callback
    def async_leave(self, use: ConfigSubentry) -> None:
        """Note that an agent asks it no more; without any, nobody knows how it is."""
        self._uses.pop(use.subentry_id, None)
        if not self._uses:
            self._turns = 0
            self._take_back()

    @callback
    def async_note(self, failure: Reason | None) -> None:
        """Note how a turn of any agent went: why it failed, if it did."""
        if failure is Reason.UNREACHABLE:
            if not self._turns:
                LOGGER.warning("%s can't be reached (%s)", self._entry.title, self._address)
            self._turns += 1
            if self._turns >= _TURNS:
                self._raise()
        elif failure is None:
            if self._turns:
                LOGGER.info("%s answers again (%s)", self._entry.title, self._address)
            self._turns = 0
            self._take_back()

    @property
    def _address(self) -> str:
        """Where it is, as far as that may be shown; Anthropic has no address of its own."""
        url = self._entry.data.get(CONF_URL)
        return shown_address(url).rstrip("/") if url else self._entry.title

    def _raise(self) -> None:
        names = (untrusted_text.name(use.title) for use in self._uses.values())
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            self._issue_id,
            data={"entry_id": self._entry.entry_id, "trouble": "down"},
            is_fixable=True,
            severity=ir.IssueSeverity.ERROR,
            translation_key="server_down",
            translation_placeholders={
                "server": untrusted_text.name(self._entry.title),
                "address": self._address,
                "names": ", ".join(names),
            },
        )

    def _take_back(self) -> None:
        ir.async_delete_issue(self._hass, DOMAIN, self._issue_id)

    @property
    def _issue_id(self) -> str:
        return f"server_down_{self._entry.entry_id}"


_OUTAGES: HassKey[dict[str, ServerOutage]] = HassKey(f"{DOMAIN}_outages")
