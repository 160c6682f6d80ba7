"""Which command of a sentence which moment belongs to, and what becomes of what is said beside it."""

import pytest

from custom_components.voice_gateway.nlu.clause import Clause, DialogueAct, join_commands
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.time_resolution import TimeExpression, TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.rows import rows

NAMES = ("Lamp", "Fan", "Heater", "Gate", "Radio")
# Each command with its moments behind it: what they are, and the words or the value that tell.
SAID: tuple[tuple[str, str, list[str]], ...] = (
    # What is to stay as it is done belongs to the one command before it, and to no other.
    ("en", "turn on the lamp and leave it on until six",
     ["turn on the lamp | until 06:00"]),
    ("en", "leave the lamp on and leave it on until six",
     ["leave the lamp on", "leave it on | until 06:00"]),
    ("en", "turn on the lamp at five and leave it on until six",
     ["turn on the lamp | at 05:00", "leave it on | until 06:00"]),
    ("en", "don't turn on the lamp and leave it off until six",
     ["not turn on the lamp", "leave it off | until 06:00"]),
    ("en", "turn on the lamp and don't leave it on until six",
     ["turn on the lamp", "not leave it on | until 06:00"]),
    ("en", "turn on the lamp and leave the fan on again until six",
     ["turn on the lamp", "leave the fan on again | until 06:00"]),
    ("en", "turn on the lamp and dim it until six",
     ["turn on the lamp", "dim it | until 06:00"]),
    # Each of several times has a command of its own, with all else that was said.
    ("en", "turn on the lamp at seven and at nine for ten minutes",
     ["turn on the lamp | at 07:00 | for 600", "turn on the lamp | at 09:00 | for 600"]),
    ("en", "don't turn on the lamp at seven and at nine",
     ["not turn on the lamp | at 07:00 | at 09:00"]),
    ("en", "tomorrow, turn on the lamp at eight",
     ["turn on the lamp | at +1 | at 08:00"]),
    # An exception is of the command that follows it, else of the one before.
    ("en", "turn on the fan. Except for the heater, turn everything off",
     ["turn on the fan", "turn everything off except the heater"]),
    ("en", "except for the heater, turn everything off except the lamp",
     ["turn everything off except the lamp, the heater"]),
    ("en", "turn everything off except the lamp please", ["turn everything off except the lamp"]),
    ("en", "turn on the lamp. Please", ["turn on the lamp"]),
    # A question is one, whatever was said before, and gives a command no moment.
    ("en", "turn on the lamp in ten minutes. Is the fan on",
     ["turn on the lamp | in 600", "question: Is the fan on"]),
    ("fr", "quand s'éteint la lampe", ["question: quand s'éteint la lampe"]),
    ("en", "is the lamp on and turn it off at eight",
     ["question: is the lamp on", "question: turn it off"]),
    ("en", "what's the weather and turn on the lamp. Who is at home and turn on the fan",
     ["question: what's the weather", "turn on the lamp", "question: Who is at home",
      "turn on the fan"]),
    ("en", "is the gate open, can you close it?", ["question: is the gate open", "close it"]),
    ("it", "è buio. accendi la lampada", ["question: è buio", "accendi la lampada"]),
    ("en", "when can you turn on the lamp", ["question: when can you turn on the lamp"]),
    # What is told orders nothing, and its moment is of no command.
    ("en", "I turned on the lamp and don't turn it off at eight",
     ["statement: I turned on the lamp", "statement: turn it off | at 08:00"]),
    ("en", "at eight I turned on the lamp, turn it off",
     ["statement: at eight I turned on the lamp | at 08:00", "turn it off"]),
    ("en", "Anna says. Turn off the lamp", ["statement: Anna says", "Turn off the lamp"]),
    ("en", "we never turn on the lamp", ["statement: we never turn on the lamp"]),
    ("en", "turn off the lamp. The fan", ["turn off the lamp", "unknown: The fan"]),
    # A moment at the beginning holds until another one is said, and to the end of its sentence.
    ("en", "tomorrow turn on the lamp. Turn on the fan",
     ["turn on the lamp | at +1", "Turn on the fan"]),
    ("en", "in ten minutes turn on the lamp, in twenty minutes turn off the fan, and open the gate",
     ["turn on the lamp | in 600", "turn off the fan | in 1200", "open the gate | in 1200"]),
    ("en", "turn on the lamp at five, tomorrow turn on the fan at six and open the gate at seven",
     ["turn on the lamp | at 05:00", "turn on the fan | at 06:00 +1", "open the gate | at 07:00 +1"]),
    ("en", "in ten minutes, turn on the lamp now", ["turn on the lamp"]),
    # A condition holds for each time, and the opposite of an event is none that is known.
    ("en", "if it rains, at eight turn on the lamp, at nine turn off the fan",
     ["turn on the lamp | if it rains | at 08:00", "turn off the fan | if it rains | at 09:00"]),
    ("en", "when it rains, turn on the lamp, otherwise turn on the fan",
     ["turn on the lamp | when it rains", "turn on the fan | unclear it rains"]),
    ("en", "how warm is it, if it's below 20, turn on the heater",
     ["question: how warm is it, if it's below 20", "turn on the heater | if it's below 20"]),
    ("en", "when it is eight and dark, turn on the lamp",
     ["turn on the lamp | when it is eight and dark"]),
    # What is counted from the moment of the command before.
    ("en", "open the gate at four and eight minutes after that turn off the fan",
     ["open the gate | at 04:00", "turn off the fan | at 04:00 | in 480 follows"]),
    ("en", "turn on the lamp and ten minutes later turn it off",
     ["turn on the lamp", "turn it off | in 600 follows"]),
    ("de", "mach in einer Viertelstunde die Lampe aus und zehn Minuten danach das Radio",
     ["mach die Lampe aus | in 900", "das Radio | in 900 | in 600 follows"]),
    ("fr", "allume la lampe à huit heures et éteins-la une heure après",
     ["allume la lampe | at 08:00", "éteins-la | at 08:00 | in 3600 follows"]),
    ("pl", "za dziesięć minut zgaś lampę, a kwadrans później wyłącz radio",
     ["zgaś lampę | in 600", "wyłącz radio | in 600 | in 900 follows"]),
    # What was so before puts nothing off.
    ("en", "turn off the radio, I've been up since five", ["turn off the radio", "statement: I've been up since five"]),
    ("de", "Radio aus, die Kleine schläft erst seit zehn Minuten",
     ["Radio aus", "statement: die Kleine schläft erst seit zehn Minuten"]),
    ("fr", "je suis debout depuis quatre heures du matin alors éteins le radio",
     ["statement: je suis debout depuis quatre heures du matin", "éteins le radio"]),
    ("pl", "wyłącz radio, dziecko śpi dopiero od dwudziestu minut",
     ["wyłącz radio", "statement: dziecko śpi dopiero od dwudziestu minut"]),
    # Speech without marks.
    ("en", "i can't stand the noise anymore turn off the radio",
     ["statement: i can't stand the noise anymore", "turn off the radio"]),
    ("en", "lamp off now fan off at eight", ["lamp off", "fan off | at 08:00"]),
    ("en", "it's dark turn on the lamp", ["unknown: it's dark", "turn on the lamp"]),
    ("es", "tengo frío enciende la lamp", ["unknown: tengo frío", "enciende la lamp"]),
    ("en", "the kids always turn on the lamp", ["statement: the kids always turn on the lamp"]),
    ("en", "I usually turn the lamp off", ["statement: I usually turn the lamp off"]),
    ("fr", "j'ai déjà éteint la lamp", ["statement: j'ai déjà éteint la lamp"]),
    ("es", "se me olvidó apagar la lamp", ["statement: se me olvidó apagar la lamp"]),
    # Each thing with its own time, and a question that is about no command.
    ("en", "turn off the lamp in ten minutes, the fan in twenty",
     ["turn off the lamp | in 600", "the fan | in 1200"]),
    ("en", "how many minutes do eggs need and turn on the fan",
     ["question: how many minutes do eggs need", "turn on the fan"]),
    ("en", "open the gate, and if it rains tomorrow remind me to take the umbrella",
     ["open the gate", "remind me to take the umbrella | if it rains tomorrow"]),
    # What is corrected keeps what is not said again; a duration is for one command.
    ("en", "twenty minutes from now, no, make it half an hour, lamp off", ["lamp off | in 1800"]),
    ("en", "turn on the fan for ten minutes and open the gate",
     ["turn on the fan | for 600", "open the gate"]),
    # What has none may be meant for the nearest one's: before it, else behind it.
    ("en", "open the gate at five and turn on the lamp and turn off the heater at six",
     ["open the gate | at 05:00", "turn on the lamp | at 05:00 shared", "turn off the heater | at 06:00"]),
    ("en", "turn on the lamp at five, turn off the fan at six and open the gate",
     ["turn on the lamp | at 05:00", "turn off the fan | at 06:00", "open the gate | at 06:00 shared"]),
    ("en", "turn on the lamp and tomorrow open the gate in the evening",
     ["turn on the lamp", "open the gate | at +1 evening"]),
    ("en", "turn on the lamp and then turn on the fan in ten minutes",
     ["turn on the lamp | in 600 shared", "turn on the fan | in 600"]),
    ("en", "open the gate for ten minutes, then shut it again",
     ["open the gate | for 600", "shut it again | in 600 shared"]),
    # Its end is said again, and nothing besides.
    ("en", "turn it on for ten minutes, then off again please", ["turn it on | for 600"]),
    ("en", "turn off the lamp in one hour and turn it on again in two",
     ["turn off the lamp | in 3600", "turn it on | in 7200"]),
    # What is taken back is for no moment, and only what its own sentence said.
    ("en", "turn off the lamp at eight. No", ["not turn off the lamp"]),
    ("en", "turn on the radio. Turn off the lamp and open the gate. No",
     ["turn on the radio", "not Turn off the lamp", "not open the gate"]),
    ("en", "turn off the lamp. No, all of them", ["turn off the lamp", "unknown: all of them"]),
    # What nobody understands is not dropped.
    ("en", "turn on the lamp at seven and nine", ["turn on the lamp and nine | at 07:00 unread"]),
    ("en", "every month on Monday turn on the lamp", ["turn on the lamp | every unread"]),
    ("en", "every two days at sunset turn on the lamp", ["turn on the lamp | every sunset unread"]),
    ("en", "turn on the lamp at seven Monday", ["turn on the lamp Monday | at 07:00 unread"]),
    ("de", "am Morgen die Lampe an", ["die Lampe an | at morning"]),
    ("en", "turn on the lamp at 07:30", ["turn on the lamp | at 07:30 am"]),
    ("de", "heute Morgen um acht die Lampe an", ["die Lampe an | at 08:00 morning"]),
)  # fmt: skip


