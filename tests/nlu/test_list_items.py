"""How many things are put on a list: one, several, or nobody knows."""

import pytest

from custom_components.voice_gateway.nlu.requests import is_single_item, split_items
from custom_components.voice_gateway.nlu.tokenizer import Text

SEVERAL = {
    ("en", "add milk, eggs and bread to the list", "milk eggs and bread"): ("milk", "eggs", "bread"),
    ("en", "add milk, two eggs, and bread to the list", "milk two eggs and bread"): ("milk", "two eggs", "bread"),
    ("en", "put milk, eggs, bread on the list", "milk eggs bread"): ("milk", "eggs", "bread"),
    ("en", "put milk, water and bread on the list", "milk water and bread"): ("milk", "water", "bread"),
    ("en", "add a b, mac and cheese to the list", "a b mac and cheese"): ("a b", "mac", "cheese"),
    ("de", "setz Milch, Eier und Brot auf die Liste", "Milch Eier und Brot"): ("Milch", "Eier", "Brot"),
    ("fr", "ajoute du lait, des œufs et du pain à la liste", "lait des œufs et du pain"): ("du lait", "des œufs", "du pain"),
}  # fmt: skip
UNSURE = (
    ("en", "add mac and cheese to the list", "mac and cheese"),
    ("en", "add milk and eggs and bread to the list", "milk and eggs and bread"),
    ("en", "add ham and cheese, milk and bread to the list", "ham and cheese milk and bread"),
    ("en", "add tomatoes, canned to the list", "tomatoes canned"),
    ("en", "add milk, eggs and call the doctor to the list", "milk eggs and call the doctor"),
    ("en", "add milk, eggs and everything for pasta to the list", "milk eggs and everything for pasta"),
    ("en", "add milk, eggs and all that we need for the cake to the list", "milk eggs and all that we need for the cake"),
    ("en", "add milk, eggs and it to the list", "milk eggs and it"),
    ("en", "put them on the list", "them"), ("en", "add that to the list", "that"),
    ("de", "setz das auf die Liste", "das"), ("nl", "zet dat op de lijst", "dat"),
)  # fmt: skip


@pytest.mark.parametrize(("said", "things"), SEVERAL.items())
def test_each_of_several_has_its_command(said: tuple[str, str, str], things: tuple[str]) -> None:
    code, text, item = said
    assert not is_single_item(Text(text, code), Text(item, code))
    found = split_items(Text(text, code), item)
    before, _, after = found[0].partition(things[0])
    assert [each.removeprefix(before).removesuffix(after) for each in found] == [*things]


def test_what_may_be_one_or_something_else_is_no_list() -> None:
    for code, text, item in UNSURE:
        assert not is_single_item(Text(text, code), Text(item, code)), text
        assert split_items(Text(text, code), item) == (), text
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
