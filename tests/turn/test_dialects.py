"""What model servers and models write: the right call is made, and no markup is heard.

Each form is played by a real server: of a class, every fourth one over each of two protocols, in one
piece and in single characters. `tests/models` shows that the pieces make no difference.
"""

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
import json
from typing import Any

from aiohttp import web
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.voice_gateway.const import EntryKind
from tests.rows import rows

from .. import ollama, openai
from ..agent import Agent, Answer, add_agent
from ..devices import add_satellite
from ..model_servers import ModelServer, OllamaModel, OpenAIModel, serving
from ..ollama import Step, done, part
from ..openai import PlayedOpenAI, chunk, end, event
from .dialect_forms import (
    ARGUMENTS,
    BED_LIGHT,
    ENDED,
    FAULTS,
    FIELDS,
    GIVEN,
    HALF,
    KITCHEN,
    NAMES,
    NO_SHARES,
    OF_MESSAGES,
    OF_OTHERS,
    ON,
    OTHER_FAULTS,
    OTHER_SPEECH,
    PIECES,
    QUOTED,
    SAID,
    SHARES,
    SPEECH,
    UNREADABLE,
    WRITTEN,
    native,
)

WISH = "how about some cosiness in bed"
"""What nothing but the model understands."""
COMMAND = "turn on the bed light"
TALK = "what do you think of my bedroom"
LIGHT = "light.bed_light"
OFF, DIM, READ = "intent__HassTurnOff", "light__HassLightSet", "homeassistant__GetLiveContext"
MARKUP = ("<", "[", "{", "|", "｜", "to=", "functions", "commentary", "parameter", "Hass", "call")


