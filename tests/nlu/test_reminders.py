"""What sentences say of plans, and of what somebody is to be reminded, in every language."""

import pytest

from custom_components.voice_gateway.nlu.parser import load
from custom_components.voice_gateway.nlu.reminders import ReminderParser
from custom_components.voice_gateway.nlu.tokenizer import Text

ROWS = {
    "en": [
        ("what is planned?", "maybe list"),
        ("what have you planned for tomorrow?", "list for tomorrow"),
        ("which plans are there?", "list"),
        ("what reminders do I have", "maybe list reminders"),
        ("show me my reminders", "list reminders"),
        ("please cancel that", "maybe cancel"),
        ("cancel that", "maybe cancel"),
        ("Cancel it please", "maybe cancel"),
        ("cancel all plans", "cancel all"),
        ("cancel all my reminders", "cancel all reminders"),
        ("cancel the plan for the garage", "cancel for the garage"),
        ("cancel the garage plan", "cancel garage"),
        ("cancel the plan to turn off the bed light", "cancel to turn off the bed light"),
        ("cancel the last plan", "cancel"),
        ("don't turn it off after all", "maybe cancel turn it off"),
        ("don't turn off the bed light after all", "maybe cancel turn off the bed light"),
        ("make it half an hour", "maybe change half an hour"),
        ("make it at nine instead", "maybe change at nine"),
        ("no, at nine", "maybe change at nine"),
        ("at nine instead", "maybe change at nine"),
        ("actually make it ten minutes", "maybe change ten minutes"),
        ("make it tomorrow", "maybe change tomorrow"),
        ("change it to nine o'clock", "maybe change nine o'clock"),
        ("move the reminder to tomorrow at nine", "maybe change tomorrow at nine"),
        ("make it warmer", ""),
        ("cancel the timer", ""),
        ("turn on the light", ""),
        ("no, the kitchen light", ""),
        ("never mind", "maybe cancel"),
        ("cancel", "maybe cancel"),
        ("no", ""),
        ("what is planned on my calendar", ""),
        ("remind me at five to take the bread out", "to: take the bread out | at five"),
        ("please remind me in ten minutes that the oven is on", "that: the oven is on | in ten minutes"),
        ("remind me to take the bread out at five", "to: take the bread out | at five"),
        ("at five remind me to take the bread out and feed the cat", "to: take the bread out and feed the cat | at five"),
        ("tell me when the washing machine is done", "maybe notice: the washing machine is done | when the washing machine is done"),
        ("let me know when the front door opens", "notice: the front door opens | when the front door opens"),
        ("whenever the door opens, tell me", "maybe notice: the door opens | whenever the door opens"),
        ("let me know in ten minutes", "bare:  | in ten minutes"),
        ("remind me every day at eight to take my pills", "to: take my pills | every day at eight"),
        ("remind me at five that the meeting is at six", "that: the meeting is at six | at five"),
        ("remind me when I get home to feed the cat", "to: feed the cat | when I get home"),
        ("remind me to feed the cat when I get home", "to: feed the cat | when I get home"),
        ("remind me tomorrow to call mum", "to: call mum | tomorrow"),
        ("set a reminder for five o'clock to take the bread out", "to: take the bread out | five o'clock"),
        ("remind me about the meeting tomorrow at nine", "about: the meeting | tomorrow at nine"),
        ("tell me what time it is", ""),
        ("tell me a joke", ""),
        ("tell me about tomorrow", ""),
        ("tell me in ten minutes to leave", "maybe to: leave | in ten minutes"),
        ("can you remind me at nine to go to bed", "to: go to bed | at nine"),
        ("remind me of what I said", ""),
        ("remind me tomorrow call mum", "plain: call mum | tomorrow"),
        ("tell me when the sun sets", ""),
        ("say hello in ten minutes", ""),
        ("don't let me forget to call mum at six", "to: call mum | at six"),
        ("remind me at 5 pm to go to the gym", "to: go to the gym | at 5 pm"),
        ("in ten minutes tell me that the pizza is ready", "maybe that: the pizza is ready | in ten minutes"),
        ("tell me if the door is open", ""),
        ("remind me to water the plants every monday at eight", "to: water the plants | every monday at eight"),
        ("what's planned?", "maybe list"),
        ("don't turn off the bed light", ""),
        ("make the light brighter instead", ""),
        ("tell everyone that dinner is ready", ""),
        ("let me know", ""),
        ("remind me later", "bare:  | later"),
    ],
    "de": [
        ("was ist geplant?", "maybe list"),
        ("was hast du für morgen geplant?", "list für morgen"),
        ("was ist für morgen geplant?", "maybe list für morgen"),
        ("welche Pläne gibt es?", "list"),
        ("lösche alle Pläne", "cancel all"),
        ("storniere das", "maybe cancel"),
        ("brich das ab", "maybe cancel"),
        ("lass das", "maybe cancel"),
        ("doch nicht", "maybe cancel"),
        ("nein, doch nicht", "maybe cancel"),
        ("mach das Licht doch nicht aus", "maybe cancel mach das Licht aus"),
        ("schalte das Bettlicht lieber doch nicht aus", "maybe cancel schalte das Bettlicht aus"),
        ("mach lieber eine halbe Stunde", "maybe change eine halbe Stunde"),
        ("nein, um neun", "maybe change um neun"),
        ("lieber um neun", "maybe change um neun"),
        ("verschieb das auf neun Uhr", "maybe change neun Uhr"),
        ("mach daraus eine halbe Stunde", "maybe change eine halbe Stunde"),
        ("lösche den Plan für die Garage", "cancel für die Garage"),
        ("erinnere mich um fünf daran, das Brot herauszunehmen", "to: das Brot herauszunehmen | um fünf"),
        ("erinnere mich in zehn minuten daran, dass der Ofen an ist", "that: der Ofen an ist | in zehn minuten"),
        ("sag mir bescheid, wenn die Waschmaschine fertig ist", "notice: die Waschmaschine fertig ist | wenn die Waschmaschine fertig ist"),
        ("gib mir Bescheid sobald die Waschmaschine fertig ist", "notice: die Waschmaschine fertig ist | sobald die Waschmaschine fertig ist"),
        ("erinner mich morgen früh ans Müll rausbringen", "about: Müll rausbringen | morgen früh"),
        ("erinnere mich morgen um neun an den Termin", "about: den Termin | morgen um neun"),
        ("erinnere mich an den Termin morgen um neun", "about: den Termin | morgen um neun"),
        ("sag mir in zehn Minuten, dass die Pizza fertig ist", "maybe that: die Pizza fertig ist | in zehn Minuten"),
        ("sag mir wie spät es ist", ""),
        ("erinnere mich daran, morgen um acht Mama anzurufen", "to: Mama anzurufen | morgen um acht"),
        ("benachrichtige mich, wenn die Haustür aufgeht", "notice: die Haustür aufgeht | wenn die Haustür aufgeht"),
        ("schalte das licht ein", ""),
        ("wenn die Waschmaschine fertig ist, sag mir Bescheid", "notice: die Waschmaschine fertig ist | wenn die Waschmaschine fertig ist"),
        ("zeig mir meine Erinnerungen", "list reminders"),
        ("Erinnere mich daran, jeden Freitag um 8 Uhr ins Fitnessstudio zu gehen", "to: ins Fitnessstudio zu gehen | jeden Freitag um 8 Uhr"),
        ("alle Pläne löschen", "cancel all"),
        ("brich den Plan für die Garage ab", "cancel für die Garage"),
        ("warum ist nichts geplant", ""),
        ("mach das Licht nicht aus", ""),
    ],
    "fr": [
        ("qu'as-tu prévu ?", "list"),
        ("qu'est-ce qui est prévu demain ?", "maybe list demain"),
        ("annule tous les plans", "cancel all"),
        ("annule ça", "maybe cancel"),
        ("annule", "maybe cancel"),
        ("annule le rappel pour le pain", "cancel pour le pain"),
        ("n'éteins pas la lumière finalement", "maybe cancel éteins la lumière"),
        ("mets plutôt une demi-heure", "maybe change une demi-heure"),
        ("non, à neuf heures", "maybe change à neuf heures"),
        ("plutôt à neuf heures", "maybe change à neuf heures"),
        ("rappelle-moi à cinq heures de sortir le pain", "to: sortir le pain | à cinq heures"),
        ("rappelle-moi de sortir le pain à cinq heures", "to: sortir le pain | à cinq heures"),
        ("rappelle-moi dans dix minutes que le four est allumé", "that: le four est allumé | dans dix minutes"),
        ("rappelle-moi le rendez-vous demain à neuf heures", "plain: le rendez-vous | demain à neuf heures"),
        ("dis-moi quand la porte s'ouvre", "maybe notice: la porte s'ouvre | quand la porte s'ouvre"),
        ("dis-moi quelle heure il est", ""),
        ("liste tous les rappels", "list reminders"),
        ("laisse tomber", "maybe cancel"),
        ("supprime le dernier plan", "cancel"),
    ],
    "es": [
        ("¿qué tienes planeado?", "list"),
        ("¿qué hay planeado para mañana?", "maybe list para mañana"),
        ("cancela todos los planes", "cancel all"),
        ("cancela eso", "maybe cancel"),
        ("cancélalo", "maybe cancel"),
        ("al final no apagues la luz", "maybe cancel apagues la luz"),
        ("mejor no apagues la luz", "maybe cancel apagues la luz"),
        ("mejor a las nueve", "maybe change a las nueve"),
        ("no, a las nueve", "maybe change a las nueve"),
        ("ponlo a las nueve", "maybe change a las nueve"),
        ("recuérdame a las cinco que saque el pan", "that: saque el pan | a las cinco"),
        ("recuérdame en diez minutos sacar el pan", "plain: sacar el pan | en diez minutos"),
        ("recuérdame sacar el pan a las cinco", "plain: sacar el pan | a las cinco"),
        ("avísame cuando termine la lavadora", "notice: termine la lavadora | cuando termine la lavadora"),
        ("recuérdame la cita mañana a las nueve", "plain: la cita | mañana a las nueve"),
        ("dime qué hora es", ""),
        ("cancela el recordatorio del pan", "cancel del pan"),
        ("muéstrame los recordatorios", "list reminders"),
        ("dime cuando se abra la puerta", "maybe notice: se abra la puerta | cuando se abra la puerta"),
    ],
    "it": [
        ("cosa hai programmato?", "list"),
        ("cosa è programmato per domani?", "maybe list per domani"),
        ("cancella tutti i piani", "cancel all"),
        ("annullalo", "maybe cancel"),
        ("lascia perdere", "maybe cancel"),
        ("alla fine non spegnere la luce", "maybe cancel spegnere la luce"),
        ("fallo alle nove", "maybe change alle nove"),
        ("meglio tra mezz'ora", "maybe change tra mezz'ora"),
        ("no, alle nove", "maybe change alle nove"),
        ("ricordami alle cinque di tirare fuori il pane", "to: tirare fuori il pane | alle cinque"),
        ("ricordami di tirare fuori il pane alle cinque", "to: tirare fuori il pane | alle cinque"),
        ("ricordami tra dieci minuti che il forno è acceso", "that: il forno è acceso | tra dieci minuti"),
        ("avvisami quando la lavatrice ha finito", "notice: la lavatrice ha finito | quando la lavatrice ha finito"),
        ("ricordami la riunione domani alle nove", "plain: la riunione | domani alle nove"),
        ("dimmi che ore sono", ""),
        ("elenca i promemoria", "list reminders"),
        ("annulla il promemoria per il pane", "cancel per il pane"),
    ],
    "nl": [
        ("wat is er gepland?", "maybe list"),
        ("wat heb je voor morgen gepland?", ""),
        ("annuleer alle plannen", "cancel all"),
        ("annuleer dat", "maybe cancel"),
        ("laat maar", "maybe cancel"),
        ("doe het licht toch niet uit", "maybe cancel doe het licht uit"),
        ("maak er een half uur van", "maybe change een half uur"),
        ("nee, om negen uur", "maybe change om negen uur"),
        ("toch maar om negen uur", "maybe change om negen uur"),
        ("herinner me om vijf uur aan het brood", "about: het brood | om vijf uur"),
        ("herinner me er over tien minuten aan dat de oven aan staat", "that: de oven aan staat | over tien minuten"),
        ("herinner me er om vijf uur aan om het brood eruit te halen", "to: het brood eruit te halen | om vijf uur"),
        ("herinner me eraan om morgen om 8 uur naar de sportschool te gaan", "to: naar de sportschool te gaan | morgen om 8 uur"),
        ("herinner me morgen om vijf uur om brood te kopen", "to: brood te kopen | morgen om vijf uur"),
        ("laat me weten wanneer de wasmachine klaar is", "notice: de wasmachine klaar is | wanneer de wasmachine klaar is"),
        ("zeg me hoe laat het is", ""),
        ("toon mijn herinneringen", "list reminders"),
        ("annuleer het plan voor de garage", "cancel voor de garage"),
    ],
    "pl": [
        ("co jest zaplanowane?", "maybe list"),
        ("co masz zaplanowane na jutro?", "list na jutro"),
        ("anuluj wszystkie plany", "cancel all"),
        ("anuluj to", "maybe cancel"),
        ("jednak nie", "maybe cancel"),
        ("jednak nie wyłączaj światła", "maybe cancel wyłączaj światła"),
        ("nie, o dziewiątej", "maybe change o dziewiątej"),
        ("lepiej za pół godziny", "maybe change za pół godziny"),
        ("przypomnij mi o piątej, żeby wyjąć chleb", "to: wyjąć chleb | o piątej"),
        ("przypomnij mi o piątej żebym wyjął chleb", "to: wyjął chleb | o piątej"),
        ("przypomnij mi za dziesięć minut, że piekarnik jest włączony", "that: piekarnik jest włączony | za dziesięć minut"),
        ("daj mi znać, gdy pralka skończy", "notice: pralka skończy | gdy pralka skończy"),
        ("przypomnij mi o spotkaniu jutro o dziewiątej", "about: spotkaniu | jutro o dziewiątej"),
        ("przypomnij mi jutro o dziewiątej o spotkaniu", "about: spotkaniu | jutro o dziewiątej"),
        ("powiedz mi która jest godzina", ""),
        ("pokaż przypomnienia", "list reminders"),
        ("usuń przypomnienie o chlebie", "cancel o chlebie"),
    ],
}  # fmt: skip
"""Sentences with what they say in short: see `brief`; nothing where they say nothing of it."""


