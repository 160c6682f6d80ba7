"""What model servers and models write: the right call is made, and no markup is heard.

Each form is played by a real server, over Ollama's protocol in one piece, over OpenAI's in single
characters.
"""

from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass
import json
from typing import Any

from aiohttp import web
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.voice_gateway.const import EntryKind

from .. import ollama, openai
from ..agent import Agent, Answer, add_agent
from ..model_servers import ModelServer, OllamaModel, OpenAIModel, serving
from ..ollama import Step, done, part
from ..openai import PlayedOpenAI, chunk, end

WISH = "how about some cosiness in bed"
"""What nothing but the model understands."""
COMMAND = "turn on the bed light"
TALK = "what do you think of my bedroom"
ON = "intent__HassTurnOn"
LIGHT = "light.bed_light"
GIVEN = '{"name": "Bed Light"}'
MARKUP = ("<", "[", "{", "|", "｜", "to=", "functions", "commentary", "parameter", "Hass", "call")


@dataclass
class Played:
    """An agent of a server that plays dialects, whole or letter by letter."""

    agent: Agent
    server: ModelServer
    is_split: bool

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


def assert_nothing_of_markup(answer: Answer) -> None:
    heard = [answer.speech, *answer.streamed]
    assert not [each for each in heard if any(mark in each for mark in MARKUP)], heard


# Arguments of a native call that say one thing.
ARGUMENTS = (
    *(GIVEN, "{}" + GIVEN, GIVEN * 2, f"null{GIVEN}", f"{GIVEN}{{}}", f'""{GIVEN}'),
    *('{"name": "Bed"}' + GIVEN, f"{GIVEN}\n{GIVEN}"),
    *(json.dumps(GIVEN), json.dumps(json.dumps(GIVEN)), json.dumps(json.dumps(json.dumps(GIVEN)))),
    *('{"name": \\"Bed Light\\"}', '{\\"name\\": \\"Bed Light\\"}', "{'name': 'Bed Light'}"),
    *(
        "{name: Bed Light}",
        '{"name": Bed Light}',
        '{"name": "Bed Light",}',
        '{{"name": "Bed Light"}}',
    ),
    *(f"{GIVEN}}}", f"{GIVEN}]", f"{GIVEN}}}}}</tool_call>", f"{GIVEN}<|call|>", f"{GIVEN}</s>"),
    *(f"[{GIVEN}]", f"```json\n{GIVEN}\n```", '{"name": "Bed Light"', '"name": "Bed Light"}'),
    *(
        "<parameter=name>Bed Light</parameter>",
        f"<arguments>{GIVEN}</arguments>",
        f"Arguments: {GIVEN}",
    ),
)
# Of which nobody knows what they say.
UNREADABLE = (
    '{"name": "Bed Li',
    "the bed light",
    '{"name"}',
    '{"name": "Bed Light"}{"name": "Lamp"}',
)


async def test_native_arguments_are_read_as_far_as_they_are_certain(played: Played) -> None:
    for written in ARGUMENTS:
        piece = {"index": 0, "id": "a", "name": ON, "arguments": written}
        answer = await played.hears(WISH, played.native(piece))
        assert played.is_on(), written
        assert not answer.is_error, written
        assert len(played.server.requests) == 1, written


async def test_call_that_cannot_be_read_goes_back_to_the_model_once(played: Played) -> None:
    for written in UNREADABLE:
        for reason in ("stop", "length"):
            broken = played.native(
                {"index": 0, "id": "a", "name": ON, "arguments": written}, reason=reason
            )
            right = played.native({"index": 0, "id": "b", "name": ON, "arguments": GIVEN})
            await played.hears(WISH, broken, right)
            assert played.is_on(), written
            (result,) = played.server.results(played.server.requests[1])
            assert result.startswith("Error: "), written
            assert not played.server.unpaired(played.server.requests[1])
            # A plain command is done all the same.
            answer = await played.hears(COMMAND, broken, broken)
            assert played.is_on(), written
            assert not answer.is_error, written
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
        assert_nothing_of_markup(answer)


async def test_call_that_was_cut_off_is_not_completed(played: Played) -> None:
    """There may have been more: "all lights" had it ended so."""
    cut = '{"domain": ["light"]'
    piece = {"index": 0, "id": "a", "name": ON, "arguments": cut}
    await played.hears(WISH, played.native(piece, reason="length"), played.text("No."))
    assert played.server.results(played.server.requests[1])[0].startswith("Error: ")


