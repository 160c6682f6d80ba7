"""What is said to a question of ours: the words for opening may be said again, in other forms."""

import pytest

from custom_components.voice_gateway.nlu.predicates import Predicate, is_access_name
from custom_components.voice_gateway.nlu.replies import (
    Reply,
    SpokenDigits,
    classify_reply,
    select_subset,
)
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.nlu.saying import texts
from tests.rows import rows

# In which language; the command, with our question; what is said then, and what that is.
ASKED = {
    "en": "unlock the front door\nShall I unlock the Front Door?",
    "de": "Sperr die Haustür auf\nSoll ich Haustür aufschließen?",
    "fr": "déverrouille la porte\nDois-je déverrouiller la porte ?",
    "es": "desbloquea la puerta\n¿Abro la cerradura de la puerta?",
    "it": "sblocca il portone\nDevo sbloccare Portone?",
    "nl": "ontgrendel de voordeur\nZal ik Voordeur ontgrendelen?",
    "pl": "odblokuj drzwi\nCzy mam odblokować Drzwi?",
    "ja": "玄関の鍵を開けて\nShall I unlock the 玄関?",
    "ar": "افتح الباب\nShall I unlock the الباب?",
    "uk": "Відчини двері\nShall I unlock the Двері?",
    "pt": "destranca a porta\nShall I unlock the Porta?",
}
REPLIES = [
    ("en", "Yes, open it", Reply.YES), ("en", "Sure, open the door please", Reply.YES),
    ("en", "Yes, lock it", Reply.OTHER), ("en", "Yes, open the garage", Reply.OTHER),
    ("en", "Open it", Reply.OTHER), ("en", "No, don't open it", Reply.NO),
    ("en", "Yes?", Reply.OTHER), ("en", "Yes. " * 24, Reply.YES), ("en", "Yes. " * 25, Reply.OTHER),
    ("de", "Ja, schließ auf", Reply.YES), ("de", "Ja, mach sie auf", Reply.YES),
    ("de", "Ja, bitte öffnen", Reply.YES), ("de", "Ja, schließ ab", Reply.OTHER),
    ("de", "Auf keinen Fall", Reply.NO),
    ("fr", "Oui, ouvre-la", Reply.YES), ("fr", "Oui, ferme-la", Reply.OTHER),
    ("es", "Sí, ábrela", Reply.YES), ("es", "Sí, ciérrala", Reply.OTHER),
    ("it", "Sì, aprilo", Reply.YES), ("it", "Sì, chiudilo", Reply.OTHER),
    ("nl", "Ja, open de deur", Reply.OTHER), ("nl", "Ja, open maar", Reply.OTHER),
    ("nl", "Ja, openen", Reply.YES), ("nl", "Ja, doe hem op slot", Reply.OTHER),
    ("en", "Erm, yes", Reply.YES), ("de", "Ähm, ja", Reply.YES), ("fr", "Heu, oui", Reply.YES),
    ("es", "Em, sí", Reply.YES), ("it", "Ehm, sì", Reply.YES), ("nl", "Ehm, ja", Reply.YES),
    ("pl", "Eee, tak", Reply.YES), ("nl", "Ja, maak hem open", Reply.YES),
    ("en", "Hm", Reply.OTHER), ("de", "Ähm", Reply.OTHER), ("nl", "Maak hem open", Reply.OTHER),
    ("pl", "Tak, otwórz", Reply.YES), ("pl", "Tak, zamknij", Reply.OTHER),
    ("en", "Uh-huh", Reply.YES), ("en", "Yes, I do want that", Reply.YES),
    ("en", "I want that lamp", Reply.OTHER), ("de", "Ja, das bestätige ich", Reply.YES),
    ("fr", "Je confirme", Reply.YES), ("es", "Lo confirmo", Reply.YES),
    ("it", "Sì, lo confermo", Reply.YES), ("nl", "Dat bevestig ik", Reply.YES),
    ("pl", "Tak, potwierdzam to", Reply.YES),
    ("en", "That would be lovely, thank you", Reply.YES), ("en", "That would be Anna", Reply.OTHER),
    ("de", "Das wäre schön", Reply.YES), ("de", "Das wäre die Post", Reply.OTHER),
    ("fr", "Avec plaisir", Reply.YES), ("es", "Estaría bien, gracias", Reply.YES),
    ("it", "Sarebbe perfetto", Reply.YES), ("nl", "Dat zou fijn zijn", Reply.YES),
    ("ja", "はい、お願いします", Reply.YES), ("ja", "はい、待って", Reply.NO),
    ("ja", "はい、窓も開けて", Reply.OTHER), ("ar", "نعم، افتحه", Reply.YES),
    ("ar", "نعم، أغلقه", Reply.OTHER), ("uk", "Так, відчини", Reply.YES),
    ("uk", "Так, зачини", Reply.OTHER), ("pt", "Sim, destranca", Reply.YES),
    ("pt", "Não, deixa estar", Reply.NO),
    ("pl", "Chętnie", Reply.YES), ("en", "That would be lovely, but no", Reply.OTHER),
]  # fmt: skip


