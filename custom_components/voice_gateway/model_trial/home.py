"""A simulated home: devices that exist only in memory, and tools that only change these.

Its prompt and its tools resemble those of the user's home, which is neither read nor changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util.json import JsonValueType

from ..const import DOMAIN
from ..json_schema import JsonSchema, serialize
from ..names.matching import words


@dataclass(frozen=True, slots=True)
class TrialDevice:
    """A device with its state."""

    domain: str
    area: str
    state: str
    value: float | None = None
    """Brightness or position in percent, or target temperature, if the device has one."""


DEVICES: Final[Mapping[str, TrialDevice]] = {
    "kitchen_light": TrialDevice("light", "kitchen", "off"),
    "kitchen_fan": TrialDevice("fan", "kitchen", "on"),
    "floor_lamp": TrialDevice("light", "living_room", "on", 80),
    "desk_lamp": TrialDevice("light", "living_room", "off"),
    "blinds": TrialDevice("cover", "living_room", "open", 100),
    "thermostat": TrialDevice("climate", "living_room", "heat", 20),
    "bedside_lamp": TrialDevice("light", "bedroom", "on", 100),
    "wardrobe_light": TrialDevice("light", "bedroom", "on", 100),
    "curtain": TrialDevice("cover", "bedroom", "closed", 0),
    "bedroom_temperature": TrialDevice("sensor", "bedroom", "17 °C"),
    "vacuum_battery": TrialDevice("sensor", "hall", "64 %"),
}
"""All devices in their initial state."""

_TEXT: Final = {"type": "string"}
_TARGET: Final = {"name": _TEXT, "area": _TEXT, "domain": {"type": "array", "items": _TEXT}}
_NOT_THERE: Final = llm.ToolResult(data={"error": "No device fits this call."}, error=True)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A tool like Assist's, with as short a description as there."""

    description: str
    sets: Mapping[str, Any]
    """Its additional arguments, as JSON schemas by name."""
    domains: tuple[str, ...]
    """The domains that it acts on."""


_STATES: Final = "homeassistant__GetLiveContext"
_TURN_ON, _TURN_OFF = "intent__HassTurnOn", "intent__HassTurnOff"
_PERCENT: Final = {"type": "integer", "minimum": 0, "maximum": 100}
_KINDS: Final[Mapping[str, _Kind]] = {
    _TURN_ON: _Kind("Turn on, open or press.", {}, ("light", "fan", "cover")),
    _TURN_OFF: _Kind("Turn off or close.", {}, ("light", "fan", "cover")),
    "light__HassLightSet": _Kind(
        "Sets the brightness percentage of a light", {"brightness": _PERCENT}, ("light",)
    ),
    "intent__HassSetPosition": _Kind(
        "Set a cover's position in percent.", {"position": _PERCENT}, ("cover",)
    ),
    "climate__HassClimateSetTemperature": _Kind(
        "Sets the target temperature of a climate device",
        {"temperature": {"type": "number"}},
        ("climate",),
    ),
    _STATES: _Kind("Get the current states and values of devices.", {}, ()),
}


class MadeUpHome:
    """The simulated home, with names in one language; each sentence starts with a new one."""

    def __init__(self, areas: Mapping[str, str], names: Mapping[str, str]) -> None:
        """Take the names of the areas and devices, by key; the states are those of `DEVICES`."""
        self._areas = areas
        self._names = names
        self._devices = dict(DEVICES)
        self.calls = 0
        """Number of tool calls, failed ones included."""

    @property
    def changed(self) -> Mapping[str, TrialDevice]:
        """The devices whose state differs from the initial one."""
        return {key: each for key, each in self._devices.items() if each != DEVICES[key]}

    def api(self, hass: HomeAssistant, context: llm.LLMContext) -> llm.APIInstance:
        """Return its tools and its prompt."""
        lines: dict[str, dict[str, list[str]]] = {}
        for key, each in DEVICES.items():
            lines.setdefault(each.area, {}).setdefault(each.domain, []).append(self._names[key])
        told = ["Devices by area and domain:"]
        for area, domains in lines.items():
            devices = (f"{domain} {', '.join(names)}" for domain, names in domains.items())
            told.append(f"{self._areas[area]}: {'; '.join(devices)}")
        return llm.APIInstance(
            api=_MadeUp(hass=hass, id=f"{DOMAIN}_trial", name="Made up"),
            api_prompt="\n".join(told),
            llm_context=context,
            tools=[_Tool(self, name) for name in _KINDS],
            custom_serializer=serialize,
        )

    def call(self, tool: str, arguments: Mapping[str, Any]) -> llm.ToolResult:
        """Execute a call on all matching devices; return an error if none matches."""
        kind = _KINDS[tool]
        self.calls += 1
        found = [*self._meant(arguments)]
        if tool == _STATES:
            states: dict[str, JsonValueType] = {}
            for key in found or self._devices:
                device = self._devices[key]
                amount = "" if device.value is None else f", {device.value:g}"
                states[self._names[key]] = device.state + amount
            return llm.ToolResult(data=states)
        found = [key for key in found if self._devices[key].domain in kind.domains]
        value = arguments.get(next(iter(kind.sets), ""))
        if not found or (kind.sets and type(value) not in (int, float)):
            return _NOT_THERE
        for key in found:
            self._devices[key] = _after(self._devices[key], tool, value)
        return llm.ToolResult(data={"done": [self._names[key] for key in found]})

    def _meant(self, arguments: Mapping[str, Any]) -> Iterator[str]:
        """Yield the devices that match a call's name, area and domain, if it gives any of these."""
        name, area, domain = (arguments.get(part) for part in ("name", "area", "domain"))
        domains = [domain] if isinstance(domain, str) else domain
        if not isinstance(domains, list):
            domains = []
        for key, each in self._devices.items():
            if (
                (name or area or domains)
                and (not name or words(str(name)) == words(self._names[key]))
                and (not area or words(str(area)) == words(self._areas[each.area]))
                and (not domains or each.domain in domains)
            ):
                yield key


def _after(device: TrialDevice, tool: str, value: Any) -> TrialDevice:
    """Return a device with its state after a call."""
    match device.domain, tool:
        case "cover", _:
            position = {_TURN_ON: 100.0, _TURN_OFF: 0.0}.get(tool, value)
            return replace(device, state="open" if position else "closed", value=position)
        case _, str() if tool in (_TURN_ON, _TURN_OFF):
            return replace(device, state="on" if tool == _TURN_ON else "off")
        case "light", _:
            return replace(device, state="on" if value else "off", value=value)
        case _:
            return replace(device, value=value)


class _MadeUp(llm.API):
    """The API of the tools, which is not registered with Home Assistant."""

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        raise NotImplementedError


class _Tool(llm.Tool):
    """A tool of the simulated home."""

    integration = DOMAIN

    def __init__(self, home: MadeUpHome, name: str) -> None:
        """Take the home, and the tool's name."""
        kind = _KINDS[name]
        self._home = home
        self.name = name
        self.description = kind.description
        self.parameters = JsonSchema(
            {
                "type": "object",
                "properties": {**_TARGET, **kind.sets},
                "required": [*kind.sets],
            }
        )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Execute the call on the simulated home."""
        return self._home.call(self.name, tool_input.tool_args)
