"""Arguments corrected against the tool's schema, and only there."""

from collections.abc import Iterator
from copy import deepcopy
import json
from typing import Any

from homeassistant.helpers import config_validation as cv, llm, selector
from hypothesis import example, given, strategies as st
import jsonschema  # type: ignore[import-untyped]
import probatio
import pytest

from custom_components.voice_gateway.arguments import correct, correct_for
from custom_components.voice_gateway.json_schema import JsonSchema, serialize
from custom_components.voice_gateway.tools.builtin.speaker_volume import SpeakerVolumeTool
from tests.extra_tools import ExtraTool

from .test_json_schema import KEYWORDS, VALUES

LIGHT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "deviceName": {"type": "string"},
        "level": {"type": "integer"},
        "ratio": {"type": "number"},
        "fast": {"type": "boolean"},
        "rooms": {"type": "array", "items": {"type": "string"}},
        "levels": {"type": "array", "items": {"type": "integer"}},
        "colour": {"$ref": "#/$defs/Colour"},
        "id": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "either": {"type": ["integer", "string"]},
        "mode": {"enum": ["on", "off"]},
        "whatever": {},
        "either_any": {"anyOf": [{"type": "integer"}, {}]},
        "step": {"enum": [1, 2]},
        "one": {"const": 1},
        "maybe": {"type": ["integer", "null"]},
        "alone": {"allOf": [{"type": "integer"}]},
        "part": {"properties": {"level": {"type": "integer"}}},
        "parts": {
            "allOf": [{"properties": {"level": {"type": "integer"}}}],
            "properties": {"depth": {"type": "integer"}},
        },
        "apart": {"allOf": [{"properties": {"level": {"type": "integer"}}}, {"type": "object"}]},
    },
    "required": ["deviceName"],
    "$defs": {
        "Colour": {
            "type": "object",
            "properties": {"redPart": {"type": "integer"}, "name": {"const": "red"}},
        }
    },
}


def called_otherwise(name: str) -> Iterator[str]:
    """Yield what an argument may be meant by a name."""
    yield {"lamp": "deviceName", "other": "rooms"}.get(name, name)
    yield {"device_name": "deviceName", "red_part": "redPart"}.get(name, name)


