"""Notes answer the questions that have no other words, each only its own."""

from collections.abc import Mapping, Sequence

import pytest

from custom_components.voice_gateway.nlu.note_requests import NoteRequest
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.nlu.utterance import parse_once
from custom_components.voice_gateway.notebook.matching import answering, routine_said
from custom_components.voice_gateway.notebook.notebook import NotebookEntry

from ..tables import table

PAIRS: Mapping[str, Sequence[tuple[str, str]]] = table(__file__, "PAIRS")
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
