"""Adding the Z-Wave tools, by an address or discovered, and what becomes of them."""

import asyncio
from dataclasses import replace
from functools import partial
import json
from pathlib import Path
from typing import Any

from aiohttp.test_utils import unused_port
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import (
    SOURCE_IGNORE,
    SOURCE_INTEGRATION_DISCOVERY,
    ConfigEntry,
    ConfigEntryState,
    ConfigFlowResult,
)
from homeassistant.const import EVENT_HOMEASSISTANT_STOP, EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    llm,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockConfigEntry,
    MockModule,
    mock_integration,
)

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import ServerSettings
from custom_components.voice_gateway.zwave.devices import devices_file
from tests.zwave_network import ZwaveNetwork
from tests.zwave_network.websocket import websocket

from ..mcp_servers.conftest import CONTEXT, TIMINGS, NewProcesses, until
from .forms import begin, fill_in, ticks, values

pytest_plugins = ("tests.mcp_fixtures", "tests.zwave_network.fixture")

# Numbers in house.mjs.
COFFEE, BLIND, FRONT_DOOR_LOCK, THERMOSTAT, OFFICE_LAMP = 2, 4, 5, 8, 17
HOME_ID = 0x7E571000  # of the simulated network
NETWORK = f"zwave-{HOME_ID}"
URL = "ws://zwave.example:3000"
MOVED = "ws://zwave.example:3333"
STARTS = 60  # seconds within which a server starts on a very busy machine


@pytest.fixture(autouse=True)
def _patience(quick_servers: NewProcesses, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give our server, which loads more than those of other tests, its time to start."""
    defaults = ServerSettings.__init__.__kwdefaults__
    assert defaults
    monkeypatch.setitem(defaults, "timings", replace(TIMINGS, connect=STARTS))


def zwave_js(hass: HomeAssistant, url: str = URL, **rest: Any) -> MockConfigEntry:
    """Add an entry as Home Assistant's own integration has it; it is not set up."""
    entry = MockConfigEntry(
        domain="zwave_js", title="Z-Wave JS", data={"url": url}, unique_id=str(HOME_ID), **rest
    )
    entry.add_to_hass(hass)
    return entry


def ours(hass: HomeAssistant, url: str = URL, **rest: Any) -> MockConfigEntry:
    """Add an entry of the Z-Wave tools; it is not set up."""
    data = {"kind": "zwave", "url": url}
    entry = MockConfigEntry(domain=DOMAIN, title="Z-Wave", data=data, unique_id=NETWORK, **rest)
    entry.add_to_hass(hass)
    return entry


def offers(hass: HomeAssistant) -> list[Any]:
    """Return the discovered flows that wait for somebody."""
    return [
        flow
        for flow in hass.config_entries.flow.async_progress_by_handler(DOMAIN)
        if flow["context"]["source"] == SOURCE_INTEGRATION_DISCOVERY
    ]


async def offered(hass: HomeAssistant) -> list[Any]:
    """Return them when they have all come; sessions are not to be open."""
    await hass.async_block_till_done(wait_background_tasks=True)
    return offers(hass)


async def loaded(hass: HomeAssistant) -> None:
    """Load our integration, as any entry of it does."""
    assert await async_setup_component(hass, DOMAIN, {})


async def add(hass: HomeAssistant, url: str) -> ConfigFlowResult:
    """Choose the Z-Wave tools and enter an address."""
    return await fill_in(hass, await begin(hass, "zwave"), {"url": url})


async def ticked(hass: HomeAssistant, form: ConfigFlowResult) -> ConfigFlowResult:
    """Take the tools that are ticked at first."""
    assert form["step_id"] == "mcp_tools"
    labels, first = ticks(form)
    assert [name for name in labels if name not in first] == ["control_zwave_lock"]
    assert labels["control_zwave_lock"].endswith(": can delete or overwrite")
    return await fill_in(hass, form, {"tools": first})


def exposed_device(
    hass: HomeAssistant, network: MockConfigEntry, node: int, domain: str, **entity: Any
) -> str:
    """Add a device of a network with one entity; return the entity's id, which is exposed."""
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=network.entry_id, identifiers={("zwave_js", f"{HOME_ID}-{node}")}
    )
    entity_id = (
        er.async_get(hass)
        .async_get_or_create(
            domain,
            "zwave_js",
            f"{HOME_ID}.{node}.{domain}",
            config_entry=network,
            device_id=device.id,
            **entity,
        )
        .entity_id
    )
    async_expose_entity(hass, "conversation", entity_id, should_expose=True)
    return entity_id


