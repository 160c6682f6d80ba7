"""The same asked in other words, as people do: somewhere, flooded, what film is on."""

from .homes import Furniture


def _home(*names: str) -> Furniture:
    cellar, window, leak, lamp, pump, items = names
    return Furniture(
        calendars={},
        lists={items: (["Zucchini"], [])},
        days=[("sunny", 3, 14, None)],
        states={
            "binary_sensor.window": (window, cellar, "on", {"device_class": "window"}),
            "binary_sensor.leak": (leak, cellar, "off", {"device_class": "moisture"}),
            "light.lamp": (lamp, cellar, "on", {"brightness": 128}),
            "binary_sensor.pump": (pump, cellar, "on", {"device_class": "running"}),
            "media_player.beamer": ("Beamer", cellar, "playing", {"media_title": "Alien"}),
        },
    )


HOMES = {
    "en": _home("Cellar", "Skylight Window", "Cellar Leak", "Crate Lamp", "Pump", "Shopping List"),
    "de": _home("Keller", "Dachfenster", "Keller Leck", "Stehlampe", "Pumpe", "Einkaufsliste"),
    "es": _home("Sótano", "Ventana del desván", "Sótano Fuga", "Lámpara de pie", "Bomba", "Lista de la compra"),
    "fr": _home("Cave", "Fenêtre du grenier", "Cave Fuite", "Lampadaire", "Pompe", "Liste de courses"),
    "it": _home("Cantina", "Finestra della soffitta", "Cantina Perdita", "Lampada", "Pompa", "Lista della spesa"),
    "nl": _home("Kelder", "Zolderraam", "Kelder Lek", "Staande lamp", "Pomp", "Boodschappenlijst"),
    "pl": _home("Piwnica", "Okno na strychu", "Piwnica Wyciek", "Lampa stojąca", "Pompa", "Lista zakupów"),
}  # fmt: skip
ASKED = {
    "en": (
        ("Is the cellar flooded or not?", "No, Cellar Leak is dry"),
        ("How many lights are there in the house?", "1: Crate Lamp"),
        ("Is there a window open anywhere?", "Yes, Skylight Window"),
        ("Is the cellar flooded?", "No, Cellar Leak is dry"),
        ("What film is on?", "Beamer: Alien"),
        ("Which movie are we watching?", "Beamer: Alien"),
        ("What film is on tomorrow?", None),
        ("Where are the lights still on?", "Cellar"),
        ("Where is a window open?", "Cellar"),
    ),
    "de": (
        ("Ist der Keller überflutet oder nicht?", "Nein, Keller Leck: Trocken"),
        ("Wie viele Lampen gibt es im Haus?", "1: Stehlampe"),
        ("Ist irgendwo ein Fenster offen?", "Ja, Dachfenster"),
        ("Sind irgendwo Fenster offen?", "Ja, Dachfenster"),
        ("Steht der Keller unter Wasser?", "Nein, Keller Leck: Trocken"),
        ("Was für ein Film läuft?", "Beamer: Alien"),
        ("Wo brennt noch Licht?", "Keller"),
    ),
    "es": (
        ("¿Está inundado el sótano o no?", "No, Sótano Fuga: seco"),
        ("¿Cuántas luces hay en total?", "1: Lámpara de pie"),
        ("¿Hay alguna ventana abierta en algún sitio?", "Sí, Ventana del desván"),
        ("¿Sigue abierta la ventana del desván?", "Sí, Ventana del desván: abierto"),
        ("¿Sigue funcionando la bomba?", "Sí, Bomba: ejecutando"),
        ("¿Cuánto brilla la lámpara de pie?", "Lámpara de pie: 50 %"),
        ("¿Está inundado el sótano?", "No, Sótano Fuga: seco"),
        ("¿Nos faltan Zucchini?", "Sí, Lista de la compra: Zucchini"),
        ("¿Qué película están poniendo?", "Beamer: Alien"),
    ),
    "fr": (
        ("Est-ce que la cave est inondée ou pas ?", "Non, Cave Fuite : sec"),
        ("Combien de lumières y a-t-il ?", "1 : Lampadaire"),
        ("Y a-t-il une fenêtre ouverte quelque part ?", "Oui, Fenêtre du grenier"),
        ("La cave est-elle inondée ?", "Non, Cave Fuite : sec"),
        ("Quel film passe ?", "Beamer : Alien"),
    ),
    "it": (
        ("La cantina è allagata o no?", "No, Cantina Perdita: asciutto"),
        ("Quante luci ci sono in casa?", "1: Lampada"),
        ("C'è una finestra aperta da qualche parte?", "Sì, Finestra della soffitta"),
        ("La cantina è allagata?", "No, Cantina Perdita: asciutto"),
        ("Quanto è luminosa la lampada?", "Lampada: 50 %"),
        ("La pompa sta ancora andando?", "Sì, Pompa: in esecuzione"),
        ("Ci serve Zucchini?", "Sì, Lista della spesa: Zucchini"),
        ("Che film è questo?", "Beamer: Alien"),
    ),
    "nl": (
        ("Is de kelder overstroomd of niet?", "Nee, Kelder Lek: droog"),
        ("Hoeveel lampen zijn er in huis?", "1: Staande lamp"),
        ("Staat er ergens een raam open?", "Ja, Zolderraam"),
        ("Staat de kelder onder water?", "Nee, Kelder Lek: droog"),
        ("Welke film draait er?", "Beamer: Alien"),
    ),
    "pl": (
        ("Czy piwnica jest zalana czy nie?", "Nie, Piwnica Wyciek: brak"),
        ("Ile jest świateł w domu?", "1: Lampa stojąca"),
        ("Czy gdzieś jest otwarte okno?", "Tak, Okno na strychu"),
        ("Czy piwnica jest zalana?", "Nie, Piwnica Wyciek: brak"),
        ("Jak jasno świeci lampa stojąca?", "Lampa stojąca: 50 %"),
        ("Jaki film leci?", "Beamer: Alien"),
        ("Gdzie świeci się światło?", "Piwnica"),
    ),
}  # fmt: skip
