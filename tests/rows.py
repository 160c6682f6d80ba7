"""Tables that are played in one Home Assistant."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any

from _pytest.mark import ParameterSet
from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.const import DOMAIN


def rows(names: str | tuple[str, ...], table: Iterable[Any]) -> Callable[[Any], Any]:
    """Play a test with each row of a table; all rows that fail are named.

    As `pytest.mark.parametrize`, but in one Home Assistant, whose start takes longer than most rows:
    between rows, our entries are removed, and the model servers forget what they were to answer.
    """
    named = (names,) if isinstance(names, str) else names
    values = [
        each.values
        if isinstance(each, ParameterSet)
        else (each,)
        if isinstance(names, str)
        else tuple(each)
        for each in table
    ]

    def of_test(test: Any) -> Any:
        @wraps(test)
        async def play(**fixtures: Any) -> None:
            failed: list[Exception] = []
            for row in values:
                try:
                    await test(**fixtures, **dict(zip(named, row, strict=True)))
                except Exception as err:  # noqa: BLE001 - each is raised again
                    err.add_note(f"Row: {row}")
                    failed.append(err)
                await _reset(fixtures.values())
            _raise(failed, len(values))

        @wraps(test)
        def play_now(**fixtures: Any) -> None:
            failed: list[Exception] = []
            for row in values:
                try:
                    test(**fixtures, **dict(zip(named, row, strict=True)))
                except Exception as err:  # noqa: BLE001 - each is raised again
                    err.add_note(f"Row: {row}")
                    failed.append(err)
            _raise(failed, len(values))

        played: Any = play if iscoroutinefunction(test) else play_now
        of_fixtures = [
            each for each in signature(test).parameters.values() if each.name not in named
        ]
        played.__signature__ = signature(test).replace(parameters=of_fixtures)
        return played

    return of_test


def _raise(failed: list[Exception], rows: int) -> None:
    if failed:
        raise ExceptionGroup(f"{len(failed)} of {rows} rows fail", failed)


async def _reset(fixtures: Iterable[Any]) -> None:
    for fixture in fixtures:
        server = getattr(fixture, "server", fixture)
        for kept in ("script", "chats"):
            getattr(server, kept, []).clear()
    # Who takes an agent made it for all rows.
    hass = next(_homes(fixtures), None)
    if hass and not any(hasattr(each, "entry") for each in fixtures):
        for entry in hass.config_entries.async_entries(DOMAIN):
            await hass.config_entries.async_remove(entry.entry_id)


def _homes(fixtures: Iterable[Any]) -> Iterator[HomeAssistant]:
    return (each for each in fixtures if isinstance(each, HomeAssistant))
