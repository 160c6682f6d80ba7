"""The exposed entities of the home, by assistant."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_ENTITY_ID,
    ATTR_FRIENDLY_NAME,
    EVENT_COMPONENT_LOADED,
    EVENT_STATE_CHANGED,
    Platform,
)
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    intent,
)

from .. import untrusted_text
from ..const import DOMAIN
from ..names.matching import LONGEST_NAME, words

ACCESS = frozenset(("alarm_control_panel", "door", "garage", "gate", "lock"))
"""Domains and device classes of entry points and alarm systems."""
_LONGEST = 80
"""The most characters of a name; longer text is cut."""
_QUICK = 8000
"""The largest product of words and entities for a lookup in the event loop."""
_SENSORS = ("binary_sensor", "sensor")
_ONLY_READ = frozenset(
    (*_SENSORS, "device_tracker", "event", "image", "person", "sun", "weather", "zone")
)
"""Domains that cannot be controlled: no command refers to them."""
_REGISTRIES = (
    ar.EVENT_AREA_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
    EVENT_COMPONENT_LOADED,
)


@dataclass(frozen=True, slots=True, order=True)
class Exposed:
    """An exposed entity: `area` is an area's id, or empty; `names` begin with its own name."""

    area: str
    domain: str
    names: tuple[str, ...]
    entity_id: str
    device_class: str | None

    def __hash__(self) -> int:
        """Return the hash of its id, which Python computes once."""
        return hash(self.entity_id)

    @property
    def is_read_only(self) -> bool:
        """Whether it cannot be controlled: no command refers to it."""
        return self.domain in _ONLY_READ

    @property
    def is_access(self) -> bool:
        """Whether it is an entry point or an alarm system: a part of its name is not enough."""
        return self.domain in ACCESS or self.device_class in ACCESS


@dataclass(frozen=True, eq=False)
class Home:
    """The exposed entities, in an order that depends on nothing else.

    A home equals only itself, so data computed from it can be cached by it.
    """

    entities: tuple[Exposed, ...]
    areas: dict[str, ar.AreaEntry]
    """The areas with exposed entities."""
    floors: dict[str, fr.FloorEntry]
    empty_areas: dict[str, ar.AreaEntry] = field(default_factory=dict)
    """The other areas: a mention of one is not about devices elsewhere."""

    @classmethod
    def seen_by(cls, hass: HomeAssistant, assistant: str) -> Self:
        """Return the entities exposed to an assistant, with their areas and floors.

        Calendars and scripts are tools of their own, as in Home Assistant.
        """
        entities = tuple(
            sorted(
                _exposed(hass, state)
                for state in hass.states.async_all()
                if state.domain not in (Platform.CALENDAR, SCRIPT)
                and async_should_expose(hass, assistant, state.entity_id)
            )
        )
        used = {entity.area for entity in entities}
        every = {each.id: each for each in ar.async_get(hass).async_list_areas()}
        areas = {area_id: every[area_id] for area_id in sorted(used & every.keys())}
        floors = {
            floor.floor_id: floor
            for floor_id in sorted({area.floor_id for area in areas.values() if area.floor_id})
            if (floor := fr.async_get(hass).async_get_floor(floor_id))
        }
        empty = {area_id: each for area_id, each in every.items() if area_id not in used}
        return cls(entities, areas, floors, empty)

    def is_quick(self, said: Sequence[str]) -> bool:
        """Return True if a lookup of some words in all entities takes a few milliseconds."""
        return len(said) * len(self.entities) <= _QUICK

    @cached_property
    def all_areas(self) -> dict[str, ar.AreaEntry]:
        """All areas, by their ids."""
        return self.areas | self.empty_areas

    @cached_property
    def domains(self) -> frozenset[str]:
        """The domains of the exposed entities."""
        return frozenset(entity.domain for entity in self.entities)

    @cached_property
    def names_of_entities(self) -> frozenset[str]:
        """The names and aliases of the exposed entities."""
        return frozenset(name for entity in self.entities for name in entity.names)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names and aliases of the exposed entities, and of their areas and floors."""
        names = {*self.names_of_entities}
        for area in self.areas.values():
            names |= {area.name, *area.aliases}
        for floor in self.floors.values():
            names |= {floor.name, *floor.aliases}
        return frozenset(names)

    def called(self, name: str) -> Sequence[Exposed]:
        """Return the entities with a name, word by word, and the one with it as its id."""
        if len(name) > LONGEST_NAME:
            return ()
        called = self._called.get(words(name), [])
        by_id = self._by_id.get(name)
        return called if by_id is None or by_id in called else [by_id, *called]

    @cached_property
    def _called(self) -> dict[tuple[str, ...], list[Exposed]]:
        called: dict[tuple[str, ...], list[Exposed]] = {}
        for entity in self.entities:
            for spoken in {words(name) for name in entity.names}:
                called.setdefault(spoken, []).append(entity)
        return called

    @cached_property
    def _by_id(self) -> dict[str, Exposed]:
        return {entity.entity_id: entity for entity in self.entities}

    def told_apart(self, entities: Sequence[Exposed]) -> list[str]:
        """Return distinctive names of devices: with the area before those that occur twice."""
        names = [entity.names[0] for entity in entities]
        told = (
            f"{area.name} {name}"
            if names.count(name) > 1 and (area := self.areas.get(entity.area))
            else name
            for entity, name in zip(entities, names, strict=True)
        )
        return list(dict.fromkeys(told))

    @cached_property
    def _classes(self) -> dict[str, frozenset[str | None]]:
        """The device classes of each domain."""
        by_domain: dict[str, set[str | None]] = {}
        for entity in self.entities:
            by_domain.setdefault(entity.domain, set()).add(entity.device_class)
        return {domain: frozenset(classes) for domain, classes in by_domain.items()}

    def telling_classes(self, domains: Iterable[str]) -> frozenset[str]:
        """Return the device classes that distinguish entities of these domains."""
        by_domain = (self._classes.get(domain, frozenset()) for domain in domains)
        return frozenset(
            each for classes in by_domain if len(classes) > 1 for each in classes if each
        )


def deciding_entities(entities: tuple[Exposed, ...]) -> tuple[Exposed, ...]:
    """Return the deciding entities: the lock if a sensor has the same name and area."""
    acting = {(each.names[0], each.area) for each in entities if each.domain not in _SENSORS}
    return tuple(
        each
        for each in entities
        if each.domain not in _SENSORS or (each.names[0], each.area) not in acting
    )


def area_of_device(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return the id of a device's area."""
    if device_id is None or (device := dr.async_get(hass).async_get(device_id)) is None:
        return None
    return dr.async_get_effective_area_id(hass, device)