@dataclass
class Played:
    """An agent of a server that plays dialects, whole or letter by letter."""

    agent: Agent
    server: ModelServer
    is_split: bool
    ways: int = 2
    """Over how many ways the forms are spread: 2 protocols, each perhaps in pieces and whole."""

    def share[T](self, forms: Sequence[T]) -> Sequence[T]:
        """Return the forms that are played in this way."""
        way = isinstance(self.server, OpenAIModel) * self.ways // 2
        return forms[way + (self.is_split and self.ways > 2) :: self.ways]

    def pieces(self, text: str) -> Iterable[str]:
        """Return a text as it comes."""
        return text if self.is_split else [text]

    def text(self, text: str, thinking: str = "") -> list[Step]:
        """Return an answer of text, with thinking in a field of its own before it."""
        is_ollama = isinstance(self.server, OllamaModel)
        thought = "thinking" if is_ollama else "reasoning_content"
        parts = [{thought: thinking}] if thinking else []
        parts += [{"content": each} for each in self.pieces(text)]
        if is_ollama:
            return [*(part(**{"content": "", **each}) for each in parts), done()]
        return [*map(chunk, parts), *end()]

    def native(self, *pieces: dict[str, Any], reason: str = "stop") -> list[Step]:
        """Return an answer of a native call in pieces: `index`, `id`, `name`, `arguments`, others."""
        made = [_as_call(each) for each in self._cut(pieces)]
        if isinstance(self.server, OllamaModel):
            return [*(part(tool_calls=[each]) for each in made), done(reason)]
        reason = "tool_calls" if reason == "stop" else reason
        return [*(chunk({"tool_calls": [each]}) for each in made), *end(reason)]

    def _cut(self, pieces: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for each in pieces:
            text = each.get("arguments")
            if not (self.is_split and isinstance(text, str) and text):
                yield each
                continue
            yield {**each, "arguments": text[0]}
            for letter in text[1:]:
                yield {"index": each.get("index", 0), "arguments": letter}

    def turn_on(self, arguments: str = GIVEN, name: str = ON) -> list[Step]:
        """Return an answer of a native call."""
        return self.native(*native(arguments, name))

    def calls(self, tool: str, **arguments: Any) -> list[Step]:
        """Return an answer of a native call that is written as it should be."""
        return self.turn_on(json.dumps(arguments), tool)

    async def hears(self, sentence: str, *answers: Any) -> Answer:
        """Say a sentence in a new conversation, with the bed light off."""
        await self.agent.hass.services.async_call(
            "light", "turn_off", {"entity_id": LIGHT}, blocking=True
        )
        self.server.requests.clear()
        self.server.forget()
        self.server.answers(*answers)
        return await self.agent.hears(sentence)

    def is_on(self) -> bool:
        """Return True if the bed light is on."""
        return self.agent.hass.states.is_state(LIGHT, "on")


def _as_call(piece: dict[str, Any]) -> dict[str, Any]:
    of_function = ("name", "arguments", "signature")
    function = {key: piece[key] for key in of_function if key in piece}
    return {
        **{key: value for key, value in piece.items() if key not in of_function},
        "function": function,
    }


@pytest.fixture(params=[EntryKind.OLLAMA, EntryKind.OPENAI])
async def server(
    request: pytest.FixtureRequest, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[ModelServer]:
    """A server of each protocol that others speak, too."""
    async with serving(request.param, monkeypatch) as server:
        yield server


@pytest.fixture
async def played(home: HomeAssistant, server: ModelServer) -> Played:
    """An agent, and its server: OpenAI's protocol in single characters, Ollama's in one piece."""
    return Played(await add_agent(home, server), server, isinstance(server, OpenAIModel))


@pytest.fixture(params=[False, True], ids=["whole", "split"])
async def each_way(
    home: HomeAssistant, server: ModelServer, request: pytest.FixtureRequest
) -> Played:
    """The same, in one piece and in single characters with each protocol."""
    return Played(await add_agent(home, server), server, request.param, ways=4)


@pytest.fixture
async def whole(home: HomeAssistant, server: ModelServer) -> Played:
    """The same, in one piece with each protocol."""
    return Played(await add_agent(home, server), server, is_split=False)


def reading(text: str) -> str:
    """Return a written call as one that reads what is on."""
    given = json.dumps({"area": "Bedroom"})
    text = text.replace(GIVEN, given).replace(ON, "homeassistant__GetLiveContext")
    text = text.replace('"Bed Light"', '"Bedroom"').replace(
        '"name": "Bedroom"', '"area": "Bedroom"'
    )
    for before, after in (
        *(("parameter=name", "parameter=area"), ('parameter name="name"', 'parameter name="area"')),
        *(("<name>Bed Light</name>", "<area>Bedroom</area>"), (">name<", ">area<")),
        *((" name='Bed Light'", " area='Bedroom'"), ('arg name="name"', 'arg name="area"')),
        *(("Bed Light", "Bedroom"), ('{"name": Bedroom}', '{"area": Bedroom}')),
    ):
        text = text.replace(before, after)
    return text


@dataclass(frozen=True)
class DialectClass:
    """Forms of one class, how each is played, and what is said meanwhile."""

    forms: tuple[Any, ...]
    answers: Callable[[Played, Any], list[Any]]
    sentence: str = WISH


CALLED = {
    "B1": DialectClass(ARGUMENTS, lambda played, form: [played.turn_on(form)]),
    "B2": DialectClass(WRITTEN, lambda played, form: [played.text(form)]),
    "B5": DialectClass(NAMES, lambda played, form: [played.turn_on(name=form)]),
    "B7": DialectClass(PIECES, lambda played, form: [played.native(*form)]),
}
HEARD = {
    "C1": DialectClass(
        tuple(map(reading, WRITTEN)),
        lambda played, form: [played.text(form), played.text(SAID)],
        TALK,
    ),
    "C2": DialectClass(SPEECH, lambda played, form: [played.text(form)], TALK),
    "C2, in two fields": DialectClass(
        HALF, lambda played, form: [played.text(form[1], form[0])], TALK
    ),
}


@rows("name", CALLED)
async def test_forms_of_a_class_are_the_call_that_they_are(each_way: Played, name: str) -> None:
    tested = CALLED[name]
    for form in each_way.share(tested.forms):
        answer = await each_way.hears(tested.sentence, *tested.answers(each_way, form))
        assert each_way.is_on(), form
        assert not answer.is_error, form
        assert len(each_way.server.requests) == 1, form
        assert len(answer.tool_calls) == 1, form
        heard = [answer.speech, *answer.streamed]
        assert not [each for each in heard if any(mark in each for mark in MARKUP)], form


@rows("name", HEARD)
async def test_of_forms_of_a_class_only_speech_is_heard(each_way: Played, name: str) -> None:
    tested = HEARD[name]
    for form in each_way.share(tested.forms):
        answer = await each_way.hears(tested.sentence, *tested.answers(each_way, form))
        assert answer.speech == SAID, form
        assert "".join(answer.streamed).strip() == SAID, form


async def test_speech_beside_marks_is_heard(played: Played) -> None:
    for text, said in OTHER_SPEECH:
        answer = await played.hears(TALK, played.text(text))
        assert answer.speech == said, text


async def test_call_that_cannot_be_read_goes_back_to_the_model_once(played: Played) -> None:
    for written in UNREADABLE:
        for reason in ("stop", "length"):
            broken = played.native(*native(written), reason=reason)
            # A plain command is done all the same.
            answer = await played.hears(COMMAND, broken, broken)
            assert played.is_on(), written
            assert not answer.is_error, written
            await played.hears(WISH, broken, played.turn_on())
            assert played.is_on(), written
            (result,) = played.server.results(played.server.requests[1])
            assert result.startswith("Error: "), written
            assert not played.server.unpaired(played.server.requests[1])
            answer = await played.hears(WISH, broken, broken, broken)
            assert not played.is_on()
            assert "cut short" not in answer.speech
            assert len(played.server.requests) <= 3


async def test_call_without_its_arguments_is_not_made_without_them(played: Played) -> None:
    for text in (
        f"<function={ON}>\nname: Bed Light\n</function>",
        f"<invoke name='{ON}'>Bed Light",
    ):
        answer = await played.hears(WISH, played.text(text), played.text("No."))
        assert not [call for call in answer.tool_calls if not call.tool_args], text
        heard = [answer.speech, *answer.streamed]
        assert not [each for each in heard if any(mark in each for mark in MARKUP)], heard


async def test_call_that_was_cut_off_is_not_completed(played: Played) -> None:
    """There may have been more: "all lights" had it ended so."""
    cut = '{"domain": ["light"]'
    broken = played.native(*native(cut), reason="length")
    await played.hears(WISH, broken, played.text("No."))
    assert played.server.results(played.server.requests[1])[0].startswith("Error: ")


async def test_arguments_that_come_anew_in_each_piece_are_those_of_the_last(whole: Played) -> None:
    for cuts in ((9,), (2, 12), (5, 9, 15)):
        pieces = [native(GIVEN[:cut])[0] for cut in cuts]
        answer = await whole.hears(WISH, whole.native(*pieces, *native()))
        assert whole.is_on(), cuts
        assert len(answer.tool_calls) == 1


def refusal(server: ModelServer, status: int, words: str, **more: Any) -> web.Response:
    """Return what a server says that could not read what its model wrote."""
    if isinstance(server, OllamaModel):
        return ollama.error(status, words)
    return openai.error(status, words, **more)


def broken_off(server: ModelServer, words: str, *before: Step) -> list[Step]:
    """Return the same within a stream."""
    if isinstance(server, OllamaModel):
        return [*before, ollama.line(error=words)]
    return [*before, openai.event({"error": {"message": words}})]


async def test_fault_of_generation_is_asked_for_once_more(played: Played) -> None:
    for words in played.share(FAULTS):
        for fault in (
            refusal(played.server, 500, words),
            refusal(played.server, 502, words),
            broken_off(played.server, words),
            broken_off(played.server, words, *played.text("", "They want light.")[:1]),
        ):
            await played.hears(WISH, fault, played.turn_on())
            assert played.is_on(), words
            assert len(played.server.requests) == 2, words
    # No more than once; and a plain command is done all the same.
    again = [refusal(played.server, 500, FAULTS[0]) for _ in range(3)]
    answer = await played.hears(WISH, *again)
    assert answer.speech == "The model server reported an error."
    assert len(played.server.requests) == 2
    again = [refusal(played.server, 500, FAULTS[0]) for _ in range(3)]
    await played.hears(COMMAND, *again)
    assert played.is_on()


async def test_call_that_a_server_quotes_is_made(played: Played) -> None:
    for words in QUOTED:
        for fault in (refusal(played.server, 500, words), broken_off(played.server, words)):
            await played.hears(WISH, fault)
            assert played.is_on(), words
            assert len(played.server.requests) == 1, words


async def test_other_faults_of_a_server_are_told_at_once(played: Played) -> None:
    for words in OTHER_FAULTS:
        answer = await played.hears(WISH, refusal(played.server, 500, words), played.turn_on())
        assert answer.is_error, words
        assert len(played.server.requests) == 1, words
    await played.hears(TALK, broken_off(played.server, FAULTS[0], *played.text("It is")[:-1]))
    assert len(played.server.requests) == 1


async def test_refusals_of_servers_that_speak_openais_protocol(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    played = Played(await add_agent(home, OpenAIModel(openai)), OpenAIModel(openai), False)
    words = "Failed to call a function. Please adjust your prompt. See 'failed_generation'."
    for written in (f"<function={ON}>{GIVEN}</function>", f"<function={ON}{GIVEN}", "<function=>"):
        fault = refusal(
            played.server, 400, words, code="tool_use_failed", failed_generation=written
        )
        await played.hears(WISH, fault, played.turn_on())
        assert played.is_on(), written
        assert len(openai.chats) == (2 if written == "<function=>" else 1)
    said = {"object": "error", "message": FAULTS[0], "code": 500}
    inner = {"message": "Provider returned error", "metadata": {"raw": FAULTS[0]}}
    for steps in (
        *([*end(reason)] for reason in ENDED),
        *([event(each)] for each in (said, {"error": inner}, {"error": FAULTS[0]})),
    ):
        await played.hears(WISH, steps, played.turn_on())
        assert played.is_on(), steps
        assert len(openai.chats) == 2, steps


async def test_whatever_came_with_a_call_goes_back_with_it(
    home: HomeAssistant, server: ModelServer
) -> None:
    agent = await add_agent(home, server, confirm_at_once=False)
    for is_split in (False, True):
        played = Played(agent, server, is_split)
        for beside in FIELDS:
            calls = played.native({**native()[0], **beside})
            answer = await played.hears(WISH, calls, played.text(SAID), played.text(SAID))
            await agent.hears("is that enough", answer.conversation_id)
            for request in server.requests[1:]:
                made = next(each for m in request["messages"] for each in m.get("tool_calls", ()))
                within = made["function"] if "signature" in beside else made
                assert {key: within.get(key) for key in beside} == beside


async def test_whatever_came_with_a_message_goes_back_with_its_calls(
    home: HomeAssistant, server: ModelServer
) -> None:
    played = Played(await add_agent(home, server, confirm_at_once=False), server, is_split=False)
    for beside in OF_MESSAGES:
        first, *others = played.native(*native())
        empty = {"content": "", **beside}
        extra = part(**empty) if isinstance(server, OllamaModel) else chunk(empty)
        for steps in ([extra, first, *others], [first, extra, *others]):
            await played.hears(WISH, steps, played.text(SAID))
            (message,) = [m for m in server.requests[1]["messages"] if m.get("tool_calls")]
            assert {key: message.get(key) for key in beside} == beside


async def test_share_is_set_in_percent_in_whichever_way_it_is_written(played: Played) -> None:
    states = played.agent.hass.states

    def brightness() -> int:
        state = states.get(LIGHT)
        assert state
        return round((state.attributes.get("brightness") or 0) / 2.55)

    for sentence, written, percent in SHARES:
        await played.hears(sentence, played.calls(DIM, name="Bed Light", brightness=written))
        assert brightness() == percent, (sentence, written)
    for written in NO_SHARES:
        call = played.calls(DIM, name="Bed Light", brightness=written)
        await played.hears("make the bed light cosy", call, played.text("No."))
        assert not played.is_on(), written
        assert played.server.results(played.server.requests[1])[0].startswith("Error"), written
    for sentence, tool, of_player, attribute, value in OF_OTHERS:
        await played.hears(sentence, played.calls(tool, **of_player))
        player = states.get("media_player.walkman")
        assert player
        assert player.attributes[attribute] == value, of_player


async def test_warmth_is_set_in_kelvin(played: Played) -> None:
    for written, kelvin in ((370, 2703), (2700, 2700), (250.0, 4000)):
        call = played.calls(DIM, name="Bed Light", temperature=written)
        answer = await played.hears("make the bed light cosy", call)
        state = played.agent.hass.states.get(LIGHT)
        assert state
        warmth = state.attributes["color_temp_kelvin"]
        assert warmth, (written, answer.tool_results)
        assert abs(warmth - kelvin) < 20, written


async def test_volume_is_told_in_the_unit_in_which_it_is_set(played: Played) -> None:
    states = played.agent.hass.states
    player = states.get("media_player.walkman")
    assert player
    states.async_set(player.entity_id, "playing", {**player.attributes, "volume_level": 0.4})
    await played.hears("how is the music doing", played.calls(READ, name="Walkman"))
    assert "volume % 40" in played.server.results(played.server.requests[-1])[0]


async def test_names_are_found_beside_their_aliases_and_with_damaged_letters(
    whole: Played,
) -> None:
    home = whole.agent.hass
    er.async_get(home).async_update_entity(LIGHT, aliases=[er.COMPUTED_NAME, "Night lamp"])
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    ar.async_get(home).async_update(kitchen.id, name="Küche", aliases={"Kochecke"})
    cases: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
        (BED_LIGHT, "name", LIGHT, WISH),
        (KITCHEN, "area", "light.kitchen_lights", "etwas Licht zum Kochen in der Küche"),
    )
    for forms, slot, target, sentence in cases:
        for written in whole.share(forms):
            given: dict[str, Any] = {slot: written}
            given |= {"domain": ["light"]} if slot == "area" else {}
            await home.services.async_call(
                "light", "turn_off", {"entity_id": target}, blocking=True
            )
            answer = await whole.hears(sentence, whole.calls(ON, **given), whole.text("No."))
            assert home.states.is_state(target, "on"), (written, answer.tool_results)
            await whole.hears(TALK, whole.calls(READ, **given), whole.text(SAID))
            result = whole.server.results(whole.server.requests[-1])[-1]
            assert ("Bed Light" if slot == "name" else "Kitchen Lights") in result, written
    # Several things stay several, and another word is another word.
    for written in (
        "Bed Light & Kitchen Lights",
        "Bed Light, Kitchen Lights",
        "Bed Bad Light",
        "Bed - Cafe Light",
    ):
        await whole.hears(WISH, whole.calls(ON, name=written), whole.text("No."))
        assert not whole.is_on(), written


async def test_question_about_what_was_not_done_keeps_the_microphone_open(played: Played) -> None:
    for asked in (
        "How long should it run? Please name hours, minutes and seconds.",
        "Which lamp? There are two.",
        "For how long? I can count hours, too!",
        "How bright?",
    ):
        answer = await played.hears("record the match", played.text(asked))
        assert answer.speech == asked
        assert answer.result.continue_conversation, asked
    told = "Why did the lamp blush? It saw the switch."
    answer = await played.hears("tell me a joke", played.text(told))
    assert not answer.result.continue_conversation
    answer = await played.hears(COMMAND, played.turn_on(), played.text(told))
    assert not answer.result.continue_conversation


async def test_name_is_found_that_is_written_in_other_pieces(whole: Played) -> None:
    home = whole.agent.hass
    for name, said in (("Spot2", "spot 2"), ("bed_lamp", "bed lamp"), ("BedLamp", "bed lamp")):
        er.async_get(home).async_update_entity(LIGHT, name=name)
        await home.async_block_till_done()
        call = whole.calls(ON, name=said)
        answer = await whole.hears(f"how about some cosiness with the {said}", call)
        assert whole.is_on(), (name, answer.tool_results)


async def test_marks_within_a_name_are_its_own(whole: Played) -> None:
    home = whole.agent.hass
    aliases: list[Any] = [er.COMPUTED_NAME, "Joe's lamp", "Lamp, the small one"]
    er.async_get(home).async_update_entity(LIGHT, aliases=aliases)
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    ar.async_get(home).async_update(kitchen.id, name="Cook & Dine")
    for target, arguments in (
        (LIGHT, '{"name": "<|\\"|>Bed Light<|\\"|>"}'),
        (LIGHT, """{'name': "Joe's lamp"}"""),
        (LIGHT, '{"name": "Lamp, the small one"}'),
        ("light.kitchen_lights", '{"area": "Cook & Dine"}'),
        ("light.kitchen_lights", '{"area": "Cook &amp; Dine"}'),
    ):
        await home.services.async_call("light", "turn_off", {"entity_id": target}, blocking=True)
        sentence = WISH if target == LIGHT else "some more light in cook & dine"
        answer = await whole.hears(sentence, whole.turn_on(arguments))
        assert home.states.is_state(target, "on"), (arguments, answer.tool_results)


async def test_plural_name_is_that_of_the_speakers_room(whole: Played) -> None:
    """A model's right call for one room is not widened to each room that has such a thing."""
    home = whole.agent.hass
    entities, areas = er.async_get(home), ar.async_get(home)
    lights = ("light.bed_light", "light.ceiling_lights", "light.office_rgbw_lights")
    rooms = [areas.async_get_or_create(name) for name in ("Office", "Garage", "Attic")]
    for light, room in zip(lights, rooms, strict=True):
        entities.async_update_entity(light, name="Lights", area_id=room.id)
    satellite = add_satellite(home, "Garage")
    of_garage: dict[str, Any] = {"area": "Garage", "domain": ["light"]}
    for sentence, call in (
        ("turn off the lights", whole.calls(OFF, name="Lights")),
        ("lights off please", whole.calls(OFF, **of_garage)),
        ("switch the lights off", whole.calls(OFF, name="Lights", area="Garage")),
        ("dim the lights to 20 percent", whole.calls(DIM, name="Lights", brightness=20)),
    ):
        for light in lights:
            await home.services.async_call(
                "light", "turn_on", {"entity_id": light, "brightness_pct": 100}, blocking=True
            )
        whole.server.forget()
        whole.server.answers(call)
        await whole.agent.hears(sentence, device_id=satellite)
        full = [
            light
            for light in lights
            if (state := home.states.get(light)) and state.attributes.get("brightness") == 255
        ]
        assert full == [lights[0], lights[2]], sentence


async def test_remark_beside_a_wish_makes_no_question_of_it(whole: Played) -> None:
    for sentence in (
        "some light please, it is dark",
        "some light in the bedroom please, it is dark",
        "lamp please, it is dark",
        "some light please, I am reading",
    ):
        await whole.hears(sentence, whole.turn_on(), whole.text("No."))
        assert whole.is_on(), sentence
    answer = await whole.hears("is some light on?", whole.turn_on(), whole.text("No."))
    assert not whole.is_on(), answer.tool_results
