"""What is said to a question of ours: the words for opening may be said again, in other forms."""

import pytest

from custom_components.voice_gateway.heard.reply import Reply, opens, reply

# In which language; the command, with our question; what is said then, and what that is.
ASKED = {
    "en": "unlock the front door\nShall I unlock the Front Door?",
    "de": "Sperr die Haustür auf\nSoll ich Haustür aufschließen?",
    "fr": "déverrouille la porte\nDois-je déverrouiller la porte ?",
    "es": "desbloquea la puerta\n¿Abro la cerradura de la puerta?",
    "it": "sblocca il portone\nDevo sbloccare Portone?",
    "nl": "ontgrendel de voordeur\nZal ik Voordeur ontgrendelen?",
    "pl": "odblokuj drzwi\nCzy mam odblokować Drzwi?",
}
REPLIES = [
    ("en", "Yes, open it", Reply.YES), ("en", "Sure, open the door please", Reply.YES),
    ("en", "Yes, lock it", Reply.OTHER), ("en", "Yes, open the garage", Reply.OTHER),
    ("en", "Open it", Reply.OTHER), ("en", "No, don't open it", Reply.NO),
    ("de", "Ja, schließ auf", Reply.YES), ("de", "Ja, mach sie auf", Reply.YES),
    ("de", "Ja, bitte öffnen", Reply.YES), ("de", "Ja, schließ ab", Reply.OTHER),
    ("de", "Auf keinen Fall", Reply.NO),
    ("fr", "Oui, ouvre-la", Reply.YES), ("fr", "Oui, ferme-la", Reply.OTHER),
    ("es", "Sí, ábrela", Reply.YES), ("es", "Sí, ciérrala", Reply.OTHER),
    ("it", "Sì, aprilo", Reply.YES), ("it", "Sì, chiudilo", Reply.OTHER),
    ("nl", "Ja, open de deur", Reply.OTHER), ("nl", "Ja, open maar", Reply.OTHER),
    ("nl", "Ja, openen", Reply.YES), ("nl", "Ja, doe hem op slot", Reply.OTHER),
    ("pl", "Tak, otwórz", Reply.YES), ("pl", "Tak, zamknij", Reply.OTHER),
]  # fmt: skip


@pytest.mark.parametrize(("language", "said", "wanted"), REPLIES)
def test_a_yes_may_say_again_to_open(language: str, said: str, wanted: Reply) -> None:
    assert reply(said, language, ASKED[language].split("\n")) is wanted


def test_to_open_is_no_word_of_another_question() -> None:
    asked = ["take milk off the list", "Shall I remove Milk from the Shopping List?"]
    assert reply("Yes, open it", "en", asked) is Reply.OTHER


def test_words_that_belong_together_say_what_is_to_be_done() -> None:
    assert opens("doe de deur op slot", "nl") is False
    assert opens("haal de deur van het slot", "nl") is True
    assert opens("sperr die Tür ab", "de") is False
    assert opens("sperr auf", "de") is True
