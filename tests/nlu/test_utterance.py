"""What a sentence is, before anything is done about it."""

from dataclasses import replace

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.nlu import utterance
from custom_components.voice_gateway.nlu.home_assistant import IntentMatch, default_agent
from custom_components.voice_gateway.nlu.utterance import RecognitionStatus
from tests.rows import rows

from .saying import hears, saying


@rows(
    ("text", "language", "kind"),
    [
        ("turn on the bed light", "en", RecognitionStatus.COMMAND),
        ("switch off the kitchen lights please", "en", RecognitionStatus.COMMAND),
        ("turn on the sauna", "en", RecognitionStatus.COMMAND),
        ("schalte Bed Light ein", "de", RecognitionStatus.COMMAND),
        ("schalte Bed Light ein", "de-DE", RecognitionStatus.COMMAND),
        ("is the bed light on?", "en", RecognitionStatus.QUESTION),
        ("which lights are on", "en", RecognitionStatus.QUESTION),
        ("what time is it", "en", RecognitionStatus.QUESTION),
        ("is the light on", "en", RecognitionStatus.UNKNOWN),
        ("tell me a story about a lamp", "en", RecognitionStatus.QUESTION),
        ("lucem accende", "la", RecognitionStatus.UNKNOWN),
        # Words that no name has, or after which none follows, and a colour that is none.
        ("turn on your charm", "en", RecognitionStatus.UNKNOWN),
        ("stop being so serious", "en", RecognitionStatus.UNKNOWN),
        ("start a story about a dragon", "en", RecognitionStatus.UNKNOWN),
        ("the kitchen lights are too bright", "en", RecognitionStatus.UNKNOWN),
        ("schalte mal einen Gang runter", "de", RecognitionStatus.UNKNOWN),
        ("mach mir Mut", "de", RecognitionStatus.UNKNOWN),
        # Who does it comes first: it is told of somebody, and no name.
        ("she said lights off", "en", RecognitionStatus.UNKNOWN),
        ("somebody left the oven on", "en", RecognitionStatus.UNKNOWN),
        ("meine Mutter macht das Licht an", "de", RecognitionStatus.UNKNOWN),
        ("turn on that kitchen light", "en", RecognitionStatus.COMMAND),
        ("turn on a light", "en", RecognitionStatus.COMMAND),
        ("schalte die Sauna ein", "de", RecognitionStatus.COMMAND),
        # Home Assistant makes nothing of it.
        ("give the bed light a little more power", "en", RecognitionStatus.COMMAND),
        ("dim the porch light", "en", RecognitionStatus.COMMAND),
        ("dim the porch lamps", "en", RecognitionStatus.COMMAND),
        ("dimme die Lichter der Veranda", "de", RecognitionStatus.COMMAND),
        ("send the submarine home", "en", RecognitionStatus.UNKNOWN),
        ("crank the walkman up", "en", RecognitionStatus.COMMAND),
        ("mähe", "de", RecognitionStatus.COMMAND),
        # A question where it is asked, which tells a command by its mood alone.
        ("all lights off", "en", RecognitionStatus.QUESTION),
    ],
)
async def test_commands_are_told_from_all_else(
    home: HomeAssistant, text: str, language: str, kind: RecognitionStatus
) -> None:
    assert (await hears(home, text, language=language)).status is kind


async def test_sentence_that_was_tried_locally_first_is_read_all_the_same(
    home: HomeAssistant,
) -> None:
    """As a pipeline does that prefers to handle commands locally."""
    agent = default_agent(home)
    assert agent
    said = saying("turn on the sauna")
    assert await agent.async_recognize_intent(said, strict_intents_only=True) is None
    assert (await hears(home, said.text)).status is RecognitionStatus.COMMAND


async def test_what_is_understood_is_so_word_by_word(home: HomeAssistant) -> None:
    understood = (await hears(home, "turn on the bed light")).exact_command
    assert understood
    assert understood.intent_type == "HassTurnOn"
    assert understood.slots == {"name": "Bed Light", "domain": ["light"]}
    assert (await hears(home, "turn on the sauna")).exact_command is None
    assert (await hears(home, "which lights are on")).exact_command is None
    asked = (await hears(home, "which lights are on")).exact_question
    assert asked
    assert asked.slots["state"] == "on"
    assert (await hears(home, "what time is it at noon")).exact_question is None


@rows(
    ("language", "text", "understood"),
    [
        ("en", "tell everybody that the film begins in fifty minutes", None),
        ("en", "turn off the bed light in twelve minutes", None),
        ("de", "Bed Light aus in zwölf Minuten", None),
        ("es", "di a todos que la película empieza en cincuenta minutos", None),
        ("fr", "dis à tous que le film commence dans cinquante minutes", None),
        ("it", "di a tutti che il film comincia tra cinquanta minuti", None),
        ("nl", "vertel iedereen dat de film begint over vijftig minuten", None),
        ("pl", "powiedz wszystkim że film jest za pięćdziesiąt minut", None),
        # A timer of its own is as it was.
        ("en", "set a timer for fifty minutes", "HassStartTimer"),
        ("de", "stell einen Timer auf fünfzig Minuten", "HassStartTimer"),
        ("nl", "zet een timer op vijftig minuten", "HassStartTimer"),
        # Of the moments of Swedish we know nothing.
        ("sv", "släck ljuset om tolv minuter", "HassStartTimer"),
    ],
)
async def test_what_is_for_later_is_no_command_for_home_assistants_timers(
    home: HomeAssistant, language: str, text: str, understood: str | None
) -> None:
    """Any words before a time are one to Home Assistant."""
    found = (await hears(home, text, language=language)).exact_command
    assert (found and found.intent_type) == understood


