"""One result of a call that was made for each of its devices by itself."""

from collections.abc import Sequence

from homeassistant.core import State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
import pytest

from custom_components.voice_gateway.home.exposed import Exposed
from custom_components.voice_gateway.tools.assist.intents import together
from custom_components.voice_gateway.tools.journal import Journal, Outcome
from tests.extra_tools import ExtraTool

DEVICES = [Exposed("", "light", (name,), f"light.{name.lower()}", None) for name in "ABC"]
JAMMED = HomeAssistantError("It is jammed")


def result_of(device: Exposed, does: str) -> llm.ToolResult | BaseException:
    """Return what came of the call for one device: it did it, its service failed, or it raised."""
    if does == "raises":
        return JAMMED
    response = intent.IntentResponse(language="en")
    target = intent.IntentResponseTarget(
        device.names[0], intent.IntentResponseTargetType.ENTITY, device.entity_id
    )
    response.async_set_results(
        [target] if does == "done" else [], [target] if does == "fails" else []
    )
    response.async_set_states([State(device.entity_id, "on")] if does == "done" else [])
    return llm.ToolResult(data=llm.IntentResponseDict(response))


@pytest.mark.parametrize(
    ("each", "done", "failed", "outcome"),
    [
        (["done", "done", "done"], "ABC", "", Outcome.DONE),
        (["done", "raises", "done"], "AC", "B", Outcome.PARTLY),
        (["raises", "done", "raises"], "B", "AC", Outcome.PARTLY),
        (["done", "fails", "raises"], "A", "BC", Outcome.PARTLY),
        (["fails", "done", "fails"], "B", "AC", Outcome.PARTLY),
        (["fails", "raises", "raises"], "", "ABC", Outcome.FAILED),
        (["done"], "A", "", Outcome.DONE),
    ],
)
def test_what_was_done_and_what_failed_are_told_together(
    each: Sequence[str], done: str, failed: str, outcome: Outcome
) -> None:
    devices = DEVICES[: len(each)]
    whole = together(devices, [*map(result_of, devices, each, strict=True)])
    assert isinstance(whole.data, llm.IntentResponseDict)
    response = whole.data.original
    assert "".join(target.name for target in response.success_results) == done
    assert "".join(sorted(target.name for target in response.failed_results)) == failed
    assert "".join(state.name.upper() for state in response.matched_states) == done
    entry = Journal().begin(ExtraTool("tool", dict), llm.ToolInput("tool", {}))
    entry.end(whole)
    assert entry.outcome is outcome


def test_failure_of_all_is_that_of_the_first() -> None:
    with pytest.raises(HomeAssistantError, match="It is jammed"):
        together(DEVICES, [JAMMED, ValueError("Odd"), JAMMED])
