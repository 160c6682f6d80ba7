"""Forms in which model servers and models write calls, thoughts, names and faults.

Those of reports come first in each table, then forms of the same class that no report has: a class is
mended by grammar, so that forms which nobody has seen are read as well.
"""

import json
from typing import Any

ON = "intent__HassTurnOn"
GIVEN = '{"name": "Bed Light"}'
SAID = "It is warm."


def native(arguments: Any = GIVEN, name: str = ON) -> list[dict[str, Any]]:
    """Return the pieces of a native call."""
    return [{"index": 0, "id": "a", "name": name, "arguments": arguments}]


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
    *(f"<|tool_call_argument_begin|>{GIVEN}", f"args: {GIVEN}", '{"name": "Bed Light"}{"name": "Bed Light"'),
    *("{'name': u'Bed Light'}", '{"name ": "Bed Light"}'),
    # The call itself, in its arguments.
    f'{{"function": "{ON}", "arguments": {GIVEN}}}',
    *(f'{{"arguments": {GIVEN}}}', f'{{"parameters": {GIVEN}}}', f'{{"input": {GIVEN}}}', f'{{"{ON}": {GIVEN}}}'),
    *(f'{{"name": "{ON}", "arguments": {GIVEN}}}', f'{{"kwargs": {json.dumps(GIVEN)}}}', f'{{"properties": {GIVEN}}}'),
    *(f'{{"arguments": {json.dumps(GIVEN)}}}', "name -> Bed Light", 'name := "Bed Light"', '{"name"："Bed Light"，}', f"{GIVEN}undefined"),
    *('{"name": {"value": "Bed Light"}}', '{"name": {"type": "string", "value": "Bed Light"}}', '{"name": ["Bed Light"]}'),
)  # fmt: skip

# Arguments that cannot be read.
UNREADABLE = (
    '{"name": "Bed Li',
    "the bed light",
    '{"name"}',
    '{"name": "Bed Light"}{"name": "Lamp"}',
)  # fmt: skip

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
    *(f"{ON}<|call|>", f"<|{ON}|>", f'"{ON}"', f"`{ON}`", f"{ON}()", f" {ON} ", f"assistant.{ON}", f"<function={ON}>"),
    *(f"<tool_call>{ON}", "intent-HassTurnOn", "intent___HassTurnOn", "intent__hass_turn_on", f"{ON}[ARGS]", f"{ON}{{"),
    *(f"[TOOL_CALLS]{ON}", f"{ON}</function>", f"{ON}<parameter", f"tools/{ON}", f"functions::{ON}", f"{ON}.call"),
    *(f"{ON}#1", f"{ON}, ", f"name={ON}", f'{{"name": "{ON}"}}', f"to={ON}", f"{ON} commentary", f"call_{ON}", f"{ON}?"),
    *(f"{ON}<|channel|>final <|constrain|>json", f"{ON}\u200b", f"*{ON}*", "intent\\_\\_HassTurnOn", f"▁{ON}", f"{ON}<br>"),
    *(f"<tool>{ON}</tool>", f"<|tool_call_begin|>{ON}", f"tool: {ON}", "intent HassTurnOn"),
    *(f"{ON}:call_1", f"default_api:{ON}", f"mcp__home__{ON}", f"{ON}<｜tool▁sep｜>"),
    *("homeassistant.HassTurnOn", "hass/HassTurnOn", "home:HassTurnOn", "assist.HassTurnOn"),
)  # fmt: skip