PIECES: dict[str, list[dict[str, Any]]] = {
    "a placeholder first": [
        {"index": 0, "id": "a", "name": ON, "arguments": "{}"},
        {"index": 0, "arguments": GIVEN},
    ],
    "a placeholder first, with its id again": [
        {"index": 0, "id": "a", "name": ON, "arguments": "{}"},
        {"index": 0, "id": "a", "name": ON, "arguments": GIVEN},
    ],
    "a new id in each piece": [
        {"index": 0, "id": "a", "name": ON, "arguments": ""},
        {"index": 0, "id": "b", "arguments": '{"name": '},
        {"index": 0, "id": "c", "arguments": '"Bed Light"}'},
    ],
    "a new id in each piece, arguments at once": [
        {"index": 0, "id": "a", "name": ON, "arguments": '{"na'},
        {"index": 0, "id": "b", "arguments": 'me": "Bed Light"}'},
    ],
    "a new id and the name in each piece": [
        {"index": 0, "id": "a", "name": ON, "arguments": '{"name"'},
        {"index": 0, "id": "b", "name": ON, "arguments": ': "Bed Light"}'},
    ],
    "the index in the first piece only": [
        {"index": 0, "id": "a", "name": ON, "arguments": '{"name"'},
        {"arguments": ': "Bed Light"}'},
    ],
    "a new id in each piece, no index": [
        {"id": "a", "name": ON, "arguments": ""},
        {"id": "b", "arguments": GIVEN},
    ],
    "a new id and the name in each piece, no index": [
        {"id": "a", "name": ON, "arguments": '{"name"'},
        {"id": "b", "name": ON, "arguments": ': "Bed Light"}'},
    ],
    "a placeholder without a name beside it": [
        {"index": 0, "id": "", "name": "", "arguments": ""},
        {"index": 1, "id": "a", "name": ON, "arguments": GIVEN},
    ],
    "the arguments as an object, after an empty one": [
        {"index": 0, "id": "a", "name": ON, "arguments": {}},
        {"index": 0, "arguments": {"name": "Bed Light"}},
    ],
}


async def test_pieces_of_one_call_are_one_call(played: Played) -> None:
    for name, pieces in PIECES.items():
        answer = await played.hears(WISH, played.native(*pieces))
        assert played.is_on(), name
        assert [call.tool_args for call in answer.tool_calls] == [{"name": "Bed Light"}], name


NAMES = (
    *(
        f"{ON}<|channel|>commentary",
        f"{ON}<|constrain|>json",
        f"{ON}<|message|>",
        "intent.HassTurnOn",
    ),
    *(
        "functions.HassTurnOn",
        "intent:HassTurnOn",
        "intent/HassTurnOn",
        f"{ON}:0",
        f"functions.{ON}:1",
    ),
    *(
        f"assistant<|channel|>commentary to=functions.{ON}",
        f"{ON} json",
        f"{ON}</tool_call>",
        f'{ON}("',
    ),
)


async def test_marks_and_separators_in_a_tools_name_do_not_matter(played: Played) -> None:
    for name in NAMES:
        piece = {"index": 0, "id": "a", "name": name, "arguments": GIVEN}
        await played.hears(WISH, played.native(piece))
        assert played.is_on(), name
        assert len(played.server.requests) == 1, name


