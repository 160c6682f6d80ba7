"""After a yes to what the model asked, its call may also be a text: it acts on what the question named."""

import json

from homeassistant.core import HomeAssistant

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

ON = ["light.turn_on bed_light"]
# In which language; what was told; what the model asked; what is answered; what is done.
AGREED = [
    ("en", "I can't see my book", "Shall I turn on the Bed Light?", "Please do", ON),
    ("en", "I can't see my book", "Shall I turn on the Bed Light?", "Yeah, go on", ON),
    ("de", "Ich kann mein Buch nicht sehen", "Soll ich Bed Light einschalten?", "Ja, bitte", ON),
    ("fr", "Je ne vois pas mon livre", "Dois-je allumer Bed Light ?", "Oui, s'il te plaît", ON),
    ("it", "Non vedo il mio libro", "Devo accendere Bed Light?", "Sì, per favore", ON),
    ("nl", "Ik kan mijn boek niet zien", "Zal ik Bed Light aanzetten?", "Ja, graag", ON),
    ("pl", "Nie widzę mojej książki", "Czy mam włączyć Bed Light?", "Tak, proszę", ON),
    # No yes, or one to another question.
    ("en", "I can't see my book", "Shall I turn on the Bed Light?", "No, leave it", []),
    ("en", "I can't see my book", "Shall I turn on the Kitchen Lights?", "Please do", []),
    ("en", "I can't see my book", "Shall I turn off the Bed Light?", "Please do", []),
    ("en", "I can't see my book", "Shall I turn on the Bed Light at nine?", "Please do", []),
]  # fmt: skip


@rows("case", AGREED)
async def test_a_written_call_does_what_was_agreed(
    home: HomeAssistant, ollama: PlayedOllama, case: tuple[str, str, str, str, list[str]]
) -> None:
    language, told, asked, answered, done = case
    agent = await add_agent(home, ollama.url, second_opinion=False)
    ollama.script = [says(asked)]
    first = await agent.hears(told, language=language)
    deeds = Deeds(home)
    bed = {"name": "HassTurnOn", "arguments": {"name": "Bed Light", "domain": ["light"]}}
    ollama.script = [says(json.dumps(bed)), *[says("Hm.")] * 4]
    answer = await agent.hears(answered, first.conversation_id, language=language)
    assert deeds.taken() == done, answer.speech


async def test_a_yes_is_for_what_was_asked_and_not_for_what_its_words_resemble(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """By its "on", "Yeah, go on" says no other device, and nothing against what was asked."""
    agent = await add_agent(home, ollama.url, second_opinion=False)
    ollama.script = [says("Should I close the Kitchen Window?")]
    first = await agent.hears("There is a draught in here")
    deeds = Deeds(home)
    ollama.script = [calls(call("intent__HassTurnOff", name="Kitchen Window")), says("Closed.")]
    answer = await agent.hears("Yeah, go on", first.conversation_id)
    assert deeds.taken() == ["cover.close_cover kitchen_window"], answer.speech
