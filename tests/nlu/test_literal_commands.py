"""Clauses in languages without lists, by Home Assistant's own sentences."""

from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.nlu.clause import DialogueAct
from tests.nlu.saying import hears
from tests.rows import rows
from tests.tools.conftest import full_house

__all__ = ("full_house",)


@rows(
    ("language", "said", "commands"),
    [
        ("pt", "Lê o correio e acende Bed Light", ["acende Bed Light"]),
        ("pt", "Apaga Bed Light e lê a lista", ["Apaga Bed Light"]),
        ("uk", "Яка погода? І увімкни Bed Light", ["увімкни Bed Light"]),
        ("ar", "اقرأ بريدي وشغّل Bed Light", ["شغّل Bed Light"]),
        ("hi", "मेल पढ़ो और Bed Light चालू करो", ["Bed Light चालू करो"]),
        ("tr", "Postayı oku ve Bed Light aç", ["Bed Light aç"]),
        ("ja", "メールを読んで、それからBed Lightを消して", ["Bed Lightを消して"]),
        ("ja", "Bed Lightを消してメールを読んで", ["Bed Lightを消して"]),
        ("ko", "메일 읽어 주고 Bed Light 꺼 줘", ["Bed Light 꺼 줘"]),
        # What is forbidden, or is no command, is none.
        ("pt", "Lê o correio e não acendas Bed Light", []),
        ("uk", "Прочитай пошту про Bed Light і поклади її", []),
        ("pt", "Acende Bed Light", []),
        # Lists of clauses are the language's own.
        ("de", "Lies die Mail und mach Bed Light an", ["mach Bed Light an"]),
    ],
)
async def test_part_that_home_assistant_reads_is_a_command(
    full_house: HomeAssistant, language: str, said: str, commands: list[str]
) -> None:
    utterance = await hears(full_house, said, language=language)
    clauses = utterance.parsed.clauses
    found = [
        " ".join(each.text.split()).replace(" を", "を")
        for each in clauses
        if each.act is DialogueAct.COMMAND
    ]
    if language == "de":
        found = found[1:]
    assert found == commands