BEGUN = {"index": 0, "id": "a", "name": ON, "arguments": '{"name"'}
EMPTY = {**BEGUN, "arguments": ""}
PLACEHOLDER = {**BEGUN, "arguments": "{}"}
REST = ': "Bed Light"}'
# Pieces of one native call.
PIECES: tuple[list[dict[str, Any]], ...] = (
    # A placeholder, with its id again or without; arguments as an object.
    [PLACEHOLDER, {"index": 0, "arguments": GIVEN}],
    [PLACEHOLDER, *native()],
    [{**BEGUN, "arguments": {}}, {"index": 0, "arguments": {"name": "Bed Light"}}],
    [{"index": 0, "id": "", "name": "", "arguments": ""}, {**BEGUN, "index": 1, "arguments": GIVEN}],
    # A new id in each piece, with the name or without, without an index.
    [EMPTY, {"index": 0, "id": "b", "arguments": '{"name": '}, {"index": 0, "id": "c", "arguments": '"Bed Light"}'}],
    [{**BEGUN, "arguments": '{"na'}, {"index": 0, "id": "b", "arguments": 'me": "Bed Light"}'}],
    [BEGUN, {"index": 0, "id": "b", "name": ON, "arguments": REST}],
    [BEGUN, {"arguments": REST}],
    [{"id": "a", "name": ON, "arguments": ""}, {"id": "b", "arguments": GIVEN}],
    [{"id": "a", "name": ON, "arguments": '{"name"'}, {"id": "b", "name": ON, "arguments": REST}],
    [{**BEGUN, "index": "0"}, {"index": "0", "arguments": REST}],
    [{**BEGUN, "index": 1}, {"index": 1, "arguments": REST}],
    [BEGUN, {"index": 1, "id": "a", "arguments": REST}],
    [BEGUN, {"index": 1, "arguments": REST}],
    [BEGUN, {"index": 1, "id": "b", "arguments": ': "Bed '}, {"index": 2, "id": "c", "arguments": 'Light"}'}],
    [BEGUN, {"index": 0, "id": "", "name": "", "arguments": REST}],
    [BEGUN, {"index": 0, "id": None, "name": None, "arguments": REST}],
    [BEGUN, {"index": 1, "id": "", "name": "", "arguments": ""}, {"index": 0, "arguments": REST}],
    [BEGUN, {"index": 0, "arguments": REST}, *native()],
    [*native(), *native()],
    [{"index": 0, "name": ON, "arguments": '{"name"'}, {"index": 0, "id": "a", "arguments": REST}],
    [{**BEGUN, "name": "intent__", "arguments": ""}, {"index": 0, "name": "HassTurnOn", "arguments": GIVEN}],
    [{**BEGUN, "name": "intent__Hass", "arguments": ""}, *native()],
    [{"index": 0, "id": "a", "arguments": GIVEN}, {"index": 0, "id": "a", "name": ON}],
    [{"index": 0, "id": "a", "arguments": GIVEN}, {"index": 0, "id": "b", "name": ON, "arguments": ""}],
    [EMPTY, {"index": 1, "id": "b", "arguments": GIVEN}],
    [{**BEGUN, "arguments": None}, {"index": 0, "arguments": GIVEN}],
    [{**BEGUN, "arguments": "null"}, {"index": 0, "arguments": GIVEN}],
    [{**BEGUN, "arguments": {}}, {"index": 0, "id": "a", "arguments": GIVEN}],
    [*native(), {"index": 0, "id": "b", "name": "", "arguments": "{}"}],
    # It begins again.
    [{**BEGUN, "arguments": '{"name": "Be'}, *native()],
    [{**BEGUN, "arguments": '{"name": "Be'}, {**BEGUN, "arguments": "{"}, {"index": 0, "arguments": '"name": "Bed Light"}'}],
)  # fmt: skip

