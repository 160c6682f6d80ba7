"""Several things are put on a list at once where it is certain what each of them is, or none is."""

from collections.abc import Sequence

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from tests.agent import add_agent
from tests.ollama import PlayedOllama, says

from ..tables import table

LIST = "todo.shopping_list"
NAMES = (
    "Einkaufsliste",
    "liste de courses",
    "compra",
    "lista della spesa",
    "boodschappenlijst",
    "listy zakupów",
)
SAID = table(__file__, "SAID")


async def test_each_thing_is_put_on_the_list(home: HomeAssistant, ollama: PlayedOllama) -> None:
    entry = MockConfigEntry(domain="shopping_list")
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    async_expose_entity(home, "conversation", LIST, should_expose=True)
    er.async_get(home).async_update_entity(LIST, aliases=[er.COMPUTED_NAME, *NAMES])
    agent = await add_agent(home, ollama.url, reflex=True)
    wrong: list[str] = []
    for language, sentence, things, expected in SAID:
        ollama.script.clear()
        ollama.answers(*[says("?")] * 3)
        answer = await agent.hears(sentence, language=language)
        if (found := await _taken(home)) != [each.casefold() for each in things]:
            wrong.append(f"{sentence}: {found}")
        if expected not in answer.speech:
            wrong.append(f"{sentence}: {answer.speech}")
    assert not wrong


async def _taken(home: HomeAssistant) -> Sequence[str]:
    """Return what is on the list, and take it off."""
    target = {"entity_id": LIST}
    got = await home.services.async_call(
        "todo", "get_items", {}, target=target, blocking=True, return_response=True
    )
    items = [str(item["summary"]).casefold() for item in got[LIST]["items"]]  # type: ignore[index, call-overload, union-attr]
    await home.services.async_call("shopping_list", "complete_all", {}, blocking=True)
    await home.services.async_call("shopping_list", "clear_completed_items", {}, blocking=True)
    return items
