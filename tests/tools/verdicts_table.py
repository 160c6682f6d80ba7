"""What becomes of calls: the sentence, what was read before it, the call, and what comes of it."""

from typing import Any, Final

from homeassistant.helpers import llm

from custom_components.voice_gateway.text_tool_call import WrittenCall

NOTHING: Final = ""
DESCRIBED: Final = "described"
"""A server says what its tools are for."""
READ: Final = "read"
"""A mail was read."""


def call(name: str, /, **arguments: Any) -> llm.ToolInput:
    return llm.ToolInput(name, arguments)


def written(name: str, /, **arguments: Any) -> llm.ToolInput:
    return WrittenCall(name, arguments)


# What is said, what was read, the call, and what comes of it: what is done to what, what is asked,
# what is not kept for later or done for good, or how the refusal begins.
COMES: list[tuple[str, str, llm.ToolInput, str]] = [
    (
        "add milk to the list",
        NOTHING,
        call("HassListRemoveItem", item="milk", name="Shopping List"),
        "no: The user asked for the opposite",
    ),
    (
        "add milk to the list",
        READ,
        call("HassListAddItem", item="milk", name="Shopping List"),
        "HassListAddItem Shopping list",
    ),
    (
        "remove milk from the list",
        READ,
        call("HassListRemoveItem", item="milk", name="Shopping List"),
        "HassListRemoveItem Shopping list",
    ),
    (
        "clean the kitchen",
        NOTHING,
        call("HassSetPosition", name="Hall Window", position=40),
        "no: That is no work for Hall Window, but for a vacuum: call",
    ),
    (
        "close the door",
        NOTHING,
        call("HassTurnOn", name="Front Door"),
        "no: The user did not say Front Door. It could be: Garage Door, Hall",
    ),
    (
        "close the door",
        NOTHING,
        call("HassTurnOff", domain=["lock"]),
        "no: The user asked for the opposite: call intent__HassTurnOn",
    ),
    # What names no device says of none: a call for another one is not its.
    (
        "it is going to rain, close the hall window",
        NOTHING,
        call("HassTurnOn", name="Bed Light"),
        "no: The user did not say Bed Light",
    ),
    (
        "the hall window is open, close it",
        NOTHING,
        call("HassTurnOff", name="Bed Light"),
        "no: The user did not say Bed Light",
    ),
    (
        "turn up the bed light",
        NOTHING,
        call("HassTurnOff", name="Bed Light"),
        "no: The user asked for the opposite: call intent__HassTurnOn",
    ),
    (
        "dim the bed light a little",
        NOTHING,
        call("HassTurnOn", name="Bed Light"),
        "no: The user asked for the opposite: call intent__HassTurnOff",
    ),
    (
        "shut the hall window completely",
        NOTHING,
        call("HassSetPosition", name="Hall Window", position=100),
        "no: The user asked for the opposite: call intent__HassTurnOff",
    ),
    (
        "open the hall window completely",
        NOTHING,
        call("HassSetPosition", name="Hall Window", position=100),
        "HassSetPosition Hall Window",
    ),
    (
        "leave the bed light on at 50 percent",
        NOTHING,
        call("HassLightSet", name="Bed Light", brightness=50),
        "HassLightSet Bed Light",
    ),
    (
        "leave the bed light on until midnight",
        NOTHING,
        call("HassLightSet", name="Bed Light", brightness=100, color="white"),
        "not kept: left_alone",
    ),
    (
        "don't turn off the bed light, turn it on",
        NOTHING,
        call("HassTurnOff", name="Bed Light"),
        "not kept: left_alone",
    ),
    (
        "don't turn off the bed light, turn it on",
        NOTHING,
        call("HassTurnOn", area="Kitchen"),
        "no: The user did not say Kitchen Lights. It could be:",
    ),
    (
        "don't turn on the bed light until eleven",
        NOTHING,
        call("HassTurnOff", domain=["light"]),
        "not kept: left_alone",
    ),
    (
        "don't turn on the bed light until eleven",
        NOTHING,
        call("HassListAddItem", item="milk", name="Shopping List"),
        "not kept: left_alone",
    ),
    (
        "don't turn on the bed light until eleven",
        NOTHING,
        call("HassTurnOn", name="Bed Light"),
        "no: The user said something else",
    ),
    (
        "is the front door locked",
        NOTHING,
        call("script__let_in"),
        "no: The user did not ask for that: answer in words",
    ),
    (
        "make the bed light shine",
        NOTHING,
        call("HassTurnOff", domain=["light"]),
        "HassTurnOff Bed Light",
    ),
    (
        "read me my mail",
        NOTHING,
        call("HassTurnOn", name="Dim Everything"),
        "no: The user did not say Dim Everything. Ask the user.",
    ),
    ("run let guests in", NOTHING, call("script__let_in"), "asks run Let Guests In"),
    (
        "run let guests in",
        NOTHING,
        call("HassTurnOff", domain=["lock"]),
        "no: The user asked for the opposite: call intent__HassTurnOn",
    ),
    (
        "set the bed light to 40 percent",
        NOTHING,
        call("HassTurnOff", name="Front Door"),
        "no: The user did not ask to open Front Door. Ask the user which one.",
    ),
    (
        "start cleaning",
        NOTHING,
        call("HassVacuumStart", area="Kitchen"),
        "no: There is no device for this tool in Kitchen. There are: cover Kitchen",
    ),
    (
        "the bed light is on",
        NOTHING,
        call("HassTurnOn", name="Bed Light"),
        "no: The user told you something, and asked for nothing: answer in words",
    ),
    (
        "turn off all lights except the bed light",
        NOTHING,
        call("HassTurnOn", name="Garage Door"),
        "HassTurnOff Ceiling Lights Entrance Color + White Lights Kitchen Lights Living Room RGBWW Lights Office RGBW Lights",
    ),
    (
        "turn off the lights but leave the bed light on",
        NOTHING,
        call("HassSetPosition", name="Garage Door", position=0),
        "no: The user did not say Garage Door. Ask the user which one",
    ),
    (
        "turn off the lights but leave the bed light on",
        NOTHING,
        written("HassTurnOff", domain=["light"]),
        "HassTurnOff Ceiling Lights Entrance Color + White Lights Kitchen Lights Living Room RGBWW Lights Office RGBW Lights",
    ),
    (
        "turn on the bed light at eight",
        NOTHING,
        call("HassTurnOn", area="Kitchen"),
        "no: The user said something else",
    ),
    (
        "turn on the porch light",
        NOTHING,
        call("HassTurnOn", name="Bed Light"),
        "no: There is no porch light. There are: Ceiling Lights, Entrance Color +",
    ),
    (
        "turn the bed light down a bit",
        NOTHING,
        call("HassTurnOn", name="Dim Everything"),
        "HassTurnOn Bed Light",
    ),
    (
        "unlock all the doors",
        NOTHING,
        call("HassTurnOff", name="Front Door"),
        "asks unlock Front Door",
    ),
    (
        "don't turn off the bed light, turn it on",
        DESCRIBED,
        call("HassSetPosition", name="Hall Window", position=40),
        "no: What you read asked for this",
    ),
    ("is the front door locked", DESCRIBED, call("send_mail"), "no: What you read asked for this"),
    (
        "run dim everything",
        DESCRIBED,
        call("HassLightSet", name="Bed Light", brightness=40),
        "no: What you read asked for this",
    ),
    ("unlock the front door", DESCRIBED, call("send_mail"), "no: What you read asked for this"),
    ("yes please", DESCRIBED, call("send_mail"), "no: What you read asked for this"),
    (
        "activate the party scene",
        READ,
        call("HassLightSet", name="Bed Light", brightness=40),
        "asks activate Party",
    ),
    (
        "add eggs and milk to the list",
        READ,
        call("HassTurnOff", name="Garage Door"),
        "no: What you read asked for this",
    ),
    (
        "add eggs and milk to the list",
        READ,
        call("HassListRemoveItem", item="milk", name="Shopping List"),
        "no: The user asked for the opposite",
    ),
    (
        "clean the kitchen",
        READ,
        call("HassListAddItem", item="milk", name="Shopping List"),
        "no: What you read asked for this",
    ),
    ("run dim everything", READ, call("script__night"), "night"),
    (
        "leave the bed light on",
        NOTHING,
        call("HassLightSet", name="Bed Light", brightness=0),
        "not kept: left_alone",
    ),
    (
        "leave the bed light on",
        NOTHING,
        call("HassTurnOff", name="Bed Light"),
        "not kept: left_alone",
    ),
    (
        "turn off all lights except the bed light",
        READ,
        call("HassTurnOff", name="Garage Door"),
        "no: The user did not say Garage Door. It could be: Ceiling Lights,",
    ),
    (
        "turn off the bed light",
        READ,
        call("HassVacuumStart", area="Kitchen"),
        "no: What you read asked for this",
    ),
    (
        "turn on the porch light",
        READ,
        call("HassTurnOn", name="Bed Light"),
        "asks turn_on Bed Light",
    ),
]

