"""Converts a call's arguments to the types of the tool's schema, or reports all errors."""

from collections.abc import Callable, Mapping
import re
from typing import Any

from .answers import NoAnswerError


def checked(schema: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with the types of the schema; raises NoAnswerError with all errors.

    Models write numbers as strings and missing values as null; both are converted. The tool itself
    checks the values of an action.
    """
    properties: Mapping[str, Mapping[str, Any]] = schema["properties"]
    present = {name: value for name, value in given.items() if value is not None}
    required = schema.get("required", ())
    missing = [name for name in required if present.get(name, "") == ""]
    unknown = [name for name in present if name not in properties]
    problems = [f"{name} is missing" for name in missing]
    problems += [f"{name} is not an argument" for name in unknown]
    arguments = {}
    for name, value in present.items():
        if name in missing or name in unknown:
            continue
        try:
            arguments[name] = _understood(properties[name], value)
        except ValueError as error:
            problems.append(f"{name} {error}, not {value!r}")
    if problems:
        takes = ", ".join(f"{name} (needed)" if name in required else name for name in properties)
        raise NoAnswerError(f"{'; '.join(problems)}. Arguments: {takes or 'none'}.")
    return arguments


def _understood(schema: Mapping[str, Any], value: Any) -> Any:
    understood = READERS[schema["type"]](value)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and (understood < low or (high is not None and understood > high)):
        raise ValueError(f"is {low} to {high}" if high is not None else f"is {low} or more")
    return understood


def _text(value: Any) -> str:
    if isinstance(value, str | int | float):
        return str(int(value)) if isinstance(value, bool) else str(value)
    raise ValueError("is a text")


def _number(value: Any) -> float:
    found = re.fullmatch(r"\s*([+-]?\d+(?:[.,]\d+)?)\s*(?:%|°?\s*[CF]?)\s*", str(value))
    if isinstance(value, bool) or not found:
        raise ValueError("is a number")
    return float(found[1].replace(",", "."))


def _integer(value: Any) -> int:
    number = _number(value)
    if not number.is_integer():
        raise ValueError("is a whole number")
    return int(number)


def _truth(value: Any) -> bool:
    match str(value).strip().lower():
        case "true" | "1" | "yes":
            return True
        case "false" | "0" | "no" | "":
            return False
    raise ValueError("is true or false")


READERS: dict[str, Callable[[Any], Any]] = {
    "string": _text,
    "number": _number,
    "integer": _integer,
    "boolean": _truth,
}
