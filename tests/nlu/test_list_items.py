"""How many things are put on a list: one, several, or nobody knows."""

import pytest

from custom_components.voice_gateway.nlu.requests import is_single_item, split_items
from custom_components.voice_gateway.nlu.tokenizer import Text

SEVERAL = {
    ("en", "milk, eggs and bread"): ("milk", "eggs", "bread"),
    ("en", "milk, two eggs, and bread"): ("milk", "two eggs", "bread"),
    ("en", "milk, eggs, bread"): ("milk", "eggs", "bread"),
    ("en", "milk and water"): ("milk", "water"),
    ("en", "rye bread, mac and cheese"): ("rye bread", "mac", "cheese"),
    ("de", "Milch, Eier und Brot"): ("Milch", "Eier", "Brot"),
    ("de", "Milch und zwei Eier"): ("Milch", "zwei Eier"),
    ("fr", "du lait, des œufs et du pain"): ("lait", "œufs", "pain"),
    ("pl", "mleko i chleb"): ("mleko", "chleb"),
}
UNSURE = (
    ("en", "mac and cheese"),
    ("en", "milk and eggs and bread"),
    ("en", "ham and cheese, milk and bread"),
    ("en", "tomatoes, canned"),
    ("en", "milk, eggs and call the doctor"),
    ("en", "milk, eggs and everything for pasta"),
    ("en", "milk, eggs and all that we need for the cake"),
    ("en", "milk, eggs and it"),
    ("en", "them"), ("en", "that"), ("de", "das"), ("nl", "dat"), ("nl", "dat even"),
)  # fmt: skip


@pytest.mark.parametrize(("said", "things"), SEVERAL.items())
def test_each_of_several_is_a_thing(said: tuple[str, str], things: tuple[str]) -> None:
    code, items = said
    assert not is_single_item(Text(f"add {items}", code), Text(items.replace(",", ""), code))
    assert split_items(Text(items, code)) == [*things]


def test_what_may_be_one_or_something_else_is_no_list() -> None:
    for code, items in UNSURE:
        assert not is_single_item(Text(f"add {items}", code), Text(items.replace(",", ""), code))
        assert not split_items(Text(items, code)), items
    assert is_single_item(
        Text("add dark chocolate to the list", "en"), Text("dark chocolate", "en")
    )
    assert not is_single_item(
        Text("add the ingredients to the list", "en"), Text("the ingredients", "en")
    )


@pytest.mark.parametrize(
    ("code", "text", "item"),
    [
        ("en", "put what's in my note on the list", "what's in my note"),
        ("de", "setz was im Rezept steht auf die Liste", "was im Rezept steht"),
        ("fr", "ajoute ce qu'il y a dans ma note à la liste", "ce qu'il y a dans ma note"),
        ("es", "añade lo que dice mi nota a la lista", "lo que dice mi nota"),
        ("it", "aggiungi quello che manca alla lista", "quello che manca"),
        ("nl", "zet wat in mijn notitie staat op de lijst", "wat in mijn notitie staat"),
        ("pl", "dodaj to co jest w notatce do listy", "to co jest w notatce"),
    ],
)
def test_what_is_to_be_looked_up_is_no_thing(code: str, text: str, item: str) -> None:
    assert not is_single_item(Text(text, code), Text(item, code))
