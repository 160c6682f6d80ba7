"""Several things are put on a list at once where it is certain what each of them is, or none is."""

from collections.abc import Sequence

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from tests.agent import add_agent
from tests.ollama import PlayedOllama, says

LIST = "todo.shopping_list"
NAMES = (
    "Einkaufsliste",
    "liste de courses",
    "compra",
    "lista della spesa",
    "boodschappenlijst",
    "listy zakupów",
)
SAID = (
    ("en", "add milk, eggs and bread to the shopping list", ("milk", "eggs", "bread"), "I added milk, eggs and bread"),
    # "Light" is also something to do.
    ("en", "please put light bulbs, salt, and oat milk on my shopping list", (), "?"),
    ("en", "put soap, salt, and oat milk on my shopping list please", ("soap", "salt", "oat milk"), "I added soap, salt and oat milk"),
    ("de", "setz Tee, Eier und Brot auf die Einkaufsliste", ("Tee", "Eier", "Brot"), "Tee, Eier und Brot hinzugefügt"),
    ("fr", "ajoute du lait, des œufs et du pain à la liste de courses", ("lait", "œufs", "pain"), "J'ai ajouté lait, œufs et pain"),
    ("es", "añade leche, huevos y pan a la lista de la compra", ("leche", "huevos", "pan"), "He añadido leche, huevos y pan"),
    ("it", "aggiungi latte, uova e pane alla lista della spesa", ("latte", "uova", "pane"), "Ho aggiunto latte, uova e pane"),
    ("nl", "zet melk, eieren en brood op de boodschappenlijst", ("melk", "eieren", "brood"), "melk, eieren en brood toegevoegd"),
    ("pl", "dodaj mleko, jajka i chleb do listy zakupów", ("mleko", "jajka", "chleb"), "Dodano: mleko, jajka i chleb"),
    ("en", "add tomatoes, canned to the shopping list", (), "?"),
    ("fr", "ajoute du lait à la liste de courses", ("lait",), "lait"),
    # One thing, as Home Assistant reads it, where the model does nothing.
    ("en", "add mac and cheese to the shopping list", ("mac and cheese",), "Added mac and cheese"),
    ("en", "add milk, eggs and everything else to the shopping list", (), "?"),
    # Only a model knows what these are.
    ("en", "put everything for the pancakes on the shopping list", (), "?"),
    ("en", "add the ingredients of a risotto to the shopping list", (), "?"),
    ("en", "add whatever we need for a risotto to the shopping list", (), "?"),
    ("de", "setz alles für die Pfannkuchen auf die Einkaufsliste", (), "?"),
    ("de", "setz die Zutaten für ein Risotto auf die Einkaufsliste", (), "?"),
    ("fr", "ajoute tout pour les crêpes à la liste de courses", (), "?"),
    ("fr", "ajoute les ingrédients du risotto à la liste de courses", (), "?"),
    ("es", "añade todo para las tortitas a la lista de la compra", (), "?"),
    ("it", "aggiungi tutto per le frittelle alla lista della spesa", (), "?"),
    ("it", "aggiungi gli ingredienti del risotto alla lista della spesa", (), "?"),
    ("nl", "zet alles voor de pannenkoeken op de boodschappenlijst", (), "?"),
    ("nl", "zet de ingrediënten voor risotto op de boodschappenlijst", (), "?"),
    ("pl", "dodaj wszystko na naleśniki do listy zakupów", (), "?"),
    ("pl", "dodaj składniki na risotto do listy zakupów", (), "?"),
    ("en", "don't add milk, eggs and bread to the shopping list", (), ""),
    ("en", "did you add milk, eggs and bread to the shopping list?", (), "?"),
)  # fmt: skip


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