async def said(hass: HomeAssistant, entry: ConfigEntry[Any], tool: str, **arguments: Any) -> str:
    """Call a tool as an agent would; return its answer."""
    api = await llm.async_get_api(hass, f"{DOMAIN}-{entry.entry_id}", CONTEXT)
    return str(await api.async_call_tool(llm.ToolInput(tool, arguments)))


async def test_address_is_tried_then_the_tools_are_there_and_speak_of_the_network(
    hass: HomeAssistant,
    zwave_network: ZwaveNetwork,
    quick_servers: NewProcesses,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The server is found whatever the environment.
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    done = await ticked(hass, await add(hass, zwave_network.url))
    assert done["type"] is FlowResultType.CREATE_ENTRY
    entry = done["result"]
    assert (entry.title, entry.unique_id) == ("Z-Wave", NETWORK)
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, STARTS)
    answer = await said(hass, entry, "list_zwave_devices")
    assert "16 Z-Wave devices:" in answer
    assert "Coffee Machine (switch, " in answer
    # Models call its arguments so.
    answer = await said(hass, entry, "verify_device", device="coffee machine")
    assert "Yes: Coffee Machine" in answer
    assert len(quick_servers()) == 1
    names = [tool.name for tool in entry.runtime_data.offered_tools]
    assert "control_zwave_device" in names
    assert "control_zwave_lock" not in names

    assert await hass.config_entries.async_unload(entry.entry_id)
    assert not quick_servers()


async def test_address_without_a_server_is_said_and_kept(hass: HomeAssistant) -> None:
    url = f"ws://127.0.0.1:{unused_port()}"
    form = await add(hass, url)
    assert form["errors"] == {"url": "zwave_unreachable"}
    assert values(form) == {"url": url}


OLD = {"driverVersion": "8", "serverVersion": "1", "homeId": HOME_ID,
       "minSchemaVersion": 0, "maxSchemaVersion": 5}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "error"),
    [({"type": "auth_required"}, "zwave_not_the_server"), (OLD, "zwave_too_old")],
)
async def test_server_that_is_none_of_zwave_js_or_too_old_is_said(
    hass: HomeAssistant, said: dict[str, Any], error: str
) -> None:
    async with websocket(lambda socket: socket.send_json(said)) as url:
        form = await add(hass, url.removeprefix("ws://"))
    assert form["errors"] == {"url": error}
    assert values(form) == {"url": url}


async def test_address_of_home_assistants_own_network_is_suggested(hass: HomeAssistant) -> None:
    assert values(await begin(hass, "zwave")) == {"url": "ws://localhost:3000"}
    zwave_js(hass)
    assert values(await begin(hass, "zwave")) == {"url": URL}


async def test_same_network_is_added_once(hass: HomeAssistant, zwave_network: ZwaveNetwork) -> None:
    entry = ours(hass)
    result = await add(hass, zwave_network.url)
    assert result["reason"] == "already_configured"
    assert entry.data["url"] == zwave_network.url


async def test_network_of_home_assistant_is_offered_and_added_by_a_confirmation(
    hass: HomeAssistant, zwave_network: ZwaveNetwork
) -> None:
    exposed_device(hass, zwave_js(hass, zwave_network.url), OFFICE_LAMP, "light")
    await loaded(hass)
    (flow,) = await offered(hass)
    assert flow["step_id"] == "zwave_confirm"
    assert flow["context"]["title_placeholders"] == {"name": "Z-Wave tools"}
    form = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    done = await ticked(hass, form)
    assert done["type"] is FlowResultType.CREATE_ENTRY
    entry = done["result"]
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, STARTS)
    assert "Yes: Lamp (Office)" in await said(
        hass, entry, "verify_device", deviceName="lamp office"
    )
    assert not offers(hass)


async def test_network_that_comes_later_is_offered_once(hass: HomeAssistant) -> None:
    async def set_up(*_: object) -> bool:
        return True

    # A stand-in, since to add an entry is to set it up.
    mock_integration(hass, MockModule("zwave_js", async_setup_entry=set_up))
    await loaded(hass)
    assert not await offered(hass)
    entry = MockConfigEntry(
        domain="zwave_js", title="Z-Wave JS", data={"url": URL}, unique_id=str(HOME_ID)
    )
    await hass.config_entries.async_add(entry)
    assert len(await offered(hass)) == 1
    hass.config_entries.async_update_entry(entry, title="Upstairs")
    assert len(await offered(hass)) == 1