async def test_sentence_that_is_not_read_in_time_is_nothing_that_is_known(
    home: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(utterance, "PATIENCE", 0)
    late = await hears(home, "turn on the bed light")
    assert late.status is RecognitionStatus.UNREAD
    assert late.exact_command is None
    assert late.may_be_command


async def test_a_command_without_a_verb_is_a_question_where_it_is_asked(
    home: HomeAssistant,
) -> None:
    assert (await hears(home, "bed light on?")).asks
    assert not (await hears(home, "bed light on")).asks
    assert not (await hears(home, "can you turn on the bed light?")).asks


async def test_a_command_whose_verb_may_begin_a_question_asks_only_where_it_is_asked(
    home: HomeAssistant,
) -> None:
    """Spanish: "sigue" says to go on, and is how "is it still on" begins."""
    told = await hears(home, "sigue el Lounge Room", language="es")
    assert told.exact_command
    assert not told.asks
    assert (await hears(home, "¿sigue el Lounge Room?", language="es")).asks


@rows(
    ("text", "language", "asks", "is_for_later"),
    [
        ("all lights off", "en", False, False),
        ("all lights off?", "en", True, False),
        ("bed light on? ", "en", True, False),
        ("bed light", "en", False, False),
        ("the bed light is on", "en", True, False),
        ("is the bed light on at eight", "en", True, False),
        ("turn on the bed light at eight", "en", False, True),
        # Only its mood, or only Home Assistant, tells that it is a command.
        ("start a story about a dragon tomorrow", "en", False, True),
        ("the bed light in ten minutes", "en", False, True),
        # Of a language without moods, Home Assistant alone knows.
        ("är Bed Light på", "sv", True, False),
    ],
)
async def test_what_asks_wants_nothing_done_now_or_later(
    home: HomeAssistant, text: str, language: str, asks: bool, is_for_later: bool
) -> None:
    utterance = await hears(home, text, language=language)
    assert (utterance.asks, utterance.is_for_later) == (asks, is_for_later)
    assert utterance.may_be_command or not is_for_later


async def test_what_is_asked_about_and_not_there_is_no_other_of_its_kind(
    home: HomeAssistant,
) -> None:
    windows = {"cover.hall_window", "cover.kitchen_window", "cover.living_room_window"}
    for text, others in (
        ("is the attic window open?", windows),
        # One that is named is asked about as well.
        ("is the attic window or the hall window open?", windows - {"cover.hall_window"}),
        ("is the hall window open?", set()),
        ("the attic window is open", set()),
        ("open the attic window", set()),
        (f"is the attic window open?{' ' * 300}", set()),
    ):
        utterance = await hears(home, text)
        seen = (each for each in utterance.home.entities if "window" in each.entity_id)
        assert {each.entity_id for each in utterance.similar_to_unknown(seen)} == others, text


async def test_what_is_not_to_be_done_before_a_moment_is_not_only_forbidden(
    home: HomeAssistant,
) -> None:
    assert (await hears(home, "don't turn on the bed light")).only_forbids
    assert not (await hears(home, "don't turn on the bed light until eleven")).only_forbids
    both = "don't turn on the bed light, open the hall window"
    assert not (await hears(home, both)).only_forbids


async def test_a_scripts_name_is_no_moment(home: HomeAssistant) -> None:
    names = {"bedtime": "Bedtime Routine", "movie": "Movie at Eight"}
    scripts = {key: {"alias": name, "sequence": []} for key, name in names.items()}
    assert await async_setup_component(home, "script", {"script": scripts})
    for each in names:
        async_expose_entity(home, "conversation", f"script.{each}", True)
    await home.async_block_till_done()
    for name in names.values():
        assert (await hears(home, f"run the {name.casefold()}")).parsed.is_immediate
    for moment in ("at bedtime", "at eight"):
        assert not (await hears(home, f"turn on the bed light {moment}")).parsed.is_immediate
    # Who starts something else by words of such a name means a moment.
    assert not (await hears(home, "turn on the movie at eight light")).parsed.is_immediate


@pytest.mark.parametrize(
    ("response", "told"),
    [
        ("lock", {"lock"}),
        ("cover_garage", {"cover", "valve"}),
        ("valve", {"cover", "valve"}),
        ("light", {"light", "valve"}),
        (None, {"light", "valve"}),
    ],
)
def test_a_verb_is_for_some_domains(response: str | None, told: set[str]) -> None:
    reading = replace(IntentMatch.of("HassTurnOn"), response=response)
    assert reading.domains_told({"cover", "light", "lock", "valve"}) == told
