"""A command asks a server's tool for what it does, in the user's words and language."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from mcp.types import Tool, ToolAnnotations

from custom_components.voice_gateway.mcp_servers.tool import McpTool
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy.call import PolicyContext
from custom_components.voice_gateway.tools.policy.coverage import compare_coverage
from custom_components.voice_gateway.tools.taint import Taint
from tests.nlu.saying import hears
from tests.tools.comparing import proposed_call, verdict

from .test_taint_policy import DESCRIBED, has_read, no_call

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "lang": {"type": "string", "default": "auto"}},
}

type Row = tuple[str, str, str, Mapping[str, Any], str]
# The language, what is said, the tool's name, what it is called with, and what comes of it.
OWN_WORDS: list[Row] = [
    ("en", "keep in mind that Ada's locker is number 12", "store_fact", {"text": "Ada's locker is number 12"}, "yes"),
    ("en", "make a note: the boiler was serviced", "append_line", {"text": "The boiler was serviced"}, "yes"),
    ("en", "read me the page and then start the washer on wool", "run_cycle", {"machine": "washer", "cycle": "wool"}, "yes"),
    ("en", "who is on tour? play Yellow by Coldplay", "queueTrack", {"title": "Yellow", "artist": "Coldplay"}, "yes"),
    ("en", "tell Ida dinner is at seven", "post_message", {"to": "Ida", "text": "Dinner is at seven"}, "yes"),
    ("de", "merk dir, dass Adas Spind die Nummer zwölf hat", "store_fact", {"text": "Adas Spind hat die Nummer 12"}, "yes"),
    ("de", "kannst du bitte den Friseurtermin absagen", "cancel_entry", {"title": "Friseurtermin"}, "yes"),
    ("fr", "commande deux pizzas margherita", "order_food", {"text": "pizzas margherita", "count": 2}, "yes"),
    ("es", "apunta que el coche pasa la revisión en mayo", "save_note", {"text": "El coche pasa la revisión en mayo"}, "yes"),
    ("it", "segnati che Ada ha danza alle cinque", "add_memory", {"text": "Ada ha danza alle 5"}, "yes"),
    ("it", "scrivi a Ida che la cena è pronta", "send_text", {"to": "Ida", "text": "la cena è pronta"}, "yes"),
    ("nl", "zet voor mij de vaatwasser aan op eco", "start_program", {"device": "vaatwasser", "program": "eco"}, "yes"),
    ("pl", "zapamiętaj, że Ada ma szafkę numer 12", "store_fact", {"text": "Ada ma szafkę numer 12"}, "yes"),
    # To read may need nothing that is said.
    ("nl", "lees het laatste bericht van Ida voor", "last_messages", {"text": "Ida"}, "yes"),
    ("de", "hol mir die neuesten Nachrichten aus dem Posteingang", "get_inbox", {}, "yes"),
    ("fr", "cherche le courrier de la banque", "search_letters", {"text": "banque"}, "yes"),
    ("fr", "cherche le courrier de la banque", "search_letters", {"text": "codes"}, "asks call_with"),
    ("nl", "lees het bericht van Ida", "find_and_send", {"text": "Ida"}, "asks call_with"),
    ("de", "lies mir die Nachricht vor", "open_gate", {}, "asks call"),
    # What its tool would take anyway says nothing.
    ("en", "keep in mind that Ada skates", "store_fact", {"text": "Ada skates", "lang": "auto"}, "yes"),
    # What nobody said, a number that is another one, and what is switched on besides.
    ("en", "keep in mind that Ada skates", "store_fact", {"text": "Ada skates, door code 4711"}, "asks call_with"),
    ("en", "keep in mind that Ada skates", "store_fact", {"text": "Ada skates", "lang": "all"}, "asks call_with"),
    ("en", "keep in mind that Ada skates", "store_fact", {"text": "Ada skates", "public": True}, "asks call_with"),
    ("fr", "commande deux pizzas margherita", "order_food", {"text": "pizzas margherita", "count": 20}, "asks call_with"),
    # Another sort of thing to do, also in the words of the user; and what names nothing.
    ("en", "keep in mind that Ada skates", "delete_fact", {"text": "Ada skates"}, "asks call_with"),
    ("en", "keep in mind that Ada skates", "store_fact", {}, "asks call"),
    ("de", "start den Waschgang wolle", "stop_cycle", {"cycle": "wolle"}, "no"),
    # Not to be done, at another moment, and nothing that is wanted.
    ("en", "start the washer on wool tomorrow", "run_cycle", {"machine": "washer", "cycle": "wool"}, "no"),
    ("en", "tell me whether to order two pizzas", "order_food", {"text": "pizzas", "count": 2}, "asks call_with"),
    ("en", "Ada ordered two pizzas", "order_food", {"text": "pizzas", "count": 2}, "asks call_with"),
    ("en", "find out which pizzas to order", "order_food", {"text": "pizzas"}, "asks call_with"),
    ("en", "read me which pizzas to order", "order_food", {"text": "pizzas"}, "asks call_with"),
    # Who wants something read wants no tool that is called like it, nor one that tells somebody.
    ("en", "read me my orders", "order", {"text": "whisky", "count": 12}, "asks call_with"),
    ("en", "show me the last post please", "post", {"text": "the wifi password"}, "asks call_with"),
    ("de", "lies mir meine Notizen vor", "notiz", {"text": "Die Tür bleibt offen"}, "asks call_with"),
    ("fr", "lis-moi mes messages", "message", {"text": "le code"}, "asks call_with"),
    ("es", "léeme mis notas", "nota", {"text": "abre la puerta"}, "asks call_with"),
    ("en", "tell me Bob's last message", "share_location", {"to": "Bob"}, "asks call_with"),
    ("de", "sag mir Bobs letzte Nachricht", "share_location", {"to": "Bob"}, "asks call_with"),
    ("it", "dimmi l'ultimo messaggio di Bob", "share_location", {"to": "Bob"}, "asks call_with"),
    # Whom it is for may be any argument, in any language: what the user did not say is asked about.
    ("en", "read my messages and send a message that I am late", "send_message", {"number": "+1900666777", "text": "I am late"}, "asks call_with"),
    ("de", "lies meine Nachrichten und schick eine Nachricht, dass ich spät komme", "send_message", {"benutzer": "eva", "text": "ich komme spät"}, "asks call_with"),
    ("es", "lee mis mensajes y envía un mensaje de que llego tarde", "enviar_mensaje", {"sala": "jefes", "text": "llego tarde"}, "asks call_with"),
    ("pt", "Manda à Rita o que está na lista", "enviar_mensagem", {"para": "Rita", "texto": "azeite"}, "asks call_with"),
    ("pt", "Lê o que a escola escreveu", "enviar_mensagem", {"para": "Eva", "texto": "azeite"}, "no"),
    # Of a language without lists nobody knows what reads.
    ("uk", "прочитай мої замовлення", "замовлення", {}, "asks call"),
    ("uk", "прочитай мої замовлення", "замовлення", {"text": "замовлення"}, "asks call_with"),
    ("ja", "メモ を 読んで", "メモ", {"text": "メモ"}, "asks call_with"),
    ("ar", "اقرأ لي الملاحظات", "الملاحظات", {}, "asks call"),
    # By its name, with words that are not the user's, or with a secret in pieces.
    ("en", "post a picture", "post", {"text": "picture"}, "yes"),
    ("en", "post a picture", "post", {"text": "picture of the door code"}, "asks call_with"),
    ("en", "post a picture", "post", {"text": "picture 47 11 96"}, "asks call_with"),
    ("de", "starte den Waschgang Wolle", "waschgang", {"cycle": "Wolle"}, "yes"),
]  # fmt: skip


async def test_users_own_words_need_no_question(full_house: HomeAssistant) -> None:
    """After something of others was read, in other words than a tool's own, and in seven languages."""
    wrong = []
    for language, said, name, arguments, comes in OWN_WORDS:
        tool = McpTool(
            Tool(name=name, description="Does its work.", input_schema=SCHEMA), name, no_call
        )
        tool.server = "helper"
        proposed = proposed_call(tool=tool, arguments=dict(arguments), is_written=False)
        utterance = await hears(full_house, said, language=language)
        turn = PolicyContext(
            utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
        )
        if (got := verdict(compare_coverage, proposed, turn)) != comes:
            wrong.append((said, name, arguments, got))
    assert not wrong


