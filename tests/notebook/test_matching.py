"""Notes answer the questions that have no other words, each only its own."""

from collections.abc import Mapping, Sequence

import pytest

from custom_components.voice_gateway.nlu.note_requests import NoteRequest
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.nlu.utterance import parse_once
from custom_components.voice_gateway.notebook.matching import answering, routine_said
from custom_components.voice_gateway.notebook.notebook import NotebookEntry

PAIRS: Mapping[str, Sequence[tuple[str, str]]] = {
    "en": (
        ("keep in mind that the plumber comes on Friday at nine", "when does the plumber come?"),
        ("remember that the car is parked on level 3", "where did I park the car?"),
        ("Remember that grandma's birthday is on the fourth of May", "when is grandma's birthday?"),
        ("remember that the gate code is 4711", "what's the gate code?"),
        ("please don't forget that the filters were changed in March", "when were the filters changed?"),
        ("remember that our license plate is B AB 123", "what is our license plate?"),
        ("bear in mind that Tom is vegetarian", "who is vegetarian?"),
        ("memorize that the drill is in the basement", "where is the drill?"),
        ("remember that Lena's teacher is called Miss Frank", "what is Lena's teacher called?"),
        ("can you remember that the meter number is 5512", "tell me what the meter number is"),
        ("hey remember the recycling is on Thursdays", "when is recycling?"),
        ("remember that the cat gets two pills", "how many pills does the cat get?"),
        ("could you please remember that my locker is 12", "which is my locker?"),
    ),
    "de": (
        ("Merk dir, dass der Klempner am Freitag um neun kommt", "Wann kommt der Klempner?"),
        ("merk dir dass das Auto auf Ebene drei steht", "Wo steht das Auto?"),
        ("Merke dir, dass Omas Geburtstag am vierten Mai ist", "Wann hat Oma Geburtstag?"),
        ("Merk dir, der Torcode ist 4711", "Was ist der Torcode?"),
        ("Vergiss bitte nicht, dass die Filter im März gewechselt wurden", "Wann wurden die Filter gewechselt?"),
        ("Denk daran, dass Tom Vegetarier ist", "Wer ist Vegetarier?"),
        ("Merk dir dass die Bohrmaschine im Keller liegt", "Wo ist die Bohrmaschine?"),
        ("Kannst du dir merken, dass die Zählernummer 5512 ist", "Wie lautet die Zählernummer?"),
        ("Merk dir, dass die Katze zwei Tabletten bekommt", "Wie viele Tabletten bekommt die Katze?"),
        ("Behalte im Kopf, dass Lenas Lehrerin Frau Frank heißt", "Wie heißt Lenas Lehrerin?"),
    ),
    "fr": (
        ("Souviens-toi que le plombier vient vendredi à neuf heures", "Quand vient le plombier ?"),
        ("retiens que la voiture est au niveau 3", "Où est la voiture ?"),
        ("Souviens-toi que l'anniversaire de mamie est le 4 mai", "Quand est l'anniversaire de mamie ?"),
        ("Retiens que le code du portail est 4711", "C'est quoi le code du portail ?"),
        ("N'oublie pas que les filtres ont été changés en mars", "Quand les filtres ont-ils été changés ?"),
        ("Rappelle-toi que Tom est végétarien", "Qui est végétarien ?"),
        ("Retiens que la perceuse est à la cave", "Où se trouve la perceuse ?"),
        ("Peux-tu retenir que le numéro du compteur est 5512", "Quel est le numéro du compteur ?"),
        ("Souviens-toi que le chat prend deux comprimés", "Combien de comprimés prend le chat ?"),
        ("Mémorise que la maîtresse de Léna s'appelle Madame Franc", "Comment s'appelle la maîtresse de Léna ?"),
    ),
    "es": (
        ("Recuerda que el fontanero viene el viernes a las nueve", "¿Cuándo viene el fontanero?"),
        ("recuerda que el coche está en la planta 3", "¿Dónde está el coche?"),
        ("Recuerda que el cumpleaños de la abuela es el 4 de mayo", "¿Cuándo es el cumpleaños de la abuela?"),
        ("Recuerda que el código del portal es 4711", "¿Cuál es el código del portal?"),
        ("No olvides que los filtros se cambiaron en marzo", "¿Cuándo se cambiaron los filtros?"),
        ("Ten en cuenta que Tom es vegetariano", "¿Quién es vegetariano?"),
        ("Recuerda que el taladro está en el sótano", "¿Dónde está el taladro?"),
        ("¿Puedes recordar que el número del contador es 5512?", "¿Qué número tiene el contador?"),
        ("Recuerda que el gato toma dos pastillas", "¿Cuántas pastillas toma el gato?"),
        ("Acuérdate de que la maestra de Lena se llama Francisca", "¿Cómo se llama la maestra de Lena?"),
    ),
    "it": (
        ("Ricorda che l'idraulico viene venerdì alle nove", "Quando viene l'idraulico?"),
        ("ricordati che la macchina è al livello 3", "Dov'è la macchina?"),
        ("Ricorda che il compleanno della nonna è il 4 maggio", "Quando è il compleanno della nonna?"),
        ("Ricorda che il codice del cancello è 4711", "Qual è il codice del cancello?"),
        ("Non dimenticare che i filtri sono stati cambiati a marzo", "Quando sono stati cambiati i filtri?"),
        ("Tieni presente che Tom è vegetariano", "Chi è vegetariano?"),
        ("Ricorda che il trapano è in cantina", "Dove si trova il trapano?"),
        ("Puoi ricordare che il numero del contatore è 5512", "Qual è il numero del contatore?"),
        ("Ricorda che il gatto prende due pastiglie", "Quante pastiglie prende il gatto?"),
        ("Ricordati che la maestra di Lena si chiama Franca", "Come si chiama la maestra di Lena?"),
    ),
    "nl": (
        ("Onthoud dat de loodgieter vrijdag om negen uur komt", "Wanneer komt de loodgieter?"),
        ("onthoud dat de auto op niveau 3 staat", "Waar staat de auto?"),
        ("Onthoud dat oma's verjaardag op 4 mei is", "Wanneer is oma's verjaardag?"),
        ("Onthoud dat de poortcode 4711 is", "Wat is de poortcode?"),
        ("Vergeet niet dat de filters in maart zijn vervangen", "Wanneer zijn de filters vervangen?"),
        ("Denk eraan dat Tom vegetariër is", "Wie is vegetariër?"),
        ("Onthoud dat de boormachine in de kelder ligt", "Waar ligt de boormachine?"),
        ("Kun je onthouden dat het meternummer 5512 is", "Wat is het meternummer?"),
        ("Onthoud dat de kat twee pillen krijgt", "Hoeveel pillen krijgt de kat?"),
        ("Onthoud dat Lena's juf Franka heet", "Hoe heet Lena's juf?"),
    ),
    "pl": (
        ("Zapamiętaj, że hydraulik przychodzi w piątek o dziewiątej", "Kiedy przychodzi hydraulik?"),
        ("zapamiętaj że samochód stoi na poziomie 3", "Gdzie stoi samochód?"),
        ("Zapamiętaj, że urodziny babci są czwartego maja", "Kiedy są urodziny babci?"),
        ("Zapamiętaj, że kod do bramy to 4711", "Jaki jest kod do bramy?"),
        ("Pamiętaj, że Tomek jest wegetarianinem", "Kto jest wegetarianinem?"),
        ("Zapamiętaj, że wiertarka jest w piwnicy", "Gdzie jest wiertarka?"),
        ("Czy możesz zapamiętać, że numer licznika to 5512", "Jaki jest numer licznika?"),
        ("Zapamiętaj, że kot dostaje dwie tabletki", "Ile tabletek dostaje kot?"),
        ("Zapamiętaj, że nauczycielka Leny nazywa się Franka", "Jak nazywa się nauczycielka Leny?"),
    ),
}  # fmt: skip
"""A sentence to remember, and the question that its note answers."""