X, KEY, VALUE = ON, "name", "Bed Light"
CALL = json.dumps({"name": X, "arguments": {KEY: VALUE}})
D = "｜DSML｜"
WRITTEN = (
    f"<tool_call>\n<function={X}>\n<parameter=name>\nBed Light\n</function>\n</tool_call>",
    f"<tool_call>\n<function={X}>\n<parameter=name>\nBed Light\n</tool_call>",
    f"<tool_call>\n<function={X}>\n<parameter=name>\nBed Light",
    f"<function={X}>\n<parameter=name>\nBed Light\n</parameter>\n<parameter=area=\n</function>",
    f"<function={X}>\n<parameter=floor=\n</parameter>\n<parameter=name>Bed Light</parameter>\n</function>",
    f"<function={X}><parameter=name: Bed Light\n</parameter></function>",
    f"<qwen:function={X}><qwen:parameter=name>Bed Light</qwen:parameter></qwen:function>",
    (
        f'<{D}function_calls>\n<{D}invoke name="{X}">\n<{D}parameter name="name" string="true">Bed Light'
        f"</{D}parameter>\n</{D}invoke>\n</{D}function_calls>"
    ),
    f'<{D}tool_calls>\n<{D}invoke name="{X}">\n<{D}parameter name="name">Bed Light</{D}parameter>\n',
    f'<{D}invoke name="{X}"><{D}parameter name="name">Bed Light</{D}invoke>',
    f'<||DSML||invoke name="{X}">{GIVEN}</||DSML||invoke>',
    f'<‖DSML‖tool_calls><‖DSML‖invoke name="{X}"><‖DSML‖parameter name="name">Bed Light</‖DSML‖parameter>',
    f'<minimax:tool_call>\n<invoke name="{X}">\n<parameter name="name">Bed Light</parameter>\n</invoke>',
    f"<seed:tool_call>\n<function={X}>\n<parameter=name>Bed Light</parameter>\n</function>\n</seed:tool_call>",
    f'<x:function_call name="{X}"><x:parameter name="name">Bed Light</x:parameter></x:function_call>',
    f"<|channel|>commentary to=functions.{X} <|constrain|>json<|message|>{GIVEN}<|call|>",
    f"<|start|>assistant<|channel|>commentary to={X}<|message|>{GIVEN}",
    f"<|start|>assistant to=functions.{X}<|channel|>commentary json<|message|>{GIVEN}<|call|>",
    f"<|channel|>analysis to=functions.{X} code<|message|>{GIVEN}",
    f"commentary to=functions.{X} json{GIVEN}",
    f"assistantcommentary to=functions.{X} json {GIVEN}",
    f"analysisThe user wants light.assistantcommentary to=functions.{X} json{GIVEN}",
    f"[TOOL_CALLS]{X}[CALL_ID]abc123[ARGS]{GIVEN}",
    f"[TOOL_CALLS]{X}[ARGS]{GIVEN}[CALL_ID]abc123",
    f"[TOOL_CALLS] {X} {GIVEN}</s>",
    f"<|START_ACTION|>[\n{json.dumps({'tool_call_id': '0', 'tool_name': X, 'parameters': {KEY: VALUE}})}\n]<|END_ACTION|>",
    (
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>"
        f'<steptml:invoke name="{X}"><steptml:parameter name="name">Bed Light</steptml:parameter></steptml:invoke>'
    ),
    (
        f"<longcat_tool_call>{X}\n<longcat_arg_key>name</longcat_arg_key>\n"
        "<longcat_arg_value>Bed Light</longcat_arg_value>\n</longcat_tool_call>"
    ),
    f"<longcat_tool_call>{CALL}</longcat_tool_call>",
    f"<tool_call>{X}\n<arg_key>name</arg_key>\n<arg_value>Bed Light\n</tool_call>",
    f"<|tool_call:begin|>a1<|tool_call:name|>{X}<|tool_call:args|>{GIVEN}<|tool_call:end|>",
    f"<TOOLCALL>[{CALL}]</TOOLCALL>",
    f"<|tools_prefix|>[{json.dumps({X: {KEY: VALUE}})}]<|tools_suffix|>",
    f"<|action_start|><|plugin|>\n{CALL}<|action_end|>",
    f"functools[{CALL}]",
    f"<tool_call><name>{X}</name><arguments>{GIVEN}</arguments></tool_call>",
    f"<tool_call><tool_name>{X}</tool_name><parameters><name>Bed Light</name></parameters></tool_call>",
    f"<{X}><name>Bed Light</name></{X}>",
    f"<{X} name='Bed Light'/>",
    f"<tool_call name=\"{X}\" arguments='{GIVEN}'/>",
    f'<invoke name="{X}"><arg name="name">Bed Light</arg></invoke>',
    f"<|channel|>commentary<|constrain|>json to=functions.{X}<|message|>{GIVEN}",
    f"<|im_start|>tool_call\n{CALL}<|im_end|>",
    f"<tool_call>{CALL[:-1]}</tool_call>",
    f"<tool_call>{CALL}}}</tool_call>",
    f'<tool_call>{{"name": "{X}", "arguments": {{"name": Bed Light}}}}</tool_call>',
    f'<tool_call>{{"name": "{X}<|channel|>commentary", "arguments": {GIVEN}}}</tool_call>',
    f"<|im_start|>assistant\n<tool_call>{CALL}</tool_call><|im_end|>\n<|im_start|>user\nThanks",
    f"<think>They want light.</think>\n<tool_call>{CALL}</tool_call>",
)