@pytest.mark.parametrize("rest", [{"unique_id": "esphome_stick"}, {"data": {}}])
async def test_network_that_is_not_known_yet_is_offered_when_it_is(
    hass: HomeAssistant, rest: dict[str, Any]
) -> None:
    known: dict[str, Any] = {"data": {"url": URL}, "unique_id": str(HOME_ID)}
    entry = MockConfigEntry(domain="zwave_js", **known | rest)
    entry.add_to_hass(hass)
    await loaded(hass)
    assert not await offered(hass)
    hass.config_entries.async_update_entry(entry, **known)
    assert len(await offered(hass)) == 1


async def test_ignored_offer_stays_ignored(hass: HomeAssistant) -> None:
    network = zwave_js(hass)
    await loaded(hass)
    (flow,) = await offered(hass)
    await hass.config_entries.flow.async_init(
        DOMAIN,
        context={"source": SOURCE_IGNORE},
        data={"unique_id": flow["context"]["unique_id"], "title": "Z-Wave JS"},
    )
    assert not await offered(hass)
    hass.config_entries.async_update_entry(network, data={"url": MOVED})
    assert not await offered(hass)


async def test_ignored_tools_can_be_added_by_hand(
    hass: HomeAssistant, zwave_network: ZwaveNetwork
) -> None:
    ours(hass, source=SOURCE_IGNORE)
    done = await ticked(hass, await add(hass, zwave_network.url))
    assert done["type"] is FlowResultType.CREATE_ENTRY


async def test_address_follows_that_of_home_assistants_own_integration(
    hass: HomeAssistant,
) -> None:
    network = zwave_js(hass)
    entry = ours(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    hass.config_entries.async_update_entry(network, data={"url": MOVED})
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    assert MOVED in entry.runtime_data.settings.server.args
    assert not offers(hass)


async def test_other_address_is_tried_and_used(
    hass: HomeAssistant, zwave_network: ZwaveNetwork
) -> None:
    entry = ours(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    form = await entry.start_reconfigure_flow(hass)
    assert values(form) == {"url": URL}
    failed = await fill_in(hass, form, {"url": f"ws://127.0.0.1:{unused_port()}"})
    assert failed["errors"] == {"url": "zwave_unreachable"}
    done = await fill_in(hass, failed, {"url": zwave_network.url})
    assert done["reason"] == "reconfigure_successful"
    await hass.async_block_till_done()
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, STARTS)
    assert "16 Z-Wave devices:" in await said(hass, entry, "list_zwave_devices")


async def test_address_is_not_changed_to_a_network_that_has_its_tools(
    hass: HomeAssistant, zwave_network: ZwaveNetwork
) -> None:
    ours(hass)
    other = MockConfigEntry(
        domain=DOMAIN, data={"kind": "zwave", "url": MOVED}, unique_id="zwave-1"
    )
    other.add_to_hass(hass)
    form = await other.start_reconfigure_flow(hass)
    result = await fill_in(hass, form, {"url": zwave_network.url})
    assert result["reason"] == "already_configured"
    assert other.data["url"] == MOVED


async def test_names_and_areas_of_home_assistant_hold_and_are_followed(
    hass: HomeAssistant, zwave_network: ZwaveNetwork
) -> None:
    devices, areas = dr.async_get(hass), ar.async_get(hass)
    network = zwave_js(hass, zwave_network.url)
    device = devices.async_get_or_create(
        config_entry_id=network.entry_id,
        identifiers={("zwave_js", f"{HOME_ID}-14"), ("zwave_js", f"{HOME_ID}-14-1:2:3")},
        name="Node 14",
    )
    exposed_device(hass, network, 14, "switch")
    devices.async_update_device(
        device.id, name_by_user="Espresso", area_id=areas.async_create("Bar").id
    )
    entry = ours(hass, zwave_network.url)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, STARTS)
    assert "Yes: Espresso (Bar), switch" in await said(
        hass, entry, "verify_device", deviceName="espresso"
    )

    devices.async_update_device(device.id, name_by_user="Grinder")
    file = devices_file(hass, entry)
    await until(lambda: "Grinder" in file.read_text())
    assert "Yes: Grinder (Bar)" in await said(hass, entry, "verify_device", deviceName="grinder")

    await hass.config_entries.async_remove(entry.entry_id)
    assert not file.exists()


