"""What is made of a model's JSON."""

import json
from typing import Any

import probatio
import pytest

from custom_components.voice_gateway.turn.task import Structure, StructureMismatch


@pytest.mark.parametrize(
    ("schema", "written", "data"),
    [
        ({"n": [probatio.Coerce(float)]}, '{"n": [1, 2.5, "3"]}', '{"n": [1, 2.5, 3.0]}'),
        ({"n": {"m": probatio.Coerce(float)}}, '{"n": {"m": 1}}', '{"n": {"m": 1}}'),
        ({probatio.Optional("n", default=7): int}, '{"n": null}', '{"n": 7}'),
        ({probatio.Required("n"): probatio.Any(int, None)}, '{"n": null}', '{"n": null}'),
        ([probatio.Coerce(float)], "[1]", "[1]"),
        ({"yes": probatio.Boolean()}, '{"yes": "on"}', '{"yes": true}'),
    ],
)
def test_data_is_as_written_but_for_what_the_structure_makes_of_it(
    schema: Any, written: str, data: str
) -> None:
    assert json.dumps(Structure(probatio.Schema(schema)).read(written)) == data


def test_everything_that_is_wrong_is_said_at_once() -> None:
    structure = Structure(probatio.Schema({probatio.Required("a"): int, "b": int}))
    with pytest.raises(StructureMismatch) as caught:
        structure.read('{"b": "x", "c": 1}')
    assert all(f"'{name}'" in str(caught.value) for name in "abc")
