"""Tells of assistants that handle commands before an agent hears them, and open doors unasked."""

from typing import Final

from homeassistant.components.assist_pipeline import async_get_pipelines
from homeassistant.components.assist_pipeline.const import DOMAIN as ASSIST_PIPELINE
from homeassistant.components.assist_pipeline.pipeline import KEY_ASSIST_PIPELINE
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_call_later

from ..const import CONF_ASK_BEFORE, DEFAULT_ASK_BEFORE, DOMAIN, Danger
from ..home.exposed import HomeWatch
from ..languages import joined
from ..nlu.mentions import is_access_entity

_SOON: Final = 1.0
"""Seconds until a changed home is looked at: a start changes it a thousand times."""
_DANGERS: Final = {"lock": Danger.LOCKS, "alarm_control_panel": Danger.ALARMS}


class LocalFirst:
    """The repair issue of an agent before which Home Assistant handles commands itself.

    - It is there while an assistant that uses the agent prefers to handle commands locally, and
      something is exposed before which the agent would ask.
    """

    def __init__(self, hass: HomeAssistant, subentry: ConfigSubentry, watch: HomeWatch) -> None:
        """Take the agent's subentry, and the home that it sees."""
        self._hass = hass
        self._subentry = subentry
        self._watch = watch
        self._entity_id = ""
        self._looks_again: CALLBACK_TYPE | None = None

    @callback
    def async_start(self, entity_id: str) -> CALLBACK_TYPE:
        """Begin to look, for an agent by its entity's id; return what ends it."""
        self._entity_id = entity_id
        if ASSIST_PIPELINE not in self._hass.config.components:
            return lambda: None
        store = self._hass.data[KEY_ASSIST_PIPELINE].pipeline_store
        stops = [
            store.async_add_change_set_listener(self._async_changed),
            self._watch.async_listen(self._home_changed),
        ]
        self._look()

        @callback
        def stop() -> None:
            for each in stops:
                each()
            if self._looks_again:
                self._looks_again()
            self._take_back()

        return stop

    async def _async_changed(self, _changes: object) -> None:
        self._look()

    @callback
    def _home_changed(self) -> None:
        @callback
        def look(_now: object) -> None:
            self._looks_again = None
            self._look()

        if self._looks_again is None:
            self._looks_again = async_call_later(
                self._hass, _SOON, HassJob(look, cancel_on_shutdown=True)
            )

    @callback
    def _look(self) -> None:
        """Raise the issue, or take it back."""
        pipelines = [
            each.name
            for each in async_get_pipelines(self._hass)
            if each.conversation_engine == self._entity_id and each.prefer_local_intents
        ]
        asks = self._subentry.data.get(CONF_ASK_BEFORE, DEFAULT_ASK_BEFORE)
        names = [
            each.names[0]
            for each in self._watch.home.entities
            if is_access_entity(each) and _DANGERS.get(each.domain, Danger.DOORS) in asks
            if each.domain in (*_DANGERS, "cover")
        ]
        if not (pipelines and names):
            self._take_back()
            return
        language = self._hass.config.language
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            self._id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key="handled_locally",
            translation_placeholders={
                "name": self._subentry.title,
                "pipeline": joined(language, pipelines),
                "entities": joined(language, names),
            },
        )

    def _take_back(self) -> None:
        ir.async_delete_issue(self._hass, DOMAIN, self._id)

    @property
    def _id(self) -> str:
        return f"handled_locally_{self._subentry.subentry_id}"
