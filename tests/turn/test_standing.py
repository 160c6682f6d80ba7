"""What an answer stands on: by what was said, and by what came of the turn's calls."""

from pathlib import Path

from homeassistant.components import conversation
from homeassistant.components.conversation import DOMAIN as DOMAIN_OF_AGENTS
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.taint import OUTSIDE, Taint
from custom_components.voice_gateway.turn.claims import (
    AnswerGrounds,
    Grounding,
    sure_part,
    things_asked,
)
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.nlu.saying import hears

ACTS = ExtraTool("water_garden", dict)
READS = ExtraTool("measure_pool", dict)
READS.annotations = llm.ToolAnnotations(read_only=True, destructive=False)

LAMP, BOTH = "turn on the bed light", "turn on the bed light and the sauna"
# What was said, what came of the calls, and what an answer stands on. A letter is a call: d(one), r(ead),
# x refused, f(ailed), ? of which no answer came, p(lanned), u(nknown); "|" begins another message.
ROWS = [
    (LAMP, "", Grounding.UNDONE),
    (LAMP, "d", Grounding.FREE),
    (LAMP, "x", Grounding.UNDONE),
    (LAMP, "p", Grounding.UNDONE),
    (LAMP, "?", Grounding.IN_DOUBT),
    (LAMP, "d?", Grounding.IN_DOUBT),
    # Calls of one message are meant for different things, and of several for the same.
    (LAMP, "dx", Grounding.PARTLY),
    (LAMP, "x|d", Grounding.FREE),
    (LAMP, "u|d", Grounding.FREE),
    (BOTH, "d", Grounding.FREE),
    (BOTH, "x|d", Grounding.PARTLY),
    (BOTH, "u|d", Grounding.PARTLY),
    (BOTH, "x|d|d", Grounding.FREE),
    ("is the bed light on?", "", Grounding.UNREAD),
    ("is the bed light on?", "r", Grounding.FREE),
    ("is the bed light on?", "f", Grounding.UNDONE),
    ("did the bed light flicker yesterday?", "", Grounding.UNREAD),
    ("my bed light is the best one", "", Grounding.FREE),
    ("did it rain yesterday?", "", Grounding.FREE),
    ("did it rain yesterday?", "u", Grounding.UNDONE),
    ("never mind", "", Grounding.FREE),
    ("I like lamps", "", Grounding.FREE),
    ("I like lamps", "f", Grounding.UNDONE),
    ("I like lamps", "r", Grounding.FREE),
    # What only a tool can do, by its name: in a command a word is enough.
    ("sprinkle the garden", "", Grounding.UNDONE),
    ("give the garden something to drink", "", Grounding.UNDONE),
    ("the garden is lovely", "", Grounding.FREE),
    ("garden please", "", Grounding.FREE),
    ("the garden could do with some water", "", Grounding.UNDONE),
    ("how do I water the garden?", "", Grounding.FREE),
    ("go and measure the pool", "", Grounding.FREE),
]


async def turn_of(
    hass: HomeAssistant, sentence: str, calls: str, *, language: str = "en"
) -> ToolExecutor:
    context = llm.LLMContext(DOMAIN, None, "en", "conversation", None)
    api = AgentAPI(hass, [API_ID], BuiltinTools(hass, {}))
    journal = Journal()
    for number, letter in enumerate(calls):
        if letter == "|":
            journal.begin_message()
            continue
        if letter == "u":
            journal.miss("no_such_tool")
            continue
        call = llm.ToolInput("act", {"number": number})
        entry = journal.begin(READS if letter in "rf" else ACTS, call)
        match letter:
            case "x":
                entry.refuse("No")
            case "p":
                entry.plan("in an hour")
            case "f" | "?":
                entry.doubt()
            case _:
                entry.end(llm.ToolResult(data={"result": "Yes"}))
    utterance = await hears(hass, sentence, language=language)
    instance = await api.async_get_api_instance(context)
    return instance.for_turn(utterance, journal, hass.loop.time() + 60)


async def test_what_an_answer_stands_on(home: HomeAssistant) -> None:
    add_tools(home, ACTS, READS)
    found = [
        (said, calls, AnswerGrounds(await turn_of(home, said, calls)).standing)
        for said, calls, _ in ROWS
    ]
    assert found == ROWS


async def test_what_is_to_be_read_out_may_be_told(home: HomeAssistant, tmp_path: Path) -> None:
    """What a list holds is no claim, unless something was to be put on it as well."""
    home.config.config_dir = str(tmp_path)
    shopping = MockConfigEntry(domain="shopping_list")
    shopping.add_to_hass(home)
    assert await home.config_entries.async_setup(shopping.entry_id)
    await home.async_block_till_done()
    async_expose_entity(home, DOMAIN_OF_AGENTS, "todo.shopping_list", should_expose=True)
    add_tools(home, READS)
    for said, calls, standing in (
        ("read me the shopping list", "r", Grounding.FREE),
        ("read me the shopping list", "", Grounding.UNDONE),
        ("put milk on the shopping list", "r", Grounding.UNDONE),
        ("read me the shopping list and turn on the bed light", "r", Grounding.UNDONE),
    ):
        assert AnswerGrounds(await turn_of(home, said, calls)).standing is standing, (said, calls)


