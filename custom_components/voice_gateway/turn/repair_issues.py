"""Repair issues of an agent or an AI task, raised for the failures of their turns."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from homeassistant.components.assist_pipeline import async_get_pipelines
from homeassistant.components.assist_pipeline.const import DOMAIN as ASSIST_PIPELINE
from homeassistant.components.assist_pipeline.pipeline import KEY_ASSIST_PIPELINE
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL, CONF_URL
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.debounce import Debouncer
from homeassistant.util.hass_dict import HassKey

from .. import untrusted_text
from ..addresses import shown_address
from ..const import CONF_ASK_BEFORE, DOMAIN, LOGGER, Danger, option
from ..home.exposed import HomeWatch
from ..languages import joined
from ..models.client import Reason
from ..models.ollama.server import OllamaServer
from ..models.provider import ProviderConfigEntry

_SERVER_DOWN: Final = "server_down"
_HANDLED_LOCALLY: Final = "handled_locally"
_SOON: Final = 1.0
"""Seconds until a changed home is checked: a start changes it a thousand times."""
_DANGERS: Final = {"lock": Danger.LOCKS, "alarm_control_panel": Danger.ALARMS}
# Turns in a row without the server; a restart of it costs one or two.
_TURNS = 3


@dataclass(slots=True)
class ServerOutage:
    """The reachability of a model server, as its agents and AI tasks find it.

    - The log has one line when it becomes unreachable, and one when it is reachable again.
    - Three failed turns in a row raise an issue, which names the server; the first answer deletes
      it, or the removal of the last agent.
    """

    hass: HomeAssistant
    entry: ProviderConfigEntry
    _turns: int = 0
    _uses: dict[str, ConfigSubentry] = field(default_factory=dict)

    @classmethod
    def of(cls, hass: HomeAssistant, entry: ProviderConfigEntry) -> ServerOutage:
        """Return the outage of an entry: one for all its agents, as long as it is loaded."""
        outages = hass.data.setdefault(_OUTAGES, {})
        if entry.entry_id not in outages:
            outages[entry.entry_id] = cls(hass, entry)

            def forget() -> None:
                del outages[entry.entry_id]

            entry.async_on_unload(forget)
        return outages[entry.entry_id]

    @callback
    def async_join(self, use: ConfigSubentry) -> None:
        """Add an agent that uses the server."""
        self._uses[use.subentry_id] = use

    @callback
    def async_leave(self, use: ConfigSubentry) -> None:
        """Remove an agent; after the last one, the server's state is unknown."""
        self._uses.pop(use.subentry_id, None)
        if not self._uses:
            self._turns = 0
            self._take_back()

    @callback
    def async_note(self, failure: Reason | None) -> None:
        """Record the result of a turn of any agent: the reason of its failure, if any."""
        if failure is Reason.UNREACHABLE:
            if not self._turns:
                LOGGER.warning("%s can't be reached (%s)", self.entry.title, self._address)
            self._turns += 1
            if self._turns >= _TURNS:
                self._raise()
        elif failure is None:
            if self._turns:
                LOGGER.info("%s answers again (%s)", self.entry.title, self._address)
            self._turns = 0
            self._take_back()

    @property
    def _address(self) -> str:
        """The address in a form that may be shown; Anthropic has none of its own."""
        url = self.entry.data.get(CONF_URL)
        return shown_address(url).rstrip("/") if url else self.entry.title

    def _raise(self) -> None:
        names = (untrusted_text.name(use.title) for use in self._uses.values())
        _raise_issue(
            self.hass,
            self.entry.entry_id,
            translation_key=_SERVER_DOWN,
            translation_placeholders={
                "server": untrusted_text.name(self.entry.title),
                "address": self._address,
                "names": ", ".join(names),
            },
            data={"entry_id": self.entry.entry_id, "trouble": "down"},
        )

    def _take_back(self) -> None:
        ir.async_delete_issue(self.hass, DOMAIN, f"{_SERVER_DOWN}_{self.entry.entry_id}")


_OUTAGES: HassKey[dict[str, ServerOutage]] = HassKey(f"{DOMAIN}_outages")


class AgentProblem(StrEnum):
    """A problem that a dialog can repair; part of the issue's key."""

    GONE = "gone"
    CONTEXT_TOO_SMALL = "context_too_small"
    FAILS_OFTEN = "fails_often"


