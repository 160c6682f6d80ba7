"""What an answer lets one believe, read as a person would: done, not done, or still to come.

It is a guess by words; print the answers and read them where it matters.

An answer is read clause by clause. A clause that asks, denies, promises or names a moment claims
nothing. Else it claims a deed with the word for one ("turned off", "done"; also "turning off"), as
Home Assistant's own confirmations do, or a state ("is off") with the word for that.
An answer tells that nothing was done if it asks, or says so with the words for that. A "not" alone
does not: "I'll turn off the lights, but not the one in the kitchen".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import re


@dataclass(frozen=True, slots=True)
class Claim:
    """A clause, folded, that claims a deed, or that something is in `state`."""

    text: str
    state: str | None = None


@dataclass(frozen=True, slots=True)
class _Words:
    """A language's words, each a regular expression that matches whole words."""

    deeds: str
    """What was done."""
    copula: str
    """What stands before a state; also "yes", where one is asked about."""
    answers: str
    """What answers a question: a name and its state come after it."""
    states: Mapping[str, str]
    """Words for a state, by Home Assistant's name for it."""
    ahead: str
    """What promises, or makes it depend on something, or names a moment."""
    denials: str
    """What denies."""
    not_done: str
    """What says that something was not done, or cannot be."""


_EN = _Words(
    deeds=r"done|(?:turned|switched|shut|put) (?:\w+ ){0,4}?(?:on|off)|turned|switched|set|opened"
    r"|closed|locked|unlocked|started|stopped|paused|resumed|dimmed|brightened|added|adjusted"
    r"|changed|activated|deactivated|completed|finished"
    r"|(?:turn|switch|open|clos|lock|unlock|start|stopp|paus|dimm|sett|add)ing",
    copula=r"is|are|\w+['’]s|yes",
    answers=r"yes|no",
    states={
        "on": "on",
        "off": "off",
        "open": "open",
        "closed": "closed|shut",
        "locked": "locked",
        "unlocked": "unlocked",
        "playing": "playing",
        "paused": "paused",
        "cleaning": "cleaning|running",
        "docked": "docked",
    },
    ahead=r"will|\w+['’]ll|shall|would|could|can|may|might|should|let|going to|want|please|if"
    r"|unless|when|whenever|once|until|till|as soon as|later|tomorrow|tonight|every|each|next"
    r"|after|before|whether|check|in (?:\d+|an?|half|one|two|three|five|ten|fifteen|twenty|thirty) ?\w*"
    r"|at (?:\d+|noon|midnight|sunset|sunrise|\w+ o'clock)|scheduled|timer|remind",
    denials=r"not|\w+n['’]t|no|never|nothing|none|cannot|unable|without",
    not_done=r"(?:ca|could|did|do|have|has|is|was|were|wo)n['’]t|cannot|can not|could not|did not"
    r"|have not|has not|was not|were not|not (?:been )?(?:able|done|changed|made|turned|possible)"
    r"|unable|error|nothing (?:was|has|is|changed|happened)|do not (?:know|understand)|sorry|failed"
    r"|not aware|no answer|in doubt",
)
_DE = _Words(
    deeds=r"erledigt|fertig|gemacht|(?:\w*)ge(?:schaltet|macht|stellt|dreht|fahren|zogen|setzt|fügt)"
    r"|geöffnet|geschlossen|(?:ab|auf|zu)geschlossen|gesperrt|entsperrt|verriegelt|entriegelt"
    r"|gestartet|gestoppt|angehalten|pausiert|fortgesetzt|gedimmt|geändert|aktiviert|deaktiviert|festgelegt",
    copula=r"ist|sind|ja|nein",
    answers=r"ja|nein",
    states={
        "on": "an|eingeschaltet|angeschaltet",
        "off": "aus|ausgeschaltet|abgeschaltet",
        "open": "offen|auf|geöffnet|oben",
        "closed": "zu|geschlossen|unten",
        "locked": "abgeschlossen|verriegelt|zugesperrt",
        "unlocked": "aufgeschlossen|entriegelt|unverschlossen",
        "playing": "an",
        "cleaning": "unterwegs",
    },
    ahead=r"werde|wird|werden|soll|sollen|kann|könnte|würde|möchte|wenn|falls|sobald|bis|bevor|erst"
    r"|nachdem|morgen|später|gleich|künftig|jeden|jede|immer|täglich|werktags|sonst|es sei denn"
    r"|ob|um \d+|um \w+ uhr|um halb|in (?:\d+|ein\w*|zwei|drei|fünf|zehn|fünfzehn|zwanzig)|nach ein\w*"
    r"|geplant|heute abend",
    denials=r"nicht|kein\w*|nichts|nie|niemals|ohne|weder",
    not_done=r"(?:kann|konnte|könnte|habe|wurde|ist|lässt|weiß|verstehe)\b.*\bnicht"
    r"|(?:kann|konnte|habe)\b.*\b(?:nichts|kein\w*)|nichts (?:getan|geändert|gemacht|geschaltet)"
    r"|nicht (?:gelungen|möglich|gemacht|getan|ausgeführt|geändert|geschaltet|geantwortet)"
    r"|nicht (?:vorhanden|unterstützt|gefunden)|existiert nicht|kein\w* .*(?:vorhanden|gefunden|freigegeben)"
    r"|es wurden? .*(?:mehrere|mehr als)|fehler|leider|entschuldigung|tut mir leid|fehlgeschlagen",
)
_ES = _Words(
    deeds=r"hecho|listo|completad[oa]|en pausa|añadió|(?:encendid|apagad|abiert|cerrad|bloquead|desbloquead|iniciad|pausad"
    r"|detenid|ajustad|establecid|añadid|cambiad|configurad|puest|activad|desactivad|bajad|subid)"
    r"[oa]s?",
    copula=r"está|están|sí",
    answers=r"sí|no",
    states={
        "on": "encendid[oa]s?",
        "off": "apagad[oa]s?",
        "open": "abiert[oa]s?",
        "closed": "cerrad[oa]s?",
        "locked": "bloquead[oa]s?",
        "unlocked": "desbloquead[oa]s?",
    },
    ahead=r"\w+ré|\w+rá|\w+remos|voy a|va a|comprob\w+|puedo|puede|si|cuando|hasta|a menos que|en cuanto"
    r"|mañana|luego|más tarde|dentro de|cada|a las|a la una|después|antes",
    denials=r"no|nunca|nada|ningún|ninguna|sin",
    not_done=r"no (?:puedo|pude|he|se|sé|ha|ha sido|pudo|fue|es posible|entiendo)|lo siento"
    r"|imposible|error|no .* (?:conseguido|respuesta)",
)
_FR = _Words(
    deeds=r"fait|faite|terminé|en cours|en pause|(?:allumé|éteint|ouvert|fermé|verrouillé|déverrouillé|réglé|démarré"
    r"|lancé|arrêté|ajouté|activé|désactivé|changé|baissé|tamisé)e?s?|mise? (?:en|à)",
    copula=r"est|sont|oui",
    answers=r"oui|non",
    states={
        "on": "allumée?s?",
        "off": "éteinte?s?",
        "open": "ouverte?s?",
        "closed": "fermée?s?",
        "locked": "verrouillée?s?",
        "unlocked": "déverrouillée?s?",
    },
    ahead=r"\w+erai|\w+irai|\w+rai|sera|seront|vais|va|peux|pourrais|si|quand|lorsque|dès|jusqu\w*"
    r"|sauf|demain|plus tard|dans \w+|chaque|tous les|à \d+ ?h\w*|après|avant",
    denials=r"ne|n|pas|rien|aucune?|jamais|sans",
    not_done=r"ne (?:peux|pouvais|sais|comprends)|n['’](?:ai|est|a|était)\b.*\b(?:pas|rien)"
    r"|pas (?:pu|été|possible|fait)|rien (?:fait|changé)|désolée?|impossible|erreur|aucune réponse",
)
_IT = _Words(
    deeds=r"fatto|sto \w+[ae]ndo|(?:acces|spent|apert|chius|bloccat|sbloccat|impostat|avviat|aggiunt|regolat"
    r"|modificat|fermat|attivat|disattivat|abbassat|alzat)[oaie]|mess[oaie] in pausa",
    copula=r"è|sono|sì",
    answers=r"sì|no",
    states={
        "on": "acces[oaie]",
        "off": "spent[oaie]",
        "open": "apert[oaie]",
        "closed": "chius[oaie]",
        "locked": "bloccat[oaie]",
        "unlocked": "sbloccat[oaie]",
    },
    ahead=r"\w+rò|\w+rà|\w+remo|tengo|posso|può|se|quando|fino|finché|a meno che|appena|domani"
    r"|più tardi|tra|fra|ogni|alle|dopo|prima",
    denials=r"non|niente|nulla|nessuno?|nessuna|mai|senza",
    not_done=r"non (?:posso|ho|sono|è|riesco|so|ha|capisco)|mi dispiace|impossibile|errore|non .* (?:possibile|risposta)",
)
_NL = _Words(
    deeds=r"klaar|gedaan|gelukt|(?:aan|uit|in|af|op)ge(?:zet|daan|schakeld|sloten|past|steld)"
    r"|ingeschakeld|uitgeschakeld|geopend|gesloten|vergrendeld|ontgrendeld|gestart|gestopt"
    r"|gepauzeerd|hervat|ingesteld|geactiveerd|toegevoegd|gedimd|gewijzigd",
    copula=r"is|zijn|staat|staan|ja|nee",
    answers=r"ja|nee",
    states={
        "on": "aan|ingeschakeld",
        "off": "uit|uitgeschakeld",
        "open": "open|geopend",
        "closed": "dicht|gesloten",
        "locked": "op slot|vergrendeld",
        "unlocked": "van het slot|ontgrendeld",
    },
    ahead=r"zal|zullen|ga|gaat|kan|zou|of|als|wanneer|zodra|tot|tenzij|morgen|straks|later|over \w+"
    r"|om \d+|elke|iedere|na|voordat|voor",
    denials=r"niet|geen|niets|nooit|zonder",
    not_done=r"(?:kan|kon|heb|is|weet|begrijp)\b.*\bniet|(?:kan|kon|heb)\b.*\b(?:niets|geen)"
    r"|niet (?:gelukt|mogelijk|gedaan|uitgevoerd)|sorry|helaas|geen antwoord",
)
_PL = _Words(
    deeds=r"gotowe|zrobione|(?:włącz|wyłącz|otwarł|otworz"
    r"|zamkn|zapal|zgas|ustaw|doda|uruchom|zablokowa|odblokowa|wstrzyma|zmieni)\w*(?:łem|łam|ł|no)"
    r"|(?:włączon|wyłączon|zapalon|zgaszon|zamknięt|otwart|zablokowan|odblokowan|uruchomion"
    r"|ustawion|dodan|wstrzyman|zatrzyman|zmienion|przyciemnion)\w+",
    copula=r"jest|są|tak",
    answers=r"tak|nie",
    states={
        "on": "włączon[aeoy]|zapalon[aeoy]",
        "off": "wyłączon[aeoy]|zgaszon[aeoy]",
        "open": "otwart[aeoy]",
        "closed": "zamknięt[aeoy]",
        "locked": "zablokowan[aeoy]",
        "unlocked": "odblokowan[aeoy]",
    },
    ahead=r"będzie|będę|mogę|może|jeśli|jeżeli|kiedy|gdy|jak tylko|dopóki|aż|chyba że|jutro|później"
    r"|za \w+|co|czy|każd\w+|o \d+|po|przed",
    denials=r"nie|nic|żad\w+|nigdy|bez",
    not_done=r"nie (?:udzielił|mogę|mogłem|mogłam|udało|można|wiem|rozumiem|zrobi\w+|został\w*|jest możliwe)"
    r"|nie (?:ma|zawiera|znaleziono|obsługuje)|brak|błąd|przykro|przepraszam|niestety|nic nie",
)
_LANGUAGES = {"en": _EN, "de": _DE, "es": _ES, "fr": _FR, "it": _IT, "nl": _NL, "pl": _PL}
_CLAUSE = re.compile(r"[.!;\n]+(?:\s|$)|,\s*(?:but|aber|pero|mais|ma|maar|ale)\s")
# Small words that may stand between "is" and the state.
_BETWEEN = r"(?:\W+(?:now|already|still|jetzt|nun|schon|bereits|ya|déjà|maintenant|ora|già|nu|al|już|teraz))*"


