"""The tools as clients see them: names, arguments and as few words as a small model needs.

Every word costs a small model time before it answers, at every turn. Names and arguments are
those of the gateway's first specification.
"""

from typing import Any

from mcp.types import Tool, ToolAnnotations

WORDS = {
    "on": "be switched on",
    "off": "be switched off",
    "toggle": "be toggled",
    "dim": "be dimmed",
    "set_level": "be set to a level",
    "open": "be opened",
    "close": "be closed",
    "stop": "be stopped",
    "set_temperature": "be set to a temperature",
    "set_mode": "be set to a mode",
    "set_fan": "have its fan set",
    "lock": "be locked",
    "unlock": "be unlocked",
}
"""The actions, with their effects in words."""
ACTIONS = [action for action in WORDS if action not in ("lock", "unlock")]
LOCK_TOOL = "control_zwave_lock"
LOCK_ACTIONS = ["lock", "unlock", "open", "close"]
TEXT = {"type": "string"}
INTEGER = {"type": "integer"}

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
CONTROLS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
# They open an entry point, or change a setting for good, and a wrong one can disable a device.
ENDANGERS = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)


def _tool(
    name: str,
    title: str,
    description: str,
    properties: dict[str, Any],
    *required: str,
    annotations: ToolAnnotations = READS,
) -> Tool:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=schema,
        annotations=annotations,
    )


DEFINITIONS = [
    _tool(
        "list_zwave_devices",
        "List Z-Wave devices",
        "List Z-Wave devices with room, kind and state.",
        {
            "filter": {**TEXT, "description": "a room, kind or state, if one was named"},
            "includeInactive": {"type": "boolean", "default": False},
        },
    ),
    _tool(
        "list_devices",
        "List Z-Wave devices page by page",
        "List Z-Wave devices page by page.",
        {
            "limit": {**INTEGER, "default": 10, "minimum": 1},
            "offset": {**INTEGER, "default": 0, "minimum": 0},
        },
    ),
    _tool(
        "verify_device",
        "Find a Z-Wave device",
        "Check whether a Z-Wave device exists; else get similar names.",
        {"deviceName": TEXT},
        "deviceName",
    ),
    _tool(
        "control_zwave_device",
        "Control a Z-Wave device",
        "Control a Z-Wave device: switch, light, blind or thermostat.",
        {
            "deviceName": TEXT,
            "action": {**TEXT, "enum": ACTIONS},
            "level": {**INTEGER, "minimum": 0, "maximum": 100},
            "temperature": {"type": "number"},
            "mode": {**TEXT, "description": "for set_mode, set_fan"},
        },
        "deviceName",
        "action",
        annotations=CONTROLS,
    ),
    _tool(
        LOCK_TOOL,
        "Open and close with Z-Wave",
        "Lock or unlock a Z-Wave lock; open or close a Z-Wave garage door.",
        {"deviceName": TEXT, "action": {**TEXT, "enum": LOCK_ACTIONS}},
        "deviceName",
        "action",
        annotations=ENDANGERS,
    ),
    _tool(
        "get_device_sensor_data",
        "Read a Z-Wave device",
        "Read a Z-Wave device or room: temperature, open or closed, motion, power, battery.",
        {"deviceName": TEXT},
        "deviceName",
    ),
    _tool(
        "check_zwave_health",
        "Check the Z-Wave network",
        "Find Z-Wave problems: dead or silent devices, low batteries, bad connections.",
        {},
    ),
    _tool(
        "ping_device",
        "Ping a Z-Wave device",
        "Test whether a Z-Wave device answers.",
        {"deviceName": TEXT},
        "deviceName",
    ),
    _tool(
        "get_device_details",
        "Describe a Z-Wave device",
        "Get a Z-Wave device's product, firmware, security, connection and settings.",
        {"deviceName": TEXT},
        "deviceName",
    ),
    _tool(
        "set_device_config",
        "Change a setting of a Z-Wave device",
        "Change a setting of a Z-Wave device.",
        {
            "deviceName": TEXT,
            "parameter": {**TEXT, "description": "name or number"},
            "value": TEXT,
        },
        "deviceName",
        "parameter",
        "value",
        annotations=ENDANGERS,
    ),
]


def definitions(*, locks: bool) -> dict[str, Tool]:
    """Return the tools by name; with `locks`, also the one for entry points."""
    return {tool.name: tool for tool in DEFINITIONS if locks or tool.name != LOCK_TOOL}
