"""What is on in a room, whatever it is called, and what is meant by the word for its kind."""

from .homes import Furniture

LEAK = {"device_class": "moisture"}
HEATING = {"current_temperature": 19, "temperature": 21.5}


def _home(names: tuple[str, ...]) -> Furniture:
    pantry, shelf, kettle, vacuum, leak, alarm, climate, radiator, hall = names
    return Furniture(
        calendars={},
        lists={},
        days=[("sunny", 3, 14, None)],
        states={
            "light.shelf": (shelf, pantry, "on", {}),
            "switch.kettle": (kettle, pantry, "on", {}),
            "vacuum.robot": (vacuum, hall, "docked", {}),
            "binary_sensor.leak": (leak, pantry, "off", LEAK),
            "alarm_control_panel.home": (alarm, hall, "armed_away", {}),
            "climate.hall": (climate, hall, "heat", HEATING),
            "climate.pantry": (radiator, pantry, "heat", HEATING),
        },
    )


HOMES = {
    "en": _home(
        ("Pantry", "Pantry Shelf", "Kettle", "Rolly", "Sink Leak", "Alarm", "Tado", "Netatmo", "Hall")
    ),
    "de": _home(
        ("Diele", "Dielenregal", "Wasserkocher", "Rolli", "Spüle", "Alarm", "Tado", "Netatmo", "Flur")
    ),
}  # fmt: skip
ASKED = {
    "en": (
        ("What is on in the pantry?", "Pantry Shelf, Netatmo and Kettle"),
        ("Is the robot done?", "Yes, Rolly is docked"),
        ("Is there water leaking anywhere?", "No, Sink Leak is dry"),
        ("Is the alarm on?", "Yes, Alarm is armed away"),
        ("Is anything on in the hall?", "Yes, Tado"),
        ("What is the heating in the hall set to?", "Tado: 21.5 °C"),
        # Of two, nobody knows which.
        ("What is the heating set to?", None),
    ),
    "de": (
        ("Ist der Saugroboter fertig?", "Ja, Rolli: Angedockt"),
        ("Läuft irgendwo Wasser aus?", "Nein, Spüle: Trocken"),
        ("Auf wie viel Grad steht die Heizung im Flur?", "Tado: 21,5 °C"),
    ),
}