X, KEY, VALUE = ON, "name", "Bed Light"
CALL = json.dumps({"name": X, "arguments": {KEY: VALUE}})
D = "｜DSML｜"
B = "｜"
FUNCTION = f'{{"name": "{X}", "args": {GIVEN}}}'
LINE = "name: Bed Light"
MADE = f'{X}(name="Bed Light")'
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
    # Marks of any namespace, in any brackets; the second one is another, or missing.
    f'<n:function_calls>\n<n:invoke name="{X}">\n<n:parameter name="name">Bed Light</n:parameter>\n</n:invoke>\n</n:function_calls>',
    f"<|tool_calls_section_begin|><|tool_call_begin|>functions.{X}:0<|tool_call_argument_begin|>{GIVEN}<|tool_call_end|>",
    f"<{B}tool▁calls▁begin{B}><{B}tool▁call▁begin{B}>{X}<{B}tool▁sep{B}>{GIVEN}<{B}tool▁call▁end{B}>",
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
    f'<{D}invoke name="{X}">\n<{D}parameter name="name">Bed Light<{D}/parameter>\n<{D}/invoke>',
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
    # What announces a call in a program, a prompt or a report.
    *(f"{before}{MADE}" for before in ("Action: ", "**Tool call:** ", "1. ", "- ", "> ", ">>> ", "→ ", "$ ", "@", "### Action\n", "Step 1: ")),
    *(f"{before} {X} {GIVEN}" for before in ("!", "Using", "call", "1)")),
    *(f"Action: {X}\nAction Input: {GIVEN}", f"Function: `{X}`\nArguments: {GIVEN}", f"Calling {X}({GIVEN})", f"call {X} with {GIVEN}"),
    f"Thought: They want light.\nAction: {X}\nAction Input: {GIVEN}\nObservation: It is on.\nFinal Answer: It is on.",
    *(f"<execute>{MADE}</execute>", f"<functioncall> {CALL} </functioncall>", f"{X}\n```json\n{GIVEN}\n```", f"**{X}**: {GIVEN}"),
    *(f"<action>{X}</action><action_input>{GIVEN}</action_input>", f"[FUNCTION_CALL]{CALL}[/FUNCTION_CALL]"),
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
    f'<{D}invoke="{X}"><{D}parameter="name">Bed Light',
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
    # A line of a program, with its result in a variable.
    *(f"{before}{MADE}" for before in ("result = ", "res = await tools.", "const r = await functions.")),
    *(f'await {X}({{name: "Bed Light"}});', f"```python\nresult = {MADE}\n```", f"<tool_code>print({MADE})</tool_code>"),
    # Calls as a log has them.
    *(f"[Tool Call: {MADE}]", f"[called tool {X} with {GIVEN}]", f"Tool: {X}\nInput: {GIVEN}", f"tool_name: {X}\ntool_input: {GIVEN}"),
    *(f"<tool-call>{CALL}</tool-call>", f"<functionCall>{CALL}</functionCall>", f"<|python_start|>[{MADE}]<|python_end|>"),
    f"<|tool_call_begin|>{X}<|tool_arg_begin|>name<|tool_arg_sep|>Bed Light<|tool_arg_end|><|tool_call_end|>",
    *(f"<|start|>assistant<|recipient|>functions.{X}<|content|>{GIVEN}<|end|>", f">>>{X}\n{GIVEN}"),
    f"<tool_call>{X}\n```json\n{GIVEN}\n```\n</tool_call>",
    f'<invoke name="{X}">\n<parameter name="name" type="string">Bed Light</parameter>\n</invoke>',
    f'Action:\n```json\n{{"action": "{X}", "action_input": {GIVEN}}}\n```',
    f'{{"type": "function_call", "name": "{X}", "arguments": {json.dumps(GIVEN)}, "call_id": "a"}}',
    f'{{"type": "tool_use", "id": "a", "name": "{X}", "input": {GIVEN}}}',
    f'{{"command": "{X}", "args": {GIVEN}}}',
    # A list of a name and arguments; a name in brackets, in a namespace, or before its pairs.
    *(f'{begin}["{X}", {GIVEN}]{end}' for begin, end in (("<tool_call>", ""), ("<tool_call>", "</tool_call>"), ("[TOOL_CALLS]", ""), ("<|tool_call|>", "<|/tool_call|>"))),
    *(f"[{announced}: {X}] {GIVEN}" for announced in ("tool_use", "tool_call", "function", "call", "Action")),
    *(f'<{space}.{X} name="Bed Light"{end}' for space in ("tools", "functions") for end in ("/>", " />", f"></{space}.{X}>")),
    *(f"{X} {pairs}" for pairs in ('name="Bed Light"', "name=Bed Light", "name = 'Bed Light'", 'name="Bed Light" domain="light"', "name=Bed Light.")),
)  # fmt: skip