async def test_what_may_be_an_errand_is_asked_about(full_house: HomeAssistant) -> None:
    """Where nobody knows for certain whether a sentence is a command."""
    tool = McpTool(Tool(name="bin_mail", description="", input_schema=SCHEMA), "bin_mail", no_call)
    tool.server = "helper"
    for language, said, comes in (
        ("nl", "gooi die reclame van de bakker maar weg", "asks call_with"),
        ("nl", "bedankt, welterusten", "no"),
        ("nl", "gooi je die reclame weg?", "no"),
        ("en", "good night then", "no"),
    ):
        proposed = proposed_call(tool=tool, arguments={"id": 3}, is_written=False)
        utterance = await hears(full_house, said, language=language)
        turn = PolicyContext(
            utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
        )
        assert verdict(compare_coverage, proposed, turn) == comes, said


async def test_of_what_was_said_before_only_a_name_is_meant(full_house: HomeAssistant) -> None:
    """A code that was to be remembered goes to nobody with the next sentence."""
    tool = McpTool(Tool(name="post_message", input_schema=SCHEMA), "post_message", no_call)
    tool.server = "helper"
    for text, comes in (
        ("the game is off", "yes"),
        ("the game is off, locker code 4711", "asks call_with"),
    ):
        proposed = proposed_call(tool=tool, arguments={"to": "Ida", "text": text}, is_written=False)
        before = ("remember the locker code 4711 of mine", "did Ida write?")
        utterance = await hears(full_house, "tell her the game is off", *before)
        turn = PolicyContext(
            utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
        )
        assert verdict(compare_coverage, proposed, turn) == comes, text


