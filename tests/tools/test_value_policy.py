"""How bright, how warm, how loud: what a call sets and nobody said."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.call import PolicyContext
from custom_components.voice_gateway.tools.policy.values import compare_ability, compare_value
from custom_components.voice_gateway.tools.taint import Taint, TaintSource
from tests.nlu.saying import hears
from tests.rows import rows
from tests.tools.comparing import proposed_call, verdict


async def test_after_others_texts_the_number_is_the_one_that_was_said(
    home: HomeAssistant,
) -> None:
    """Or by as much as was said; what has no number goes the way that was said."""
    home.states.async_set("light.bed_light", "on", {"brightness": 128})
    wrong = []
    for language, said, value, is_own in (
        ("en", "dim the bed light to 30 percent", 30, True),
        ("en", "dim the bed light to thirty percent", 30, True),
        ("en", "dim the bed light to 30 percent", 100, False),
        ("en", "make the bed light 20 percent brighter", 70, True),
        ("en", "make the bed light 20 percent brighter", 100, False),
        ("en", "dim the bed light", 30, True),
        ("en", "dim the bed light", 90, False),
        ("de", "mach das Bed Light etwas dunkler", 30, True),
        ("de", "mach das Bed Light etwas dunkler", 100, False),
        ("nl", "zet de Bed Light wat feller", 60, True),
        ("nl", "zet de Bed Light wat feller", 10, False),
    ):
        utterance = await hears(home, said, language=language)
        bed = next(each for each in utterance.home.entities if "Bed Light" in each.names)
        proposed = proposed_call(
            tool=llm.IntentTool(
                "HassLightSet",
                intent.ServiceIntentHandler("HassLightSet", "light", "turn_on"),
            ),
            arguments={"name": "Bed Light", "brightness": value},
            is_written=False,
            domains=frozenset(("light",)),
            targets=(bed,),
        )
        for taint, holds in ((Taint([TaintSource("mail", "Brighter")]), True), (Taint(), False)):
            turn = PolicyContext(utterance, Journal(), ToolManager(), hass=home, taint=taint)
            if (verdict(compare_value, proposed, turn) == "yes") is not (is_own or not holds):
                wrong.append((said, value, holds))
    assert not wrong


async def test_a_number_is_by_how_much_only_where_that_is_said_that_way_and_once(
    home: HomeAssistant,
) -> None:
    """A text's call may come before the user's own, or after it."""
    handler = intent.ServiceIntentHandler("HassLightSet", "light", "turn_on")
    tool = llm.IntentTool("HassLightSet", handler)
    domains = frozenset(("light",))
    taint = Taint([TaintSource("mail", "Brighter")])

    async def turn_of(said: str) -> PolicyContext:
        return PolicyContext(
            await hears(home, said), Journal(), ToolManager(), hass=home, taint=taint
        )

    def is_refused(value: int, turn: PolicyContext) -> bool:
        bed = next(each for each in turn.utterance.home.entities if "Bed Light" in each.names)
        arguments = {"name": "Bed Light", "brightness": value}
        proposed = proposed_call(
            tool=tool, arguments=arguments, is_written=False, domains=domains, targets=(bed,)
        )
        return verdict(compare_value, proposed, turn) != "yes"

    def do(value: int, turn: PolicyContext) -> None:
        call = llm.ToolInput(tool.name, {"name": "Bed Light", "brightness": value})
        entry = turn.journal.begin(tool, call)
        entry.end(llm.ToolResult(data={"speech": {}}))
        home.states.async_set("light.bed_light", "on", {"brightness": value * 2.55})

    home.states.async_set("light.bed_light", "on", {"brightness": 80 * 2.55})
    turn = await turn_of("dim the bed light to 50 percent")
    assert is_refused(30, turn)
    assert not is_refused(50, turn)
    do(50, turn)
    assert not is_refused(50, turn)
    assert is_refused(100, turn)
    assert is_refused(0, turn)
    turn = await turn_of("make the bed light 20 percent darker")
    assert is_refused(70, turn)
    assert not is_refused(30, turn)
    do(30, turn)
    assert is_refused(10, turn)


@rows(
    ("language", "said", "value", "is_refused"),
    [
        ("en", "increase the brightness of the bed light by 20 percent", 20, True),
        ("en", "increase the brightness of the bed light by 20 percent", 70, False),
        ("en", "increase the brightness of the bed light to 20 percent", 20, False),
        ("de", "mach das Bed Light um 20 Prozent dunkler", 20, True),
        ("de", "mach das Bed Light um 20 Prozent dunkler", 30, False),
        ("fr", "baisse le Bed Light de 20 pour cent", 20, True),
    ],
)
async def test_a_step_is_no_value(
    home: HomeAssistant, language: str, said: str, value: int, is_refused: bool
) -> None:
    home.states.async_set("light.bed_light", "on", {"brightness": 128})
    utterance = await hears(home, said, language=language)
    handler = intent.ServiceIntentHandler("HassLightSet", "light", "turn_on")
    bed = next(each for each in utterance.home.entities if "Bed Light" in each.names)
    proposed = proposed_call(
        tool=llm.IntentTool("HassLightSet", handler),
        arguments={"name": "Bed Light", "brightness": value},
        is_written=False,
        domains=frozenset(("light",)),
        targets=(bed,),
    )
    turn = PolicyContext(utterance, Journal(), ToolManager(), hass=home)
    assert (verdict(compare_value, proposed, turn) != "yes") is is_refused
    modes: list[tuple[list[str] | None, bool]] = [
        (["onoff"], True),
        (["brightness"], False),
        (None, False),
    ]
    for supported, is_undimmable in modes:
        home.states.async_set("light.bed_light", "on", {"supported_color_modes": supported})
        assert (verdict(compare_ability, proposed, turn) != "yes") is is_undimmable
