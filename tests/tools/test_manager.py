"""Which tools there are: one list, in order, found by the names that models use."""

import re
from timeit import repeat

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
import pytest

from custom_components.voice_gateway.mcp_servers.entry import McpAPI
from custom_components.voice_gateway.mcp_servers.session import McpSession
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    ToolSelection,
)
from custom_components.voice_gateway.tools.manager import ToolManager
from tests.extra_tools import ExtraAPI, ExtraTool

from .test_taint_policy import tool_of


def tool(name: str, /, **attributes: str | None) -> llm.Tool:
    made = ExtraTool(name, lambda: None)
    for attribute, value in attributes.items():
        setattr(made, attribute, value)
    return made


def manager_of(*tools: llm.Tool) -> ToolManager:
    manager = ToolManager()
    manager.add(*tools)
    return manager


def found(manager: ToolManager, name: str) -> str | None:
    there = manager.find(name)
    return there.name if there else None


@pytest.mark.requirement("A1")
@pytest.mark.requirement("A3")
@pytest.mark.requirement("A5")
@pytest.mark.requirement("A6")
@pytest.mark.requirement("A8")
@pytest.mark.requirement("A9")
@pytest.mark.requirement("L3")
def test_all_tools_are_one_list_in_the_order_in_which_they_came() -> None:
    tools = [tool("zwave"), tool("assist"), tool("builtin")]
    manager = manager_of(*tools[:2])
    listed = manager.all()
    assert found(manager, "BUILTIN") is None
    manager.add(tools[2])
    assert listed is manager.all()
    assert listed == tools
    assert found(manager, "BUILTIN") == "builtin"


@pytest.mark.requirement("A7")
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("intent__HassTurnOn", "intent__HassTurnOn"),
        ("HassTurnOn", "intent__HassTurnOn"),
        ("hassturnon", "intent__HassTurnOn"),
        ("INTENT__HASSTURNON", "intent__HassTurnOn"),
        ("intent_HassTurnOn", "intent__HassTurnOn"),
        ("list.devices", "zwave_list_devices"),
        ("zwave_list_devices", "zwave_list_devices"),
        # Two servers know this one: which is meant is not certain.
        ("status", None),
        ("HassTurn", None),
        ("", None),
        ("sing", None),
    ],
)
def test_tool_is_found_by_the_names_that_certainly_mean_it(name: str, meant: str | None) -> None:
    manager = manager_of(
        tool("intent__HassTurnOn"),
        tool("zwave_list_devices", original_name="list.devices"),
        tool("one_status", original_name="status"),
        tool("two_status", original_name="status"),
    )
    assert found(manager, name) == meant


@pytest.mark.requirement("A7")
def test_own_name_goes_before_anothers_original_name() -> None:
    manager = manager_of(tool("server_add", original_name="add"), tool("add"))
    assert found(manager, "add") == "add"