# What is heard of these is SAID.
SPEECH = (
    "<|channel|>final<|message|>It is warm.<|return|>",
    "<|channel|>final <|constrain|>text<|message|>It is warm.",
    "<|start|>assistant<|channel|>final<|message|>It is warm.<|end|>",
    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is warm.",
    "analysisThe user asks.assistantfinalIt is warm.",
    "analysisThey ask.assistantanalysisHm.assistantfinalIt is warm.",
    "assistantfinalIt is warm.",
    "finalIt is warm.",
    "analysis The user asks something.assistantfinalIt is warm.",
    "It is warm.<|im_end|>\n<|im_start|>user\nThanks",
    "It is warm.<|im_end|>\n<|im_start|>user\nThanks<|im_end|>\n<|im_start|>assistant\nWelcome.",
    "It is warm.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nThanks",
    "<|start_header_id|>assistant<|end_header_id|>\n\nIt is warm.",
    "It is warm.<end_of_turn>\n<start_of_turn>user\nThanks",
    "It is warm.</s>[INST] Thanks [/INST] Welcome.",
    "It is warm.<|endoftext|>Human: what else?",
    "It is warm.<|user|>\nThanks",
    "It is warm.<｜end▁of▁sentence｜><｜User｜>Thanks",
    "It is warm.<turn|>\n<|turn>user\nThanks",
    "<|assistant|>It is warm.<|observation|>",
    "<|START_RESPONSE|>It is warm.<|END_RESPONSE|>",
    "<answer>It is warm.</answer>",
    "<s>It is warm.</s>",
    "<seed:think>Hm.</seed:think>It is warm.",
    "<|START_THINKING|>Hm.<|END_THINKING|>It is warm.",
    "<|channel>thought\nHm.<channel|>It is warm.",
    "<reasoning>Hm.</reasoning>It is warm.",
    "<THINK>Hm.</THINK>It is warm.",
    "<think/>It is warm.",
    "<|think|>Hm.<|/think|>It is warm.",
    '<think>Hm.</think>{"say": "It is warm."}',
    '{"say": "It is warm."}<|im_end|>',
    "It is warm.\n<tool_response>\n{}\n</tool_response>",
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
    *(f"{begin}{SAID}" for begin in ("Answer: ", "Final Answer: ", "AI: ", "Thought: Hm.\nFinal Answer: ")),
    *(f"<{each}>{SAID}</{each}>" for each in ("solution", "result", "reply")),
    # What ends a message, and what is behind it.
    *(f"{SAID}{end}" for end in ("<|im_end", "<|eom_id|>", "<|end▁of▁turn|>", "[EOS]", "<EOT>", "</assistant>", "<|", "</", "</tool_call>")),
    *(f"{SAID}{end}Thanks" for end in ("<|assistant_end|><|user_start|>", "<|end|>\n<|user|>\n", "<|turn_end|>")),
    *(f"{begin}x{end}{SAID}" for begin, end in (("<function_results>", "</function_results>"), ("[TOOL_RESULTS]", "[/TOOL_RESULTS]"))),
    # Further words for thinking, marks of other families, and what is around an answer.
    *(f"<{each}>Hm.</{each}>{SAID}" for each in ("plan", "rationale", "internal")),
    *(f"<|hidden|>Hm.<|/hidden|>{SAID}", f"<ctrl94>thought\nHm.<ctrl95>{SAID}", f"<|im_start|>think\nHm.<|im_end|>\n<|im_start|>assistant\n{SAID}"),
    *(f"{begin}{SAID}" for begin in ("**Final Answer:** ", "### Response:\n", "### Assistant: ", "ASSISTANT: ", "<SPECIAL_11>Assistant\n", "<|message_start|>")),
    *(f"{SAID}{end}" for end in ("<0x0A>", "<SPECIAL_12>", "[PAD]", "[UNK]", "[e~[", "【0†source】", "<extra_id_1>User\nThanks")),
    *(f"<{each}>{SAID}</{each}>" for each in ("speech", "say", "text")),
    *(f"<assistant>{SAID}</assistant><user>Thanks</user>", "It is <co: 0>warm</co: 0>.", "It is <|object_ref_start|>warm<|object_ref_end|>."),
    *('{"response": "It is warm."}', '{"answer": "It is warm."}'),
    # Thinking in brackets of its own, comments, formulas, and parts of messages.
    *(f"{begin}Hm.{end}{SAID}" for begin, end in (("[think]", "[/think]"), ("[thinking]\n", "\n[/thinking]\n"), ("<reason>", "</reason>"), ("[THINKING]", "[/THINKING]"))),
    *(f"<!-- Hm. Well? -->{SAID}", f"{SAID}<!-- Hm. -->", f"<!--\nHm.\nWell?\n-->\n{SAID}", "It is <!-- Hm. -->warm."),
    *(f"\\boxed{{{SAID}}}", f"\\text{{{SAID}}}", "It is \\textbf{warm}.", "\\boxed{It is \\text{warm}.}"),
    *('{"type": "text", "text": "It is warm."}', '[{"type": "text", "text": "It is warm."}]', '{"text": "It is warm."}'),
    '{"type":"text","text":"It is warm.","annotations":[]}',
)  # fmt: skip
OTHER_SPEECH = (
    ("<|channel|>commentary<|message|>I look it up.", "I look it up."),
    ("It is <b>warm</b>, 5 < 6 and a<b.", "It is warm, 5 < 6 and a<b."),
)

