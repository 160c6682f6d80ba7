"""Sentences that only sound like requests to the notebook: reminders, lists, plans, small talk."""

import pytest

from custom_components.voice_gateway.nlu.note_requests import NoteRequest
from custom_components.voice_gateway.nlu.tokenizer import Text

QUESTIONS = (None, NoteRequest.WHEN, NoteRequest.QUESTION)
OTHERS = {
    "en": (
        "remind me that the bins go out on Tuesday", "remember to turn off the light at nine", "remember the milk",
        "don't let me forget that we meet at six", "remind us of the milk", "don't forget the milk", "remember me",
        "don't forget to lock the door", "put milk on my list", "I remember that the bins go out on Tuesday",
        "do you remember that the bins go out on Tuesday", "she wants to remember that", "remember, the door",
        "tell Anna to remember that the bins go out", "write that the bins go out on Tuesday", "you forget that",
        "I forgot what I said about the bins", "what did Anna say about the bins?", "remember to ask if he is well",
    ),
    "de": (
        "erinnere mich daran, dass die Tonnen raus müssen", "erinner mich morgen an die Tonnen", "vergiss die Milch nicht",
        "denk daran, das Licht auszuschalten", "merkst du dir das nie", "ich merke mir, dass die Tonnen raus müssen",
        "sag Anna, sie soll sich merken, dass die Tonnen raus müssen", "schreib Milch auf die Liste", "vergiss mich nicht",
        "weißt du, dass die Tonnen raus müssen", "Anna hat vergessen, dass die Tonnen raus müssen",
    ),
    "fr": (
        "rappelle-moi que les poubelles sortent mardi", "rappelle-moi de sortir les poubelles", "n'oublie pas le lait",
        "n'oublie pas d'éteindre la lampe", "je me souviens que les poubelles sortent mardi", "ajoute du lait à la liste",
        "tu sais que les poubelles sortent mardi", "dis à Anna de retenir que les poubelles sortent mardi",
    ),
    "es": (
        "recuérdame que la basura sale el martes", "recuérdame sacar la basura", "no olvides la leche", "pon leche en la lista",
        "no te olvides de apagar la luz", "yo recuerdo que la basura sale el martes", "recuerda apagar la luz a las nueve",
        "dile a Ana que recuerde que la basura sale", "sabes que la basura sale el martes",
    ),
    "it": (
        "ricordami che i rifiuti escono martedì", "ricordami di portare fuori i rifiuti", "non dimenticare il latte",
        "ricordati di spegnere la luce alle nove", "io ricordo che i rifiuti escono martedì", "metti il latte nella lista",
        "di' ad Anna di ricordare che i rifiuti escono", "sai che i rifiuti escono martedì",
    ),
    "nl": (
        "herinner me eraan dat de containers buiten moeten", "herinner mij aan de melk", "vergeet de melk niet",
        "vergeet niet het licht uit te doen", "ik onthoud dat de containers buiten moeten", "zet melk op de lijst",
        "zeg tegen Anna dat ze moet onthouden dat de containers buiten moeten", "weet je dat de containers buiten moeten",
    ),
    "pl": (
        "przypomnij mi, że śmieci wywożą we wtorek", "przypomnij mi o śmieciach", "nie zapomnij o mleku", "pamiętaj o mleku",
        "nie zapomnij zgasić światła", "pamiętam, że śmieci wywożą we wtorek", "dodaj mleko do listy",
        "powiedz Annie, żeby zapamiętała, że śmieci wywożą we wtorek", "wiesz, że śmieci wywożą we wtorek",
    ),
}  # fmt: skip
MAY_BE_FORGOTTEN = {
    "vergiss die Milch nicht": "die Milch nicht",
    "vergiss mich nicht": "mich nicht",
    "vergeet de melk niet": "de melk niet",
    "vergeet niet het licht uit te doen": "niet het licht uit te doen",
}
"""What is forgotten only if a note has all of these words, the negation included."""


@pytest.mark.parametrize(
    ("language", "sentence"), [(code, each) for code, listed in OTHERS.items() for each in listed]
)
def test_sentence_is_no_request_to_the_notebook(language: str, sentence: str) -> None:
    found = NoteRequest.parse(Text(sentence, language))
    if found and found[0] is NoteRequest.FORGET_MAYBE:
        assert found[1] == MAY_BE_FORGOTTEN[sentence]
    else:
        assert (found and found[0]) in QUESTIONS
