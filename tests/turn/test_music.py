"""What somebody wants to hear is searched and played where it is meant, or it is said that it was not."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, floor_registry as fr
import pytest

from tests.agent import add_agent
from tests.devices import add_satellite
from tests.ollama import PlayedOllama, call, calls, says
from tests.players import Player, add_player

SPEAKER = "Speaker"
UPSTAIRS = "Boombox"
MODEL = "?"
PLAY = "media_player__HassMediaSearchAndPlay"
RESUME = "media_player__HassMediaUnpause"
# What is said in the kitchen, what the kitchen plays then, and the answer; or the model is asked.
SAID = [
    ("en", "play some jazz", "Jazz for Cooking", "I'm playing Jazz for Cooking on the Speaker."),
    ("en", "please play Queen", "Queen", "I'm playing Queen on the Speaker."),
    ("en", "play Simon and Garfunkel", "Simon and Garfunkel", "I'm playing Simon and Garfunkel on the Speaker."),
    ("en", "play Bohemian Rhapsody in the kitchen", "Bohemian Rhapsody", "I'm playing Bohemian Rhapsody on the Speaker."),
    ("en", "play Kind of Blue on the speaker", "Kind of Blue", "I'm playing Kind of Blue on the Speaker."),
    ("en", "i would like to listen to some jazz", "Jazz for Cooking", "I'm playing Jazz for Cooking on the Speaker."),
    ("en", "put on some jazz", "Jazz for Cooking", "I'm playing Jazz for Cooking on the Speaker."),
    ("en", "start playing Queen", "Queen", "I'm playing Queen on the Speaker."),
    ("de", "spielen Sie Queen ab", "Queen", "Queen läuft auf Speaker."),
    ("es", "quiero escuchar Queen", "Queen", "Suena Queen en Speaker."),
    ("en", "play Slayer", "", "I couldn't find anything called Slayer."),
    ("de", "spiel Queen", "Queen", "Queen läuft auf Speaker."),
    ("de", "spiele etwas Jazz", "Jazz for Cooking", "Jazz for Cooking läuft auf Speaker."),
    ("es", "reproduce Queen", "Queen", "Suena Queen en Speaker."),
    ("fr", "joue Queen", "Queen", "Je joue Queen sur Speaker."),
    ("it", "riproduci Queen", "Queen", "Riproduco Queen su Speaker."),
    ("nl", "speel Queen", "Queen", "Queen speelt op Speaker."),
    ("pl", "zagraj Queen", "Queen", "Speaker gra: Queen."),
    # Nothing in particular; what may be something else than a title; a place that is not there.
    *((language, sentence, "", MODEL) for language, sentence in (
        ("en", "play something nice"), ("en", "play some music"), ("en", "play jazz in the sauna"),
        ("en", "play jazz at 20 percent"), ("en", "play jazz and make it cosy"),
        ("en", "don't play Queen"), ("en", "did you play Queen?"), ("en", "play the kitchen lights"),
        ("en", "I want you to play it again"), ("en", "put on the kettle"),
        ("en", "i want to hear a joke"), ("en", "put on the jazz lamp in the sauna"),
        ("de", "spiel Musik"), ("de", "spiel die Lichter in der Küche"), ("fr", "lance Queen"),
        ("fr", "mets la lumière tamisée"), ("fr", "active le jacuzzi"), ("es", "pon la sauna"),
        ("it", "fai partire la sauna"), ("pl", "włącz saunę"), ("sv", "spela Queen"),
    )),
]  # fmt: skip


@pytest.fixture
async def speaker(home: HomeAssistant) -> Player:
    """The speaker of the kitchen, where a television only goes on with what it showed."""
    await add_player(home, "Television", area="Kitchen", searches=False)
    return await add_player(home, SPEAKER, area="Kitchen")


@pytest.fixture
def kitchen(home: HomeAssistant) -> str:
    """A satellite in the kitchen."""
    return add_satellite(home, "Kitchen")


async def test_what_is_wanted_is_searched_and_played(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Player, kitchen: str
) -> None:
    elsewhere = await add_player(home, UPSTAIRS, area="Bedroom")
    agent = await add_agent(home, ollama.url, reflex=True)
    wrong: list[str] = []
    for language, sentence, played, expected in SAID:
        ollama.script.clear()
        ollama.chats.clear()
        ollama.answers(*[says(MODEL)] * 3)
        answer = await agent.hears(sentence, device_id=kitchen, language=language)
        taken = speaker.taken(), elsewhere.taken()
        was_asked = bool(ollama.chats)
        if taken != (played, "") or was_asked != (expected == MODEL):
            wrong.append(f"{sentence}: {taken}, {was_asked}, {answer.speech}")
        elif not was_asked and answer.speech != expected:
            wrong.append(f"{sentence}: {answer.speech}")
    assert not wrong


async def test_where_nobody_says_it_plays_what_alone_can(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Player
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    assert (await agent.hears("play Queen")).speech == "I'm playing Queen on the Speaker."
    assert (speaker.taken(), ollama.chats) == ("Queen", [])
    # Of two, nobody knows which: the user is asked.
    other = await add_player(home, UPSTAIRS, area="Bedroom")
    ollama.answers(calls(call(PLAY, search_query="Queen")), says("Queen is playing."))
    answer = await agent.hears("play Queen")
    assert answer.speech == "Which one do you mean: Boombox or Speaker?"
    assert (speaker.taken(), other.taken()) == ("", "")


OF_THE_MUSIC = (
    ("en", "pause the music", "paused"),
    ("de", "stopp die Musik", "paused"),
    ("fr", "mets la musique en pause", "paused"),
    ("it", "metti in pausa la musica", "paused"),
    ("pl", "zatrzymaj muzykę", "paused"),
    ("en", "pause the vacuum", "playing"),
)


async def test_music_is_that_of_the_only_player_in_use(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Player
) -> None:
    for each in home.states.async_all("media_player"):
        home.states.async_set(each.entity_id, "off", each.attributes)
    agent = await add_agent(home, ollama.url, reflex=True)
    wrong: list[tuple[str, str]] = []
    for language, sentence, state in OF_THE_MUSIC:
        ollama.answers(*[says(MODEL)] * 3)
        await speaker.async_media_play()
        await agent.hears(sentence, language=language)
        if speaker.state != state:
            wrong.append((sentence, str(speaker.state)))
    assert not wrong
    # Of two that play, neither is meant.
    other = await add_player(home, UPSTAIRS, area="Bedroom")
    await other.async_media_play()
    ollama.answers(*[says(MODEL)] * 3)
    await agent.hears("pause the music")
    assert (speaker.state, other.state) == ("playing", "playing")


async def test_a_player_that_fails_is_not_said_to_have_found_nothing(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Player
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    speaker.fails = "The library is closed"
    ollama.answers(*[says(MODEL)] * 3)
    answer = await agent.hears("play Queen")
    told = " ".join(str(each.data) for each in answer.tool_results)
    assert "The library is closed" in told
    assert "found nothing" not in (answer.speech or "")
    assert answer.is_error


async def test_of_the_players_of_a_place_that_is_said_none_is_preferred(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Player, kitchen: str
) -> None:
    """Not even the one where the speaker is."""
    elsewhere = await add_player(home, UPSTAIRS, area="Bedroom")
    areas, floor = ar.async_get(home), fr.async_get(home).async_create("Downstairs").floor_id
    for area in areas.async_list_areas():
        areas.async_update(area.id, floor_id=floor)
    agent = await add_agent(home, ollama.url)
    made = call(PLAY, search_query="Queen", floor="Downstairs")
    ollama.answers(calls(made), *[says(MODEL)] * 2)
    await agent.hears("I want to hear Queen downstairs", device_id=kitchen)
    assert (speaker.taken(), elsewhere.taken()) == ("", "")


async def test_what_a_model_calls_is_what_was_asked_for(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Player, kitchen: str
) -> None:
    agent = await add_agent(home, ollama.url)
    # To go on with what was played before is less than what was asked for.
    for made in (
        call(RESUME, area="Kitchen"),
        call(PLAY, search_query="relaxing sounds", name="Television"),
        call(PLAY, search_query="jazz", name=SPEAKER),
    ):
        ollama.answers(calls(made))
        answer = await agent.hears("play some jazz in the kitchen", device_id=kitchen)
        assert answer.speech == "I'm playing Jazz for Cooking on the Speaker.", made
        assert speaker.taken() == "Jazz for Cooking"
    ollama.answers(calls(call(PLAY, search_query="sleep sounds", area="Kitchen")), says(MODEL))
    answer = await agent.hears("I need something to fall asleep with", device_id=kitchen)
    assert speaker.taken() == ""
    # "Louder" is said of what plays.
    ollama.answers(calls(call(PLAY, search_query="Queen", name=SPEAKER)))
    one = await agent.hears("play Queen", device_id=kitchen)
    await agent.hears("a bit louder", one.conversation_id, device_id=kitchen)
    assert speaker.taken() == "(+)"


async def test_what_could_not_be_looked_for_is_said(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    radio = await add_player(home, "Radio", area="Kitchen", searches=False)
    agent = await add_agent(home, ollama.url, reflex=True)
    assert not [t for t in await _offered(agent, ollama) if t.endswith("SearchAndPlay")]
    for language, sentence, told in (
        (
            "en",
            "play jazz in the kitchen",
            "I resumed Radio, but I couldn't search for jazz there.",
        ),
        (
            "de",
            "spiel Jazz im Kitchen",
            "Radio läuft weiter, aber nach Jazz konnte ich dort nicht suchen.",
        ),
    ):
        ollama.script.clear()
        ollama.answers(calls(call(RESUME, name="Radio")), says("Jazz is playing."))
        answer = await agent.hears(sentence, language=language)
        assert (answer.speech, radio.taken()) == (told, "(on)")
    # Nothing else was wanted.
    ollama.answers(calls(call(RESUME, name="Radio")), says("Resumed."))
    answer = await agent.hears("resume the radio")
    assert "could not" not in (answer.speech or "")
    assert radio.taken() == "(on)"


async def test_moment_is_kept_also_for_what_a_search_has_found(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Player, kitchen: str
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    later = call("media_player__play_media", media_content_id="Queen", media_content_type="music")
    for sentence in ("play Queen in ten minutes", "will you play Queen tomorrow?"):
        ollama.script.clear()
        ollama.answers(calls(later), *[says(MODEL)] * 2)
        await agent.hears(sentence, device_id=kitchen)
        assert speaker.taken() == ""


async def _offered(agent: object, ollama: PlayedOllama) -> list[str]:
    ollama.answers(says(MODEL))
    await agent.hears("hello there, how are you")  # type: ignore[attr-defined]
    tools = ollama.chats[-1].get("tools") or ()
    return [each["function"]["name"] for each in tools]
