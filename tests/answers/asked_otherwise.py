"""The same asked in other words, as people do: somewhere, flooded, what film is on."""

from ..tables import table
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
ASKED = table(__file__, "ASKED")