class AgentIssues:
    """The repair issues of an agent, or of an AI task.

    - An issue exists from the turn that finds it until a turn succeeds, or the agent is reloaded or
      removed; that a model often fails, until it does better.
    - A turn that fails for another reason deletes no issue: it proves nothing.
    - An unreachable server is one issue for all of its agents: see `ServerOutage`.
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
        """Raise issues from now on; return the function that stops this and deletes them.

        A turn may outlive its agent: its result is then ignored.
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
        """Record the result of a turn: the reason of its failure, if any, and if it fails often."""
        if not self._is_there:
            return
        self._outage.async_note(failure)
        match failure:
            case None:
                self._take_back(AgentProblem.GONE, AgentProblem.CONTEXT_TOO_SMALL)
            case Reason.MODEL_NOT_FOUND:
                self._raise(AgentProblem.GONE)
            case Reason.CONTEXT_EXCEEDED if isinstance(self._entry.runtime_data, OllamaServer):
                # With other providers the context length is that of the model.
                self._raise(AgentProblem.CONTEXT_TOO_SMALL)
        if fails_often:
            self._raise(AgentProblem.FAILS_OFTEN)
        else:
            self._take_back(AgentProblem.FAILS_OFTEN)

    def _take_back(self, *troubles: AgentProblem) -> None:
        for trouble in troubles:
            issue_id = f"model_{trouble}_{self._subentry.subentry_id}"
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)

    def _raise(self, trouble: AgentProblem) -> None:
        subentry = self._subentry
        is_warning = trouble is AgentProblem.FAILS_OFTEN
        _raise_issue(
            self._hass,
            subentry.subentry_id,
            translation_key=f"model_{trouble}",
            translation_placeholders={"name": subentry.title, "model": subentry.data[CONF_MODEL]},
            data={
                "entry_id": self._entry.entry_id,
                "subentry_id": subentry.subentry_id,
                "trouble": trouble,
            },
            severity=ir.IssueSeverity.WARNING if is_warning else ir.IssueSeverity.ERROR,
        )


class LocalFirst:
    """The repair issue of an agent whose commands Home Assistant handles before it.

    - It exists while an assistant that uses the agent prefers to handle commands locally, and an
      entity is exposed for which the agent would require consent.
    """

    def __init__(self, hass: HomeAssistant, subentry: ConfigSubentry, watch: HomeWatch) -> None:
        """Take the agent's subentry, and the home as the agent sees it."""
        self._hass = hass
        self._subentry = subentry
        self._watch = watch
        self._entity_id = ""

    @callback
    def async_start(self, entity_id: str) -> CALLBACK_TYPE:
        """Start checking, for an agent by its entity id; return the function that stops it."""
        self._entity_id = entity_id
        if ASSIST_PIPELINE not in self._hass.config.components:
            return lambda: None
        look = Debouncer(self._hass, LOGGER, cooldown=_SOON, immediate=False, function=self._look)

        async def pipelines_changed(_changes: object) -> None:
            self._look()

        store = self._hass.data[KEY_ASSIST_PIPELINE].pipeline_store
        stops = [
            store.async_add_change_set_listener(pipelines_changed),
            self._watch.async_listen(look.async_schedule_call),
            look.async_shutdown,
            self._take_back,
        ]
        self._look()

        @callback
        def stop() -> None:
            for each in stops:
                each()

        return stop

    @callback
    def _look(self) -> None:
        """Raise or delete the issue."""
        pipelines = [
            each.name
            for each in async_get_pipelines(self._hass)
            if each.conversation_engine == self._entity_id and each.prefer_local_intents
        ]
        asks = option(self._subentry.data, CONF_ASK_BEFORE)
        names = [
            each.names[0]
            for each in self._watch.home.entities
            if each.is_access and _DANGERS.get(each.domain, Danger.DOORS) in asks
            if each.domain in (*_DANGERS, "cover")
        ]
        if not (pipelines and names):
            self._take_back()
            return
        language = self._hass.config.language
        _raise_issue(
            self._hass,
            self._subentry.subentry_id,
            translation_key=_HANDLED_LOCALLY,
            translation_placeholders={
                "name": self._subentry.title,
                "pipeline": joined(language, pipelines),
                "entities": joined(language, names),
            },
            severity=ir.IssueSeverity.WARNING,
        )

    def _take_back(self) -> None:
        issue_id = f"{_HANDLED_LOCALLY}_{self._subentry.subentry_id}"
        ir.async_delete_issue(self._hass, DOMAIN, issue_id)


def _raise_issue(
    hass: HomeAssistant,
    owner: str,
    *,
    translation_key: str,
    translation_placeholders: dict[str, str],
    data: dict[str, Any] | None = None,
    severity: ir.IssueSeverity = ir.IssueSeverity.ERROR,
) -> None:
    """Raise the issue of an entry or a subentry, by its id; with data, a dialog can repair it."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        f"{translation_key}_{owner}",
        data=data,
        is_fixable=data is not None,
        severity=severity,
        translation_key=translation_key,
        translation_placeholders=translation_placeholders,
    )
