"""What a turn's failure means for the user: repair issues of an agent or of an AI task."""

from enum import StrEnum

from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from ..models.client import Reason
from ..models.ollama.server import OllamaServer
from ..models.provider import ProviderConfigEntry
from .server_outage import ServerOutage


class AgentProblem(StrEnum):
    """What is wrong and can be mended in a dialog; a part of the issue's key."""

    GONE = "gone"
    CONTEXT_TOO_SMALL = "context_too_small"
    FAILS_OFTEN = "fails_often"


class AgentIssues:
    """The repair issues of an agent, or of an AI task.

    - An issue is there from the turn that shows it until a turn succeeds, or the agent is reloaded
      or removed; that a model often fails, until it does better.
    - A turn that fails for another reason takes nothing back: it proves nothing.
    - A server that can't be reached is one issue for all of its agents: see `ServerOutage`.
    """

    def __init__(
        self, hass: HomeAssistant, entry: ProviderConfigEntry, subentry: ConfigSubentry
    ) -> None:
        """Take the agent's entry and subentry."""
        self._hass = hass
        self._entry = entry
        self._subentry = subentry
        self._outage = ServerOutage.of(hass, entry)
        self._is_there = False

    @callback
    def async_start(self) -> CALLBACK_TYPE:
        """Raise issues from now on; return what ends it and takes all of them back.

        A turn may outlive its agent: what it shows concerns nobody any more.
        """
        self._is_there = True
        self._outage.async_join(self._subentry)

        def end() -> None:
            self._is_there = False
            self._outage.async_leave(self._subentry)
            self._take_back(*AgentProblem)

        return end

    @callback
    def async_note(self, failure: Reason | None, *, fails_often: bool) -> None:
        """Note how a turn went: why it failed, if it did, and whether the model often does."""
        if not self._is_there:
            return
        self._outage.async_note(failure)
        match failure:
            case None:
                self._take_back(AgentProblem.GONE, AgentProblem.CONTEXT_TOO_SMALL)
            case Reason.MODEL_NOT_FOUND:
                self._raise(AgentProblem.GONE)
            case Reason.CONTEXT_EXCEEDED if isinstance(self._entry.runtime_data, OllamaServer):
                # With other providers the context is as long as the model's.
                self._raise(AgentProblem.CONTEXT_TOO_SMALL)
        if fails_often:
            self._raise(AgentProblem.FAILS_OFTEN)
        else:
            self._take_back(AgentProblem.FAILS_OFTEN)

    def _take_back(self, *troubles: AgentProblem) -> None:
        for trouble in troubles:
            ir.async_delete_issue(self._hass, DOMAIN, self._id(trouble))

    def _raise(self, trouble: AgentProblem) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            self._id(trouble),
            data={
                "entry_id": self._entry.entry_id,
                "subentry_id": self._subentry.subentry_id,
                "trouble": trouble,
            },
            is_fixable=True,
            severity=ir.IssueSeverity.WARNING
            if trouble is AgentProblem.FAILS_OFTEN
            else ir.IssueSeverity.ERROR,
            translation_key=f"model_{trouble}",
            translation_placeholders={
                "name": self._subentry.title,
                "model": self._subentry.data[CONF_MODEL],
            },
        )

    def _id(self, trouble: AgentProblem) -> str:
        return f"model_{trouble}_{self._subentry.subentry_id}"