@pytest.mark.parametrize("language", PAIRS)
def test_each_question_is_answered_by_its_note(language: str) -> None:
    notes = []
    for sentence, _ in PAIRS[language]:
        found = NoteRequest.parse(Text(sentence, language))
        assert found, sentence
        assert found[0] in (NoteRequest.REMEMBER, NoteRequest.REMEMBER_FACT), sentence
        notes.append(NotebookEntry(text=str(found[1]), language=language))
    for note, (_, question) in zip(notes, PAIRS[language], strict=True):
        found = NoteRequest.parse(Text(question, language))
        assert found, question
        act, words = found
        assert [*answering(notes, words, wants_time=act is NoteRequest.WHEN)] == [note], question


@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("the bins go out", "when do the bins go out?"),
        ("the wifi password is blue", "when does the wifi password change?"),
        ("the wifi password is blue", "what is the password of the safe?"),
        ("the wife's password is blue", "what is the wifi password?"),
        ("the bins go out on Tuesday", "when do the blue bins go out?"),
        ("Anna comes on Monday", "when does Ben come?"),
        ("Anna comes on Monday", "what is it?"),
        ("it is what it is", "what is it?"),
    ],
)
def test_other_questions_are_not_answered(note: str, question: str) -> None:
    found = NoteRequest.parse(Text(question, "en"))
    assert found
    entry = NotebookEntry(text=note, language="en")
    assert not answering([entry], found[1], wants_time=found[0] is NoteRequest.WHEN)


def test_only_notes_with_a_phrase_of_the_users_are_parsed() -> None:
    names = frozenset({"Bed Light"})
    notes = [
        NotebookEntry(text=f"the key of box {number} is behind the door", language="en")
        for number in range(50)
    ]
    routine = NotebookEntry(text="when I say movie time, turn off the bed light", language="en")
    parse_once("warm up", "en", names)
    before = parse_once.cache_info().misses
    assert routine_said([*notes, routine], Text("lock the door of the box", "en"), names) is None
    assert parse_once.cache_info().misses == before + 1
    found = routine_said([*notes, routine], Text("movie time please", "en"), names)
    assert found
    assert found.sentence == "turn off the bed light"
