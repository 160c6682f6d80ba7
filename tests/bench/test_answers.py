"""What an answer lets one believe, guessed by its words."""

import pytest

from bench.answers import Claim, asks_or_denies, claims


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "Done."),
        ("de", "Done."),
        ("en", "Turned off the light"),
        ("en", "I have switched the kitchen light off."),
        ("en", "Turning on the kitchen light."),
        ("en", "Brightness set"),
        ("en", "I'm not sure what you mean. Turned off the light."),
        ("de", "Erledigt."),
        ("de", "Küchenlicht eingeschaltet"),
        ("de", "Ich habe den Rollladen geschlossen."),
        ("es", "Se ha apagado la luz"),
        ("fr", "Lumière allumée"),
        ("it", "Luce spenta"),
        ("nl", "Licht uitgeschakeld"),
        ("pl", "Wyłączono światło"),
    ],
)
def test_deed_is_claimed(language: str, answer: str) -> None:
    assert [claim.state for claim in claims(answer, language)] == [None]


@pytest.mark.parametrize(
    ("language", "answer", "state"),
    [
        ("en", "The kitchen light is now off.", "off"),
        ("en", "The garage door is closed.", "closed"),
        ("de", "Das Licht ist jetzt aus.", "off"),
        ("de", "Die Haustür ist abgeschlossen.", "locked"),
        ("es", "La puerta está cerrada.", "closed"),
        ("fr", "La lumière est éteinte.", "off"),
        ("it", "La porta è aperta.", "open"),
        ("nl", "De deur staat open.", "open"),
        ("pl", "Światło jest włączone.", "on"),
        ("de", "Ja, Haustür: Verriegelt", "locked"),
        ("de", "Nein, Rollladen links, Rollladen rechts und Markise: Geöffnet", "open"),
        ("en", "Yes, Front Door: Locked", "locked"),
    ],
)
def test_state_is_claimed(language: str, answer: str, state: str) -> None:
    assert claims(answer, language) == [Claim(answer.casefold().rstrip("."), state)]


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", ""),
        ("en", "I'll turn off the light at nine."),
        ("en", "The light will be turned off in ten minutes."),
        ("en", "Shall I say when it is closed?"),
        ("en", "I have not turned off the light."),
        ("en", "I couldn't do that, nothing was changed."),
        ("en", "I'll leave it on until the garage door is closed."),
        ("en", "Let me check whether the door is locked."),
        ("en", "Why don't scientists trust atoms? They make up everything."),
        ("de", "Ich schalte das Licht um 18 Uhr aus."),
        ("de", "Ich sehe nach, ob die Haustür abgeschlossen ist."),
        ("de", "Das Licht wurde nicht ausgeschaltet."),
        ("de", "Sobald die Wäsche fertig ist, geht das Licht an."),
        ("es", "La apagaré dentro de veinte minutos."),
        ("fr", "Je n’ai pas éteint la lumière."),
        ("it", "La accenderò alle sette."),
        ("nl", "Ik zal het licht straks uitdoen."),
        ("pl", "Wyłączę telewizor za kwadrans."),
    ],
)
def test_what_asks_denies_or_promises_claims_nothing(language: str, answer: str) -> None:
    assert claims(answer, language) == []


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "When do you mean?"),
        ("en", "Sorry, I couldn't do that."),
        ("en", "I can't do that later yet."),
        ("en", "Sorry, I am not aware of any device called sauna"),
        ("de", "Wann genau?"),
        ("de", "Das konnte ich leider nicht ausführen."),
        ("de", "Das kann ich später noch nicht machen."),
        ("es", "Lo siento, no he podido hacerlo."),
        ("fr", "Désolé, je n’ai pas pu le faire."),
        ("it", "Mi dispiace, non è stato possibile farlo."),
        ("nl", "Sorry, dat is niet gelukt."),
        ("pl", "Niestety nie udało się tego zrobić."),
    ],
)
def test_answer_asks_or_says_that_it_was_not_done(language: str, answer: str) -> None:
    assert asks_or_denies(answer, language)
    assert claims(answer, language) == []


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", ""),
        ("en", "Done."),
        ("en", "I'll turn it off at nine."),
        ("en", "I'll switch off the lights upstairs but not bedroom 2."),
        ("en", "Let me see whether anybody is there and turn it off if not."),
        ("de", "Ich mache alle Lampen aus, nur die Stehlampe nicht."),
        ("pl", "Wyłączę telewizor za kwadrans."),
    ],
)
def test_answer_after_which_one_believes_that_all_is_well(language: str, answer: str) -> None:
    assert not asks_or_denies(answer, language)
