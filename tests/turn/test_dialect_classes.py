r"""Each class of dialects, by forms that no report has: a right call is made, and nothing else is heard.

A class is mended by grammar, so that forms which nobody has seen are read as well. Each form is played over
Ollama's protocol in one piece, over OpenAI's in single characters. Forms of reports are in `test_dialects.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from ..agent import add_agent
from ..model_servers import ModelServer, OllamaModel, OpenAIModel
from ..ollama import part
from ..openai import PlayedOpenAI, chunk, end, event
from .test_dialects import (
    CALL,
    COMMAND,
    GIVEN,
    LIGHT,
    MARKUP,
    ON,
    TALK,
    WISH,
    Played,
    broken_off,
    played,
    reading,
    refusal,
    server,
)

__all__ = ["played", "server"]

SAID = "It is warm."


def native(arguments: str = GIVEN, name: str = ON) -> list[dict[str, Any]]:
    """Return the pieces of a native call."""
    return [{"index": 0, "id": "a", "name": name, "arguments": arguments}]


ARGUMENTS = (
    # Quotes, separators and comments that JSON has not.
    *("{“name”: “Bed Light”}", "{„name“: „Bed Light“}", '{"name": """Bed Light"""}', '{"name": `Bed Light`}'),
    *('{"name": "Bed Light" /* the lamp */}', '{"name": "Bed Light"} // the lamp', '# call\n{"name": "Bed Light"}'),
    *('{"name": "Bed Light",,}', '{,"name": "Bed Light"}', '{"name" "Bed Light"}', '{"name" => "Bed Light"}'),
    *('{"name": "Bed Light" "domain": "light"}', '{"name": "Bed Light"\n"domain": ["light"]}'),
    '{"name": "Bed Light"; "domain": ["light"]}',
    # Other brackets, none, or not as many.
    *('name="Bed Light"', "name: Bed Light", "name=Bed Light", "- name: Bed Light", "name: Bed Light\ndomain: light"),
    *('("name": "Bed Light")', '(name="Bed Light")', 'dict(name="Bed Light")', "{{{" + GIVEN[1:-1] + "}}}"),
    *('{"name":"Bed Light"]}', '{"name":"Bed Light"]', '[{"name":"Bed Light"]', '{"name":"Bed Light")'),
    # Encoded once more.
    *("{&quot;name&quot;: &quot;Bed Light&quot;}", '{\\u0022name\\u0022: \\u0022Bed Light\\u0022}'),
    *("&lcub;\"name\": \"Bed Light\"&rcub;", "\"{'name': 'Bed Light'}\"", f"'{GIVEN}'", f"`{GIVEN}`", f"\ufeff{GIVEN}"),
    # What is around them.
    *(f"json{GIVEN}", f"<tool_call>{GIVEN}", f"<|constrain|>json<|message|>{GIVEN}", f"{GIVEN}</｜DSML｜invoke>"),
    *(f"{GIVEN}</parameter></function>", f"{GIVEN}<|im_end|>\n<|im_start|>user", f"{GIVEN}\n\nI turn on the light."),
    *(f"I turn on the light: {GIVEN}", f"[{GIVEN}, {GIVEN}]", f"{GIVEN}{{}}{{}}", f"{GIVEN}null", "<name>Bed Light</name>"),
    *("{'name': u'Bed Light'}", '{"name ": "Bed Light"}'),
    # The call itself, in its arguments.
    f'{{"function": "{ON}", "arguments": {GIVEN}}}',
    *(f'{{"arguments": {GIVEN}}}', f'{{"parameters": {GIVEN}}}', f'{{"input": {GIVEN}}}', f'{{"{ON}": {GIVEN}}}'),
    *(f'{{"name": "{ON}", "arguments": {GIVEN}}}', f'{{"kwargs": {json.dumps(GIVEN)}}}', f'{{"properties": {GIVEN}}}'),
    *('{"name": {"value": "Bed Light"}}', '{"name": {"type": "string", "value": "Bed Light"}}', '{"name": ["Bed Light"]}'),
)  # fmt: skip

NAMES = (
    *(f"{ON}<|call|>", f"<|{ON}|>", f'"{ON}"', f"`{ON}`", f"{ON}()", f" {ON} ", f"assistant.{ON}", f"<function={ON}>"),
    *(f"<tool_call>{ON}", "intent-HassTurnOn", "intent___HassTurnOn", "intent__hass_turn_on", f"{ON}[ARGS]", f"{ON}{{"),
    *(f"[TOOL_CALLS]{ON}", f"{ON}</function>", f"{ON}<parameter", f"tools/{ON}", f"functions::{ON}", f"{ON}.call"),
    *(f"{ON}#1", f"{ON}, ", f"name={ON}", f'{{"name": "{ON}"}}', f"to={ON}", f"{ON} commentary", f"call_{ON}", f"{ON}?"),
    *(f"{ON}<|channel|>final <|constrain|>json", f"{ON}\u200b", f"*{ON}*", "intent\\_\\_HassTurnOn", f"▁{ON}", f"{ON}<br>"),
    *(f"<tool>{ON}</tool>", f"<|tool_call_begin|>{ON}", f"tool: {ON}", "intent HassTurnOn"),
)  # fmt: skip

BEGUN = {"index": 0, "id": "a", "name": ON, "arguments": '{"name"'}
PIECES: tuple[list[dict[str, Any]], ...] = (
    [{**BEGUN, "index": "0"}, {"index": "0", "arguments": ': "Bed Light"}'}],
    [{**BEGUN, "index": 1}, {"index": 1, "arguments": ': "Bed Light"}'}],
    [BEGUN, {"index": 1, "id": "a", "arguments": ': "Bed Light"}'}],
    [BEGUN, {"index": 1, "arguments": ': "Bed Light"}'}],
    [BEGUN, {"index": 1, "id": "b", "arguments": ': "Bed '}, {"index": 2, "id": "c", "arguments": 'Light"}'}],
    [BEGUN, {"index": 0, "id": "", "name": "", "arguments": ': "Bed Light"}'}],
    [BEGUN, {"index": 0, "id": None, "name": None, "arguments": ': "Bed Light"}'}],
    [BEGUN, {"index": 1, "id": "", "name": "", "arguments": ""}, {"index": 0, "arguments": ': "Bed Light"}'}],
    [BEGUN, {"index": 0, "arguments": ': "Bed Light"}'}, *native()],
    [*native(), *native()],
    [{"index": 0, "name": ON, "arguments": '{"name"'}, {"index": 0, "id": "a", "arguments": ': "Bed Light"}'}],
    [{**BEGUN, "name": "intent__", "arguments": ""}, {"index": 0, "name": "HassTurnOn", "arguments": GIVEN}],
    [{**BEGUN, "name": "intent__Hass", "arguments": ""}, *native()],
    [{"index": 0, "id": "a", "arguments": GIVEN}, {"index": 0, "id": "a", "name": ON}],
    [{"index": 0, "id": "a", "arguments": GIVEN}, {"index": 0, "id": "b", "name": ON, "arguments": ""}],
    [{**BEGUN, "arguments": ""}, {"index": 1, "id": "b", "arguments": GIVEN}],
    [{**BEGUN, "arguments": None}, {"index": 0, "arguments": GIVEN}],
    [{**BEGUN, "arguments": "null"}, {"index": 0, "arguments": GIVEN}],
    [{**BEGUN, "arguments": {}}, {"index": 0, "id": "a", "arguments": GIVEN}],
    [*native(), {"index": 0, "id": "b", "name": "", "arguments": "{}"}],
)  # fmt: skip

X = ON
D = "｜"
FUNCTION = f'{{"name": "{X}", "args": {GIVEN}}}'
LINE = "name: Bed Light"
MADE = f'{X}(name="Bed Light")'
WRITTEN = (
    # Marks of any namespace, in any brackets; the second one is another, or missing.
    f'<n:function_calls>\n<n:invoke name="{X}">\n<n:parameter name="name">Bed Light</n:parameter>\n</n:invoke>\n</n:function_calls>',
    f"<|tool_calls_section_begin|><|tool_call_begin|>functions.{X}:0<|tool_call_argument_begin|>{GIVEN}<|tool_call_end|>",
    f"<{D}tool▁calls▁begin{D}><{D}tool▁call▁begin{D}>{X}<{D}tool▁sep{D}>{GIVEN}<{D}tool▁call▁end{D}>",
    f"<start_function_call>call:{X}{{name:<escape>Bed Light<escape>}}<end_function_call>",
    f'<|tool_call>call:{X}{{name:<|"|>Bed Light<|"|>}}<tool_call|>',
    f"✿FUNCTION✿: {X}\n✿ARGS✿: {GIVEN}\n✿RESULT✿",
    f"&lt;tool_call&gt;{CALL}&lt;/tool_call&gt;",
    f"[TOOL_REQUEST]{CALL}[END_TOOL_REQUEST]",
    f"<|action|>{CALL}<|/action|>",
    f"<tools>{CALL}</tools>",
    *(f"<tool_call>{CALL}{end}" for end in ("</function_call>", "<tool_call>", "</tool>", "[/TOOL_CALLS]", "</tool_call", "<|im_end|>")),
    *(f"<function={X}>\n<parameter=name>\nBed Light\n{end}" for end in ("</parameter>\n</function", "</function>\n<|im_end|>", "</invoke>")),
    f"<tool_call>{X}\n<arg_key>name\n<arg_value>Bed Light\n</tool_call>",
    f"<tool_call>{X}\n<arg_key>name</arg_key>Bed Light</arg_value>\n</tool_call>",
    f'<{D}DSML{D}invoke name="{X}">\n<{D}DSML{D}parameter name="name">Bed Light<{D}DSML{D}/parameter>\n<{D}DSML{D}/invoke>',
    # Names and arguments in attributes, in elements, as a program, in lines.
    f'<call name="{X}">{GIVEN}</call>',
    f"<tool:{X}>{GIVEN}</tool:{X}>",
    f"<call:{X}>{GIVEN}</call:{X}>",
    f'<tool_call name="{X}"><argument name="name">Bed Light</argument></tool_call>',
    f'<invoke tool="{X}"><parameter key="name">Bed Light</parameter></invoke>',
    f'<invoke name="{X}"><parameter name="name" value="Bed Light"/></invoke>',
    f'<invoke name="{X}"><parameter name="name"><![CDATA[Bed Light]]></parameter></invoke>',
    f"<invoke name={X}><parameter name=name>Bed Light</invoke>",
    f'<function="{X}"><parameter="name">Bed Light</parameter></function>',
    f"<tool_call><function>{X}</function><parameters>{GIVEN}</parameters></tool_call>",
    f"<tool_use><name>{X}</name><input>{GIVEN}</input></tool_use>",
    f"<tool>{X}</tool><tool_input>{GIVEN}</tool_input>",
    f"<use_mcp_tool><server_name>home</server_name><tool_name>{X}</tool_name><arguments>{GIVEN}</arguments></use_mcp_tool>",
    *(f"<tool_call>{X}{between}{GIVEN}</tool_call>" for between in (" ", "\n", ", ", ": ", "\nArguments: ")),
    *(f"<function={X}>{given}</function>" for given in ("name=Bed Light", "(name='Bed Light')", f"\n{LINE}\n", "<name>Bed Light</name>")),
    f"<tool_call>\n{X}\n{LINE}\n</tool_call>",
    f"<tool_call>\nname: {X}\narguments:\n  {LINE}\n</tool_call>",
    f"{X}<arg_key>name</arg_key><arg_value>Bed Light</arg_value></tool_call>",
    f'<action name="{X}">{GIVEN}</action>',
    f"<fn:{X}>{GIVEN}</fn:{X}>",
    *(f"<tool_call>{X}\n{{}}{GIVEN}</tool_call>", f"{X} {{}}{GIVEN}"),
    *(f"<function_calls>\n{MADE}\n</function_calls>", f"<|tool_call_start|>[{MADE}]<|tool_call_end|>", f"[{MADE}]"),
    *(f"```tool_code\n{MADE}\n```", f'<|python_tag|>{X}.call(name="Bed Light")', f"<tool_call>{MADE}</tool_call>"),
    # Headers of channels.
    f"<|channel|>commentary to=functions.{X}<|constrain|>json<|message|>{GIVEN}",
    f'<|channel|>commentary to="functions.{X}" <|constrain|>json<|message|>{GIVEN}',
    f"<|channel|>final to=functions.{X}<|message|>{GIVEN}",
    f"to=functions.{X}<|channel|>commentary code<|message|>{GIVEN}",
    f"assistant to=functions.{X} commentary json{GIVEN}",
    f"<|channel|>commentary to=functions.{X} <|constrain|>json<|message|>{GIVEN[:-1]}<|call|>",
    f"<|channel|>commentary to=functions.{X} <|constrain|>json<|message|>{json.dumps(GIVEN)}<|call|>",
    f"<|channel|>commentary<|message|>to=functions.{X} {GIVEN}",
    f"<|channel|>commentary to=functions.{X}<|message|>{GIVEN}<|call|>commentary",
    # Objects in objects, and as strings; keys or brackets that are missing.
    f'<tool_call>\n{{"name": "{X}", "arguments": {{"name": "Bed Light"\n</tool_call>',
    f"<tool_call>\n{{name: {X}, arguments: {{name: Bed Light}}}}\n</tool_call>",
    f'<tool_call>\n{{"name": "{X}" "arguments": {GIVEN}}}\n</tool_call>',
    f'<{D}DSML{D}invoke="{X}"><{D}DSML{D}parameter="name">Bed Light',
    f"{X}(**{GIVEN})",
    f"<tool_call>{json.dumps(CALL)}</tool_call>",
    "<tool_call>" + CALL.replace('"', "&quot;") + "</tool_call>",
    f'{{"tool_calls": {json.dumps(f"[{CALL}]")}}}',
    f'{{"name": "{X}", "arguments": {json.dumps(json.dumps(GIVEN))}}}',
    f'{{"function": {{"name": "{X}"}}, "arguments": {GIVEN}}}',
    f'{{"tool": {CALL}}}',
    f'{{"actions": [{CALL}]}}',
    f'{{"toolUse": {{"toolUseId": "a", "name": "{X}", "input": {GIVEN}}}}}',
    f'[{{"functionCall": {FUNCTION}}}]',
    f'{{"tool_uses": [{{"recipient_name": "functions.{X}", "parameters": {GIVEN}}}]}}',
    f'{{"tool_name": "{X}", "tool_arguments": {GIVEN}}}',
    f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {CALL}}}',
    f'{{"role": "assistant", "content": null, "tool_calls": [{{"id": "a", "type": "function", "function": {CALL}}}]}}',
)  # fmt: skip

SPEECH = (
    # Thinking by other names, its marks damaged or of two kinds.
    *(f"<{each}>Hm.</{each}>{SAID}" for each in ("scratchpad", "analysis", "inner_monologue", "antThinking", "thinking_process", "mm:think")),
    *(f"<think>Hm.{end}{SAID}" for end in ("</thinking>", "</think\n", "< /think>", "</ think >", "<\\think>", "<think>Hm.</think>")),
    *(f"[unused16]Hm.[unused17]{SAID}", f"<|inner_prefix|>Hm.<|inner_suffix|>{SAID}", f"<think time=1>Hm.</think>{SAID}"),
    f"&lt;think&gt;Hm.&lt;/think&gt;{SAID}",
    f"<|begin_of_thought|>Hm.<|end_of_thought|>\n<|begin_of_solution|>{SAID}<|end_of_solution|>",
    f"<seed:think>Hm.<seed:cot_budget_reflect>5 tokens.</seed:cot_budget_reflect></seed:think>{SAID}",
    # Channels and speakers, some of their marks removed.
    f"<|begin|>assistant<|think|>Hm.<|end|><|begin|>assistant<|content|>{SAID}<|end|>",
    f"<|channel|>analysis\nHm.<|end|><|channel|>final\n{SAID}",
    f"analysis<|message|>Hm.<|end|>assistant<|channel|>final<|message|>{SAID}",
    f"analysis:\nHm.\nassistantfinal: {SAID}",
    *(f"{begin}{SAID}" for begin in ("<|message|>", "<|final|>", "assistant\n", "Assistant: ", "model\n", "<|im_sep|>", "[BOS]", "<bos>")),
    *(f"<{each}>{SAID}</{each}>" for each in ("response", "final_answer", "final", "output", "assistant")),
    # What ends a message, and what is behind it.
    *(f"{SAID}{end}" for end in ("<|im_end", "<|eom_id|>", "<|end▁of▁turn|>", "[EOS]", "<EOT>", "</assistant>", "<|", "</", "</tool_call>")),
    *(f"{SAID}{end}Thanks" for end in ("<|assistant_end|><|user_start|>", "<|end|>\n<|user|>\n", "<|turn_end|>")),
    *(f"{begin}x{end}{SAID}" for begin, end in (("<function_results>", "</function_results>"), ("[TOOL_RESULTS]", "[/TOOL_RESULTS]"))),
)  # fmt: skip

HALF = (
    ("They ask about the bedroo", f"m.\n</thinking>{SAID}"),
    ("They ask.\n</thi", f"nk>{SAID}"),
    *(("They ask.", f"{begin}{SAID}") for begin in ("</think>", "think>", "/think>", "ink>\n\n", "◁/think▷", "</think></think>")),
    *(("They ask.", f"{begin}{SAID}") for begin in ("w.<|channel|>final<|message|>", "final<|message|>", "assistantfinal")),
    ("They ask.", f"and more.<|end_of_thought|>{SAID}"),
    ("They ask.", f"<|end|><|start|>assistant<|channel|>final<|message|>{SAID}"),
)  # fmt: skip

FAULTS = (
    *("Invalid tool call format", "tool_call_parse_error", "Could not parse function arguments", "Output parsing error"),
    *("Model output is not valid JSON", "Unable to decode tool call: Expecting ',' delimiter: line 1 column 20 (char 19)"),
    *("Expecting value: line 1 column 1 (char 0)", "expected `,` or `}` at line 1 column 22", "Unclosed tag <tool_call>"),
    *("The model produced invalid content. Consider modifying your prompt.", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL"),
    *("Hermes tool parser failed", "Could not deserialize tool call arguments", "failed to extract tool calls", "unbalanced braces in tool call", "harmony: expected start token"),
    *("Function call arguments must be an object", "invalid channel 'commentry' in message header", "no tool call found in output"),
)  # fmt: skip

# What is no fault of the model's: told at once.
OTHER_FAULTS = (
    *(
        "internal server error",
        "model requires more system memory",
        "Failed to load model",
        "connection reset",
    ),
    *(
        "Failed to parse chat template",
        "invalid JSON in request body",
    ),
)

FIELDS: tuple[dict[str, Any], ...] = (
    {"thought_signature": "x"},
    {"signature": "in the function"},
    {"provider": {"state": {"blob": "eA=="}}, "cache_control": {"type": "ephemeral"}},
    {"metadata": [{"k": 1}, {"k": 2}]},
)

OF_MESSAGES: tuple[dict[str, Any], ...] = (
    {"thinking_blocks": [{"type": "thinking", "signature": "x"}]},
    {"encrypted_content": "eA=="},
    {"reasoning_details": [{"type": "reasoning.text", "signature": "x"}]},
)
ENDED = ("error", "UNEXPECTED_TOOL_CALL", "tool_call_parse_error", "TOO_MANY_TOOL_CALLS")

ALIASES = (
    *("Bed Light: Night lamp", "Bed Light | Night lamp", "Bed Light; Night lamp", "Bed Light = Night lamp", "Bed Light or Night lamp"),
    *("Bed Light – Night lamp", "Bed Light (aliases: Night lamp)", "light.bed_light (Bed Light)", "name: Bed Light, Night lamp"),
    *("Bed Light\nNight lamp", "Bed Light <Night lamp>", "Bed Light {Night lamp}", "Bed Light: on", "Bed Light a.k.a. Night lamp"),
    *("Bed Light (Night lamp", "Night lamp, Bed Light", "['Bed Light', 'Night lamp']", "Bed Light & Night lamp", "- Bed Light"),
)  # fmt: skip

# One letter or space, damaged in whatever way.
LETTERS = (
    *("K&#252;che", "K&#xfc;che", "K&amp;uuml;che", "K%C3%BCche", "K%FCche", "K=C3=BCche", "KÃƒÂ¼che", "KĂĽche", "KГјche", "K├╝che"),
    *("K³che", "K\\303\\274che", "K\\u{fc}che", "K\\u00c3\\u00bcche", "Ku\\u0308che", "K\x81che", "K_che", "K??che", "K\u00adüche"),
    *("KÌˆche", "K<U+00FC>che", "K<0xC3><0xBC>che"),
)  # fmt: skip
SPACES = (
    *("Bed<0x20>Light", "Bed%2520Light", "Bed=20Light", "Bed+Light", "Bed\\nLight", "Bed▁Light", "BedĠLight", "Bed\u2028Light"),
    *("Ｂｅｄ Ｌｉｇｈｔ", "Bed Light\\n", "Bed Light</parameter>", "Bed Light\"}", "\u200eBed Light", "B\u0435d Light"),
)  # fmt: skip

HALF_BRIGHT = "set the bed light to half brightness"
SHARES = (
    *(
        (HALF_BRIGHT, each, 50)
        for each in ("1/2", "0,5", "½", ".5", "50/100", "50pct", "50.0%", [50], {"value": 50})
    ),
    *(
        ("set the bed light to 80 percent", each, 80)
        for each in (204, "204", 0.8, "80.0", "80 per cent", "4/5")
    ),
    *(("set the bed light to 5 percent", each, 5) for each in (0.05, "0,05", "1/20")),
)
# Nobody knows which share these are: they are never confirmed, least of all as 0.
NO_SHARES = (0.005, "0.5 %", 1.7, "a bit", 300, -0.3)
OF_OTHERS = (
    ("set the walkman's volume to 40 percent", "media_player__HassSetVolume", {"name": "Walkman", "volume_level": 0.4}, "volume_level", 0.4),
    ("volume of the walkman to a quarter", "media_player__HassSetVolume", {"name": "Walkman", "volume_level": "1/4"}, "volume_level", 0.25),
    ("set the walkman's volume to 60 percent", "media_player__HassSetVolume", {"name": "Walkman", "volume_level": "0,6"}, "volume_level", 0.6),
)  # fmt: skip


@dataclass(frozen=True)
class DialectClass:
    """Forms of one class, how each is played, and what is said meanwhile."""

    forms: tuple[Any, ...]
    answers: Callable[[Played, Any], list[Any]]
    sentence: str = WISH


CALLED = {
    "B1": DialectClass(ARGUMENTS, lambda played, form: [played.native(*native(form))]),
    "B2": DialectClass(WRITTEN, lambda played, form: [played.text(form)]),
    "B5": DialectClass(NAMES, lambda played, form: [played.native(*native(name=form))]),
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


@pytest.mark.parametrize("name", CALLED)
async def test_forms_of_a_class_are_the_call_that_they_are(played: Played, name: str) -> None:
    tested = CALLED[name]
    for form in tested.forms:
        answer = await played.hears(tested.sentence, *tested.answers(played, form))
        assert played.is_on(), form
        assert len(played.server.requests) == 1, form
        assert len(answer.tool_calls) == 1, form
        assert not [each for each in answer.streamed if any(mark in each for mark in MARKUP)], form


@pytest.mark.parametrize("name", HEARD)
async def test_of_forms_of_a_class_only_speech_is_heard(played: Played, name: str) -> None:
    tested = HEARD[name]
    for form in tested.forms:
        answer = await played.hears(tested.sentence, *tested.answers(played, form))
        assert answer.speech == SAID, form
        assert "".join(answer.streamed).strip() == SAID, form


async def test_arguments_that_come_anew_in_each_piece_are_those_of_the_last(
    home: HomeAssistant, server: ModelServer
) -> None:
    played = Played(await add_agent(home, server), server, is_split=False)
    for cuts in ((9,), (2, 12), (5, 9, 15)):
        pieces = [native(GIVEN[:cut])[0] for cut in cuts]
        answer = await played.hears(WISH, played.native(*pieces, *native()))
        assert played.is_on(), cuts
        assert len(answer.tool_calls) == 1


async def test_fault_of_generation_is_asked_for_once_more_in_whichever_words(
    played: Played,
) -> None:
    right = played.native(*native())
    for words in FAULTS:
        for fault in (
            refusal(played.server, 500, words),
            refusal(played.server, 502, words),
            broken_off(played.server, words),
        ):
            await played.hears(WISH, fault, right)
            assert played.is_on(), words
            assert len(played.server.requests) == 2, words
    for words in OTHER_FAULTS:
        answer = await played.hears(WISH, refusal(played.server, 500, words), right)
        assert answer.is_error, words
        assert len(played.server.requests) == 1, words


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


async def test_message_that_ends_with_a_fault_is_asked_for_once_more(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    played = Played(await add_agent(home, OpenAIModel(openai)), OpenAIModel(openai), False)
    right = played.native(*native())
    said = {"object": "error", "message": FAULTS[0], "code": 500}
    inner = {"message": "Provider returned error", "metadata": {"raw": FAULTS[0]}}
    for fault in (
        *([*end(reason)] for reason in ENDED),
        *([event(each)] for each in (said, {"error": inner}, {"error": FAULTS[0]})),
    ):
        await played.hears(WISH, fault, right)
        assert played.is_on(), fault
        assert len(openai.chats) == 2, fault


async def test_names_are_found_beside_their_aliases_and_with_damaged_letters(
    home: HomeAssistant, server: ModelServer
) -> None:
    er.async_get(home).async_update_entity(LIGHT, aliases=[er.COMPUTED_NAME, "Night lamp"])
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    ar.async_get(home).async_update(kitchen.id, name="Küche")
    played = Played(await add_agent(home, server), server, is_split=False)
    cases: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
        ((*ALIASES, *SPACES), "name", LIGHT, WISH),
        (LETTERS, "area", "light.kitchen_lights", "etwas Licht zum Kochen in der Küche"),
    )
    for forms, slot, target, sentence in cases:
        for written in forms:
            given = {slot: written} | ({"domain": ["light"]} if slot == "area" else {})
            await home.services.async_call(
                "light", "turn_off", {"entity_id": target}, blocking=True
            )
            call = played.native(*native(json.dumps(given)))
            answer = await played.hears(sentence, call, played.text("No."))
            assert home.states.is_state(target, "on"), (written, answer.tool_results)
            read = native(json.dumps(given), "homeassistant__GetLiveContext")
            await played.hears(TALK, played.native(*read), played.text(SAID))
            result = played.server.results(played.server.requests[-1])[-1]
            assert not result.startswith("Error"), (written, result)
    # Several things stay several, and another word is another word.
    for written in ("Bed Light & Kitchen Lights", "Bed Bad Light", "Bed - Cafe Light"):
        call = played.native(*native(json.dumps({"name": written})))
        await played.hears(WISH, call, played.text("No."))
        assert not played.is_on(), written


async def test_share_is_set_in_percent_in_whichever_way_it_is_written(played: Played) -> None:
    states = played.agent.hass.states

    def brightness() -> int:
        state = states.get(LIGHT)
        assert state
        return round((state.attributes.get("brightness") or 0) / 2.55)

    for sentence, written, percent in SHARES:
        given = json.dumps({"name": "Bed Light", "brightness": written})
        await played.hears(sentence, played.native(*native(given, "light__HassLightSet")))
        assert brightness() == percent, (sentence, written)
    for written in NO_SHARES:
        given = json.dumps({"name": "Bed Light", "brightness": written})
        call = played.native(*native(given, "light__HassLightSet"))
        await played.hears("make the bed light cosy", call, played.text("No."))
        assert not played.is_on(), written
        assert played.server.results(played.server.requests[1])[0].startswith("Error"), written
    for sentence, tool, of_player, attribute, value in OF_OTHERS:
        await played.hears(sentence, played.native(*native(json.dumps(of_player), tool)))
        player = states.get("media_player.walkman")
        assert player
        assert player.attributes[attribute] == value, of_player


async def test_plural_name_is_that_of_the_speakers_room(
    home: HomeAssistant, server: ModelServer
) -> None:
    """A model's right call for one room is not widened to each room that has such a thing."""
    entities, areas, devices = er.async_get(home), ar.async_get(home), dr.async_get(home)
    lights = ("light.bed_light", "light.ceiling_lights", "light.office_rgbw_lights")
    rooms = [areas.async_get_or_create(name) for name in ("Office", "Garage", "Attic")]
    for light, room in zip(lights, rooms, strict=True):
        entities.async_update_entity(light, name="Lights", area_id=room.id)
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(home)
    satellite = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    devices.async_update_device(satellite.id, area_id=rooms[1].id)
    agent = await add_agent(home, server)
    played = Played(agent, server, is_split=False)
    for sentence, name, given in (
        ("turn off the lights", "intent__HassTurnOff", {"name": "Lights"}),
        ("lights off please", "intent__HassTurnOff", {"area": "Garage", "domain": ["light"]}),
        ("switch the lights off", "intent__HassTurnOff", {"name": "Lights", "area": "Garage"}),
        (
            "dim the lights to 20 percent",
            "light__HassLightSet",
            {"name": "Lights", "brightness": 20},
        ),
    ):
        for light in lights:
            await home.services.async_call(
                "light", "turn_on", {"entity_id": light, "brightness_pct": 100}, blocking=True
            )
        server.forget()
        server.answers(played.native(*native(json.dumps(given), name)))
        await agent.hears(sentence, device_id=satellite.id)
        full = [
            light
            for light in lights
            if (state := home.states.get(light)) and state.attributes.get("brightness") == 255
        ]
        assert full == [lights[0], lights[2]], sentence


async def test_remark_beside_a_wish_makes_no_question_of_it(
    home: HomeAssistant, server: ModelServer
) -> None:
    played = Played(await add_agent(home, server), server, is_split=False)
    for sentence in (
        "some light please, it is dark",
        "some light in the bedroom please, it is dark",
        "lamp please, it is dark",
        "some light please, I am reading",
    ):
        await played.hears(sentence, played.native(*native()), played.text("No."))
        assert played.is_on(), sentence
    answer = await played.hears("is some light on?", played.native(*native()), played.text("No."))
    assert not played.is_on(), answer.tool_results


async def test_plain_command_is_done_whatever_a_server_or_a_model_makes_of_it(
    played: Played,
) -> None:
    """Of what nobody can read, the model hears once; then what the user said is done."""
    for broken in ('{"name": "Bed Light", "area": }', '{"name": "Bed Li', "{]", '{"name": }'):
        call = played.native(*native(broken))
        answer = await played.hears(COMMAND, call, call)
        assert played.is_on(), broken
        assert not answer.is_error, broken