async def test_written_call_is_made_in_whatever_marks(played: Played) -> None:
    for text in WRITTEN:
        answer = await played.hears(WISH, played.text(text))
        assert played.is_on(), text
        assert len(played.server.requests) == 1, text
        assert_nothing_of_markup(answer)


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


async def test_call_in_talk_is_not_heard(played: Played) -> None:
    for text in map(reading, WRITTEN):
        answer = await played.hears(TALK, played.text(text), played.text("It is nice and warm."))
        assert_nothing_of_markup(answer)
        assert answer.speech == "It is nice and warm.", text
        assert answer.tool_calls[-1].tool_args == {"area": "Bedroom"}, text


SPEECH = (
    ("<|channel|>final<|message|>It is warm.<|return|>", "It is warm."),
    ("<|channel|>final <|constrain|>text<|message|>It is warm.", "It is warm."),
    ("<|start|>assistant<|channel|>final<|message|>It is warm.<|end|>", "It is warm."),
    ("<|channel|>commentary<|message|>I look it up.", "I look it up."),
    ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is warm.", "It is warm."),
    ("analysisThe user asks.assistantfinalIt is warm.", "It is warm."),
    ("analysisThey ask.assistantanalysisHm.assistantfinalIt is warm.", "It is warm."),
    ("assistantfinalIt is warm.", "It is warm."),
    ("finalIt is warm.", "It is warm."),
    ("analysis The user asks something.assistantfinalIt is warm.", "It is warm."),
    ("It is warm.<|im_end|>\n<|im_start|>user\nThanks", "It is warm."),
    ("It is warm.<|im_end|>\n<|im_start|>user\nThanks<|im_end|>\n<|im_start|>assistant\nWelcome.", "It is warm."),
    ("It is warm.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nThanks", "It is warm."),
    ("<|start_header_id|>assistant<|end_header_id|>\n\nIt is warm.", "It is warm."),
    ("It is warm.<end_of_turn>\n<start_of_turn>user\nThanks", "It is warm."),
    ("It is warm.</s>[INST] Thanks [/INST] Welcome.", "It is warm."),
    ("It is warm.<|endoftext|>Human: what else?", "It is warm."),
    ("It is warm.<|user|>\nThanks", "It is warm."),
    ("It is warm.<｜end▁of▁sentence｜><｜User｜>Thanks", "It is warm."),
    ("It is warm.<turn|>\n<|turn>user\nThanks", "It is warm."),
    ("<|assistant|>It is warm.<|observation|>", "It is warm."),
    ("<|START_RESPONSE|>It is warm.<|END_RESPONSE|>", "It is warm."),
    ("<answer>It is warm.</answer>", "It is warm."),
    ("<s>It is warm.</s>", "It is warm."),
    ("<seed:think>Hm.</seed:think>It is warm.", "It is warm."),
    ("<|START_THINKING|>Hm.<|END_THINKING|>It is warm.", "It is warm."),
    ("<|channel>thought\nHm.<channel|>It is warm.", "It is warm."),
    ("<reasoning>Hm.</reasoning>It is warm.", "It is warm."),
    ("<THINK>Hm.</THINK>It is warm.", "It is warm."),
    ("<think/>It is warm.", "It is warm."),
    ("<|think|>Hm.<|/think|>It is warm.", "It is warm."),
    ('<think>Hm.</think>{"say": "It is warm."}', "It is warm."),
    ('{"say": "It is warm."}<|im_end|>', "It is warm."),
    ("It is warm.\n<tool_response>\n{}\n</tool_response>", "It is warm."),
    ("It is <b>warm</b>, 5 < 6 and a<b.", "It is warm, 5 < 6 and a<b."),
)  # fmt: skip


async def test_only_speech_is_heard(played: Played) -> None:
    for text, said in SPEECH:
        answer = await played.hears(TALK, played.text(text))
        assert answer.speech == said, text
        assert "".join(answer.streamed).strip() == said, text


HALF_REMOVED = (
    ("They ask about the bedroo", "m.\n</think>It is warm."),
    ("They ask.", "w.\n</think>It is warm."),
    ("They ask", ", so I tell them it is warm.</think>\n\nIt is warm."),
    ("They ask", "about it.[/THINK]It is warm."),
    ("They ask.", "It is warm."),
    ("They ask.", "\n\nIt is warm."),
)