# A thought in a field of its own, which goes on in the text.
HALF = (
    ("They ask about the bedroo", "m.\n</think>It is warm."),
    ("They ask.", "w.\n</think>It is warm."),
    ("They ask", ", so I tell them it is warm.</think>\n\nIt is warm."),
    ("They ask", "about it.[/THINK]It is warm."),
    ("They ask.", "It is warm."),
    ("They ask.", "\n\nIt is warm."),
    ("They ask about the bedroo", f"m.\n</thinking>{SAID}"),
    ("They ask.\n</thi", f"nk>{SAID}"),
    *(("They ask.", f"{begin}{SAID}") for begin in ("</think>", "think>", "/think>", "ink>\n\n", "◁/think▷", "</think></think>")),
    *(("They ask.", f"{begin}{SAID}") for begin in ("w.<|channel|>final<|message|>", "final<|message|>", "assistantfinal")),
    ("They ask.", f"and more.<|end_of_thought|>{SAID}"),
    ("They ask.", f"<|end|><|start|>assistant<|channel|>final<|message|>{SAID}"),
)  # fmt: skip

# What a server says that could not read what its model wrote.
FAULTS = (
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
    *("Invalid tool call format", "tool_call_parse_error", "Could not parse function arguments", "Output parsing error"),
    *("Model output is not valid JSON", "Unable to decode tool call: Expecting ',' delimiter: line 1 column 20 (char 19)"),
    *("Expecting value: line 1 column 1 (char 0)", "expected `,` or `}` at line 1 column 22", "Unclosed tag <tool_call>"),
    *("The model produced invalid content. Consider modifying your prompt.", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL"),
    *("Hermes tool parser failed", "Could not deserialize tool call arguments", "failed to extract tool calls", "unbalanced braces in tool call", "harmony: expected start token"),
    *("Function call arguments must be an object", "invalid channel 'commentry' in message header", "no tool call found in output"),
)  # fmt: skip

# Of these, the server quotes the whole call.
QUOTED = (
    f"Failed to parse input at pos 0: <tool_call>{CALL}}}</tool_call>",
    f"error parsing tool call: raw='{CALL}]', err=invalid character ']' after top-level value",
    f"Tool call could not be parsed: <function={X}>{GIVEN}",
)  # fmt: skip

# What is no fault of the model's: told at once.
OTHER_FAULTS = (
    *("CUDA error", "llama runner process has terminated", "internal server error", "connection reset"),
    *("model requires more system memory", "Failed to load model", "Failed to parse chat template"),
    "invalid JSON in request body",
)  # fmt: skip

ENDED = ("error", "UNEXPECTED_TOOL_CALL", "tool_call_parse_error", "TOO_MANY_TOOL_CALLS", "malformed_function_call", "function_call_filter: MALFORMED_FUNCTION_CALL")  # fmt: skip
"""Reasons for the end of a message that no model gave."""
# What may come with a call, and with a message.
FIELDS: tuple[dict[str, Any], ...] = (
    {"extra_content": {"google": {"thought_signature": "s1g"}}},
    {"provider_specific_fields": {"thought_signature": "x"}, "vendor": [1]},
    {"thought_signature": "x"},
    {"signature": "in the function"},
    {"provider": {"state": {"blob": "eA=="}}, "cache_control": {"type": "ephemeral"}},
    {"metadata": [{"k": 1}, {"k": 2}]},
)  # fmt: skip
OF_MESSAGES: tuple[dict[str, Any], ...] = (
    {"thinking_blocks": [{"type": "thinking", "signature": "x"}]},
    {"encrypted_content": "eA=="},
    {"reasoning_details": [{"type": "reasoning.text", "signature": "x"}]},
)  # fmt: skip

# Names with an alias "Night lamp", or with a damaged letter or space.
BED_LIGHT = (
    *("Bed Light (Night lamp)", "Bed Light, Night lamp", "Night lamp / Bed Light", "Bed Light (light, Bedroom)", "Bed Light [Night lamp]", "Bed Light aka Night lamp"),
    *("Bed\\u0020Light", "Bed\x0020Light", "Bed%20Light", "Bed&nbsp;Light"),
    *("Bed Light: Night lamp", "Bed Light | Night lamp", "Bed Light; Night lamp", "Bed Light = Night lamp", "Bed Light or Night lamp"),
    *("Bed Light – Night lamp", "Bed Light (aliases: Night lamp)", "light.bed_light (Bed Light)", "name: Bed Light, Night lamp"),
    *("Bed Light\nNight lamp", "Bed Light <Night lamp>", "Bed Light {Night lamp}", "Bed Light: on", "Bed Light a.k.a. Night lamp"),
    *("Bed Light (Night lamp", "Night lamp, Bed Light", "['Bed Light', 'Night lamp']", "Bed Light & Night lamp", "- Bed Light"),
    *("Bed<0x20>Light", "Bed%2520Light", "Bed=20Light", "Bed+Light", "Bed\\nLight", "Bed▁Light", "BedĠLight", "Bed\u2028Light"),
    *("Ｂｅｄ Ｌｉｇｈｔ", "Bed Light\\n", "Bed Light</parameter>", "Bed Light\"}", "\u200eBed Light", "B\u0435d Light"),
)  # fmt: skip

# Likewise "Küche", with the alias "Kochecke".
KITCHEN = (
    *("K\\u00fcche", "K\\\\u00fcche", "K\x00fcche", "KÃ¼che", "K\ufffdche", "K?che"),
    *("K\\xfcche", "K\\xc3\\xbcche", "K&uuml;che", "Ku\u0308che", "Küche (Kochecke)"),
    *("K&#252;che", "K&#xfc;che", "K&amp;uuml;che", "K%C3%BCche", "K%FCche", "K=C3=BCche", "KÃƒÂ¼che", "KĂĽche", "KГјche", "K├╝che"),
    *("K³che", "K\\303\\274che", "K\\u{fc}che", "K\\u00c3\\u00bcche", "Ku\\u0308che", "K\x81che", "K_che", "K??che", "K\u00adüche"),
    *("KÌˆche", "K<U+00FC>che", "K<0xC3><0xBC>che"),
)  # fmt: skip

HALF_BRIGHT = "set the bed light to half brightness"
# What is said, the brightness in a call, and that of the light in percent.
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
    *(
        (HALF_BRIGHT, each, 50)
        for each in ("1/2", "0,5", "½", ".5", "50/100", "50pct", "50.0%", [50], {"value": 50})
    ),
    *(
        ("set the bed light to 80 percent", each, 80)
        for each in (204, "204", 0.8, "80.0", "80 per cent", "4/5")
    ),
    *(("set the bed light to 5 percent", each, 5) for each in (0.05, "0,05", "1/20")),
)  # fmt: skip
# Nobody knows which share these are: they are never confirmed, least of all as 0.
NO_SHARES = (0.005, "0.5 %", 1.5, 1.7, "a bit", 300, -0.3)
OF_OTHERS = (
    ("set the walkman's volume to 40 percent", "media_player__HassSetVolume", {"name": "Walkman", "volume_level": 0.4}, "volume_level", 0.4),
    ("volume of the walkman to a quarter", "media_player__HassSetVolume", {"name": "Walkman", "volume_level": "1/4"}, "volume_level", 0.25),
    ("set the walkman's volume to 60 percent", "media_player__HassSetVolume", {"name": "Walkman", "volume_level": "0,6"}, "volume_level", 0.6),
)  # fmt: skip
