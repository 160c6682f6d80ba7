"""The structure that an AI task wants its data in: told to a model, and checked."""

from collections.abc import Mapping
from contextlib import suppress
import json
import re
from typing import Any

from homeassistant.helpers import llm
from homeassistant.util.json import json_loads
import probatio

_INSTRUCTIONS = """\
Answer with one JSON object and nothing else. It follows this JSON schema:
{schema}\
"""
_DECODER = json.JSONDecoder()
# Places of a text at which an object may begin.
_MOST_TRIES = 200
_FENCED = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)


class StructureMismatch(Exception):
    """An answer is not in the structure; its text says why, to model and user."""


class Structure:
    """The structure of an answer."""

    def __init__(self, schema: probatio.Schema) -> None:
        """Take the structure as Home Assistant has it: of selectors, or of any validators."""
        self._schema = schema
        self.json_schema: Mapping[str, Any] = probatio.to_openapi(
            schema, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
        )

    @property
    def instructions(self) -> str:
        """What a model is told of it.

        Also where a server holds it to the schema: what each value means, it then sees nowhere else.
        """
        return _INSTRUCTIONS.format(schema=json.dumps(self.json_schema, ensure_ascii=False))

    def read(self, answer: str) -> Any:
        """Return the data that an answer is, or the one object in it that is. Raises StructureMismatch."""
        data = _json(answer)
        try:
            return self._checked(data)
        except StructureMismatch:
            inner = _wrapped(data)
            if inner is None:
                raise
            with suppress(StructureMismatch):
                return self._checked(inner)
            raise

    def _checked(self, data: Any) -> Any:
        """Return data as the structure has it: a "3" that is to be a number is one then.

        Models that are shown what they may give like to say null where they give nothing. Home
        Assistant takes that for false, or for wrong.
        """
        if isinstance(data, dict) and None in data.values():
            given = {key: value for key, value in data.items() if value is not None}
            with suppress(probatio.Invalid):
                return _as_written(self._schema(given), given)
        try:
            return _as_written(self._schema(data), data)
        except probatio.Invalid as err:
            errors = err.errors if isinstance(err, probatio.MultipleInvalid) else [err]
            raise StructureMismatch("; ".join(map(str, errors))) from err


def _json(answer: str) -> Any:
    """Return the JSON that an answer is, or the only block or object in it. Raises StructureMismatch."""
    try:
        return json_loads(answer)
    except ValueError as err:
        for found in ({*_FENCED.findall(answer)}, {*objects_in(answer)}):
            with suppress(ValueError):
                if len(found) == 1:
                    return json_loads(found.pop())
        raise StructureMismatch(f"It is not JSON: {err}") from err


def objects_in(text: str) -> list[str]:
    """Return the JSON objects of a text, in their order, without those within others."""
    found: list[str] = []
    position = text.find("{")
    for _ in range(_MOST_TRIES):
        if position < 0:
            break
        try:
            _, end = _DECODER.raw_decode(text, position)
        except ValueError, RecursionError:
            end = position + 1
        else:
            found.append(text[position:end])
        position = text.find("{", end)
    return found


def _wrapped(data: Any) -> Any:
    """Return the only object that an object or a list holds, if it holds one: an answer as a call, say."""
    parts = data.values() if isinstance(data, dict) else data
    if not isinstance(data, dict | list):
        return None
    texts = (each for each in parts if isinstance(each, str))
    objects = [each for each in parts if isinstance(each, dict)]
    objects += [json.loads(found[0]) for each in texts if len(found := objects_in(each)) == 1]
    return objects[0] if len(objects) == 1 else None


def _as_written(checked: Any, written: Any) -> Any:
    """Return checked data with whole numbers as they were written, which selectors turn to 3.0."""
    match checked, written:
        case dict(), dict():
            return {
                key: _as_written(value, written[key]) if key in written else value
                for key, value in checked.items()
            }
        case list(), list() if len(checked) == len(written):
            return [_as_written(*pair) for pair in zip(checked, written, strict=True)]
        case float(), int() if checked == written and not isinstance(written, bool):
            return written
        case _:
            return checked