def claims(answer: str, language: str) -> Sequence[Claim]:
    """Return what an answer claims as done or as so, in this language or in English."""
    found: list[Claim] = []
    for clause in _CLAUSE.split(answer.casefold()):
        if clause and "?" not in clause:
            for words in _spoken(language):
                if not _has(words.ahead, clause) and not _has(words.denials, clause):
                    found += _claims(words, clause)
    return found


def asks_or_denies(answer: str, language: str) -> bool:
    """Tell whether an answer asks back, or says plainly that something was not done."""
    folded = answer.casefold()
    return "?" in folded or any(_has(words.not_done, folded) for words in _spoken(language))


def _claims(words: _Words, clause: str) -> Sequence[Claim]:
    states = [
        Claim(clause, state)
        for state, names in words.states.items()
        if _has(rf"(?:{words.copula}){_BETWEEN}\W+(?:{names})", clause)
        or _has(rf"(?:{words.answers}),[^:]+: (?:{names})", clause)
    ]
    if states:
        return states
    return [Claim(clause)] if _has(words.deeds, clause) else []


def _spoken(language: str) -> Sequence[_Words]:
    """Return the words of a language, and English: played models say "Done." in any."""
    words = _LANGUAGES.get(language, _EN)
    return [_EN] if words is _EN else [words, _EN]


def _has(pattern: str, text: str) -> bool:
    return re.search(rf"(?<!\w)(?:{pattern})(?!\w)", text) is not None
