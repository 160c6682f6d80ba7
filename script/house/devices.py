"""Which of Home Assistant's demo devices make the house: everyday ones, on an evening at home."""

from script.house.api import Api, Json, until

ASSISTANT = "conversation"

# The demo integration has 130 entities, many of which no home has. Few and plain ones are what a
# small model, and a person who tries it, can keep in mind.
EXPOSED = (
    "climate.heatpump",
    "climate.hvac",
    "cover.garage_door",
    "cover.kitchen_window",
    "cover.living_room_window",
    "fan.ceiling_fan",
    "fan.living_room_fan",
    "light.bed_light",
    "light.ceiling_lights",
    "light.entrance_color_white_lights",
    "light.kitchen_lights",
    "light.living_room_rgbww_lights",
    "light.office_rgbw_lights",
    "lock.front_door",
    "lock.kitchen_door",
    "media_player.bedroom",
    "media_player.kitchen",
    "media_player.living_room",
    "sensor.outside_humidity",
    "sensor.outside_temperature",
)

# In the demo integration nearly everything is on, and as loud as it can be.
_EVENING = (
    ("light.turn_off", "light.kitchen_lights", {}),
    ("light.turn_off", "light.office_rgbw_lights", {}),
    *(
        ("media_player.volume_set", f"media_player.{room}", {"volume_level": 0.5})
        for room in ("bedroom", "kitchen", "living_room")
    ),
)


async def furnish(api: Api) -> None:
    """Expose the devices to Assist, and nothing else, and make it evening."""
    states = await until("The demo devices did not appear", lambda: _devices(api))
    await api.command(
        "homeassistant/expose_new_entities/set", assistant=ASSISTANT, expose_new=False
    )
    hidden = [entity_id for entity_id in states if entity_id not in EXPOSED]
    await expose(api, hidden, exposed=False)
    await expose(api, list(EXPOSED), exposed=True)
    for action, entity_id, data in _EVENING:
        await api.act(action, entity_id, **data)


async def expose(api: Api, entity_ids: list[str], *, exposed: bool) -> None:
    """Expose entities to Assist, or hide them from it."""
    await api.command(
        "homeassistant/expose_entity",
        assistants=[ASSISTANT],
        entity_ids=entity_ids,
        should_expose=exposed,
    )


async def _devices(api: Api) -> dict[str, Json] | None:
    """Return all states, once all devices of the house are among them."""
    states = await api.states()
    return states if states.keys() >= set(EXPOSED) else None
