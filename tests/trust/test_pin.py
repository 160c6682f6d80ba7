"""A PIN reaches nobody but the question for it, in whatever sentence and language."""

import json

from homeassistant.components.conversation.trace import async_get_traces
import pytest

from tests.agent import Answer, add_agent
from tests.ollama import call
from tests.rows import rows

from .conftest import House

PIN = "2580"
OFF = "HassTurnOff"
UNLOCK = [call(OFF, name="Front Door", domain=["lock"])]


@pytest.fixture
async def guarded(house: House) -> House:
    """Return the house, with an agent that wants a PIN."""
    hass = house.agent.hass
    assert await hass.config_entries.async_remove(house.agent.entry.entry_id)
    house.agent = await add_agent(hass, house.ollama.url, second_opinion=False, pin=PIN)
    return house


# The language, a sentence with the PIN, and the part that no model, log or trace may contain.
SAID: list[tuple[str, str, str]] = [
    ("en", "Unlock the front door, the PIN is 2580", "PIN is 2580"),
    ("en", "Note that my code is two five eight zero", "five eight"),
    ("en", "Tell me a joke about 2-5-8-0", "2-5-8-0"),
    ("de", "Schließ Front Door auf, die PIN ist zwei fünf acht null", "fünf acht"),
    ("de", "Merk dir fünfundzwanzig achtzig", "fünfundzwanzig"),
    ("fr", "Ouvre Front Door avec le code vingt-cinq quatre-vingts", "vingt-cinq"),
    ("es", "Abre Front Door, la clave es dos cinco ocho cero", "cinco ocho"),
    ("it", "Il mio codice è duemilacinquecentottanta", "duemilacinque"),
    ("nl", "Doe Front Door open met code vijfentwintig tachtig", "vijfentwintig"),
    ("pl", "Mój kod to dwa pięć osiem zero", "pięć osiem"),
    ("nb", "Lås opp Front Door, koden er to fem åtte null", "fem åtte"),
    ("uk", "Мій код два п'ять вісім нуль", "вісім"),
    ("ja", "暗証番号は二五八零です", "二五八零"),
    ("ja", "コードは二五八〇", "二五八〇"),
    ("ja", "玄関を開けて、二千五百八十", "二千五百八十"),
    ("ja", "二 五 八 零です", "五 八"),
    ("ko", "코드는 이오팔영", "오팔"),
    ("hi", "मेरा कोड दो पाँच आठ शून्य है", "आठ"),
    ("ar", "الرمز هو ٢٥٨٠", "٢٥٨٠"),
    ("zh-Hans", "密码是二五八零", "二五八零"),
]


@rows(("language", "said", "secret"), SAID)
async def test_pin_in_a_sentence_reaches_no_model_log_or_trace(
    guarded: House, caplog: pytest.LogCaptureFixture, language: str, said: str, secret: str
) -> None:
    """Whether or not a question was asked before."""
    for is_asked in (False, True):
        first = (await guarded.hears("Unlock the front door", UNLOCK))[0] if is_asked else None
        caplog.clear()
        guarded.ollama.chats.clear()
        answer, done = await guarded.hears(said, UNLOCK, language=language, after=first)
        assert not done, answer.speech
        ours = [each.getMessage() for each in caplog.records if "voice_gateway" in each.name]
        seen = {
            "model": json.dumps(guarded.ollama.chats, ensure_ascii=False),
            "chat log": str(answer.log),
            "log": "\n".join(ours),
            "trace": str(async_get_traces()[-1].as_dict()),
            "speech": answer.speech,
        }
        assert not [where for where, text in seen.items() if secret in text]


# In which language; the question's sentence, the right PIN, and sentences with numbers that are none.
REPLIES: list[tuple[str, str, str, list[str]]] = [
    ("en", "Unlock the front door", "two five eight zero",
     ["What is 12 times 7?", "No, turn on the lamp at 7", "play channel 3", "set it to 2 5 8 1 lumens"]),
    ("de", "Schließ Front Door auf", "zwei fünf acht null",
     ["Was ist 12 mal 7?", "Nein, mach das Licht um 7 an", "Kanal 3 bitte abspielen"]),
    ("fr", "Déverrouille Front Door", "deux cinq huit zéro",
     ["Combien font 12 fois 7 ?", "Non, allume Bed Light à 7 heures", "mets la chaîne 3"]),
    ("es", "Desbloquea Front Door", "dos cinco ocho cero",
     ["¿Cuánto es 12 por 7?", "No, enciende Bed Light a las 7", "pon el canal 3"]),
    ("nb", "Lås opp Front Door", "to fem åtte null",
     ["Hva er 12 ganger 7?", "Nei, slå på Bed Light klokka 7", "spill kanal 3"]),
    ("uk", "Відчини Front Door", "два п'ять вісім нуль",
     ["Скільки буде 12 на 7?", "Ні, увімкни Bed Light о 7", "увімкни канал 3"]),
    ("ja", "Front Doorを開けて", "２５８０",
     ["12かける7は？", "いいえ、7時にBed Lightをつけて", "3チャンネルにして"]),
]  # fmt: skip


@rows("row", REPLIES)
async def test_other_numbers_are_no_pin_and_the_right_one_opens(
    guarded: House, row: tuple[str, str, str, list[str]]
) -> None:
    """Also after more such sentences than wrong PINs are allowed."""
    language, said, pin, others = row

    async def ask() -> Answer:
        answer, done = await guarded.hears(said, UNLOCK, language=language)
        assert answer.result.continue_conversation, answer.speech
        assert not done
        return answer

    for each in (*others, *others):
        answer, done = await guarded.hears(each, language=language, after=await ask())
        assert "PIN" not in answer.speech
        assert not [deed for deed in done if deed.startswith("lock.")]
    answer, done = await guarded.hears(pin, language=language, after=await ask())
    assert done == ["lock.unlock front_door"], answer.speech