@rows(("language", "said", "wanted"), REPLIES)
def test_a_yes_may_say_again_to_open(language: str, said: str, wanted: Reply) -> None:
    assert (
        classify_reply(Text(said, language), texts(ASKED[language].split("\n"), language)) is wanted
    )


def test_a_yes_may_say_again_what_was_said_with_a_pronoun_at_its_end() -> None:
    asked = ["Quita la alarma de la casa", "¿Ejecuto Disarm Alarm?"]
    assert classify_reply(Text("Sí, quítala", "es"), texts(asked, "es")) is Reply.YES
    assert classify_reply(Text("Sí, escríbela", "es"), texts(asked, "es")) is Reply.OTHER
    asked = ["Salda la bolletta del gas", "Devo usare bonifico?"]
    assert classify_reply(Text("Sì, saldala", "it"), texts(asked, "it")) is Reply.YES
    assert classify_reply(Text("Sì, ridila", "it"), texts(asked, "it")) is Reply.OTHER
    asked = ["Saldala, scade oggi", "Devo usare bonifico?"]
    assert classify_reply(Text("Sì, salda", "it"), texts(asked, "it")) is Reply.YES


@pytest.mark.parametrize(
    ("language", "command", "question", "said", "wanted"),
    [
        ("en", "Empty the jobs", "Shall I remove Mow from Jobs?", "Yep, the lot", Reply.YES),
        ("en", "Empty the jobs", "Shall I remove Mow from Jobs?", "Yes, the whole lot", Reply.YES),
        ("es", "Borra la lista", "¿Quito Arroz de Compra?", "Sí, todo fuera", Reply.YES),
        ("it", "Svuota la lista", "Devo togliere Riso da Spesa?", "Sì, tutto via", Reply.YES),
        (
            "de",
            "Leer die Liste",
            "Soll ich Reis von Einkauf entfernen?",
            "Ja, alles weg",
            Reply.YES,
        ),
        ("en", "Open the gate", "Shall I open the Gate?", "Yes, off", Reply.OTHER),
        ("en", "Open the gate 30 percent", "Shall I open the Gate?", "Right, thirty", Reply.YES),
        ("en", "Open the gate 30 percent", "Shall I open the Gate?", "Right, forty", Reply.OTHER),
        ("en", "Open the gate 30 percent", "Shall I open the Gate?", "Thirty", Reply.OTHER),
        ("de", "Öffne das Tor zu 30 Prozent", "Soll ich Tor öffnen?", "Ja, dreißig", Reply.YES),
    ],
)
def test_a_yes_may_say_how_much(
    language: str, command: str, question: str, said: str, wanted: Reply
) -> None:
    assert classify_reply(Text(said, language), texts([command, question], language)) is wanted


def test_a_yes_may_say_to_remove_in_other_words() -> None:
    asked = ["Empty my whole trash folder", "Shall I use empty_trash with this: folder: Trash?"]
    assert classify_reply(Text("Yes, delete all of it", "en"), texts(asked, "en")) is Reply.YES
    assert classify_reply(Text("Yes, unlock it", "en"), texts(asked, "en")) is Reply.OTHER
    assert classify_reply(Text("Delete it", "en"), texts(asked, "en")) is Reply.OTHER
    assert (
        classify_reply(Text("Yes, delete it", "en"), texts(["Shall I send it?"], "en"))
        is Reply.OTHER
    )
    assert (
        classify_reply(Text("Zgoda, kasuj", "pl"), texts(["Skasuj starą kopię zapasową"], "pl"))
        is Reply.YES
    )


@pytest.mark.parametrize("name", ["Door Buzzer", "Türöffner", "Open gate", "Portier — apriporta"])
def test_the_name_of_a_button_tells_that_it_lets_somebody_in(name: str) -> None:
    assert is_access_name(name)


@pytest.mark.parametrize("name", ["Chime", "Close garage", "Defrost", "Summer mode", ""])
def test_the_name_of_another_button_does_not(name: str) -> None:
    assert not is_access_name(name)


def test_to_open_is_no_word_of_another_question() -> None:
    asked = ["take milk off the list", "Shall I remove Milk from the Shopping List?"]
    assert classify_reply(Text("Yes, open it", "en"), texts(asked, "en")) is Reply.OTHER


