"""What people say freely, and the model's answers to it."""

from homeassistant.components import conversation
from homeassistant.helpers import llm
import pytest

from bench.agents import Turn
from bench.generated import generated
from bench.wishes import SIZE, Outcome, Said, read

WISH = Said("Good night.", "en", calls=[{"name": "HassTurnOff", "arguments": {}}])
TALK = Said("Thank you.", "en", answer="You're welcome.")


def turn(speech: str, *, error: bool = False) -> Turn:
    result = llm.ToolResult(data={"error": "no"} if error else {}, error=error)
    content = conversation.ToolResultContent(
        agent_id="a", tool_call_id="1", tool_name="HassTurnOff", result=result
    )
    return Turn(speech, [content], None, None)


def test_wish_is_refused_if_a_call_is() -> None:
    assert Outcome(WISH, turn("Done.", error=True)).refused == 1
    assert Outcome(WISH, turn("Turned off the lights")).refused == 0


@pytest.mark.parametrize(
    ("speech", "refused"),
    [("You're welcome.", 0), ("You're  welcome.\n", 0), ("Sorry, I couldn't do that.", 1)],
)
def test_small_talk_is_refused_if_something_else_is_spoken(speech: str, refused: int) -> None:
    assert Outcome(TALK, turn(speech)).refused == refused


def test_wishes_are_of_areas_and_devices_that_there_are() -> None:
    wishes, talk = read()
    home = generated(SIZE)
    areas = {area.area_id for area in home.areas}
    names = {entity.name for entity in home.entities} | {area.name for area in home.areas}

    assert (len(wishes), len(talk)) == (15, 20)
    assert all(wish.calls for wish in wishes)
    assert not any(said.calls for said in talk)
    assert {wish.area for wish in wishes if wish.area} <= areas
    for wish in wishes:
        for call in wish.calls:
            assert names & {call["arguments"].get("name"), call["arguments"].get("area")}
