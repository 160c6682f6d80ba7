"""What is asked of the past of `past_home.py`, and the answer; None: a model's."""

from collections.abc import Mapping, Sequence

OF_PAST: Mapping[str, Sequence[tuple[str, str | None]]] = {
    "en": (
        ("Which doors were closed when we left?", "Today at 8:20 AM: Front Door"),
        ("Which lights were on when we left the house?", "Today at 8:20 AM: None"),
        ("How many lights were on when Anna left?", "Today at 8:00 AM: 0"),
        ("Which lights were on on Monday at 11 pm?", "On Monday at 11:00 PM: Bed Light"),
        ("Which lights were on when Ben left?", None),
        ("Which lights were on when we arrived?", None),
        ("When did the front door last open?", "Front Door: open, today from 5:40 PM to 5:45 PM"),
        ("When was the bed light last on?", "Bed Light: on, on Monday from 10:00 PM to 11:30 PM"),
        (
            "How often was the front door opened today?",
            "Front Door, today: open 2 times (not known for 2 minutes)",
        ),
        (
            "How long did the washer run yesterday?",
            "Washer, yesterday: on for 2 hours and 10 minutes",
        ),
        ("How long has Anna been home?", "Anna: home, since today at 4:20 PM"),
        ("When did Anna leave the house this morning?", "Anna: away, today at 8:00 AM"),
        ("Was the washer on at 10 am?", "Yes, Washer, today at 10:00 AM: on"),
        ("Was the washer on yesterday at 1 pm?", "No, Washer, yesterday at 1:00 PM: off"),
        ("Did the washer run this morning?", "Yes, Washer: on, today from 9:00 AM to 10:30 AM"),
        ("Was the bed light on yesterday?", "No, Bed Light, yesterday: never on"),
        (
            "How warm was it in the kitchen last night?",
            "Kitchen Temperature, last night: 17.5 to 18 °C, 17.9 °C on average",
        ),
        (
            "What was the temperature in the kitchen yesterday at 3 pm?",
            "Kitchen Temperature, yesterday at 3:00 PM: 18 °C",
        ),
        (
            "What was the lowest temperature in the kitchen today?",
            "Kitchen Temperature, today: 17.5 °C, at 5:00 AM",
        ),
        (
            "What was the highest temperature in the kitchen this week?",
            "Kitchen Temperature, this week: 21 °C, today at 9:00 AM",
        ),
        ("How much energy did we use yesterday?", "House Energy, yesterday: 12 kWh"),
        (
            "Did we use more energy today than yesterday?",
            "Yes, House Energy, today: 20 kWh; House Energy, yesterday: 12 kWh",
        ),
        (
            "When did the front door first open today?",
            "Front Door: open, today from 7:05 AM to 7:06 AM",
        ),
        (
            "How often was the front door open in the last two hours?",
            "Front Door, in the last two hours: never open",
        ),
        (
            "Was the front door open between 5 and 6 pm?",
            "Yes, Front Door: open, today from 5:40 PM to 5:45 PM",
        ),
        (
            "Was the front door open between 17:00 and 17:30?",
            "No, Front Door, today from 5:00 PM to 5:30 PM: never open",
        ),
        ("How much did the house use yesterday?", "House Energy, yesterday: 12 kWh"),
        ("How much did we use yesterday?", None),
        ("How many kilowatt hours did we use yesterday?", "House Energy, yesterday: 12 kWh"),
        ("When was the safe last opened?", None),
        ("How warm was it in the guest room yesterday?", None),
        ("What was the guest temperature yesterday?", "Guest Temperature, yesterday: not recorded"),
        ("Was the front door open on Monday?", "No, Front Door, on Monday: never open"),
        (
            "How long was the washer on in the last 20 days?",
            "Washer, in the last 20 days: on for 3 hours and 40 minutes (recorded since November 11 at 12:00 AM)",
        ),
        ("Is anything open on Friday?", None),
        ("Was the front door open tomorrow?", None),
        ("When will the front door open?", None),
        ("What was the note yesterday?", None),
        (
            "Was the front door closed last week?",
            "Yes, Front Door: closed, already before November 11 at 12:00 AM",
        ),
        ("When was the front door last locked?", None),
        ("How often did the front door open?", None),
        ("When did my sister open the front door?", None),
        ("Has the washer finished?", "Washer: off, since today at 10:30 AM"),
        (
            "How long ago was the front door open?",
            "Front Door: open, today from 5:40 PM to 5:45 PM",
        ),
        ("Was the front door open two hours ago?", "No, Front Door, today at 6:30 PM: closed"),
        (
            "How long was the front door open since noon?",
            "Front Door, today from 12:00 PM to 8:30 PM: open for 5 minutes (not known for 2 minutes)",
        ),
        ("Who opened the front door yesterday?", None),
        ("Why was the washer on yesterday?", None),
        ("Wasn't the front door open yesterday?", None),
        ("Was the front door not open yesterday?", None),
        ("Was the kitchen warmer than 20 degrees last night?", None),
        ("Did the front door open when the washer was on yesterday?", None),
        ("How much did the washer use yesterday?", None),
        (
            "How often was the front door open yesterday between 6 and 7 pm?",
            "Front Door, yesterday from 6:00 PM to 7:00 PM: open once",
        ),
        (
            "Was any door open yesterday evening?",
            "Yes, Front Door: open, yesterday from 6:12 PM to 6:15 PM",
        ),
        ("When did the washer finish yesterday?", "Washer: off, yesterday at 12:10 PM"),
        (
            "When did the washer first run this week?",
            "Washer: on, yesterday from 10:00 AM to 12:10 PM",
        ),
        (
            "What was the average temperature in the kitchen yesterday?",
            "Kitchen Temperature, yesterday: 18 °C on average",
        ),
        (
            "How cold was it in the kitchen this morning at 6?",
            "Kitchen Temperature, today at 6:00 AM: 17.5 °C",
        ),
        (
            "What was the coldest temperature in the kitchen on Thursday?",
            "Kitchen Temperature, on Thursday: 18 °C, at 12:00 AM",
        ),
        (
            "Did we use less energy today than yesterday?",
            "No, House Energy, today: 20 kWh; House Energy, yesterday: 12 kWh",
        ),
        ("Was Anna home at noon?", "No, Anna, today at 12:00 PM: away"),
        ("How long was Anna away today?", "Anna, today: away for 8 hours and 20 minutes"),
        (
            "How long was the front door open on November 19?",
            "Front Door, on November 19: open for 3 minutes",
        ),
        ("Was the washer running 36 hours ago?", "No, Washer, yesterday at 8:30 AM: off"),
        ("When was the front door last opened before Christmas?", None),
        ("How warm was it in Paris yesterday?", None),
        ("What was on my calendar yesterday?", None),
        ("How long was the washer on last year?", None),
        ("What was the temperature in the kitchen two years ago?", None),
        ("Tell me when the washer was last on", "Washer: on, today from 9:00 AM to 10:30 AM"),
        (
            "How many minutes was the front door open yesterday?",
            "Front Door, yesterday: open for 3 minutes",
        ),
        ("Was everything closed last night?", None),
        ("What was the front door yesterday?", None),
    ),
    "de": (
        ("Welche Türen waren zu, als wir gegangen sind?", "Heute um 8:20 Uhr: Haustür"),
        (
            "Welche Lichter waren an, als wir das Haus verlassen haben?",
            "Heute um 8:20 Uhr: Nichts davon",
        ),
        ("Welche Türen waren offen, als Anna gegangen ist?", "Heute um 8:00 Uhr: Nichts davon"),
        ("Wie hoch war gestern unser Stromverbrauch?", "Stromzähler, gestern: 12 kWh"),
        ("Wie hoch war gestern die Küchentemperatur?", None),
        (
            "Wie lange stand die Haustür gestern offen?",
            "Haustür, gestern: Geöffnet, 3 Minuten lang",
        ),
        (
            "Wie warm war es heute in der Küche höchstens?",
            "Küche Temperatur, heute: 21 °C, um 9:00 Uhr",
        ),
        (
            "Wann ging die Haustür zuletzt auf?",
            "Haustür: Geöffnet, heute von 17:40 Uhr bis 17:45 Uhr",
        ),
        (
            "Wann war das Bettlicht zuletzt an?",
            "Bettlicht: Ein, am Montag von 22:00 Uhr bis 23:30 Uhr",
        ),
        (
            "Wie oft wurde die Haustür heute geöffnet?",
            "Haustür, heute: Geöffnet, 2-mal (2 Minuten lang nicht bekannt)",
        ),
        (
            "Wie lange lief die Waschmaschine gestern?",
            "Waschmaschine, gestern: Ein, 2 Stunden und 10 Minuten lang",
        ),
        ("Seit wann ist Anna zu Hause?", "Anna: Zuhause, seit heute um 16:20 Uhr"),
        ("War die Waschmaschine um 10 Uhr an?", "Ja, Waschmaschine, heute um 10:00 Uhr: Ein"),
        (
            "Lief die Waschmaschine heute Morgen?",
            "Ja, Waschmaschine: Ein, heute von 9:00 Uhr bis 10:30 Uhr",
        ),
        (
            "Wie warm war es letzte Nacht in der Küche?",
            "Küche Temperatur, letzte Nacht: 17,5 bis 18 °C, im Mittel 17,9 °C",
        ),
        (
            "Was war heute die niedrigste Temperatur in der Küche?",
            "Küche Temperatur, heute: 17,5 °C, um 5:00 Uhr",
        ),
        ("Wie viel Strom haben wir gestern verbraucht?", "Stromzähler, gestern: 12 kWh"),
        (
            "Haben wir heute mehr Strom verbraucht als gestern?",
            "Ja, Stromzähler, heute: 20 kWh; Stromzähler, gestern: 12 kWh",
        ),
        (
            "War die Haustür zwischen 17 und 18 Uhr offen?",
            "Ja, Haustür: Geöffnet, heute von 17:40 Uhr bis 17:45 Uhr",
        ),
        (
            "Wie lange ist die Waschmaschine diese Woche gelaufen?",
            "Waschmaschine, diese Woche: Ein, 3 Stunden und 40 Minuten lang",
        ),
        ("Wann ist Anna heute nach Hause gekommen?", "Anna: Zuhause, seit heute um 16:20 Uhr"),
        ("Ist die Haustür am Freitag offen?", None),
        ("Wann kommt Anna nach Hause?", None),
        (
            "War die Haustür gestern Abend offen?",
            "Ja, Haustür: Geöffnet, gestern von 18:12 Uhr bis 18:15 Uhr",
        ),
        (
            "Wie oft war die Haustür in den letzten drei Tagen offen?",
            "Haustür, in den letzten drei Tagen: Geöffnet, 3-mal (2 Minuten lang nicht bekannt)",
        ),
        ("Wer hat gestern die Haustür geöffnet?", None),
        ("Warum war die Waschmaschine gestern an?", None),
        ("War Anna heute Mittag zu Hause?", "Nein, Anna, heute um 12:00 Uhr: Abwesend"),
        ("Wie lange war Anna heute weg?", "Anna, heute: Abwesend, 8 Stunden und 20 Minuten lang"),
        (
            "Wann wurde die Waschmaschine gestern fertig?",
            "Waschmaschine: Aus, gestern um 12:10 Uhr",
        ),
        (
            "Wie kalt war es heute um 6 Uhr in der Küche?",
            "Küche Temperatur, heute um 18:00 Uhr: 21 °C",
        ),
        (
            "Haben wir heute weniger Energie verbraucht als gestern?",
            "Nein, Stromzähler, heute: 20 kWh; Stromzähler, gestern: 12 kWh",
        ),
        (
            "War die Waschmaschine vor zwei Stunden an?",
            "Nein, Waschmaschine, heute um 18:30 Uhr: Aus",
        ),
        (
            "Wann war die Haustür heute zum ersten Mal offen?",
            "Haustür: Geöffnet, heute von 7:05 Uhr bis 7:06 Uhr",
        ),
        ("Wie warm wird es morgen in der Küche?", None),
        (
            "Wie hoch war die Durchschnittstemperatur in der Küche gestern?",
            "Küche Temperatur, gestern: im Mittel 18 °C",
        ),
    ),
    "es": (
        ("¿Qué puertas estaban cerradas cuando nos fuimos?", "Hoy a las 8:20: Puerta principal"),
        ("¿Qué luces estaban encendidas cuando salimos de casa?", "Hoy a las 8:20: Ninguno"),
        ("¿Qué luces estaban encendidas cuando Anna se fue?", "Hoy a las 8:00: Ninguno"),
        (
            "¿Cuándo se abrió la puerta principal por última vez?",
            "Puerta principal: abierto hoy de 17:40 a 17:45",
        ),
        (
            "¿Cuántas veces se abrió hoy la puerta principal?",
            "Puerta principal, hoy: abierto 2 veces (se desconoce durante 2 minutos)",
        ),
        (
            "¿Cuánto tiempo estuvo encendida la lavadora ayer?",
            "Lavadora, ayer: encendido durante 2 horas y 10 minutos",
        ),
        ("¿Estaba encendida la lavadora a las 10:00?", "Sí, Lavadora, hoy a las 10:00: encendido"),
        (
            "¿Qué temperatura hizo anoche en la cocina?",
            "Temperatura de la cocina, anoche: de 17,5 a 18 °C, 17,9 °C de media",
        ),
        (
            "¿Cuál fue la temperatura mínima en la cocina hoy?",
            "Temperatura de la cocina, hoy: 17,5 °C, a las 5:00",
        ),
        ("¿Cuánta electricidad gastamos ayer?", "Energía de la casa, ayer: 12 kWh"),
        (
            "¿Hemos gastado hoy más energía que ayer?",
            "Sí, Energía de la casa, hoy: 20 kWh; Energía de la casa, ayer: 12 kWh",
        ),
        (
            "¿Estuvo abierta la puerta principal ayer por la tarde?",
            "No, Puerta principal, ayer por la tarde: abierto: ninguna vez",
        ),
        ("¿A qué hora llegó Anna a casa hoy?", "Anna: en casa desde hoy a las 16:20"),
        ("¿Desde cuándo está Anna en casa?", "Anna: en casa desde hoy a las 16:20"),
        ("¿Cuándo llega Anna a casa?", None),
    ),
    "fr": (
        (
            "Quelles portes étaient fermées quand nous sommes partis ?",
            "Aujourd’hui à 8 h 20 : Porte d'entrée",
        ),
        ("Quelles lumières étaient allumées quand on est partis ?", "Aujourd’hui à 8 h 20 : Aucun"),
        ("Quelles lumières étaient allumées quand Anna est partie ?", "Aujourd’hui à 8 h : Aucun"),
        (
            "Quand la porte d'entrée s'est-elle ouverte pour la dernière fois ?",
            "Porte d'entrée : ouvert aujourd’hui de 17 h 40 à 17 h 45",
        ),
        (
            "Combien de fois la porte d'entrée a-t-elle été ouverte aujourd'hui ?",
            "Porte d'entrée, aujourd'hui : ouvert 2 fois (inconnu pendant 2 minutes)",
        ),
        (
            "Combien de temps le lave-linge a-t-il tourné hier ?",
            "Lave-linge, hier : activé pendant 2 heures et 10 minutes",
        ),
        ("Le lave-linge était-il allumé à 10 h ?", "Oui, Lave-linge, aujourd’hui à 10 h : activé"),
        (
            "Quelle était la température dans la cuisine cette nuit ?",
            "Température de la cuisine, cette nuit : de 17,5 à 18 °C, 17,9 °C en moyenne",
        ),
        (
            "Quelle a été la température la plus basse dans la cuisine aujourd'hui ?",
            "Température de la cuisine, aujourd'hui : 17,5 °C, à 5 h",
        ),
        ("Combien d'électricité avons-nous consommé hier ?", "Énergie de la maison, hier : 12 kWh"),
        (
            "Avons-nous consommé plus d'énergie aujourd'hui qu'hier ?",
            "Oui, Énergie de la maison, aujourd'hui : 20 kWh; Énergie de la maison, hier : 12 kWh",
        ),
        (
            "La porte d'entrée était-elle ouverte hier soir ?",
            "Oui, Porte d'entrée : ouvert hier de 18 h 12 à 18 h 15",
        ),
        (
            "À quelle heure Anna est-elle rentrée aujourd'hui ?",
            "Anna : maison depuis aujourd’hui à 16 h 20",
        ),
        ("Depuis quand Anna est-elle à la maison ?", "Anna : maison depuis aujourd’hui à 16 h 20"),
        ("Quand Anna rentre-t-elle ?", None),
    ),
    "it": (
        ("Quali porte erano chiuse quando siamo usciti?", "Oggi alle 8:20: Porta d'ingresso"),
        ("Quali luci erano accese quando siamo usciti di casa?", "Oggi alle 8:20: Nessuno"),
        ("Quali luci erano accese quando Anna è uscita?", "Oggi alle 8:00: Nessuno"),
        (
            "Quando si è aperta l'ultima volta la porta d'ingresso?",
            "Porta d'ingresso: aperto oggi dalle 17:40 alle 17:45",
        ),
        (
            "Quante volte è stata aperta oggi la porta d'ingresso?",
            "Porta d'ingresso, oggi: aperto 2 volte (non si sa per 2 minuti)",
        ),
        (
            "Per quanto tempo è stata accesa la lavatrice ieri?",
            "Lavatrice, ieri: acceso per 2 ore e 10 minuti",
        ),
        ("La lavatrice era accesa alle 10:00?", "Sì, Lavatrice, oggi alle 10:00: acceso"),
        (
            "Che temperatura c'era in cucina stanotte?",
            "Temperatura della cucina, stanotte: da 17,5 a 18 °C, 17,9 °C in media",
        ),
        (
            "Qual è stata la temperatura minima in cucina oggi?",
            "Temperatura della cucina, oggi: 17,5 °C, alle 5:00",
        ),
        ("Quanta elettricità abbiamo consumato ieri?", "Energia della casa, ieri: 12 kWh"),
        (
            "Abbiamo consumato più energia oggi di ieri?",
            "Sì, Energia della casa, oggi: 20 kWh; Energia della casa, ieri: 12 kWh",
        ),
        (
            "La porta d'ingresso era aperta ieri sera?",
            "Sì, Porta d'ingresso: aperto ieri dalle 18:12 alle 18:15",
        ),
        ("A che ora è tornata a casa Anna oggi?", "Anna: in casa da oggi alle 16:20"),
        ("Da quando è a casa Anna?", "Anna: in casa da oggi alle 16:20"),
        ("Quando torna a casa Anna?", None),
    ),
    "nl": (
        ("Welke deuren waren dicht toen we weggingen?", "Vandaag om 8:20 uur: Voordeur"),
        ("Welke lampen waren aan toen we vertrokken?", "Vandaag om 8:20 uur: Geen"),
        ("Welke lampen waren aan toen Anna vertrok?", "Vandaag om 8:00 uur: Geen"),
        (
            "Wanneer ging de voordeur voor het laatst open?",
            "Voordeur: open vandaag van 17:40 uur tot 17:45 uur",
        ),
        (
            "Hoe vaak is de voordeur vandaag geopend?",
            "Voordeur, vandaag: 2 keer open (2 minuten niet bekend)",
        ),
        (
            "Hoe lang heeft de wasmachine gisteren gedraaid?",
            "Wasmachine, gisteren: 2 uur en 10 minuten aan",
        ),
        ("Was de wasmachine om 10 uur aan?", "Ja, Wasmachine, vandaag om 10:00 uur: aan"),
        (
            "Hoe warm was het vannacht in de keuken?",
            "Keuken temperatuur, vannacht: 17,5 tot 18 °C, gemiddeld 17,9 °C",
        ),
        (
            "Wat was vandaag de laagste temperatuur in de keuken?",
            "Keuken temperatuur, vandaag: 17,5 °C, om 5:00 uur",
        ),
        ("Hoeveel stroom hebben we gisteren verbruikt?", "Stroommeter, gisteren: 12 kWh"),
        (
            "Hebben we vandaag meer energie verbruikt dan gisteren?",
            "Ja, Stroommeter, vandaag: 20 kWh; Stroommeter, gisteren: 12 kWh",
        ),
        (
            "Was de voordeur gisteravond open?",
            "Ja, Voordeur: open gisteren van 18:12 uur tot 18:15 uur",
        ),
        ("Hoe laat is Anna vandaag thuisgekomen?", "Anna: thuis sinds vandaag om 16:20 uur"),
        ("Sinds wanneer is Anna thuis?", "Anna: thuis sinds vandaag om 16:20 uur"),
        ("Wanneer komt Anna thuis?", None),
    ),
    "pl": (
        ("Które drzwi były zamknięte, kiedy wyszliśmy?", "Dzisiaj o 8:20: Drzwi wejściowe"),
        ("Które światła były włączone, kiedy wyszliśmy z domu?", "Dzisiaj o 8:20: Żadne"),
        ("Które światła były włączone, gdy Anna wyszła?", "Dzisiaj o 8:00: Żadne"),
        (
            "Kiedy ostatnio otworzyły się drzwi wejściowe?",
            "Drzwi wejściowe: otwarto dzisiaj od 17:40 do 17:45",
        ),
        (
            "Ile razy dzisiaj otwierano drzwi wejściowe?",
            "Drzwi wejściowe, dzisiaj: otwarto 2 razy (nieznane przez 2 minuty)",
        ),
        (
            "Jak długo wczoraj działała pralka?",
            "Pralka, wczoraj: włączono przez 2 godziny i 10 minut",
        ),
        ("Czy pralka była włączona o 10:00?", "Tak, Pralka, dzisiaj o 10:00: włączono"),
        (
            "Jaka była temperatura w kuchni ostatniej nocy?",
            "Temperatura w kuchni, ostatniej nocy: od 17,5 do 18 °C, średnio 17,9 °C",
        ),
        (
            "Jaka była dzisiaj najniższa temperatura w kuchni?",
            "Temperatura w kuchni, dzisiaj: 17,5 °C, o 5:00",
        ),
        ("Ile prądu zużyliśmy wczoraj?", "Licznik prądu, wczoraj: 12 kWh"),
        (
            "Czy zużyliśmy dzisiaj więcej energii niż wczoraj?",
            "Tak, Licznik prądu, dzisiaj: 20 kWh; Licznik prądu, wczoraj: 12 kWh",
        ),
        (
            "Czy drzwi wejściowe były otwarte wczoraj wieczorem?",
            "Tak, Drzwi wejściowe: otwarto wczoraj od 18:12 do 18:15",
        ),
        ("O której Anna wróciła dzisiaj do domu?", "Anna: w domu od: dzisiaj o 16:20"),
        ("Od kiedy Anna jest w domu?", "Anna: w domu od: dzisiaj o 16:20"),
        ("Kiedy Anna wróci do domu?", None),
    ),
}
OF_TOOL: Sequence[tuple[Mapping[str, str], str]] = (
    (
        {"name": "Front Door", "when": "yesterday"},
        "Front Door, yesterday: closed 2 times for 23 hours and 57 minutes (closed, yesterday at 6:15 PM); open once for 3 minutes (open, yesterday from 6:12 PM to 6:15 PM)",
    ),
    (
        {"name": "front door", "when": "today"},
        "Front Door, today: closed 3 times for 20 hours and 22 minutes (closed, since today at 5:45 PM); open 2 times for 6 minutes (open, today from 5:40 PM to 5:45 PM) (not known for 2 minutes)",
    ),
    (
        {"name": "Washer"},
        "Washer, from November 13 at 8:30 PM to today at 8:30 PM: off 3 times for 164 hours and 20 minutes (off, since today at 10:30 AM); on 2 times for 3 hours and 40 minutes (on, today from 9:00 AM to 10:30 AM)",
    ),
    (
        {"name": "Kitchen Temperature", "when": "last night"},
        "Kitchen Temperature, last night: 17.5 to 18 °C, 17.9 °C on average",
    ),
    ({"name": "House Energy", "when": "yesterday"}, "House Energy, yesterday: 12 kWh"),
    (
        {"name": "Kitchen Temperature", "when": "yesterday at 3 pm"},
        "Kitchen Temperature, yesterday at 3 pm: 18 °C",
    ),
    (
        {"name": "Front Door", "when": "2026-11-19"},
        "Front Door, 2026-11-19: closed 2 times for 23 hours and 57 minutes (closed, yesterday at 6:15 PM); open once for 3 minutes (open, yesterday from 6:12 PM to 6:15 PM)",
    ),
    (
        {"name": "Bed Light", "when": "this week"},
        "Bed Light, this week: off 2 times for 115 hours (off, since Monday at 11:30 PM); on once for one hour and 30 minutes (on, on Monday from 10:00 PM to 11:30 PM)",
    ),
    ({"name": "Anna", "when": "at noon"}, "Anna, at noon: away"),
    ({"name": "Note", "when": "yesterday"}, "What it was are texts, which are not told"),
    (
        {"name": "Guest Temperature", "when": "yesterday"},
        "Guest Temperature, yesterday: not recorded",
    ),
    (
        {"name": "Front Door", "when": "tomorrow"},
        "This time is not understood, or not within the last year. Say for example: today, yesterday, last night, this week, on Monday, in the last two hours, yesterday at 3 pm",
    ),
    (
        {"name": "Front Door", "when": "three years ago"},
        "This time is not understood, or not within the last year. Say for example: today, yesterday, last night, this week, on Monday, in the last two hours, yesterday at 3 pm",
    ),
    (
        {"name": "Front Door", "when": "on the day of the party"},
        "This time is not understood, or not within the last year. Say for example: today, yesterday, last night, this week, on Monday, in the last two hours, yesterday at 3 pm",
    ),
)
"""What a model calls its tool with, and what it reads."""
OF_HIDDEN: Sequence[str] = (
    "safe",
    "Safe",
    "the safe",
    "safe door",
    "binary_sensor.safe",
    "binary sensor safe",
    "When was the safe last opened?",
    "When was the safe door last opened?",
    "Was the safe open last night?",
    "How often was the safe opened today?",
    "How long was the safe open today?",
    "Did the safe open this morning?",
    "Was the safe open at 3:40 am?",
    "Was binary_sensor.safe on at 3:40 am?",
    "When was binary_sensor.safe last on?",
    "Has the safe been opened since yesterday?",
    "Was the safe closed yesterday?",
    "When did somebody open the safe?",
    "Tell me when the safe was last closed",
    "How many times did the safe open in the last 24 hours?",
    "How long has the safe been closed?",
    "Was the safe open between 3 and 4 am?",
    "When was the safe first open today?",
    "Was any safe open last night?",
)
"""Attempts to learn of what is not exposed."""
