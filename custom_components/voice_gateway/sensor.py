"""What can be measured: how an agent answers, and how many tools an MCP server offers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
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
from .entity import McpServerEntity, device_of_use
from .mcp_servers.session import SessionState
from .models.client import Reason
from .models.provider import ProviderConfigEntry
from .subentries import async_follow
from .turn.report import TurnReport, turn_reported

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class TurnSensorDescription(SensorEntityDescription):
    """What one turn does to a value."""

    of: Callable[[TurnReport], float | None]
    """Takes the value out of a report; None leaves the sensor as it was."""

    @property
    def adds_up(self) -> bool:
        """Whether the values of all turns are added, rather than the last one shown."""
        return self.state_class is SensorStateClass.TOTAL_INCREASING


def _cached_share(report: TurnReport) -> float | None:
    if report.cached_tokens is None or not report.prompt_tokens:
        return None
    return 100 * report.cached_tokens / report.prompt_tokens


# A failure is told at once, and says nothing of how fast answers are.
OF_AGENT = (
    TurnSensorDescription(
        key="seconds_to_first_word",
        translation_key="seconds_to_first_word",
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        suggested_display_precision=1,
        state_class=SensorStateClass.MEASUREMENT,
        of=lambda report: None if report.failure else report.seconds_to_first_word,
    ),
    TurnSensorDescription(
        key="seconds",
        translation_key="seconds",
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        suggested_display_precision=1,
        state_class=SensorStateClass.MEASUREMENT,
        of=lambda report: None if report.failure else report.seconds,
    ),
    TurnSensorDescription(
        key="failures",
        translation_key="failures",
        state_class=SensorStateClass.TOTAL_INCREASING,
        of=lambda report: int(report.failure is not None),
    ),
    TurnSensorDescription(
        key="context_share",
        translation_key="context_share",
        native_unit_of_measurement=PERCENTAGE,
        suggested_display_precision=0,
        state_class=SensorStateClass.MEASUREMENT,
        of=lambda report: report.context_share,
    ),
    TurnSensorDescription(
        key="prompt_tokens",
        translation_key="prompt_tokens",
        state_class=SensorStateClass.TOTAL_INCREASING,
        entity_registry_enabled_default=False,
        of=lambda report: report.prompt_tokens,
    ),
    TurnSensorDescription(
        key="answer_tokens",
        translation_key="answer_tokens",
        state_class=SensorStateClass.TOTAL_INCREASING,
        entity_registry_enabled_default=False,
        of=lambda report: report.answer_tokens,
    ),
    TurnSensorDescription(
        key="tool_calls",
        translation_key="tool_calls",
        state_class=SensorStateClass.TOTAL_INCREASING,
        entity_registry_enabled_default=False,
        of=lambda report: len(report.tools),
    ),
)
# Ollama does not tell what it had read before.
CACHED_SHARE = TurnSensorDescription(
    key="cached_share",
    translation_key="cached_share",
    native_unit_of_measurement=PERCENTAGE,
    suggested_display_precision=0,
    state_class=SensorStateClass.MEASUREMENT,
    entity_registry_enabled_default=False,
    of=_cached_share,
)
LAST_FAILURE = SensorEntityDescription(
    key="last_failure",
    translation_key="last_failure",
    device_class=SensorDeviceClass.ENUM,
    options=[reason.value for reason in Reason],
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
    async_follow(hass, entry, SUBENTRY_CONVERSATION, async_add_entities, partial(_of_agent, entry))


def _of_agent(entry: ProviderConfigEntry, subentry: ConfigSubentry) -> Iterator[AgentSensor]:
    for description in OF_AGENT:
        yield TurnSensor(entry, subentry, description)
    yield LastFailure(entry, subentry, LAST_FAILURE)
    if entry.data[CONF_KIND] in (EntryKind.ANTHROPIC, EntryKind.OPENAI):
        yield TurnSensor(entry, subentry, CACHED_SHARE)


class AgentSensor(SensorEntity):
    """Something that is to be seen of an agent's turns; unknown until there was one."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(
        self,
        entry: ProviderConfigEntry,
        subentry: ConfigSubentry,
        description: SensorEntityDescription,
    ) -> None:
        """Take the agent, and what is to be seen of it."""
        self.entity_description = description
        self._subentry_id = subentry.subentry_id
        self._attr_unique_id = f"{subentry.subentry_id}_{description.key}"
        self._attr_device_info = device_of_use(entry, subentry)

    @override
    async def async_added_to_hass(self) -> None:
        """Listen to the agent's reports."""
        self.async_on_remove(
            async_dispatcher_connect(self.hass, turn_reported(self._subentry_id), self._async_take)
        )

    @callback
    def _async_take(self, report: TurnReport) -> None:
        """Take over what a turn showed."""
        raise NotImplementedError


class LastFailure(AgentSensor):
    """Why the model last gave no answer, or none to its end, and when that was."""

    @callback
    @override
    def _async_take(self, report: TurnReport) -> None:
        if report.failure:
            self._attr_native_value = report.failure.value
            self._attr_extra_state_attributes = {"at": report.started.isoformat()}
            self.async_write_ha_state()


class TurnSensor(AgentSensor):
    """Something that is measured in each turn of an agent.

    What adds up begins at 0 with each start: Home Assistant's statistics go on from there.
    """

    entity_description: TurnSensorDescription

    def __init__(
        self,
        entry: ProviderConfigEntry,
        subentry: ConfigSubentry,
        description: TurnSensorDescription,
    ) -> None:
        """Take the agent, and what is measured."""
        super().__init__(entry, subentry, description)
        self._value: float | None = 0 if description.adds_up else None

    @property
    @override
    def native_value(self) -> float | None:
        """Return what was measured."""
        return self._value

    @callback
    @override
    def _async_take(self, report: TurnReport) -> None:
        value = self.entity_description.of(report)
        if value is None:
            return
        if self.entity_description.adds_up and self._value is not None:
            if not value:
                return
            value += self._value
        self._value = value
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
        """Return the number of tools that are offered."""
        return len(self._session.offered_tools)

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return the tools that can't be used, and why."""
        return {"skipped": self._session.skipped_tools}