async def test_thinking_that_a_server_gives_only_half_is_not_heard(played: Played) -> None:
    for thought, text in HALF_REMOVED:
        answer = await played.hears(TALK, played.text(text, thought))
        assert answer.speech == "It is warm.", text
        assert "".join(answer.streamed).strip() == "It is warm.", text


UNREAD = (
    """error parsing tool call: raw='{"name":"Bed Light"}]', err=invalid character ']' after top-level value""",
    """error parsing tool call: raw='{"name": "Bed', err=unexpected end of JSON input""",
    "tool call parsing failed: invalid character '@' looking for beginning of object key string",
    "XML syntax error on line 4: element <parameter> closed by </function>",
    "harmony parser: no reverse mapping found for function name",
    "Failed to parse input at pos 12: <tool_call>{",
    "Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1",
    "The model produced output that does not match the expected peg-native format",
    "unexpected tokens remaining in message header: ['x']",
    "Unexpected token 200012 while expecting start token 200006",
    "Failed to parse tool call: Expected a JSON object",
    "Malformed function call",
    "Tool call arguments are not valid JSON",
    "json: cannot unmarshal string into Go value of type api.ToolCallFunctionArguments",
)
# Of these, the server quotes the whole call.
QUOTED = (
    f"Failed to parse input at pos 0: <tool_call>{CALL}}}</tool_call>",
    f"error parsing tool call: raw='{CALL}]', err=invalid character ']' after top-level value",
    f"Tool call could not be parsed: <function={X}>{GIVEN}",
)


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


async def test_what_a_server_cannot_read_is_asked_for_once_more(played: Played) -> None:
    right = played.native({"index": 0, "id": "a", "name": ON, "arguments": GIVEN})
    for words in UNREAD:
        faults: list[Any] = [
            refusal(played.server, 500, words),
            broken_off(played.server, words),
            broken_off(played.server, words, *played.text("", "They want light.")[:1]),
        ]
        for fault in faults:
            await played.hears(WISH, fault, right)
            assert played.is_on(), words
            assert len(played.server.requests) == 2, words
        # No more than once; and a plain command is done all the same.
        answer = await played.hears(WISH, *(refusal(played.server, 500, words) for _ in range(3)))
        assert answer.speech == "The model server reported an error.", words
        assert len(played.server.requests) == 2, words
        await played.hears(COMMAND, *(refusal(played.server, 500, words) for _ in range(3)))
        assert played.is_on(), words


async def test_call_that_a_server_quotes_is_made(played: Played) -> None:
    for words in QUOTED:
        for fault in (refusal(played.server, 500, words), broken_off(played.server, words)):
            await played.hears(WISH, fault)
            assert played.is_on(), words
            assert len(played.server.requests) == 1, words


async def test_other_faults_of_a_server_are_told_at_once(played: Played) -> None:
    for words in ("CUDA error", "llama runner process has terminated"):
        answer = await played.hears(WISH, refusal(played.server, 500, words))
        assert answer.is_error, words
        assert len(played.server.requests) == 1, words
    said = played.text("It is")[:-1]
    answer = await played.hears(TALK, broken_off(played.server, UNREAD[0], *said))
    assert len(played.server.requests) == 1


