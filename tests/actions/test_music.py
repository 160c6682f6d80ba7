"""Music goes on in another room, and is told by its title."""

from collections.abc import Mapping, Sequence

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player import (
    MediaPlayerEntityFeature as Feature,
    MediaPlayerState,
)
from homeassistant.components.media_player.const import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.util import dt as dt_util
import pytest

from tests.agent import Agent
from tests.ollama import PlayedOllama, call, calls, says
from tests.players import Player
from tests.rows import rows

from .conftest import add_satellite, name_rooms

MOVED: Mapping[str, Sequence[str]] = {
    "en": (
        "move the music to the kitchen",
        "please transfer this song to the kitchen",
        "put the music in the kitchen instead",
    ),
    "de": (
        "Verschieb die Musik in die Küche",
        "Übertrag die Musik in die Küche",
        "Spiel die Musik lieber in der Küche",
    ),
    "fr": (
        "Déplace la musique dans la cuisine",
        "Transfère la musique dans la cuisine",
        "Mets plutôt la musique dans la cuisine",
    ),
    "es": (
        "Mueve la música a la cocina",
        "Pasa la música a la cocina",
        "Pon la música en la cocina en su lugar",
    ),
    "it": ("Sposta la musica in cucina", "Trasferisci la musica in cucina"),
    "nl": ("Verplaats de muziek naar de keuken", "Speel de muziek liever in de keuken"),
    "pl": ("Przenieś muzykę do kuchni",),
}
ASKED: Mapping[str, str] = {
    "en": "what song is this?",
    "de": "Welches Lied ist das?",
    "fr": "C'est quoi cette chanson ?",
    "es": "¿Qué canción es esta?",
    "it": "Che canzone è questa?",
    "nl": "Welk liedje is dit?",
    "pl": "Co to za piosenka?",
}


class Seeking(Player):
    """A player that goes to a position."""

    def __init__(self, name: str) -> None:
        """Take its name."""
        super().__init__(name, searches=True)
        self._attr_supported_features = (self._attr_supported_features or Feature(0)) | Feature.SEEK
        self.position = 0.0

    def play(self, title: str | None = "Kind of Blue") -> None:
        """Be in the middle of a song."""
        self._attr_state = MediaPlayerState.PLAYING
        self._attr_media_content_id, self._attr_media_content_type = title, "music"
        self._attr_media_title, self._attr_media_artist = "Kind of Blue", "Miles Davis"
        self._attr_media_position, self._attr_media_position_updated_at = 60, dt_util.utcnow()
        self.async_write_ha_state()

    async def async_media_seek(self, position: float) -> None:
        """Go there."""
        self.position = position


async def add(hass: HomeAssistant, name: str, area: str) -> Seeking:
    """Add a player to a room."""
    player = Seeking(name)
    await hass.data[DATA_COMPONENT].async_add_entities([player])
    room = ar.async_get(hass).async_get_or_create(area)
    er.async_get(hass).async_update_entity(player.entity_id, area_id=room.id)
    async_expose_entity(hass, "conversation", player.entity_id, True)
    await hass.async_block_till_done()
    return player


@pytest.fixture
async def players(agent: Agent) -> tuple[Seeking, Seeking]:
    """A player upstairs that plays, and one in the kitchen, in a home without others."""
    hass = agent.hass
    name_rooms(hass)
    for state in hass.states.async_all("media_player"):
        async_expose_entity(hass, "conversation", state.entity_id, False)
    upstairs, kitchen = await add(hass, "Shelf", "Bedroom"), await add(hass, "Stove", "Kitchen")
    upstairs.play()
    await hass.async_block_till_done()
    return upstairs, kitchen


@pytest.mark.parametrize("language", MOVED)
async def test_music_goes_on_in_the_other_room_and_stops_here(
    agent: Agent, players: tuple[Seeking, Seeking], language: str
) -> None:
    upstairs, kitchen = players
    for sentence in MOVED[language]:
        upstairs.play()
        kitchen.taken()
        kitchen.position = 0
        answer = await agent.hears(sentence, language=language)
        assert "Stove" in answer.speech, sentence
        assert (kitchen.played, upstairs.state) == ("Kind of Blue", MediaPlayerState.PAUSED)
        assert 60 <= kitchen.position < 70


@pytest.mark.parametrize("language", ASKED)
async def test_song_is_told_with_its_artist(
    agent: Agent, players: tuple[Seeking, Seeking], language: str
) -> None:
    answer = await agent.hears(ASKED[language], language=language)
    assert "Kind of Blue" in answer.speech
    assert "Miles Davis" in answer.speech


@rows(
    ("sentence", "told"),
    [
        ("move the music to the attic", "?"),
        ("move the music to the bedroom", "There is no other player there: Bedroom."),
        ("move the light to the kitchen", "?"),
        ("put the music on the list", "?"),
        ("remind me to move the music to the kitchen", "At what time?"),
    ],
)
async def test_music_stays(
    agent: Agent,
    ollama: PlayedOllama,
    players: tuple[Seeking, Seeking],
    sentence: str,
    told: str,
) -> None:
    ollama.answers(*[says("?")] * 3)
    answer = await agent.hears(sentence)
    assert (answer.speech, players[1].played) == (told, "")


async def test_what_has_no_address_can_not_be_moved(
    agent: Agent, players: tuple[Seeking, Seeking]
) -> None:
    upstairs, kitchen = players
    upstairs.play(None)
    answer = await agent.hears("move the music to the kitchen")
    assert answer.speech == "What Shelf plays can't go on with Stove."
    assert (upstairs.state, kitchen.played) == (MediaPlayerState.PLAYING, "")


async def test_of_two_players_in_use_that_in_the_room_is_meant(
    agent: Agent, players: tuple[Seeking, Seeking]
) -> None:
    upstairs, kitchen = players
    (await add(agent.hass, "Desk", "Study")).play("So What")
    await agent.hass.async_block_till_done()
    asked = await agent.hears("move the music to the kitchen")
    assert asked.speech == "Which one do you mean: Shelf or Desk?"
    assert kitchen.played == ""
    satellite = add_satellite(agent.hass, "bedroom", "Bedroom")
    await agent.hears("move the music to the kitchen", device_id=satellite)
    assert (kitchen.played, upstairs.state) == ("Kind of Blue", MediaPlayerState.PAUSED)


async def test_model_moves_music_by_the_same_tool(
    agent: Agent, ollama: PlayedOllama, players: tuple[Seeking, Seeking]
) -> None:
    ollama.answers(calls(call("move_music", room="Kitchen")), says("Done."))
    await agent.hears("I'm going to cook now, take the music along to the kitchen")
    assert players[1].played == "Kind of Blue"
