"""What certainly is a claim that something was done, by its words alone."""

from homeassistant.core import HomeAssistant

from custom_components.voice_gateway.home.exposed import Exposed, Home
from custom_components.voice_gateway.turn.claims import ClaimDetector
from tests.agent import add_agent
from tests.ollama import PlayedOllama, says
from tests.rows import rows

from ..tables import table

HOME = Home(
    tuple(
        Exposed("", domain, (name,), f"{domain}.{index}", None)
        for index, (domain, name) in enumerate(
            (
                ("light", "Bed Light"),
                ("lock", "Front Door"),
                ("fan", "Ceiling Fan"),
                ("media_player", "Walkman"),
            )
        )
    ),
    {},
    {},
)
CLAIMS = table(__file__, "CLAIMS")
NONE = {
    "en": (
        "Shall I turn on the bed light?",
        "I can turn on the bed light for you.",
        "Turning the lights down early helps you sleep.",
        "I have a joke for you: two fans meet.",
        "Opening a window for ten minutes is enough.",
        "You're welcome.",
        "I set great store by honesty.",
        "I have made my bed.",
        "Turned off by the noise, the neighbour moved away.",
        "Opening Moby Dick.",
        "Opening up.",
    ),
    "de": (
        "Soll ich das Licht einschalten?",
        "Ich kann das Licht einschalten.",
        "Mach das Fenster auf, wenn dir warm ist.",
        "Ich habe leider keine Ahnung.",
    ),
    "es": ("¿Quieres que encienda la luz?", "Puedo encender la luz.", "He leído un libro."),
    "fr": ("Voulez-vous de la lumière ?", "Je peux allumer la lampe.", "J'ai lu un livre."),
    "it": ("Vuoi che accenda la luce?", "Posso accendere la luce.", "Ho letto un libro."),
    "nl": ("Zal ik de lamp aanzetten?", "Ik kan de lamp aanzetten.", "Ik heb een boek gelezen."),
    "pl": ("Czy włączyć światło?", "Mogę włączyć światło.", "Czytałem książkę."),
}


@rows("language", CLAIMS)
async def test_claims_are_told_from_talk(hass: HomeAssistant, language: str) -> None:
    claimed = ClaimDetector(language, HOME)

    def claims(sentence: str) -> bool:
        return claimed.in_sentence(sentence, was_read=False, was_done=False)

    assert [each for each in CLAIMS[language] if not claims(each)] == []
    assert [each for each in NONE[language] if claims(each)] == []


async def test_what_was_read_or_done_before_may_be_told(hass: HomeAssistant) -> None:
    claimed = ClaimDetector("en", HOME)
    for sentence, was_read, was_done in (
        ("The bed light is now on.", True, False),
        ("I have turned on the bed light.", False, True),
    ):
        assert claimed.in_sentence(sentence, was_read=False, was_done=False)
        assert not claimed.in_sentence(sentence, was_read=was_read, was_done=was_done)
    for sentence in ("I have turned on the bed light.", "Turning on the bed light."):
        assert claimed.in_sentence(sentence, was_read=True, was_done=False)
        assert not claimed.in_sentence(f"{sentence}?", was_read=True, was_done=True)
    assert claimed.in_sentence("Turning on the bed light.", was_read=True, was_done=True)


@rows(
    ("text", "says_nothing", "is_done"),
    [
        ("Sure!", True, False),
        ("Yes.", True, False),
        ("Done!", True, True),
        ("Okay, done.", True, True),
        ("Of course. All done!", True, True),
        ("It's done.", True, True),
        ("Done, the lamp.", False, False),
        ("Done? No.", False, False),
        ("It is warm.", False, False),
    ],
)
async def test_that_it_is_done_is_all_that_is_said(
    hass: HomeAssistant, text: str, says_nothing: bool, is_done: bool
) -> None:
    claimed = ClaimDetector("en", HOME)
    assert claimed.says_nothing(text) is says_nothing
    assert claimed.is_done(text) is is_done


async def test_advice_names_what_is_not_there(home: HomeAssistant, ollama: PlayedOllama) -> None:
    """Who asks is told what to do, and nothing is claimed by that."""
    advice = "Schalte Lampen im Urlaub aus."
    agent = await add_agent(home, ollama.url)
    ollama.answers(says(advice))
    assert (await agent.hears("Wie spare ich Strom?", language="de")).speech == advice