def _told(clause: Clause) -> str:
    mood = "" if clause.act is DialogueAct.COMMAND else f"{clause.act}: "
    excepted = f" except {clause.exclusion}" if clause.exclusion else ""
    words = f"{mood}{'not ' * clause.negated}{clause.command}{excepted}"
    return " | ".join((words, *map(_moment, clause.times)))


def _moment(moment: TimeExpression) -> str:
    told = (
        str(moment.type),
        moment.time.isoformat("minutes") if moment.time else "",
        f"{moment.seconds:g}" if moment.seconds else "",
        f"+{moment.day_offset}" if moment.day_offset else "",
        moment.part_of_day,
        moment.sun,
        moment.condition,
        "follows" if moment.follows else "",
        "shared" if moment.is_shared else "",
        "unread" if moment.is_unread else "",
    )
    return " ".join(filter(None, told))


@rows(("code", "text", "told"), SAID)
def test_moment_is_of_the_command_that_it_was_said_of(
    code: str, text: str, told: list[str]
) -> None:
    assert [_told(each) for each in parse(Text(text, code), NAMES).clauses] == told


def test_moments_of_a_clause_tell_when_it_begins() -> None:
    both, only = (
        parse(Text(f"turn on the lamp for ten minutes{when}", "en"), NAMES).clauses[0]
        for when in (" in an hour", "")
    )
    assert [each.type for each in both.times] == [TimeType.FOR, TimeType.IN]
    assert [each.type for each in only.times] == [TimeType.FOR]
    assert (both.starts_now, only.starts_now) == (False, True)
    assert join_commands((both, only)) == "turn on the lamp turn on the lamp"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("don't turn on the lamp until eleven", True),
        ("turn on the lamp until eleven", False),
        # What is not to be left as it is, or waits for what may never happen, begins at no moment.
        ("don't leave the lamp on until eleven", False),
        ("don't turn on the lamp until the film is over", False),
    ],
)
def test_what_is_not_to_be_done_until_a_time_is_to_be_done_then(text: str, begins: bool) -> None:
    (clause,) = parse(Text(text, "en"), NAMES).clauses
    later = clause.invert_until()
    assert bool(later) is begins
    if later:
        assert not later.negated
        assert [each.type for each in later.times] == [TimeType.AT]


def test_sentence_is_for_now_where_all_of_it_is() -> None:
    assert parse(Text("turn on the lamp and open the gate", "en"), NAMES).is_immediate
    assert not parse(
        Text("turn on the lamp now and open the gate at eight", "en"), NAMES
    ).is_immediate


def test_time_without_a_day_is_on_the_last_day_that_was_said() -> None:
    text = (
        "tomorrow at eight open the gate, on Friday at nine turn on the fan, and at ten turn it off"
    )
    last = parse(Text(text, "en"), NAMES).clauses[-1]
    assert [(each.weekdays, each.day_offset) for each in last.times] == [((4,), None)]