def brief(text: str, language: str) -> str:
    """Return what a sentence wants, whether that is certain, of which plans, and when."""
    sentence = ReminderParser(Text(text, language))
    if wanted := sentence.parse_request():
        parts = (
            "" if wanted.is_certain else "maybe",
            wanted.act,
            "all" if wanted.all else "",
            "reminders" if wanted.only_reminders else "",
            wanted.which,
            wanted.command,
            *(each.text for each in wanted.times),
        )
        return " ".join(filter(None, parts))
    for each in sentence.parse_reminders():
        maybe = "" if each.is_certain else "maybe "
        when = ", ".join(moment.text for moment in each.times)
        return f"{maybe}{each.form}: {each.text} | {when}"
    return ""


@pytest.mark.parametrize("language", ROWS)
def test_what_a_sentence_says_of_plans(language: str) -> None:
    load(language)
    wrong = {
        text: found
        for text, expected in ROWS[language]
        if (found := brief(text, language)) != expected
    }
    assert not wrong


def test_nothing_is_read_in_other_languages_or_without_end() -> None:
    assert brief("what is planned?", "xx") == ""
    assert brief("cancel the plan for " + 1000 * "very ", "en") == ""


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "please remind me of"), ("de", "erinnere mich an"), ("fr", "rappelle-moi de")],
)
def test_reminder_that_is_cut_off_is_of_nothing(language: str, said: str) -> None:
    assert not ReminderParser(Text(said, language)).parse_reminders()
