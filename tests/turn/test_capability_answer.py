"""What an agent can do is told without a model, from what it has."""

from pathlib import Path
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from custom_components.voice_gateway.const import DOMAIN
from tests.agent import Agent, Answer, add_agent
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.mcp_entry import add_server, set_up_connected
from tests.mcp_servers.conftest import Listed, NewProcesses
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

pytest_plugins = ("tests.mcp_fixtures",)

ASKED = "What can you do?"
HOME = "I answer questions about your home, and what you say for later is done then."
NO_TOOLS = "I have no tools and no devices here, so I can only talk."
ENGLISH = f"I can control lights, blinds, garage doors and media players. {HOME}"


async def told(
    home: HomeAssistant,
    ollama: PlayedOllama,
    sentence: str = ASKED,
    *,
    language: str = "en",
    **rest: Any,
) -> Answer:
    """Ask a new agent, of which the model is not asked."""
    agent = await add_agent(home, ollama.url, reflex=True, **rest)
    answer = await agent.hears(sentence, language=language)
    assert not ollama.chats
    return answer


def expose(home: HomeAssistant, *entity_ids: str, exposed: bool = True) -> None:
    """Expose entities, or hide them."""
    for each in entity_ids:
        async_expose_entity(home, conversation.DOMAIN, each, should_expose=exposed)


def titled(name: str, title: str | None = None) -> ExtraTool:
    """Return a tool with a title."""
    tool = ExtraTool(name, lambda **_: {})
    tool.title = title
    return tool


@rows(
    ("language", "sentence", "expected"),
    [
        ("en", ASKED, ENGLISH),
        ("en", "Which tools do you have?", ENGLISH),
        (
            "de",
            "Was kannst du alles?",
            (
                "Ich kann Lichter, Rollläden, Garagentore und Mediaplayer steuern. Ich beantworte"
                " Fragen zu deinem Zuhause, und was du für später sagst, wird dann erledigt."
            ),
        ),
        (
            "fr",
            "Quels outils as-tu ?",
            (
                "Je peux commander les lumières, les volets, les portes de garage et les"
                " lecteurs multimédias. Je réponds aux questions sur ta maison, et ce que tu dis pour plus"
                " tard est fait à ce moment-là."
            ),
        ),
        (
            "es",
            "¿Qué herramientas tienes?",
            (
                "Puedo controlar luces, persianas, puertas de garaje y reproductores multimedia."
                " Respondo preguntas sobre tu casa, y lo que dices para más tarde se hace entonces."
            ),
        ),
        (
            "it",
            "Cosa sai fare?",
            (
                "Posso controllare luci, tapparelle, porte del garage e lettori multimediali."
                " Rispondo a domande sulla tua casa, e ciò che dici per dopo viene fatto allora."
            ),
        ),
        (
            "nl",
            "Wat kun je allemaal?",
            (
                "Ik kan lampen, rolluiken, garagedeuren en mediaspelers bedienen. Ik beantwoord vragen"
                " over je huis, en wat je voor later zegt, wordt dan gedaan."
            ),
        ),
        (
            "pl",
            "Co potrafisz?",
            (
                "Mogę sterować światłami, roletami, bramami garażowymi i odtwarzaczami"
                " multimediów. Odpowiadam na pytania o dom, a to, co powiesz na później, zostanie wtedy"
                " zrobione."
            ),
        ),
    ],
)
async def test_kinds_of_devices_are_named(
    home: HomeAssistant, ollama: PlayedOllama, language: str, sentence: str, expected: str
) -> None:
    answer = await told(home, ollama, sentence, language=language)
    assert answer.speech == expected
    assert not answer.tool_calls


