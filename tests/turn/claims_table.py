"""Commands, what came of their calls, what the model says of it, and what is heard."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..model_servers import Call, call

NOT_DONE = "Sorry, I couldn't do that."
IN_DOUBT = "It may have been done, but I got no answer. Please check."
ON = "intent__HassTurnOn"
OFF = "intent__HassTurnOff"


@dataclass(frozen=True, slots=True)
class Row:
    """A command, the calls that a model makes for it in one message, and what it says then."""

    command: str
    says: str
    utterance: str | None = None
    """What is spoken; None for what the model says."""
    calls: Sequence[Call] = ()
    language: str = "en"


def of(language: str, command: str, says: str, utterance: str | None, *calls: Call) -> Row:
    return Row(command, says, utterance, calls, language)


MADE_UP = [
    # Nothing is called, and it is said to be done; Home Assistant knows none of these things.
    of("en", "turn on the sauna", "Done!", NOT_DONE),
    of("en", "turn on the sauna", "Sure, it's done. Anything else?", NOT_DONE),
    of("en", "turn on the sauna", "Okay, the sauna is running now.", NOT_DONE),
    of("en", "turn on the sauna", "No problem! The sauna is heating up.", NOT_DONE),
    of("en", "lock the front door", "The front door is secured now.", NOT_DONE),
    of("en", "start the dishwasher", "The dishwasher is doing its job.", NOT_DONE),
    of("en", "dim the porch light", "I've made it cosier out there.", NOT_DONE),
    of(
        "de",
        "Schalte die Sauna ein",
        "Alles klar, sie heizt.",
        "Das konnte ich leider nicht ausführen.",
    ),
    of(
        "de",
        "Sperr die Haustür ab",
        "Kein Problem, das ist passiert.",
        "Das konnte ich leider nicht ausführen.",
    ),
    of("es", "Enciende la sauna", "¡Marchando!", "Lo siento, no he podido hacerlo."),
    of("fr", "allume le sauna", "Voilà, il chauffe.", "Désolé, je n’ai pas pu le faire."),
    of("it", "accendi la sauna", "Ecco fatto.", "Mi dispiace, non è stato possibile farlo."),
    of("nl", "zet de sauna aan", "Komt voor elkaar.", "Sorry, dat is niet gelukt."),
    of("pl", "włącz saunę", "Już działa.", "Niestety nie udało się tego zrobić."),
    # For what only a tool of an MCP server does.
    of("en", "water the garden", "The garden has had its drink.", NOT_DONE),
    of("en", "write a note that we bought eggs", "Noted!", NOT_DONE),
]
FAILED = [
    of("en", "turn on the sauna", "It is on.", NOT_DONE, call(ON, name="Sauna")),
    of("en", "close the garage door", "It is shut.", NOT_DONE, call(OFF, name="Garage Door")),
    # isError
    of(
        "en",
        "write a note that we bought eggs",
        "I have written it down.",
        NOT_DONE,
        call("write_note"),
    ),
    of("en", "turn on the sauna", "It is on.", NOT_DONE, call("write_note")),
    # An exception, and a server that is not there.
    of("en", "brew some coffee", "Your coffee is ready.", NOT_DONE, call("brew_coffee")),
    of("en", "water the garden", "It is being watered.", NOT_DONE, call("water_garden")),
    of(
        "de",
        "Gieß den Garten",
        "Der Garten wird gegossen.",
        "Soll ich dafür water_garden verwenden?",
        call("water_garden"),
    ),
    # A tool that does not exist, and one that could not read.
    of("en", "feed the cat", "She is eating.", NOT_DONE, call("feed_the_cat_now")),
    of("en", "how high is the bill", "It is 80 euros.", NOT_DONE, call("read_bill")),
]
DOUBTED = [
    of("en", "order a pizza", "Your pizza is on its way.", IN_DOUBT, call("order_pizza")),
    of("en", "order a pizza", "I could not order it.", IN_DOUBT, call("order_pizza")),
    of("en", "boil some water", "It is boiling.", IN_DOUBT, call("boil_water")),
    of(
        "en",
        "turn on the bed light and order a pizza",
        "Both are done.",
        "I turned on the Bed Light. I got no answer for the rest, so it may have been done. Please check.",
        call(ON, name="Bed Light"),
        call("order_pizza"),
    ),
]
PARTLY = [
    of(
        "en",
        "turn on the bed light and the sauna",
        "Both are on.",
        "I turned on the Bed Light. I couldn't do the rest.",
        call(ON, name="Bed Light"),
        call(ON, name="Sauna"),
    ),
    of(
        "en",
        "turn on the bed light and the sauna",
        "The bed light is on, but there is no sauna.",
        None,
        call(ON, name="Bed Light"),
        call(ON, name="Sauna"),
    ),
    of(
        "de",
        "Schalte Bed Light und die Sauna ein",
        "Beides läuft.",
        "Bed Light eingeschaltet. Den Rest konnte ich nicht ausführen.",
        call(ON, name="Bed Light"),
        call(ON, name="Sauna"),
    ),
    of(
        "en",
        "close the garage door and the hall window",
        "Both are shut.",
        "I'm closing the Hall Window. I couldn't do the rest.",
        call(OFF, name="Garage Door"),
        call(OFF, name="Hall Window"),
    ),
    of(
        "en",
        "feed the cat and write a note about it",
        "All done.",
        "I could only do part of that.",
        call("feed_cat"),
        call("write_note"),
    ),
]
TRUE = [
    of(
        "en",
        "turn on the bed light",
        "As you wish.",
        "I turned on the Bed Light.",
        call(ON, name="Bed Light"),
    ),
    of("en", "feed the cat", "The cat has been fed.", None, call("feed_cat")),
    of("en", "how warm is the pool", "The pool has 24 degrees.", None, call("read_pool")),
    of("en", "turn on the sauna", "There is no sauna here.", None),
    of("en", "turn on the sauna", "Which sauna do you mean?", None),
    of(
        "en",
        "write a note that we bought eggs",
        "The machine is locked, so I couldn't.",
        None,
        call("write_note"),
    ),
    of("de", "Schalte die Sauna ein", "Es gibt hier keine Sauna.", None),
    of("es", "Enciende la sauna", "No hay ninguna sauna.", None),
    of("fr", "allume le sauna", "Il n'y a pas de sauna ici.", None),
    of("it", "accendi la sauna", "Non c'è nessuna sauna.", None),
    of("nl", "zet de sauna aan", "Er is hier geen sauna.", None),
    of("pl", "włącz saunę", "Nie ma tu sauny.", None),
    of("en", "turn on your charm", "It has been on all along.", None),
    of("en", "tell me a joke", "A fish walks into a bar.", None),
    # Who answers is Home Assistant: nothing was read.
    of("en", "is the bed light on?", "Yes, it is on.", "No, Bed Light is off"),
    of(
        "en",
        "tell me something about yourself",
        "The user asked about me. I live in your home.",
        "I live in your home.",
    ),
]
CLAIMED = [
    # Of what is no command that anybody knows: certainly a claim, and nothing was done.
    of("en", "yes please", "Unlocking Front Door and Garage Door.", NOT_DONE),
    of("en", "make it cosy", "Setting the temperature to 21", NOT_DONE),
    of("en", "make it cosy", "Sure! I've dimmed the lights in the living room for you.", NOT_DONE),
    of("en", "it's too dark for reading", "I have turned on the Bed Light.", NOT_DONE),
    of("en", "good night", "The front door has been locked. Sleep well!", NOT_DONE),
    of("en", "yes please", "Okay, done!", NOT_DONE),
    of(
        "de",
        "mach es gemütlich",
        "Ich habe das Licht gedimmt.",
        "Das konnte ich leider nicht ausführen.",
    ),
    of("de", "ja gerne", "Schalte Bed Light ein.", "Das konnte ich leider nicht ausführen."),
    of("es", "hazlo acogedor", "He encendido la luz.", "Lo siento, no he podido hacerlo."),
    of("fr", "rends ça agréable", "J'ai allumé la lampe.", "Désolé, je n’ai pas pu le faire."),
    of(
        "it",
        "rendilo accogliente",
        "Ho acceso la luce.",
        "Mi dispiace, non è stato possibile farlo.",
    ),
    of("nl", "maak het gezellig", "Ik heb de lamp aangezet.", "Sorry, dat is niet gelukt."),
    of("pl", "zrób przytulnie", "Włączyłam światło.", "Niestety nie udało się tego zrobić."),
]
TALK = [
    of("en", "how can I save energy", "Turning off lights when you leave saves energy.", None),
    of("en", "make it cosy", "Shall I turn on the Bed Light?", None),
    of("en", "write a haiku", "Done! An old silent pond, a frog jumps in.", None),
    of("en", "tell me a story", "I opened a book, and a dragon looked out.", None),
    of("en", "good night", "Good night! Setting sun, rising moon.", None),
    of("de", "erzähl mir was", "Ich habe ein Buch aufgemacht und gelacht.", None),
    of("de", "wie spare ich Strom", "Schalte Lampen aus, die du nicht brauchst.", None),
]
TABLE = [*CLAIMED, *TALK, *MADE_UP, *FAILED, *DOUBTED, *PARTLY, *TRUE]
