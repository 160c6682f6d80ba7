"""What somebody may have forgotten to do, and how it is now; None: a model's."""

from .homes import Furniture

WINDOW = {"device_class": "window"}
GARAGE = {"device_class": "garage"}


def _home(hall: str, door: str, window: str, iron: str, garage: str) -> Furniture:
    return Furniture(
        calendars={},
        lists={},
        days=[("sunny", 3, 14, None)],
        states={
            "lock.door": (door, hall, "locked", {}),
            "binary_sensor.window": (window, hall, "on", WINDOW),
            "switch.iron": (iron, hall, "on", {}),
            "cover.garage": (garage, "", "open", GARAGE),
        },
    )


HOMES = {
    "en": _home("Hall", "Patio Gate", "Pantry Window", "Iron", "Garage Door"),
    "de": _home("Flur", "Gartentor", "Dachfenster", "Bügeleisen", "Garagentor"),
    "es": _home("Entrada", "Puerta del patio", "Ventana del desván", "Plancha", "Portón"),
    "fr": _home("Entrée", "Porte de la cave", "Fenêtre du grenier", "Bouilloire", "Portail"),
    "it": _home(
        "Ingresso", "Porta del cortile", "Finestra della soffitta", "Bollitore", "Cancello"
    ),
    "nl": _home("Gang", "Achterdeur", "Zolderraam", "Strijkijzer", "Garagedeur"),
    "pl": _home("Korytarz", "Furtka", "Okno na strychu", "Żelazko", "Brama"),
}
ASKED = {
    "en": (
        ("Did I forget to lock the patio gate?", "Patio Gate is locked"),
        ("Have we forgotten to shut the pantry window?", "Pantry Window is open"),
        ("Did anybody remember to turn off the iron?", "Iron is on"),
        ("Did I remember to turn the iron off?", "Iron is on"),
        ("Did I forget to close the garage door?", "Garage Door is open"),
        ("Did I forget to lock the patio gate yesterday?", None),
        ("Did I forget to lock the attic?", None),
        ("Did I forget to feed the cat?", None),
    ),
    "de": (
        ("Habe ich vergessen, das Gartentor abzuschließen?", "Gartentor: Verriegelt"),
        ("Haben wir daran gedacht, das Dachfenster zuzumachen?", "Dachfenster: Geöffnet"),
        ("Hat jemand vergessen, das Bügeleisen auszuschalten?", "Bügeleisen: Ein"),
        ("Habe ich gestern vergessen, das Gartentor abzuschließen?", None),
        ("Habe ich vergessen, die Katze zu füttern?", None),
    ),
    "es": (
        ("¿Se me olvidó cerrar con llave la puerta del patio?", "Puerta del patio: bloqueado"),
        ("¿He olvidado cerrar la ventana del desván?", "Ventana del desván: abierto"),
        ("¿Me acordé de apagar la plancha?", "Plancha: encendido"),
        ("¿Se me olvidó dar de comer al gato?", None),
    ),
    "fr": (
        ("Est-ce que j'ai oublié de verrouiller la porte de la cave ?", "Porte de la cave : verrouillé"),
        ("Ai-je pensé à fermer la fenêtre du grenier ?", "Fenêtre du grenier : ouvert"),
        ("A-t-on oublié d'éteindre la bouilloire ?", "Bouilloire : activé"),
        ("Ai-je oublié de nourrir le chat ?", None),
    ),
    "it": (
        ("Ho dimenticato di chiudere a chiave la porta del cortile?", "Porta del cortile: bloccato/a"),
        ("Mi sono ricordato di chiudere la finestra della soffitta?", "Finestra della soffitta: aperto"),
        ("Abbiamo dimenticato di spegnere il bollitore?", "Bollitore: acceso"),
        ("Ho dimenticato di dare da mangiare al gatto?", None),
    ),
    "nl": (
        ("Ben ik vergeten de achterdeur op slot te doen?", "Achterdeur: vergrendeld"),
        ("Heb ik eraan gedacht het zolderraam dicht te doen?", "Zolderraam: open"),
        ("Zijn we vergeten het strijkijzer uit te zetten?", "Strijkijzer: aan"),
        ("Ben ik vergeten de kat te voeren?", None),
    ),
    "pl": (
        ("Czy zapomniałem zamknąć na klucz furtkę?", "Furtka: zablokowano"),
        ("Czy pamiętałam zamknąć okno na strychu?", "Okno na strychu: otwarto"),
        ("Czy zapomnieliśmy wyłączyć żelazko?", "Żelazko: włączono"),
        ("Czy zapomniałem nakarmić kota?", None),
    ),
}  # fmt: skip