async def test_refusals_of_servers_that_speak_openais_protocol(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    played = Played(await add_agent(home, OpenAIModel(openai)), OpenAIModel(openai), False)
    right = played.native({"index": 0, "id": "a", "name": ON, "arguments": GIVEN})
    words = "Failed to call a function. Please adjust your prompt. See 'failed_generation'."
    for written in (f"<function={X}>{GIVEN}</function>", f"<function={X}{GIVEN}", "<function=>"):
        fault = refusal(
            played.server, 400, words, code="tool_use_failed", failed_generation=written
        )
        await played.hears(WISH, fault, right)
        assert played.is_on(), written
        assert len(openai.chats) == (2 if written == "<function=>" else 1)
    for reason in ("function_call_filter: MALFORMED_FUNCTION_CALL", "malformed_function_call"):
        await played.hears(WISH, [*end(reason)], right)
        assert played.is_on(), reason


async def test_what_came_with_a_call_goes_back_with_it_in_later_turns_too(
    home: HomeAssistant, server: ModelServer
) -> None:
    extra = {"google": {"thought_signature": "s1g"}}
    others: dict[str, Any] = {"provider_specific_fields": {"thought_signature": "x"}, "vendor": [1]}
    agent = await add_agent(home, server, confirm_at_once=False)
    played = Played(agent, server, False)
    for beside in ({"extra_content": extra}, others, {"signature": "in the function"}):
        call = {"index": 0, "id": "a", "name": ON, "arguments": GIVEN, **beside}
        played.server.requests.clear()
        played.server.answers(played.native(call), played.text("It is cosy."), played.text("Yes."))
        answer = await agent.hears(WISH)
        await agent.hears("is that enough", answer.conversation_id)
        for request in played.server.requests[1:]:
            made = next(each for m in request["messages"] for each in m.get("tool_calls", ()))
            within = made["function"] if "signature" in beside else made
            assert {key: within.get(key) for key in beside} == beside


SHARES = (
    ("set the bed light to half brightness", 0.5, 50),
    ("set the bed light to half brightness", "0.5", 50),
    ("set the bed light to a quarter", 0.25, 25),
    ("set the bed light to 50 percent", "50%", 50),
    ("set the bed light to 50 percent", "50 %", 50),
    ("set the bed light to 50 percent", 50.0, 50),
    ("set the bed light to a third", 33.3, 33),
    ("set the bed light to full brightness", 1.0, 100),
    ("set the bed light to one percent", 1.0, 1),
    ("set the bed light to 1 percent", 1, 1),
)


async def test_share_is_set_in_percent(played: Played) -> None:
    for sentence, written, percent in SHARES:
        given = json.dumps({"name": "Bed Light", "brightness": written})
        call = {"index": 0, "id": "a", "name": "light__HassLightSet", "arguments": given}
        answer = await played.hears(sentence, played.native(call))
        state = played.agent.hass.states.get(LIGHT)
        assert state
        bright = round((state.attributes["brightness"] or 0) / 2.55)
        assert bright == percent, (
            sentence,
            written,
            answer.speech,
            answer.tool_calls,
            answer.tool_results,
        )
    # Nobody knows which one this is.
    given = json.dumps({"name": "Bed Light", "brightness": 1.5})
    call = {"index": 0, "id": "a", "name": "light__HassLightSet", "arguments": given}
    await played.hears("make the bed light cosy", played.native(call), played.text("I can't."))
    assert not played.is_on()
    assert played.server.results(played.server.requests[1])[0].startswith("Error: ")


async def test_warmth_is_set_in_kelvin(played: Played) -> None:
    for written, kelvin in ((370, 2703), (2700, 2700), (250.0, 4000)):
        given = json.dumps({"name": "Bed Light", "temperature": written})
        call = {"index": 0, "id": "a", "name": "light__HassLightSet", "arguments": given}
        answer = await played.hears("make the bed light cosy", played.native(call))
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
    given = json.dumps({"name": "Walkman"})
    name = "homeassistant__GetLiveContext"
    call = {"index": 0, "id": "a", "name": name, "arguments": given}
    await played.hears("how is the music doing", played.native(call))
    assert "volume % 40" in played.server.results(played.server.requests[-1])[0]


MEANT = (
    *(("Bed Light (Night lamp)", "Bed Light"), ("Bed Light, Night lamp", "Bed Light")),
    *(("Night lamp / Bed Light", "Bed Light"), ("Bed Light (light, Bedroom)", "Bed Light")),
    *(("Bed Light [Night lamp]", "Bed Light"), ("Bed Light aka Night lamp", "Bed Light")),
    *(("Bed\\u0020Light", "Bed Light"), ("Bed\x0020Light", "Bed Light"), ("Bed%20Light", "Bed Light")),
    *(("Bed&nbsp;Light", "Bed Light"), ("K\\u00fcche", "Küche"), ("K\\\\u00fcche", "Küche")),
    *(("K\x00fcche", "Küche"), ("KÃ¼che", "Küche"), ("K\ufffdche", "Küche"), ("K?che", "Küche")),
    *(("K\\xfcche", "Küche"), ("K\\xc3\\xbcche", "Küche"), ("K&uuml;che", "Küche")),
    *(("Ku\u0308che", "Küche"), ("Küche (Kochecke)", "Küche")),
)  # fmt: skip


async def test_names_with_aliases_or_damaged_letters_find_what_they_mean(
    home: HomeAssistant, server: ModelServer
) -> None:
    entities, areas = er.async_get(home), ar.async_get(home)
    entities.async_update_entity(LIGHT, aliases=[er.COMPUTED_NAME, "Night lamp"])
    kitchen = areas.async_get_area_by_name("Kitchen")
    assert kitchen
    areas.async_update(kitchen.id, name="Küche", aliases={"Kochecke"})
    played = Played(await add_agent(home, server), server, is_split=False)
    for written, meant in MEANT:
        in_room = meant == "Küche"
        target = "light.kitchen_lights" if in_room else LIGHT
        given = {"area": written, "domain": ["light"]} if in_room else {"name": written}
        sentence = "etwas Licht zum Kochen in der Küche" if in_room else WISH
        await home.services.async_call("light", "turn_off", {"entity_id": target}, blocking=True)
        call = {"index": 0, "id": "a", "name": ON, "arguments": json.dumps(given)}
        answer = await played.hears(sentence, played.native(call), played.text("No."))
        assert home.states.is_state(target, "on"), (written, answer.tool_results)
        # What tells states finds them, too.
        read = {**call, "name": "homeassistant__GetLiveContext"}
        await played.hears(TALK, played.native(read), played.text("It is nice."))
        result = played.server.results(played.server.requests[-1])[-1]
        assert ("Kitchen Lights" if in_room else "Bed Light") in result, written
    two = {"index": 0, "id": "a", "name": ON, "arguments": '{"name": "Bed Light, Kitchen Lights"}'}
    await played.hears(WISH, played.native(two), played.text("No."))
    assert not played.is_on()


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
    call = {"index": 0, "id": "a", "name": ON, "arguments": GIVEN}
    answer = await played.hears(COMMAND, played.native(call), played.text(told))
    assert not answer.result.continue_conversation


async def test_name_is_found_that_is_written_in_other_pieces(
    home: HomeAssistant, server: ModelServer
) -> None:
    played = Played(await add_agent(home, server), server, is_split=False)
    for name, said in (("Spot2", "spot 2"), ("bed_lamp", "bed lamp"), ("BedLamp", "bed lamp")):
        er.async_get(home).async_update_entity(LIGHT, name=name)
        await home.async_block_till_done()
        call = {"index": 0, "id": "a", "name": ON, "arguments": json.dumps({"name": said})}
        answer = await played.hears(f"how about some cosiness with the {said}", played.native(call))
        assert played.is_on(), (name, answer.tool_results)


REGRESSIONS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "template quotes in an argument": (
        LIGHT,
        [{"index": 0, "id": "a", "name": ON, "arguments": '{"name": "<|\\"|>Bed Light<|\\"|>"}'}],
    ),
    "an apostrophe": (
        LIGHT,
        [{"index": 0, "id": "a", "name": ON, "arguments": """{'name': "Joe's lamp"}"""}],
    ),
    "a comma in an alias": (
        LIGHT,
        [{"index": 0, "id": "a", "name": ON, "arguments": '{"name": "Lamp, the small one"}'}],
    ),
    "an ampersand in a room": (
        "light.kitchen_lights",
        [{"index": 0, "id": "a", "name": ON, "arguments": '{"area": "Cook & Dine"}'}],
    ),
    "an escaped ampersand in a room": (
        "light.kitchen_lights",
        [{"index": 0, "id": "a", "name": ON, "arguments": '{"area": "Cook &amp; Dine"}'}],
    ),
}


async def test_what_was_understood_before_still_is(
    home: HomeAssistant, server: ModelServer
) -> None:
    aliases: list[Any] = [er.COMPUTED_NAME, "Joe's lamp", "Lamp, the small one"]
    er.async_get(home).async_update_entity(LIGHT, aliases=aliases)
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    ar.async_get(home).async_update(kitchen.id, name="Cook & Dine")
    played = Played(await add_agent(home, server), server, is_split=False)
    for name, (target, pieces) in REGRESSIONS.items():
        await home.services.async_call("light", "turn_off", {"entity_id": target}, blocking=True)
        sentence = WISH if target == LIGHT else "some more light in cook & dine"
        answer = await played.hears(sentence, played.native(*pieces))
        assert home.states.is_state(target, "on"), (name, answer.tool_results)