def corrected(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call as the tool gets them."""
    return correct(LIGHT, arguments, names=called_otherwise)[0]


def test_names_become_those_of_the_schema_where_the_tool_knows_others() -> None:
    assert corrected({"device_name": "lamp"}) == {"deviceName": "lamp"}
    assert corrected({"lamp": "lamp"}) == {"deviceName": "lamp"}
    assert corrected({"colour": {"red_part": 5}}) == {"colour": {"redPart": 5}}


def test_name_that_the_schema_does_not_have_is_put_in_no_others_place() -> None:
    assert correct(LIGHT, {"lamp": 1}, names=lambda _: ["nothing"])[0] == {"lamp": 1}


def test_what_is_nested_too_deep_is_passed_on_as_it_is() -> None:
    """A schema that contains itself is followed only so far."""
    schema: dict[str, Any] = {"properties": {"in": {"$ref": "#"}, "level": {"type": "integer"}}}
    given: dict[str, Any] = {"level": "5"}
    for _ in range(20):
        given = {"level": "5", "in": given}
    sent, _ = correct(schema, given)
    assert sent["in"]["level"] == 5
    while "in" in sent:
        sent = sent["in"]
    assert sent == {"level": "5"}


@pytest.mark.parametrize("right", ["light", 0, False])
def test_name_is_left_alone_when_the_right_one_is_given_too(right: Any) -> None:
    both = {"device_name": "lamp", "whatever": "x", "either": right}
    assert correct(LIGHT, both, names=lambda _: ["whatever", "either"])[0] == both


@pytest.mark.parametrize("blank", ["", "  ", None, []])
def test_blank_under_the_right_name_gives_way_to_what_is_said_under_another(blank: Any) -> None:
    assert corrected({"deviceName": blank, "device_name": "lamp"}) == {"deviceName": "lamp"}
    assert corrected({"device_name": "lamp", "deviceName": blank}) == {"deviceName": "lamp"}


def test_of_two_other_names_of_one_argument_the_second_is_passed_on() -> None:
    assert corrected({"device_name": "a", "lamp": "b"}) == {"deviceName": "a", "lamp": "b"}


@pytest.mark.requirement("F2")
def test_names_are_passed_as_given_for_a_tool_that_knows_no_others() -> None:
    assert correct(LIGHT, {"device_name": "lamp"})[0] == {"device_name": "lamp"}


@pytest.mark.parametrize(
    ("name", "given", "sent"),
    [
        ("level", "50", 50),
        ("level", " -3 ", -3),
        ("level", 50.0, 50),
        ("level", "half", "half"),
        ("level", 50.5, 50.5),
        ("level", True, True),
        ("level", "9" * 30, "9" * 30),
        ("ratio", "0.5", 0.5),
        ("ratio", "7", 7),
        ("ratio", 7, 7),
        ("fast", "true", True),
        ("fast", "False", False),
        ("fast", "yes", "yes"),
        ("fast", 1, 1),
        ("deviceName", 50, "50"),
        ("deviceName", 1.5, "1.5"),
        ("deviceName", "50", "50"),
        ("rooms", "kitchen", ["kitchen"]),
        ("rooms", '["kitchen", "hall"]', ["kitchen", "hall"]),
        ("rooms", ["kitchen", 7], ["kitchen", "7"]),
        ("levels", "5", [5]),
        ("levels", 5, [5]),
        ("levels", ["5", "x"], [5, "x"]),
        ("either_any", "5", "5"),
        ("colour", '{"redPart": "5"}', {"redPart": 5}),
        ("colour", "{red}", "{red}"),
        ("colour", "[" * 100_000, "[" * 100_000),
        ("colour", {"name": "red"}, {"name": "red"}),
        ("id", None, None),
        ("id", 7, "7"),
        ("either", "7", "7"),
        ("mode", "on", "on"),
        ("whatever", "50", "50"),
        ("whatever", None, None),
        ("unknown", "50", "50"),
        ("ratio", "NaN", "NaN"),
        ("deviceName", 5.0, "5.0"),
        ("step", "2", 2),
        ("one", "1", 1),
        ("maybe", "5", 5),
        ("maybe", "null", "null"),
        ("alone", "5", 5),
        ("part", {"level": "5"}, {"level": 5}),
        ("parts", {"level": "5", "depth": "6"}, {"level": 5, "depth": 6}),
        ("apart", {"level": "5"}, {"level": 5}),
    ],
)
def test_values_get_the_type_of_the_schema_where_nothing_is_guessed(
    name: str, given: Any, sent: Any
) -> None:
    [(_, value)] = corrected({name: given}).items()
    assert value == sent
    assert type(value) is type(sent)


CHOICES: dict[str, Any] = {
    "properties": {
        "list": {"type": "string", "enum": ["Private Tasks", "Aunt Zoé'S", "STRASSE"]},
        "twins": {"enum": ["eco", "ECO", "fast"]},
        "free": {"anyOf": [{"enum": ["eco"]}, {"type": "string"}]},
        "either": {"anyOf": [{"enum": ["eco"]}, {"const": "fast"}, {"type": "integer"}]},
        "several": {"type": "array", "items": {"$ref": "#/$defs/Mode"}},
        "own": {"allOf": [{"$ref": "#/$defs/Mode"}]},
        "numbers": {"enum": [1, "ONE"]},
    },
    "$defs": {"Mode": {"type": "string", "enum": ["eco", "fast"]}},
}


@pytest.mark.parametrize(
    ("name", "given", "sent"),
    [
        ("list", "private tasks", "Private Tasks"),
        ("list", " Private Tasks ", "Private Tasks"),
        ("list", "Aunt Zoé's", "Aunt Zoé'S"),
        ("list", "aunt zoe\u0301's", "Aunt Zoé'S"),
        ("list", "Straße", "STRASSE"),
        ("either", "FAST", "fast"),
        ("several", ["Eco", "FAST", "slow"], ["eco", "fast", "slow"]),
        ("several", "Eco", ["eco"]),
        ("own", "Eco", "eco"),
        ("numbers", "one", "ONE"),
        # Another word, without its accent, or as it is written already.
        ("list", "Aunt Zoe's", "Aunt Zoe's"),
        ("list", "Tasks", "Tasks"),
        ("list", "", ""),
        ("twins", "Eco", "Eco"),
        ("twins", "ECO", "ECO"),
        ("twins", "Fast", "fast"),
        ("free", "Eco", "Eco"),
        ("either", "slow", "slow"),
    ],
)
def test_a_choice_that_is_written_otherwise_is_the_one_of_the_schema(
    name: str, given: Any, sent: Any
) -> None:
    corrected, changes = correct(CHOICES, {name: given})
    assert corrected == {name: sent}
    assert bool(changes) == (given != sent)


def test_null_is_left_out_where_the_schema_has_no_null_and_needs_no_value() -> None:
    assert corrected({"level": None, "deviceName": None, "id": None}) == {
        "deviceName": None,
        "id": None,
    }


def test_null_is_not_put_into_a_list_that_is_needed() -> None:
    """It is no word of a list; the tool's own refusal says what is missing."""
    schema = {"properties": {"rooms": LIGHT["properties"]["rooms"]}, "required": ["rooms"]}
    assert correct(schema, {"rooms": None}) == ({"rooms": None}, [])


WORDS = st.sampled_from(["", "5", "-1.5", "true", "[1]", '{"name": "red"}', "red", "on", "x"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)


CALLS = st.dictionaries(
    st.sampled_from(
        ["deviceName", "device_name", "lamp", "level", "rooms", "levels", "colour", "id", "other"]
    ),
    ANYTHING,
)


@given(CALLS)
def test_what_the_schema_takes_is_never_changed(arguments: dict[str, Any]) -> None:
    given_before = deepcopy(arguments)
    sent, changes = correct(LIGHT, arguments, names=called_otherwise)
    assert arguments == given_before
    if jsonschema.Draft202012Validator(LIGHT).is_valid(arguments):
        other_names = {"device_name", "lamp", "other"}
        assert sent == arguments or other_names & arguments.keys()
    assert bool(changes) == (not same(sent, arguments))


def same(left: Any, right: Any) -> bool:
    """Tell whether two values are the same in JSON, where 1 is neither 1.0 nor true."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@given(CALLS)
@example({"deviceName": "x", "rooms": {"": []}, "other": None})
def test_corrected_arguments_are_not_corrected_again(arguments: dict[str, Any]) -> None:
    sent, _ = correct(LIGHT, arguments, names=called_otherwise)
    again, changes = correct(LIGHT, sent, names=called_otherwise)
    assert same(again, sent)
    assert changes == []


@given(st.dictionaries(KEYWORDS, VALUES, max_size=4), VALUES)
def test_no_schema_whatever_makes_the_correction_fail(part: dict[str, Any], value: Any) -> None:
    schema = {"type": "object", "properties": {"a": part, "b": value}}
    sent, _ = correct(schema, {"a": value, "b": "5", "c_d": None})
    assert correct(schema, sent) == (sent, [])


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#/properties/a"}}},
        {"properties": {"a": {"$ref": "#/no/where"}}},
        {"properties": {"a": {"$ref": "http://elsewhere/schema"}}},
        {"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}]}}},
        {"allOf": [{"$ref": "#"}]},
        {"properties": None, "required": None},
        {},
    ],
)
def test_schemas_that_lead_nowhere_change_nothing(schema: dict[str, Any]) -> None:
    assert correct(schema, {"a": "1"})[0] == {"a": "1"}


def test_list_of_lists_without_end_is_corrected_once() -> None:
    schema = {"properties": {"a": {"type": "array", "items": {"$ref": "#/properties/a"}}}}
    sent, changes = correct(schema, {"a": "x"})
    assert changes == ["a: string → array"]
    assert correct(schema, sent) == (sent, [])


def test_changes_tell_names_and_types_but_no_values() -> None:
    call = {
        "device_name": 493817,
        "level": "493817",
        "rooms": '["secret"]',
        "levels": ["493817", "493818", 5.0],
        "ratio": None,
        "fast": True,
    }
    _, changes = correct(LIGHT, call, names=called_otherwise)
    assert changes == [
        "device_name → deviceName",
        "level: string → integer",
        "rooms: string → array",
        "levels: string → integer",
        "levels: number → integer",
        "ratio: null → left out",
        "deviceName: integer → string",
    ]


FOREIGN = probatio.Schema(
    {
        probatio.Required("entity"): cv.string,
        probatio.Optional("entities"): selector.EntitySelector({"multiple": True}),
        probatio.Optional("percent"): probatio.All(probatio.Coerce(int), probatio.Range(0, 100)),
        probatio.Optional("at_once"): bool,
        probatio.Optional("data"): dict,
        probatio.Optional("list"): probatio.In(["Trader Bo'S", "Private"]),
    }
)


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"entities": "light.a"}, {"entities": ["light.a"]}),
        ({"entities": '["light.a", "light.b"]'}, {"entities": ["light.a", "light.b"]}),
        ({"percent": "50"}, {"percent": 50}),
        ({"percent": 50.0}, {"percent": 50}),
        ({"percent": "half"}, {"percent": "half"}),
        ({"at_once": "true", "percent": None}, {"at_once": True}),
        ({"data": '{"a": 1}'}, {"data": {"a": 1}}),
        ({"entity": None, "unknown": "5"}, {"entity": None, "unknown": "5"}),
        ({"list": "trader BO's"}, {"list": "Trader Bo'S"}),
    ],
)
def test_tools_of_home_assistant_are_corrected_against_their_own_schemas(
    given: dict[str, Any], sent: dict[str, Any]
) -> None:
    tool = ExtraTool("tool", dict, parameters=FOREIGN)
    assert correct_for(tool, given, llm.selector_serializer)[0] == sent


def test_builtin_tools_are_corrected_against_their_own_schemas() -> None:
    call = {"action": "set", "level": "50", "amount": None}
    corrected = correct_for(SpeakerVolumeTool(), call, serialize)[0]
    assert corrected == {"action": "set", "level": 50}


def test_what_a_model_is_not_told_of_a_schema_is_corrected_too() -> None:
    lists = {"type": "object", "properties": {"rooms": LIGHT["properties"]["rooms"]}}
    tool = ExtraTool("tool", dict, parameters=JsonSchema({}, accepted=lists))
    assert correct_for(tool, {"rooms": "hall"})[0] == {"rooms": ["hall"]}