LIGHTS_OFF: Final = (
    "HassTurnOff Ceiling Lights Entrance Color + White Lights Kitchen Lights Living Room RGBWW Lights"
    " Office RGBW Lights"
)
ANOTHERS: Final = "no: What you read asked for this"
ALONE: Final = "not kept: left_alone"
SPARING: Final = "turn off the lights but leave the bed light on"
EXCEPTING: Final = "turn off all lights except the bed light"
ONE_NOT: Final = "don't turn on the bed light, turn off the kitchen lights"
ANOTHER_ONE: Final = "not the bed light, I meant the kitchen lights, turn those off"
WROTE: Final = "Grandma wrote which lights are on, switch those off"


def on(name: str, /, **more: Any) -> llm.ToolInput:
    return call("HassTurnOn", name=name, **more)


def off(name: str, /) -> llm.ToolInput:
    return call("HassTurnOff", name=name)


def position(name: str, percent: int) -> llm.ToolInput:
    return call("HassSetPosition", name=name, position=percent)


def dim(name: str, percent: int) -> llm.ToolInput:
    return call("HassLightSet", name=name, brightness=percent)


def item(does: str, what: str) -> llm.ToolInput:
    return call(f"HassList{does}Item", item=what, name="Shopping List")


ALL_LIGHTS, ALL_LOCKS = call("HassTurnOff", domain=["light"]), call("HassTurnOff", domain=["lock"])
KITCHEN, CONTEXT = call("HassTurnOn", area="Kitchen"), call("GetLiveContext", name="Bed Light")
NIGHT, LET_IN = call("script__night"), call("script__let_in")
DELETE, FIND = call("delete_mail"), call("find_page", query="zebra")
FIND_MORE = call("find_page", query="unlock zebra")
UNLOCK_ANY = call("any__call_action", domain="lock", service="unlock")

