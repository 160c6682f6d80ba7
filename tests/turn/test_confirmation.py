"""What confirms an action, and what is left to the model to say."""

import pytest

from custom_components.voice_gateway.languages import joined
from tests.agent import Agent
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

from ..tables import table


@rows(
    ("sentence", "made", "speech"),
    table(__file__, "test_plain_actions_are_confirmed_without_asking_again"),
)  # fmt: skip
async def test_plain_actions_are_confirmed_without_asking_again(
    agent: Agent, ollama: PlayedOllama, sentence: str, made: dict[str, object], speech: str
) -> None:
    ollama.answers(calls(made))
    assert (await agent.hears(sentence)).speech == speech
    assert len(ollama.chats) == 1


@rows(
    ("said", "made", "told"),
    table(__file__, "test_value_is_told_as_it_was_set"),
)  # fmt: skip
async def test_value_is_told_as_it_was_set(
    agent: Agent, ollama: PlayedOllama, said: str, made: dict[str, object], told: str
) -> None:
    """A model may write the unit, or the number in words."""
    ollama.script = [calls(made), *[says("Done.")] * 3]
    assert (await agent.hears(said)).speech == told


@pytest.mark.parametrize("joint", [" and ", ", then ", ". And then "])
async def test_two_things_that_were_asked_for_are_confirmed_when_both_are_done(
    agent: Agent, ollama: PlayedOllama, joint: str
) -> None:
    ollama.answers(
        calls(
            call("intent__HassTurnOn", name="Bed Light"),
            call("intent__HassTurnOff", name="Ceiling Lights"),
        )
    )
    sentence = f"turn on the bed light{joint}turn off the ceiling lights"
    answer = await agent.hears(sentence)
    assert answer.speech == "I turned on the Bed Light. I turned off the Ceiling Lights."
    assert len(ollama.chats) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "turn on the bed light and tell me the time",
        "turn on the bed light, then close the window",
        # Home Assistant reads no Latin: whether this is all is not known.
        "lucem accende",
    ],
)
async def test_where_more_may_be_wanted_the_model_goes_on(
    agent: Agent, ollama: PlayedOllama, sentence: str
) -> None:
    ollama.answers(calls(call("intent__HassTurnOn", name="Bed Light")), says("And the rest."))
    language = "la" if "lucem" in sentence else "en"
    assert (await agent.hears(sentence, language=language)).speech == "And the rest."


async def test_action_that_failed_in_part_is_told_by_the_model(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(
        calls(
            call("intent__HassTurnOn", name="Bed Light"),
            call("intent__HassTurnOn", name="Sauna"),
        ),
        says("The bed light is on, but there is no sauna."),
    )
    answer = await agent.hears("turn on the bed light and the sauna")
    assert answer.speech == "The bed light is on, but there is no sauna."


@rows(
    ("language", "sentence", "speech"),
    table(__file__, "test_what_was_done_is_named_in_each_language"),
)  # fmt: skip
async def test_what_was_done_is_named_in_each_language(
    agent: Agent, ollama: PlayedOllama, language: str, sentence: str, speech: str
) -> None:
    names = ("Bed Light", "Kitchen Lights")
    ollama.answers(calls(*(call("intent__HassTurnOff", name=name) for name in names)))
    assert (await agent.hears(sentence, language=language)).speech == speech


def test_many_names_are_counted() -> None:
    names = [f"Lamp {number}" for number in range(1, 7)]
    assert joined("en", names) == "Lamp 1, Lamp 2, Lamp 3 and 3 more"
    assert joined("de", names[:4]) == "Lamp 1, Lamp 2, Lamp 3 und Lamp 4"
    assert joined("xx", names[:2]) == "Lamp 1, Lamp 2"


async def test_what_was_excepted_is_named(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(
        calls(
            call("intent__HassTurnOff", name="Ceiling Lights"),
            call("intent__HassTurnOff", name="Kitchen Lights"),
        )
    )
    answer = await agent.hears(
        "turn off the ceiling lights and the kitchen lights, not the bed light"
    )
    assert answer.speech == (
        "I turned off the Ceiling Lights and Kitchen Lights. I didn't touch Bed Light."
    )