async def test_tools_are_for_exposed_devices_alone(
    hass: HomeAssistant, zwave_network: ZwaveNetwork
) -> None:
    network = zwave_js(hass, zwave_network.url)
    lamp = exposed_device(hass, network, OFFICE_LAMP, "light")
    bolt = exposed_device(hass, network, FRONT_DOOR_LOCK, "lock")
    battery = exposed_device(hass, network, FRONT_DOOR_LOCK, "sensor")
    gate = exposed_device(hass, network, BLIND, "cover", original_device_class="gate")
    hidden = exposed_device(hass, network, THERMOSTAT, "climate")
    async_expose_entity(hass, "conversation", hidden, should_expose=False)
    category = {"entity_category": EntityCategory.CONFIG}
    exposed_device(hass, network, COFFEE, "number", **category)
    # An entry of an older version, which offered everything.
    entry = ours(hass, zwave_network.url)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, STARTS)
    await hass.async_block_till_done()
    assert "control_zwave_lock" in entry.options["excluded_tools"]
    assert "control_zwave_device" in entry.options["ticked_tools"]
    file = devices_file(hass, entry)
    known = json.loads(file.read_text())
    read, use, everything = ["read"], ["read", "control"], ["read", "control", "open"]
    assert known == {
        str(OFFICE_LAMP): {"may": use},
        str(FRONT_DOOR_LOCK): {"may": everything, "opens": True},
        str(BLIND): {"may": everything, "opens": True},
        str(THERMOSTAT): {},
        str(COFFEE): {"may": read},
    }
    listed = await said(hass, entry, "list_zwave_devices")
    assert "4 Z-Wave devices:" in listed
    assert "Thermostat" not in listed
    # An action may call what no agent has, and is held to what is exposed as well.
    act = partial(
        hass.services.async_call, DOMAIN, "call_tool", blocking=True, return_response=True
    )
    lock: dict[str, Any] = {"server": entry.entry_id, "tool": "control_zwave_lock"}
    lock["arguments"] = {"device": "front door lock", "command": "lock"}
    assert "is now locked" in str(await act(lock))

    for entity_id in (lamp, gate, bolt):
        async_expose_entity(hass, "conversation", entity_id, should_expose=False)
    er.async_get(hass).async_update_entity(battery, name="Battery")
    await until(
        lambda: str(OFFICE_LAMP) in file.read_text() and '"control"' not in file.read_text()
    )
    listed = await said(hass, entry, "list_zwave_devices")
    assert "2 Z-Wave devices:" in listed
    with pytest.raises(HomeAssistantError, match="can only be read: no control of it is exposed"):
        await act(lock)

    # What was exposed once does not become everything when Home Assistant has the network no more.
    assert await hass.config_entries.async_remove(network.entry_id)
    await until(lambda: "may" not in file.read_text())
    assert "none is exposed" in await said(hass, entry, "list_zwave_devices")


async def test_server_is_told_the_language_of_the_home(hass: HomeAssistant) -> None:
    hass.config.language = "nl"
    entry = ours(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    args = entry.runtime_data.settings.server.args
    assert args[args.index("--language") + 1] == "nl"


async def test_home_assistants_own_integration_and_the_tools_share_a_network(
    hass: HomeAssistant, zwave_network: ZwaveNetwork
) -> None:
    pytest.importorskip("homeassistant.components.zwave_js", exc_type=ImportError)
    await loaded(hass)
    network = zwave_js(hass, zwave_network.url)
    assert await hass.config_entries.async_setup(network.entry_id)
    await until(lambda: offers(hass), STARTS)
    switch = "switch.kitchen_coffee_machine"
    await until(lambda: hass.states.get(switch), STARTS)
    async_expose_entity(hass, "conversation", switch, should_expose=True)
    (flow,) = offers(hass)
    form = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    tools = (await ticked(hass, form))["result"]
    await until(lambda: tools.runtime_data.state is SessionState.CONNECTED, STARTS)
    assert "There is no Z-Wave device" not in await said(hass, tools, "list_zwave_devices")
    for action in ("on", "off"):
        answer = await said(
            hass, tools, "control_zwave_device", deviceName="coffee machine", action=action
        )
        assert f"Coffee Machine (Kitchen) is now {action}." in answer
        await until(lambda: hass.states.is_state(switch, action))  # noqa: B023
    await hass.services.async_call("switch", "turn_on", {"entity_id": switch}, blocking=True)
    # Each of them hears it from the network, in its own time.
    async with asyncio.timeout(STARTS):
        while "switch on" not in await said(
            hass, tools, "get_device_sensor_data", deviceName="coffee machine"
        ):
            pass

    # Ours does not need theirs.
    assert await hass.config_entries.async_unload(network.entry_id)
    assert "Coffee Machine" in await said(hass, tools, "list_zwave_devices")
    # With theirs came what watches USB, which ends with Home Assistant.
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STOP)
    await hass.async_block_till_done()