def calendars(hass: HomeAssistant, assistant: str) -> Sequence[Exposed]:
    """Return the calendars exposed to an assistant, except those of plans.

    They are not in a home, since Home Assistant offers them as tools of their own; and plans have
    sentences of their own.
    """
    registry = er.async_get(hass)
    return sorted(
        _exposed(hass, state)
        for state in hass.states.async_all(Platform.CALENDAR)
        if not ((entry := registry.async_get(state.entity_id)) and entry.platform == DOMAIN)
        and async_should_expose(hass, assistant, state.entity_id)
    )


class HomeWatch:
    """The home of an assistant, created again only after a change.

    Names, places and exposure make a home; states do not.
    """

    def __init__(self, hass: HomeAssistant, assistant: str) -> None:
        """Take the assistant. Before `async_start`, each access creates the home."""
        self._hass = hass
        self._assistant = assistant
        self._home: Home | None = None
        self._listeners: list[CALLBACK_TYPE] = []
        self._stops: list[CALLBACK_TYPE] = []

    @callback
    def async_start(self) -> CALLBACK_TYPE:
        """Start to listen for changes; return a function that stops it."""
        bus = self._hass.bus
        self._stops = [
            *(bus.async_listen(event, self._changed) for event in _REGISTRIES),
            bus.async_listen(EVENT_STATE_CHANGED, self._changed, event_filter=_is_another_device),
            async_listen_entity_updates(self._hass, self._assistant, self._changed),
        ]
        return self._stop

    @callback
    def _stop(self) -> None:
        self._home = None
        while self._stops:
            self._stops.pop()()

    @property
    def home(self) -> Home:
        """The current home; another object whenever it may have changed."""
        if self._home and self._stops:
            return self._home
        self._home = Home.seen_by(self._hass, self._assistant)
        return self._home

    @callback
    def async_listen(self, listener: CALLBACK_TYPE) -> CALLBACK_TYPE:
        """Call a listener whenever the home may have changed, until the returned function runs."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @callback
    def _changed(self, _event: Event[Any] | None = None) -> None:
        self._home = None
        for listener in tuple(self._listeners):
            listener()


@callback
def _is_another_device(change: EventStateChangedData) -> bool:
    """Return True if an entity appeared, vanished, or changed its name, class or members."""
    old, new = change["old_state"], change["new_state"]
    if old is None or new is None:
        return True
    if old.attributes is new.attributes:
        return False
    return any(
        old.attributes.get(attribute) != new.attributes.get(attribute)
        for attribute in (ATTR_DEVICE_CLASS, ATTR_ENTITY_ID, ATTR_FRIENDLY_NAME)
    )


def one_line(name: str) -> str:
    """Return a name as one plain line of at most 80 characters, whatever the device sent."""
    return untrusted_text.sentence(name, _LONGEST)


def _exposed(hass: HomeAssistant, state: State) -> Exposed:
    entry = er.async_get(hass).async_get(state.entity_id)
    names = intent.async_get_entity_aliases(hass, entry, state=state)
    return Exposed(
        area=(entry and er.async_get_effective_area_id(hass, entry)) or "",
        domain=state.domain,
        names=tuple(dict.fromkeys(filter(None, map(one_line, names)))) or (one_line(state.name),),
        entity_id=state.entity_id,
        device_class=device_class_of(hass, state),
    )


def device_class_of(hass: HomeAssistant, state: State) -> str | None:
    """Return an entity's device class; for a group with an entry point, that one's.

    Home Assistant's group of garage doors is a cover without a class.
    """
    seen, left = {state.entity_id}, [*_members(state)]
    while left:
        if (member := left.pop()) in seen or (found := hass.states.get(member)) is None:
            continue
        seen.add(member)
        if found.domain in ACCESS:
            return found.domain
        if (device_class := found.attributes.get(ATTR_DEVICE_CLASS)) in ACCESS:
            return str(device_class)
        left += _members(found)
    return state.attributes.get(ATTR_DEVICE_CLASS)


def _members(state: State) -> Sequence[str]:
    """Return the ids of a group's members; a scene's are ignored."""
    members = None if state.domain == Platform.SCENE else state.attributes.get(ATTR_ENTITY_ID)
    return [*map(str, members)] if isinstance(members, list | tuple) else []