@pytest.mark.requirement("A11")
@pytest.mark.requirement("A12")
@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ({"name": ""}, "name"),
        ({"description": None}, "description"),
        ({"description": ""}, "description"),
        ({"parameters": None}, "schema"),
    ],
)
def test_tool_that_lacks_something_is_left_out_with_a_warning(
    missing: dict[str, str | None], words: str, caplog: pytest.LogCaptureFixture
) -> None:
    manager = manager_of(tool("first"), tool("odd", **missing), tool("last"))
    assert [each.name for each in manager.all()] == ["first", "last"]
    assert f"has no {words}" in caplog.text
    (warning,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert missing.keys() == {"name"} or "odd" in warning.message


@pytest.mark.requirement("A13", "L2")
def test_first_tool_of_a_name_keeps_it(caplog: pytest.LogCaptureFixture) -> None:
    older, newer = tool("same"), tool("same")
    manager = manager_of(tool("first"), older, tool("last"))
    manager.add(newer)
    assert manager.all()[1] is older
    assert [each.name for each in manager.all()] == ["first", "same", "last"]
    assert "same is there twice" in caplog.text


def names_of(hass: HomeAssistant, *offers: tuple[llm.API | None, list[llm.Tool]]) -> list[str]:
    return [tool.name for tool in ToolManager.of(hass, offers).all()]


def api_of(hass: HomeAssistant, id_: str, name: str) -> llm.API:
    return ExtraAPI(hass=hass, id=id_, name=name, tools=[])


async def test_later_tool_of_a_name_is_offered_under_its_servers(hass: HomeAssistant) -> None:
    one, two, too = (
        api_of(hass, id_, name)
        for id_, name in (("1", "One"), ("2", "The Other"), ("3", "The Other"))
    )
    first, second = tool("add"), tool("add")
    manager = ToolManager.of(
        hass,
        [
            (one, [first]),
            (two, [tool("Add"), second, tool("x" * 64)]),
            (too, [tool("add"), tool("x" * 64)]),
        ],
    )
    names = [each.name for each in manager.all()]
    assert names[:4] == ["add", "the_other__Add", "the_other__add", "x" * 64]
    assert all(re.fullmatch(r"the_other__(add|x{46})_[0-9a-f]{6}", name) for name in names[4:])
    assert len({*names}) == len(names)
    assert manager.find("add") is first
    assert manager.find("ADD") is first
    assert found(manager, "the_other__add") == "the_other__add"


async def test_home_assistants_tools_keep_their_names_wherever_they_stand(
    hass: HomeAssistant,
) -> None:
    server = api_of(hass, "1", "Cabin")
    wanted = (
        "GetItems",
        "todo__get_items",
        "todo_get_items",
        "get_items",
        "search_web",
        "HassTurnOn",
    )
    own = tool("todo__get_items")
    for offers in (
        [(server, [tool(name, integration="mcp") for name in wanted]), (None, [own])],
        [(None, [own]), (server, [tool(name, integration="mcp") for name in wanted])],
    ):
        manager = ToolManager.of(hass, offers)
        names = [each.name for each in manager.all() if each is not own]
        assert names == ["GetItems", *(f"cabin__{name}" for name in wanted[1:])]
        for name in ("todo__get_items", "get_items", "Get_Items", "todo_get_items"):
            assert manager.find(name) is own
        # It is nobody's, as far as this agent has it; certainly not the server's.
        assert manager.find("HassTurnOn") is None
        assert manager.find("search_web") is None


async def test_names_stay_while_the_server_that_has_them_is_away(hass: HomeAssistant) -> None:
    """Whoever calls the tool of a server that is away is not answered by another server."""
    apis = []
    for name in ("web", "mail"):
        server, choice = (
            CommandServer(command=name),
            ToolSelection(ticked={"search": "", "find": ""}),
        )
        session = McpSession(hass, ServerSettings(name=name, server=server, choice=choice))
        apis.append(McpAPI(hass=hass, id=name, name=name, session=session))
    web, mail = apis
    manager = ToolManager.of(hass, [(web, []), (mail, [tool_of("mail", "search")])])
    assert [each.name for each in manager.all()] == ["mail__search"]
    assert found(manager, "mail__search") == "mail__search"
    assert manager.find("search") is None
    # None of these names was the server's that is away.
    manager = ToolManager.of(hass, [(web, []), (mail, [tool_of("mail", "look")])])
    assert found(manager, "look") == "look"


async def test_tool_of_a_server_that_is_away_is_not_one_of_the_home(hass: HomeAssistant) -> None:
    """Whoever calls a tool of a server that is away does not turn on a lamp."""
    name = "cabin__todo__HassTurnOn"
    handler = intent.ServiceIntentHandler("HassTurnOn", "homeassistant", "turn_on")
    own = llm.IntentTool("HassTurnOn", handler)
    server, choice = CommandServer(command="cabin"), ToolSelection(ticked={"todo__HassTurnOn": ""})
    session = McpSession(hass, ServerSettings(name="cabin", server=server, choice=choice))
    cabin = McpAPI(hass=hass, id="cabin", name="cabin", session=session)
    assert ToolManager.of(hass, [(None, [own])]).find(name) is own
    assert ToolManager.of(hass, [(None, [own]), (cabin, [])]).find(name) is None


def test_same_tool_again_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    once = tool("once")
    manager = manager_of(once, once)
    assert manager.all() == [once]
    assert not caplog.records


@pytest.mark.requirement("L7")
def test_representation_names_the_tools() -> None:
    assert repr(manager_of(tool("b"), tool("a"))) == "ToolManager(b, a)"


@pytest.mark.requirement("A10")
@pytest.mark.parametrize("count", [20, 500])
def test_look_up_takes_less_than_a_millisecond(count: int) -> None:
    manager = manager_of(*(tool(f"server__tool_{n}", original_name=f"t.{n}") for n in range(count)))
    last = count - 1

    def look_up() -> None:
        assert found(manager, f"server__tool_{last}")
        assert found(manager, f"t.{last}")

    # The best of many: what else the computer does meanwhile is no matter here.
    assert min(repeat(look_up, number=1, repeat=50)) / 2 < 0.001