# In which language; what is said, of which Home Assistant takes some for a command; and whether what was
# found may be told.
LOOKED_UP = [
    ("de", "Such mal raus, wann das Museum aufhat, und lies mir die Seite dazu vor", True),
    ("it", "Guarda su internet a che ora chiude il museo e leggimi la pagina", True),
    ("en", "Look up when the museum opens and read me the page", True),
    ("es", "Busca a qué hora abre el museo y léeme la página", True),
    ("fr", "Cherche quand ouvre le musée et lis-moi la page", True),
    ("pl", "Sprawdź, kiedy otwierają muzeum, i przeczytaj mi stronę", True),
    # More is wanted than to hear of it.
    ("de", "Such raus, wann das Museum aufhat, und mach das Bed Light an", False),
    ("de", "Such mal raus, wann das Museum aufhat, und schalte das Licht ein", False),
    ("it", "Guarda a che ora chiude il museo e accendi Bed Light", False),
    ("en", "Open the sauna", False),
]  # fmt: skip


async def test_what_was_found_outside_may_be_told(home: HomeAssistant) -> None:
    search = ExtraTool(OUTSIDE, dict)
    search.annotations = llm.ToolAnnotations(read_only=True, destructive=False)
    add_tools(home, search)
    found = []
    for language, said, _ in LOOKED_UP:
        tools = await turn_of(home, said, "", language=language)
        call = llm.ToolInput(search.name, {})
        tools.journal.begin(search, call).end(llm.ToolResult(data={"result": "At nine"}))
        found.append((language, said, AnswerGrounds(tools).standing is Grounding.FREE))
    assert found == LOOKED_UP


async def test_only_what_a_tool_may_do_is_a_request(home: HomeAssistant) -> None:
    extra = add_tools(home, READS)
    for tool, may_be_request in ((READS, False), (ACTS, True)):
        extra.tools = [tool]
        turn = await turn_of(home, "give the garden something to drink", "")
        assert AnswerGrounds(turn).may_be_request is may_be_request


async def test_of_a_picture_all_may_be_said_unless_something_was_called(
    home: HomeAssistant,
) -> None:
    add_tools(home, ACTS, READS)
    picture = conversation.Attachment("media-source://a", "image/png", Path("a.png"))
    looked = conversation.UserContent("What is this?", attachments=[picture])
    for calls, standing in (("", Grounding.FREE), ("x", Grounding.UNDONE)):
        tools = await turn_of(home, LAMP, calls)
        seen = Taint.of([looked], lambda _: None, tools.utterance.home)
        tools.taint.sources += seen.sources
        assert AnswerGrounds(tools).standing is standing


EARLIER = [conversation.ToolResultContent("agent", "1", "switch_on", llm.ToolResult(data={}))]


async def test_claim_is_one_unless_it_may_be_true(home: HomeAssistant) -> None:
    """Of a deed by what was done now or before, of a state by what was read, or kept for later."""
    add_tools(home, ACTS, READS)
    on, done = "The bed light is now on.", "I have turned on the bed light."
    for calls, before, claimed in (
        ("", False, [on, done]),
        ("r", False, [done]),
        ("", True, []),
        ("p", False, []),
        ("d", False, []),
        ("?", False, []),
    ):
        grounds = AnswerGrounds(await turn_of(home, "I like lamps", calls), EARLIER[:before])
        assert [each for each in (on, done) if grounds.is_claim(each)] == claimed, calls


async def test_things_that_are_asked_for_are_counted(home: HomeAssistant) -> None:
    for said, things in (
        (LAMP, 1),
        (BOTH, 2),
        ("turn on the bed light, then close the hall window and tell me a joke", 3),
        ("turn on the bed light but don't turn off the ceiling fan", 1),
        ("the fan is on. turn on the bed light", 1),
    ):
        assert things_asked(await hears(home, said)) == things, said


def test_only_what_is_asked_or_denied_is_sure_where_nothing_was_done() -> None:
    for said, sure in (
        ("I can't. The lamp is on now. Shall I try again?", "I can't. Shall I try again?"),
        ("Which lamp? It is on.", "Which lamp?"),
        ("The lamp is on. No problem.", ""),
        ("No problem. The lamp is on.", ""),
        ("No problem, there is no lamp.", "No problem, there is no lamp."),
        ("It is on. Is there anything else?", ""),
    ):
        assert sure_part("en", said) == sure
