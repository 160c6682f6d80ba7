"""Sensors: statistics of an agent's turns, and the number of an MCP server's tools."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, override

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import CONF_KIND, MCP_KINDS, SUBENTRY_CONVERSATION, EntryKind
from .entity import McpServerEntity, UseEntity
from .mcp_servers.session import SessionState
from .models.client import Reason
from .models.provider import ProviderConfigEntry
from .subentries import async_follow
from .turn.report import TurnReport, turn_reported

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class TurnSensorDescription(SensorEntityDescription):
    """A sensor that is updated by each turn."""

    of: Callable[[TurnReport], Any]
    """Returns the value of a report; None leaves the sensor unchanged."""
    tells_when: bool = False
    """Whether an attribute holds the start of the turn."""

    @property
    def adds_up(self) -> bool:
        """Whether the sensor sums the values of all turns, instead of showing the last one."""
        return self.state_class is SensorStateClass.TOTAL_INCREASING


def _measured(
    key: str, of: Callable[[TurnReport], float | None], **rest: Any
) -> TurnSensorDescription:
    return TurnSensorDescription(
        key=key, translation_key=key, state_class=SensorStateClass.MEASUREMENT, of=of, **rest
    )


def _counted(
    key: str, of: Callable[[TurnReport], float | None], *, is_enabled: bool = False
) -> TurnSensorDescription:
    return TurnSensorDescription(
        key=key,
        translation_key=key,
        state_class=SensorStateClass.TOTAL_INCREASING,
        entity_registry_enabled_default=is_enabled,
        of=of,
    )


def _cached_share(report: TurnReport) -> float | None:
    if report.cached_tokens is None or not report.prompt_tokens:
        return None
    return 100 * report.cached_tokens / report.prompt_tokens


_SECONDS: dict[str, Any] = {
    "device_class": SensorDeviceClass.DURATION,
    "native_unit_of_measurement": UnitOfTime.SECONDS,
    "suggested_display_precision": 1,
}
_SHARE: dict[str, Any] = {
    "native_unit_of_measurement": PERCENTAGE,
    "suggested_display_precision": 0,
}
# A failed turn often ends early; its duration says nothing about the speed of answers.
OF_AGENT = (
    _measured(
        "seconds_to_first_word",
        lambda report: None if report.failure else report.seconds_to_first_word,
        **_SECONDS,
    ),
    _measured("seconds", lambda report: None if report.failure else report.seconds, **_SECONDS),
    _counted("failures", lambda report: int(report.failure is not None), is_enabled=True),
    _measured("context_share", lambda report: report.context_share, **_SHARE),
    _counted("prompt_tokens", lambda report: report.prompt_tokens),
    _counted("answer_tokens", lambda report: report.answer_tokens),
    _counted("tool_calls", lambda report: len(report.tools)),
    TurnSensorDescription(
        key="last_failure",
        translation_key="last_failure",
        device_class=SensorDeviceClass.ENUM,
        options=[reason.value for reason in Reason],
        of=lambda report: report.failure,
        tells_when=True,
    ),
)
# Ollama does not report cached tokens.
CACHED_SHARE = _measured(
    "cached_share", _cached_share, entity_registry_enabled_default=False, **_SHARE
)
TOOLS = SensorEntityDescription(
    key="tools", translation_key="tools", state_class=SensorStateClass.MEASUREMENT
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: ConfigEntry[Any],
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the sensors of an MCP server, or of a model server's agents."""
    if entry.data[CONF_KIND] in MCP_KINDS:
        async_add_entities([McpToolCount(entry, TOOLS)])
        return
    async_follow(hass, entry, SUBENTRY_CONVERSATION, async_add_entities, _of_agent)


def _of_agent(
    hass: HomeAssistant, entry: ProviderConfigEntry, subentry: ConfigSubentry
) -> Iterator[TurnSensor]:
    for description in OF_AGENT:
        yield TurnSensor(entry, subentry, description)
    if entry.data[CONF_KIND] in (EntryKind.ANTHROPIC, EntryKind.OPENAI):
        yield TurnSensor(entry, subentry, CACHED_SHARE)


class TurnSensor(UseEntity, SensorEntity):
    """A sensor of an agent's turns; unknown before the first one.

    Sums begin at 0 with each start: Home Assistant's statistics continue from there.
    """

    _attr_should_poll = False
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    entity_description: TurnSensorDescription

    def __init__(
        self,
        entry: ProviderConfigEntry,
        subentry: ConfigSubentry,
        description: TurnSensorDescription,
    ) -> None:
        """Take the agent, and the sensor's description."""
        super().__init__(entry, subentry, description.key)
        self.entity_description = description
        self._attr_native_value = 0 if description.adds_up else None

    @override
    async def async_added_to_hass(self) -> None:
        """Listen to the agent's reports."""
        signal = turn_reported(self._subentry.subentry_id)
        self.async_on_remove(async_dispatcher_connect(self.hass, signal, self._async_take))

    @callback
    def _async_take(self, report: TurnReport) -> None:
        value = self.entity_description.of(report)
        if value is None:
            return
        if self.entity_description.adds_up:
            if not value:
                return
            value += self._attr_native_value
        self._attr_native_value = value
        if self.entity_description.tells_when:
            self._attr_extra_state_attributes = {"at": report.started.isoformat()}
        self.async_write_ha_state()


class McpToolCount(McpServerEntity, SensorEntity):
    """The number of tools for agents; unknown while the server is not connected."""

    _unrecorded_attributes = frozenset({"skipped"})

    @property
    @override
    def available(self) -> bool:
        """Return True if the server is connected."""
        return self._session.state is SessionState.CONNECTED

    @property
    @override
    def native_value(self) -> int:
        """Return the number of tools that are offered to agents."""
        return len(self._session.offered_tools)

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return the unusable tools, with the reasons."""
        return {"skipped": self._session.skipped_tools}
