"""Of which calls the user is asked together, and what a yes is for."""

from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.home.exposed import Exposed
from custom_components.voice_gateway.tools.consent import ConsentState, PendingCall
from custom_components.voice_gateway.tools.policy.decisions import CHOICE_OF_SERVER, OF_SERVER, Ask
from tests.extra_tools import ExtraTool

DOOR, GATE, CHORES = (
    Exposed("", domain, (name,), f"{domain}.{name.lower()}", None)
    for domain, name in (("lock", "Door"), ("lock", "Gate"), ("todo", "Chores"))
)
OFF, ADD = ExtraTool("turn_off", dict), ExtraTool("add", dict)


def asked(
    tool: llm.Tool, *targets: Exposed, does: str = "unlock", **arguments: object
) -> PendingCall:
    names = [each.names[0] for each in targets]
    return PendingCall(
        tool, llm.ToolInput(tool.name, arguments), Ask(does=does, names=names, targets=targets)
    )


# Two calls of which the user is asked, and of how many that is then.
PAIRS = [
    # The same devices, however they are named and in whatever order.
    (asked(OFF, DOOR, name="Door"), asked(OFF, DOOR, name="the door", area="Hall"), 1),
    (asked(OFF, DOOR, GATE, domain=["lock"]), asked(OFF, GATE, DOOR, floor="Ground"), 1),
    (asked(OFF, DOOR, name="Door"), asked(OFF, GATE, name="Door"), 2),
    (asked(OFF, DOOR, name="Door"), asked(OFF, DOOR, GATE, name="Door"), 2),
    # Something else with the same.
    (asked(OFF, DOOR, name="Door"), asked(ADD, DOOR, name="Door"), 2),
    (asked(OFF, DOOR, position=1), asked(OFF, DOOR, position=2), 2),
    (asked(OFF, DOOR, position=1, name="Door"), asked(OFF, DOOR, name="door", position=1), 1),
    # What is put on a list is not what the list is.
    (asked(ADD, CHORES, item="Milk"), asked(ADD, CHORES, item="Eggs"), 2),
    (asked(ADD, CHORES, name="Milk"), asked(ADD, CHORES, name="Eggs"), 2),
    (asked(ADD, CHORES, name="Milk"), asked(ADD, CHORES, name="Milk"), 1),
    # Nothing is known but what it names.
    (asked(OFF, name="Door"), asked(OFF, name="Gate"), 2),
    (asked(OFF, name="Door"), asked(OFF, name="Door"), 1),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "count"), PAIRS)
def test_same_deed_is_asked_about_once(one: PendingCall, other: PendingCall, count: int) -> None:
    asking = ConsentState()
    assert asking.add(one)
    assert asking.add(other)
    assert asking.calls == [one, other][:count]


@pytest.mark.parametrize("does", [OF_SERVER, CHOICE_OF_SERVER])
def test_question_of_a_server_is_asked_alone(does: str) -> None:
    own, servers = asked(OFF, DOOR), asked(ADD, does=does)
    another = asked(ADD, does=does, again=True)
    for first, refused in ((own, [servers]), (servers, [own, another])):
        asking = ConsentState()
        assert asking.add(first)
        assert [asking.add(each) for each in refused] == [False] * len(refused)
        # The same once more is no other.
        assert asking.add(first)
        assert asking.calls == [first]


def test_yes_is_for_one_call_once() -> None:
    asking = ConsentState()
    door, gate = asked(OFF, DOOR, name="Door"), asked(OFF, GATE, name="Gate")
    assert asking.take("1") is None
    one, other = asking.grant(door), asking.grant(gate)
    assert (one.tool_name, one.tool_args) == (OFF.name, {"name": "Door"})
    assert [asking.take(other.id), asking.take(one.id)] == [gate, door]
    assert [asking.take(other.id), asking.take(one.id)] == [None, None]
