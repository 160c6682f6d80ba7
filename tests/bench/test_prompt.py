"""What counts as the prompt before the sentence, and how results are printed."""

from typing import Any

import pytest

from bench.generated import filled, generated
from bench.home import Home, HomeArea, HomeEntity
from bench.prompt import before_the_sentence, first_requests
from bench.results import line, medians

TOOL = {
    "type": "function",
    "function": {
        "name": "HassTurnOn",
        "description": "Turns on",
        "parameters": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
}


def request(sentence: str, *tools: dict[str, Any]) -> dict[str, Any]:
    messages = [
        {"role": "system", "content": "You are a voice assistant."},
        {"role": "user", "content": sentence},
    ]
    return {"messages": messages, "tools": list(tools)}


def test_prompt_before_the_sentence_has_instructions_and_tools_and_no_sentence() -> None:
    prompt = before_the_sentence(request("Lamp off", TOOL))

    assert "You are a voice assistant." in prompt
    assert '"name":"HassTurnOn"' in prompt
    assert "Lamp off" not in prompt
    assert prompt == before_the_sentence(request("Lamp on", TOOL))
    assert prompt != before_the_sentence(request("Lamp on"))


@pytest.mark.usefixtures("socket_enabled")
async def test_both_agents_tell_the_model_of_the_home() -> None:
    requests = await first_requests(10)

    for sent in requests.values():
        prompt = before_the_sentence(sent)
        assert "Kitchen" in prompt
        assert "HassTurnOn" in prompt


def test_large_house_has_sixty_rooms() -> None:
    house = generated(1000)

    assert len(house.entities) == 1000
    assert len({entity.entity_id for entity in house.entities}) == 1000
    assert len(house.areas) == 60


def test_house_is_filled_up_with_what_its_commands_do_not_mean() -> None:
    areas = [HomeArea("kitchen", "Kitchen", "Ground"), HomeArea("guest", "Guest Room", "Upstairs")]
    lamp = HomeEntity("light.lamp", "Lamp", "kitchen")
    house = filled(Home("small", areas, [], [lamp]), 1000, {"light", "lock"})
    more = house.entities[1:]

    assert house.entities[0] == lamp
    assert len(house.entities) == 1000
    assert len({entity.entity_id for entity in house.entities}) == 1000
    assert len(house.areas) == 60
    assert {"light", "lock"}.isdisjoint(entity.domain for entity in more)
    assert {"kitchen", "guest"}.isdisjoint(entity.area for entity in more)
    names = " ".join(area.name for area in house.areas[2:])
    assert not {"Kitchen", "Guest", "Room"} & set(names.split())
    assert {area.floor for area in house.areas[2:]} == {"Annex"}


def test_result_line_has_both_sides_and_ours_to_cores() -> None:
    sides = {"core": 0.357, "voice_gateway": 0.75}

    assert line("accuracy/m", sides, "share", 305) == (
        "accuracy/m core=0.357 voice_gateway=0.750 unit=share ratio=2.10 n=305"
    )


@pytest.mark.parametrize(("ours", "ratio"), [(44, "inf"), (0, "nan")])
def test_result_line_has_a_ratio_to_nothing_too(ours: int, ratio: str) -> None:
    sides = {"core": 0, "voice_gateway": ours}

    assert line("schemas/tools", sides, "tools", 44, 0) == (
        f"schemas/tools core=0 voice_gateway={ours} unit=tools ratio={ratio} n=44"
    )


def test_medians_show_their_spread() -> None:
    shown = medians("turn/40", {"core": [10, 30, 20], "voice_gateway": [5, 4, 5]}, "ms", 0)

    assert shown.splitlines() == [
        "turn/40 core=20 voice_gateway=5 unit=ms ratio=0.25 n=3",
        "#   core 10 to 30, voice_gateway 4 to 5 ms",
    ]