async def test_nothing_is_named_that_is_not_exposed(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    expose(home, *home.states.async_entity_ids(), exposed=False)
    hidden = await told(home, ollama)
    assert hidden.speech.startswith("Nothing that I could control is exposed to me")
    home.states.async_set("lock.front", "locked", {"friendly_name": "Front door"})
    home.states.async_set("sensor.oven", "20", {"friendly_name": "Oven"})
    expose(home, "sensor.oven")
    assert (await told(home, ollama)).speech == HOME


async def test_agent_without_tools_can_only_talk(home: HomeAssistant, ollama: PlayedOllama) -> None:
    assert (await told(home, ollama, tools=[])).speech == NO_TOOLS


async def test_search_is_told(home: HomeAssistant, ollama: PlayedOllama) -> None:
    options = {"search_provider": "brave", "brave_api_key": "sesame"}
    answer = await told(home, ollama, tools=[], provider_options=options)
    assert answer.speech == "I can search the web."


async def test_many_kinds_are_counted(home: HomeAssistant, ollama: PlayedOllama) -> None:
    for each in ("fan.a", "switch.a", "lock.a", "scene.a", "input_boolean.a"):
        home.states.async_set(each, "off")
        home.services.async_register(each.partition(".")[0], "turn_on", lambda _: None)
        expose(home, each)
    speech = (await told(home, ollama)).speech
    expected = "I can control lights, blinds, garage doors, locks, media players and 3 more."
    assert speech == f"{expected} {HOME}"


async def test_other_tools_are_named_by_their_api(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    tools = (
        titled("films__search_for", "Find films"),
        titled("todo__addItem"),
        titled("c"),
        titled("d"),
    )
    add_tools(home, *tools)
    told_of = "I have tools of Extra (Find films, Add item and 2 more)."
    answer = await told(home, ollama, tools=[llm.LLM_API_ASSIST, API_ID])
    assert answer.speech == f"{ENGLISH} {told_of}"


async def test_names_of_others_make_no_sentence_and_no_question(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    add_tools(
        home,
        titled("a", "**Done.** The door is open! <b>Shall I</b> close it?"),
        titled("b", "Node.js (v2)\nand\u202e more"),
        titled("c", "?!"),
    ).name = "Extra?"
    answer = await told(home, ollama, tools=[API_ID])
    assert answer.speech == (
        "I have tools of Extra (Done The door is open bShall I/b close it, Node.js v2 and more"
        " and C)."
    )
    assert not answer.result.continue_conversation


async def test_what_is_more_goes_to_the_model(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    ollama.answers(says("I would play music."))
    answer = await agent.hears("What can you do about the noise?")
    assert answer.speech == "I would play music."


async def test_tool_that_was_named_is_called_as_before(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """What others call their tools is what they say of them, and not yet what they gave."""
    tool = ExtraTool("projector", lambda **_: {}, description="Puts a film on the projector.")
    add_tools(home, tool)
    agent = await add_agent(home, ollama.url, reflex=True, tools=[API_ID])
    named = await agent.hears(ASKED)
    ollama.answers(calls(call("projector")), says("Enjoy the film."))
    await agent.hears("put on a nice film", named.conversation_id)
    assert tool.calls


async def test_without_the_reflex_the_model_may_name_its_tools(
    agent: Agent, ollama: PlayedOllama
) -> None:
    named = "intent__HassTurnOn does it. That is all."
    ollama.answers(says(named))
    assert (await agent.hears("Which tools do you have?")).speech == named
    ollama.answers(says(named))
    assert (await agent.hears("what is a good film")).speech == "That is all."


async def test_mcp_server_is_named_with_its_tools(
    home: HomeAssistant, quick_servers: NewProcesses, ollama: PlayedOllama, tmp_path: Path
) -> None:
    tools = {"name": "get_news", "title": "Latest news"}, "getWeather", "a", "b"
    entry = add_server(home, Listed(tmp_path).has(*tools), "Newsroom")
    await set_up_connected(home, entry)
    answer = await told(
        home,
        ollama,
        "Welche Werkzeuge hast du?",
        language="de",
        tools=[f"{DOMAIN}-{entry.entry_id}"],
    )
    assert (
        answer.speech == "Ich habe Werkzeuge von Newsroom (Latest news, Get weather und 2 weitere)."
    )
