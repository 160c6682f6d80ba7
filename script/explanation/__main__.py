"""Show how a sentence is read, and what becomes of it without a model.

Home Assistant runs in this process, with the demo's house or that of a file, and ends with it.
"""

import argparse
import asyncio
import json
import logging
from pathlib import Path
import sys
from typing import Any

from home_assistant_intents import get_languages
from homeassistant.exceptions import HomeAssistantError

from bench.home import Home
from custom_components.voice_gateway.languages import LANGUAGES
from custom_components.voice_gateway.texts import without_region
from script.explanation.homes import InvalidArgument, running
from script.explanation.outcome import async_explain
from script.explanation.table import table


def main() -> int:
    """Run the command line; return the exit status."""
    arguments = _arguments()
    try:
        _check_language(arguments.language)
        home = _home(arguments.home) if arguments.home else None
        area_id = _area_id(home, arguments.area) if arguments.area else ""
        text = " ".join(arguments.sentence)
        logging.disable(logging.CRITICAL)
        found = asyncio.run(_explain(home, area_id, text, arguments.language))
    except InvalidArgument as err:
        print(f"script/explain: {err}", file=sys.stderr)
        return 2
    print(json.dumps(found, ensure_ascii=False) if arguments.json else table(found))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/explain", description=__doc__)
    parser.add_argument("sentence", nargs="+", help='such as "turn off the kitchen lights"')
    parser.add_argument(
        "--home", type=Path, metavar="FILE", help="a house in YAML (default: the demo's)"
    )
    parser.add_argument("--language", default="en", metavar="CODE", help="default: en")
    parser.add_argument("--from", dest="area", metavar="AREA", help="where the speaker is")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args()


async def _explain(home: Home | None, area_id: str, text: str, language: str) -> dict[str, Any]:
    async with running(home, area_id) as (hass, device_id):
        return await async_explain(hass, text, language, device_id)


def _check_language(code: str) -> None:
    """Raise InvalidArgument for a language that neither Home Assistant nor we have sentences of."""
    known = {*LANGUAGES, *get_languages()}
    if not {code, without_region(code)} & known:
        raise InvalidArgument(f"unknown language {code}; there are {', '.join(sorted(known))}")


def _home(path: Path) -> Home:
    """Return the home of a file. Raises InvalidArgument with its name and what is wrong with it."""
    try:
        return Home.read(path)
    except KeyError as err:
        raise InvalidArgument(f"{path}: {err} is missing") from err
    except (OSError, TypeError, ValueError, HomeAssistantError) as err:
        raise InvalidArgument(f"{path}: {' '.join(str(err).split())}") from err


def _area_id(home: Home | None, name: str) -> str:
    """Return the id, in the home's file, of the area with a name or an id. Raises InvalidArgument."""
    areas = home.areas if home else ()
    for area in areas:
        if name.casefold() in (area.area_id.casefold(), area.name.casefold()):
            return area.area_id
    there = ", ".join(area.name for area in areas) or "none in the demo's house"
    raise InvalidArgument(f"unknown area {name}; there are {there}")


if __name__ == "__main__":
    sys.exit(main())