# The same, for what each rule lets through, and what it does not.
RULES: list[tuple[str, str, llm.ToolInput, str]] = [
    # What is asked or told.
    ("is the front door locked", NOTHING, on("Bed Light"), "no: The user asked a question"),
    ("is the front door locked", NOTHING, DELETE, "no: The user asked a question"),
    ("is the front door locked", NOTHING, call("find_page", query="door"), "find_page"),
    ("is the front door locked", NOTHING, call("GetLiveContext"), "GetLiveContext"),
    ("I have turned off the bed light", NOTHING, off("Bed Light"), "no: The user told you"),
    ("the bed light is on", NOTHING, item("Add", "milk"), "HassListAddItem Shopping list"),
    ("the bed light is on", NOTHING, DELETE, "asks call delete_mail"),
    ("is the porch light on", NOTHING, CONTEXT, "not kept: nothing_found"),
    ("is the bed light on", NOTHING, CONTEXT, "GetLiveContext"),
    ("turn on the bed light", NOTHING, CONTEXT, "GetLiveContext"),
    # What is not there, or not told.
    ("turn off all lights in the cellar", NOTHING, ALL_LIGHTS, "not kept: nothing_found"),
    ("make it cosy", NOTHING, call("HassTurnOn", domain=["light"]), "no: You named no device"),
    # A word of its name is enough to ask whether a door is meant, and no more.
    ("unlock the kitchen entrance", NOTHING, off("Kitchen Door"), "asks unlock Kitchen Door"),
    ("unlock the kitchen entrance", READ, off("Kitchen Door"), "no: The user did not ask to open"),
    ("unlock the kitchen entrance", NOTHING, off("Front Door"), "no: The user did not ask to open"),
    ("unlock the back door", NOTHING, off("Kitchen Door"), "no: The user did not ask to open"),
    ("lock the kitchen entrance", NOTHING, off("Kitchen Door"), "no: The user asked for the"),
    # What is not to be done, or to stay.
    ("don't turn on the bed light", NOTHING, on("Bed Light"), ALONE),
    ("don't turn on the bed light", NOTHING, call("GetLiveContext"), "GetLiveContext"),
    ("don't turn on the bed light", NOTHING, DELETE, ALONE),
    (ONE_NOT, NOTHING, on("Bed Light"), ALONE),
    (ONE_NOT, NOTHING, off("Bed Light"), ALONE),
    (ONE_NOT, NOTHING, off("Kitchen Lights"), "HassTurnOff Kitchen Lights"),
    (ONE_NOT, NOTHING, ALL_LIGHTS, "HassTurnOff Kitchen Lights"),
    ("we don't need the bed light, turn it off", NOTHING, off("Bed Light"),
     "HassTurnOff Bed Light"),
    ("we don't need the bed light, turn it off", NOTHING, on("Bed Light"), ALONE),
    ("we don't need the bed light, don't turn it off", NOTHING, off("Bed Light"), ALONE),
    ("we don't need the bed light, is it off", NOTHING, off("Bed Light"), ALONE),
    (ANOTHER_ONE, NOTHING, off("Bed Light"), ALONE),
    (ANOTHER_ONE, NOTHING, on("Bed Light"), ALONE),
    (ANOTHER_ONE, NOTHING, off("Kitchen Lights"), "HassTurnOff Kitchen Lights"),
    (SPARING, NOTHING, off("Bed Light"), ALONE),
    (SPARING, NOTHING, dim("Bed Light", 50), ALONE),
    (SPARING, NOTHING, on("Bed Light"), "HassTurnOn Bed Light"),
    (SPARING, NOTHING, off("Party"), "no: The user did not say Party"),
    (SPARING, NOTHING, off("Kitchen Lights"), "HassTurnOff Kitchen Lights"),
    ("don't leave the bed light on", NOTHING, off("Bed Light"), "HassTurnOff Bed Light"),
    ("leave the bed light on and turn off the kitchen lights", NOTHING, dim("Kitchen Lights", 40),
     "HassLightSet Kitchen Lights"),
    ("postpone the bed light to eight", NOTHING, on("Bed Light"), "not kept: not_later"),
    ("push back the hall window to 40 percent", NOTHING,
     call("HassSetPosition", name="Hall Window", position=40), "HassSetPosition Hall Window"),
    # For now, for later, or on a condition: the garage door is closed.
    ("turn on the bed light if the garage door is closed", NOTHING, on("Bed Light"),
     "HassTurnOn Bed Light"),
    ("turn on the bed light if the garage door is open", NOTHING, on("Bed Light"),
     "not kept: shown_instead"),
    ("turn on the bed light unless the garage door is closed", NOTHING, on("Bed Light"),
     "not kept: shown_instead"),
    ("turn on the bed light and in ten minutes turn off the kitchen lights", NOTHING,
     on("Bed Light"), "HassTurnOn Bed Light"),
    ("turn on the bed light and in ten minutes turn off the kitchen lights", NOTHING,
     off("Kitchen Lights"), "no: The user said something else"),
    # The opposite.
    ("turn on the bed light", NOTHING, off("Bed Light"), "HassTurnOn Bed Light"),
    ("turn off everything", NOTHING, on("Bed Light"), "no: The user asked for the opposite"),
    ("turn off everything", NOTHING, KITCHEN, "no: The user asked for the opposite"),
    ("turn off the bed light", NOTHING, call("HassVacuumStart"), "no: The user asked for the opp"),
    ("open the hall window", NOTHING, position("Hall Window", 0), "HassTurnOn Hall Window"),
    ("close the hall window", NOTHING, position("Hall Window", 100), "HassTurnOff Hall Window"),
    ("close the hall window", NOTHING, position("Hall Window", 0), "HassSetPosition Hall Window"),
    (WROTE, NOTHING, off("Bed Light"), "HassTurnOff Bed Light"),
    ("turn off everything", NOTHING, written("HassTurnOff", name="Bed Light"), "no: The user did"),
    # What keeps people out.
    ("set the garage door to 50 percent", NOTHING, position("Garage Door", 50),
     "asks open Garage Door"),
    ("set the garage door to 50 percent", NOTHING, position("Garage Door", 0),
     "asks open Garage Door"),
    ("turn on the bed light", NOTHING, position("Garage Door", 100), "no: The user did not ask to"),
    ("lock up", NOTHING, position("Garage Door", 40),
     "no: The user did not ask to open Garage Door"),
    ("open the garage door", NOTHING, position("Garage Door", 100), "asks open Garage Door"),
    ("close the garage door", NOTHING, position("Garage Door", 0), "HassSetPosition Garage Door"),
    ("lock up", NOTHING, off("Front Door"), "HassTurnOn Front Door Kitchen Door"),
    ("unlock the front door", NOTHING, on("Bed Light"), "asks unlock Front Door"),
    ("unlock the front door", NOTHING, ALL_LOCKS, "asks unlock Front Door"),
    ("unlock the doors", NOTHING, ALL_LOCKS, "no: The user did not ask to open Front Door, Kitch"),
    ("unlock the front door and the kitchen door", NOTHING, ALL_LOCKS,
     "asks unlock Front Door, Kitchen Door"),
    # Of the locks, the kitchen's is open.
    ("lock the door", NOTHING, call("HassTurnOn", domain=["lock"]), "HassTurnOn Kitchen Door"),
    ("lock the door", NOTHING, on("Front Door"), "no: The user did not say Front Door"),
    (SPARING, NOTHING, call("HassTurnOn", domain=["lock"]), "no: The user did not say Front Door"),
    # What is excepted.
    (EXCEPTING, NOTHING, off("Bed Light"), LIGHTS_OFF),
    (EXCEPTING, NOTHING, dim("Bed Light", 40), ALONE),
    (EXCEPTING, NOTHING, dim("Kitchen Lights", 40), "HassLightSet Kitchen Lights"),
    (EXCEPTING, READ, off("Bed Light"), ALONE),
    ("make everything dark except the bed light", NOTHING, off("Bed Light"), ALONE),
    ("make everything dark except the bed light", NOTHING, ALL_LIGHTS, LIGHTS_OFF),
    # Whose work it is.
    ("clean the kitchen", NOTHING, on("Kitchen Lights"), "no: That is no work for Kitchen Lights"),
    ("clean the kitchen", NOTHING, call("HassVacuumStart"), "no: The user did not say Demo vacuum"),
    ("clean the kitchen", NOTHING, on("Reading"), "no: The user did not say Reading"),
    ("clean the kitchen and turn on the bed light", NOTHING, on("Bed Light", floor="Nowhere"),
     "HassTurnOn Bed Light"),
    # What runs something.
    ("turn on the bed light", NOTHING, LET_IN, "no: The user did not say Let Guests In"),
    ("let the guests in", NOTHING, LET_IN, "asks run Let Guests In"),
    ("activate reading", NOTHING, on("Reading"), "HassTurnOn Reading"),
    ("turn on the bed light", NOTHING, call("HassTurnOn", area="Bedroom"), "HassTurnOn Bed Light"),
    ("run let guests in", DESCRIBED, on("Let Guests In"), "asks run Let Guests In"),
    ("activate party", NOTHING, on("Party"), "asks activate Party"),
    ("press the party button", DESCRIBED, on("Let Guests In"),
     "asks activate Party, Let Guests In"),
    (SPARING, NOTHING, on("Dim Everything"), "no: The user did not say Dim Everything"),
    ("turn off everything", DESCRIBED, on("Dim Everything"), "no: The user did not say Dim Every"),
    ("run dim everything", DESCRIBED, NIGHT, "night"),
    ("turn off everything", DESCRIBED, NIGHT, "asks run Dim Everything"),
    ("turn on the bed light", DESCRIBED, written("script__night"), ANOTHERS),
    ("turn on the bed light", NOTHING, UNLOCK_ANY, "asks call_with any__call_action"),
    ("turn on the bed light", NOTHING, DELETE, "asks call delete_mail"),
    ("delete the mail", NOTHING, DELETE, "asks call delete_mail"),
    # Devices, after something was read.
    ("switch it off", DESCRIBED, off("Garage Door"), "asks close Garage Door"),
    ("yes please", DESCRIBED, on("Kitchen Lights"), "asks turn_on Kitchen Lights"),
    ("yes please", DESCRIBED, off("Party"), ANOTHERS),
    ("yes please", READ, on("Kitchen Lights"), ANOTHERS),
    (WROTE, DESCRIBED, on("Kitchen Lights"), ANOTHERS),
    (WROTE, DESCRIBED, off("Bed Light"), "asks turn_off Bed Light"),
    (EXCEPTING, DESCRIBED, KITCHEN, "no: "),
    ("lock the door", DESCRIBED, call("HassTurnOn", domain=["lock"]), "HassTurnOn Kitchen Door"),
    ("set the hall window to 40 percent", DESCRIBED, off("Garage Door"),
     "HassSetPosition Hall Window"),
    ("turn off the lights in the kitchen", READ, ALL_LIGHTS, "HassTurnOff Kitchen Lights"),
    ("read me my mail", READ, off("Bed Light"), ANOTHERS),
    ("read me my mail and turn off the bed light", READ, off("Bed Light"), "HassTurnOff Bed Light"),
    ("read me my mail and turn off the bed light", READ, on("Bed Light"), "no: The user asked for"),
    ("read me my mail and turn off the bed light", READ, off("Kitchen Lights"), "no: The user did"),
    ("turn off the lights in the kitchen that my mail names", READ, off("Bed Light"),
     "no: The user d"),
    ("turn on the bed light if the garage door is closed and turn off the kitchen lights",
     DESCRIBED, off("Kitchen Lights"), "HassTurnOff Kitchen Lights"),
    # Lists.
    ("remove milk from the list", NOTHING, item("Remove", "eggs"), "asks remove eggs"),
    ("take eggs off the list", DESCRIBED, item("Remove", "eggs"),
     "HassListRemoveItem Shopping list"),
    ("remove milk from the list", DESCRIBED, item("Remove", "eggs"), "asks remove eggs"),
    ("take eggs off the list", DESCRIBED, item("Complete", "milk"), "asks remove milk"),
    ("add milk to the shopping list", READ, item("Add", "milk"), "HassListAddItem Shopping list"),
    ("add milk to the shopping list", READ, item("Add", "rum"), "asks add rum"),
    ("we are out of milk", READ, item("Add", "milk"), ANOTHERS),
    # Others' tools.
    ("lock up", DESCRIBED, FIND, "find_page"),
    ("lock up", READ, FIND, "asks call_with find_page"),
    ("send the mail", DESCRIBED, FIND, "asks call_with find_page"),
    ("look up the zebra page", READ, FIND_MORE, "asks call_with find_page"),
    ("is the front door locked", DESCRIBED, FIND_MORE, ANOTHERS),
    ("send the mail", READ, call("send_mail"), "send_mail"),
    ("tell Ida that the bed light is on", NOTHING, call("HassTurnOn", name="Bed Light"),
     "no: The user wants somebody to be told that"),
    ("dim the bed light to 30 percent", READ,
     call("HassLightSet", name="Bed Light", brightness=100),
     "no: The user did not say brightness 100"),
    ("it should be 21 degrees in the kitchen", NOTHING, call("HassTurnOn", area="Kitchen"),
     "no: The user said how warm"),
    ("silence the walkman", NOTHING, call("HassTurnOff", name="Walkman"),
     "no: The user spoke of the sound"),
    # Who only speaks of a device did not say what is to become of it.
    ("order a new bed light", READ, off("Bed Light"), "asks turn_off Bed Light"),
    ("call the shop about the bed light", READ, on("Bed Light"), "asks turn_on Bed Light"),
    # A question about a value says the value.
    ("set the bed light to what my note says", READ, dim("Bed Light", 80), "asks set Bed Light 80 %"),
    ("set the hall window to what my note says", READ, position("Hall Window", 30),
     "asks set Hall Window 30 %"),
    ("forward the mail about the bed light", READ, off("Bed Light"), "asks turn_off Bed Light"),
    ("delete the mail about turning off the bed light", READ, off("Bed Light"),
     "asks turn_off Bed Light"),
    ("the mail about the bed light", READ, off("Bed Light"), ANOTHERS),
    ("note down that the bed light is off", READ, off("Bed Light"),
     "no: The user wants somebody to be told that"),
    ("play the song turn off the bed light", READ, off("Bed Light"), ANOTHERS),
    ("play the song turn off the walkman", READ, off("Walkman"), ANOTHERS),
    ("kill the bed light", READ, off("Bed Light"), "HassTurnOff Bed Light"),
    # What is looked up is none of what is done next.
    ("find out when the museum opens and turn off the bed light", READ, off("Bed Light"),
     "HassTurnOff Bed Light"),
    ("find out who turned on the kitchen lights, and turn off the bed light", READ,
     on("Kitchen Lights"), ANOTHERS),
    ("read me my mail, and while you're at it turn off the bed light", READ, off("Bed Light"),
     "HassTurnOff Bed Light"),
    ("all lights off please", READ, ALL_LIGHTS, "HassTurnOff Bed Light " + LIGHTS_OFF.partition(" ")[2]),
]  # fmt: skip