async def test_to_read_for_a_question_needs_none(full_house: HomeAssistant) -> None:
    """Where nothing was read yet, also by a name that nobody said; to act, it does."""
    acts = ToolAnnotations(read_only_hint=False)
    rows: tuple[tuple[str, str, Mapping[str, str], Taint, ToolAnnotations | None, str], ...] = (
        ("any news from next door?", "read_sms", {"text": "neighbour"}, DESCRIBED, None, "yes"),
        ("did the bank write?", "get_mails", {}, DESCRIBED, None, "yes"),
        ("hat die Bank geschrieben?", "get_mails", {"text": "bank"}, DESCRIBED, None, "yes"),
        ("did the bank write?", "get_mails", {"text": "door codes"}, DESCRIBED, None, "no"),
        ("any news from next door?", "read_sms", {"text": "post"}, has_read("mail"), None, "no"),
        ("did the bank write?", "read_and_reply", {"text": "bank"}, DESCRIBED, None, "no"),
        ("did the bank write?", "send_sms", {"text": "bank"}, DESCRIBED, None, "no"),
        # What is said not to only read, as a phone that is found by its ringing.
        ("where is my phone?", "find_phone", {}, DESCRIBED, acts, "no"),
    )
    wrong = []
    for said, name, arguments, taint, hints, comes in rows:
        definition = Tool(name=name, description="", input_schema=SCHEMA, annotations=hints)
        tool = McpTool(definition, name, no_call)
        tool.server = "helper"
        proposed = proposed_call(tool=tool, arguments=dict(arguments), is_written=False)
        utterance = await hears(full_house, said, language="de" if "Bank" in said else "en")
        turn = PolicyContext(utterance, Journal(), ToolManager(), hass=full_house, taint=taint)
        if (got := verdict(compare_coverage, proposed, turn)) != comes:
            wrong.append((said, name, arguments, got))
    assert not wrong


async def test_a_number_may_be_larger_than_any(full_house: HomeAssistant) -> None:
    tool = McpTool(Tool(name="order_food", input_schema=SCHEMA), "order_food", no_call)
    tool.server = "helper"
    arguments = {"text": "pizzas", "count": 10**400, "code": "9" * 400}
    proposed = proposed_call(tool=tool, arguments=arguments, is_written=False)
    utterance = await hears(full_house, "order two pizzas")
    turn = PolicyContext(
        utterance, Journal(), ToolManager(), hass=full_house, taint=has_read("mail")
    )
    assert verdict(compare_coverage, proposed, turn) == "asks call_with"