def test_words_that_belong_together_say_what_is_to_be_done() -> None:
    assert Predicate.of(Text("doe de deur op slot", "nl")).opens is False
    assert Predicate.of(Text("haal de deur van het slot", "nl")).opens is True
    assert Predicate.of(Text("sperr die Tür ab", "de")).opens is False
    assert Predicate.of(Text("sperr auf", "de")).opens is True


@pytest.mark.parametrize(
    ("language", "closed", "opened"),
    [
        ("en", "I want the front door locked", "I want the front door unlocked"),
        ("de", "Ich möchte die Haustür abgeschlossen", "Ich will die Haustür aufgeschlossen"),
        ("fr", "Je veux la porte verrouillée", "Je veux la porte déverrouillée"),
        ("es", "Quiero la puerta cerrada", "Quiero la puerta abierta"),
        ("it", "Voglio la porta chiusa", "Voglio la porta aperta"),
        ("nl", "Ik wil de voordeur vergrendeld", "Ik wil de voordeur ontgrendeld"),
        ("pl", "Chcę, żeby brama była zamknięta", "Chcę, żeby brama była otwarta"),
    ],
)
def test_what_is_to_be_closed_is_not_to_be_opened(language: str, closed: str, opened: str) -> None:
    assert Predicate.of(Text(closed, language)).opens is False
    assert Predicate.of(Text(opened, language)).opens is True


def test_what_is_closed_may_be_opened() -> None:
    assert Predicate.of(Text("open the locked door", "en")).opens is None


NAMES = {
    "en": ("Front Door", "Garage Door"), "de": ("Haustür", "Garagentor"),
    "fr": ("Porte d'entrée", "Porte du garage"), "es": ("Puerta principal", "Puerta del garaje"),
    "it": ("Porta d'ingresso", "Porta del garage"), "nl": ("Voordeur", "Garagedeur"),
    "pl": ("Drzwi wejściowe", "Brama garażowa"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "said", "wanted"),
    [
        ("en", "Only the garage door", 1), ("en", "Yes, but only the front door please", 0),
        ("de", "Nur das Garagentor", 1), ("fr", "Seulement la porte du garage", 1),
        ("es", "Solo la puerta principal", 0), ("it", "Solo il garage", 1),
        ("nl", "Alleen de voordeur", 0), ("pl", "Tylko brama garażowa", 1),
        # Nobody knows which; all; no; another; a question; nothing that is only.
        ("en", "Only the door", None), ("en", "Only the front and garage door", None),
        ("en", "Only the garage door, the front door", None),
        ("en", "No, only the garage", None), ("en", "Only the back door", None),
        ("en", "Only the garage?", None), ("en", "The garage", None), ("en", "Just do it", None),
        ("en", "Only the garage at ten", None), ("de", "Nur morgen", None),
    ],
)  # fmt: skip
def test_some_of_what_was_asked_may_be_wanted(language: str, said: str, wanted: int | None) -> None:
    found = select_subset(Text(said, language), NAMES[language], ())
    assert [*found] == ([] if wanted is None else [wanted == 0, wanted == 1])


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("one four oh seven", "1407"), ("2 oh 8 0", "2080"), ("oh no", ""), ("oh one four", "14"),
        ("one four oh", "14"), ("oh well", ""), ("twenty one", "21"),
    ],
)  # fmt: skip
def test_a_zero_between_digits_may_be_an_oh(said: str, digits: str) -> None:
    assert SpokenDigits(Text(said, "en")).digits == digits


def _digits(said: str, language: str) -> tuple[str, bool]:
    found = SpokenDigits(Text(said, language))
    return found.digits, found.is_all


def test_digits_are_all_that_was_said_or_not() -> None:
    assert _digits("one two", "en") == ("12", True)
    assert _digits("hello one two", "en") == ("12", False)
    assert _digits("", "en") == ("", False)
    assert _digits("It is one two, please", "en") == ("12", True)
    assert _digits("Die PIN ist eins zwei", "de") == ("12", True)
    assert _digits("What is 12 times 7?", "en") == ("127", False)
    assert _digits("No, turn on the lamp at 7", "en") == ("7", False)
    assert _digits("No, 7", "en") == ("7", False)
    assert _digits("PIN 2580", "nb") == ("2580", True)


@pytest.mark.parametrize(
    ("language", "said", "begins"),
    [
        ("en", "list my lights", True), ("en", "could you please read me my mail", True),
        ("en", "the list is long", False), ("en", "my name is Bo", False),
        ("de", "bitte lies meine Mails", True), ("de", "diese Liste ist lang", False),
        ("it", "leggi la posta", True),
    ],
)  # fmt: skip
def test_only_polite_words_stand_before_a_beginning(
    language: str, said: str, *, begins: bool
) -> None:
    assert Text(said, language).begins("listing") is begins
