"""What a model is told before anybody speaks."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from .home import Exposed, Home

# Every sentence costs slow hardware half a second, and small models do best with few.
DEFAULT_INSTRUCTIONS = """\
You are the voice assistant of a home. Your answers are spoken: one or two short sentences, plain \
text, in the user's language.
To control the home or to know a state, call a tool; never say that something is done without a \
tool's result.
After a tool's result, answer. Call another tool only if the user asked for more than one thing.\
"""

NOTHING_EXPOSED = (
    "No devices are exposed. If the user wants to control one, tell them to expose it to their"
    " voice assistant in Home Assistant."
)

# Said to a model that answers a command without having called a tool.
NOTHING_DONE = (
    "Nothing was done: no tool was called. Call the tool now, or say in one sentence why it cannot"
    " be done."
)


def overview(home: Home) -> str:
    """Return the home in a few words: its areas, and what is in them by domain.

    The text depends on the home alone: not on states, on who speaks, or on the time.
    """
    if not home.entities:
        return NOTHING_EXPOSED
    lines = [
        f"{_area(home, area_id)}: {'; '.join(_domains(entities))}"
        for area_id, entities in groupby(home.entities, lambda entity: entity.area)
    ]
    return "\n".join(("Devices by area and domain:", *lines))


def _area(home: Home, area_id: str) -> str:
    if (area := home.areas.get(area_id)) is None:
        return "No area"
    name = _with_aliases(area.name, sorted(area.aliases))
    floor = home.floors.get(area.floor_id or "")
    return f"{name}, {floor.name}" if floor else name


def _domains(entities: Iterable[Exposed]) -> Iterator[str]:
    for domain, members in groupby(entities, lambda entity: entity.domain):
        names = (_with_aliases(member.names[0], member.names[1:]) for member in members)
        yield f"{domain} {', '.join(names)}"


def _with_aliases(name: str, aliases: Sequence[str]) -> str:
    return f"{name} ({', '.join(aliases)})" if aliases else name
