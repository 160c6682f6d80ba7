"""What is asked of devices and how they are set, and the answer; None: a model's."""

from collections.abc import Mapping, Sequence

from .homes import BATTERY, HUMIDITY, TEMPERATURE, Furniture

_ROOMS = {
    "en": ("Kitchen", "Bedroom", "Lamp", "Speaker", "Thermostat", "Blind", "Fan", "Garage Door"),
    "de": ("Küche", "Schlafzimmer", "Lampe", "Lautsprecher", "Thermostat", "Rollo", "Ventilator", "Garagentor"),
    "es": ("Cocina", "Dormitorio", "Lámpara", "Altavoz", "Termostato", "Persiana", "Ventilador", "Portón"),
    "fr": ("Cuisine", "Chambre", "Lampe", "Enceinte", "Thermostat", "Volet", "Ventilateur", "Portail"),
    "it": ("Cucina", "Camera", "Lampada", "Altoparlante", "Termostato", "Tapparella", "Ventilatore", "Cancello"),
    "nl": ("Keuken", "Slaapkamer", "Lamp", "Luidspreker", "Thermostaat", "Rolgordijn", "Ventilator", "Garagedeur"),
    "pl": ("Kuchnia", "Sypialnia", "Lampa", "Głośnik", "Termostat", "Roleta", "Wentylator", "Brama"),
}  # fmt: skip


def _home(language: str) -> Furniture:
    kitchen, bedroom, lamp, speaker, thermostat, blind, fan, garage = _ROOMS[language]
    playing = {"volume_level": 0.4, "media_title": "Yellow", "media_artist": "Coldplay"}
    heating = {"current_temperature": 19, "temperature": 21.5}
    return Furniture(
        calendars={},
        lists={},
        days=[("sunny", 3, 14, None)],
        states={
            "light.lamp": (f"{bedroom} {lamp}", bedroom, "on", {"brightness": 128}),
            "light.kitchen": (f"{kitchen} {lamp}", kitchen, "off", {}),
            "media_player.speaker": (speaker, kitchen, "playing", playing),
            "climate.thermostat": (thermostat, bedroom, "heat", heating),
            "sensor.kitchen_t": (f"{kitchen} T", kitchen, "23", TEMPERATURE),
            "sensor.kitchen_h": (f"{kitchen} H", kitchen, "48", HUMIDITY),
            "sensor.door_b": (f"{garage} B", "", "9", BATTERY),
            "cover.blind": (
                blind,
                bedroom,
                "open",
                {"current_position": 30, "device_class": "blind"},
            ),
            "fan.fan": (fan, kitchen, "on", {"percentage": 66}),
            "cover.garage": (garage, "", "open", {"device_class": "garage"}),
        },
    )


HOMES: Mapping[str, Furniture] = {language: _home(language) for language in _ROOMS}
OF_DEVICES: Mapping[str, Sequence[tuple[str, str | None]]] = {
    "en": (
        ("Has anyone left the fan on?", "Yes, Fan is on"),
        ("Have I left the garage door open?", "Yes, Garage Door is open"),
        ("How bright is the bedroom lamp?", "Bedroom Lamp: 50%"),
        ("At what brightness is the bedroom lamp?", "Bedroom Lamp: 50%"),
        ("Is the bedroom lamp brighter than 30 percent?", "Yes, Bedroom Lamp is 50 %"),
        ("Is the bedroom lamp dimmer than forty percent?", "No, Bedroom Lamp is 50 %"),
        ("What's the volume set to on the speaker?", "Speaker: 40%"),
        ("Is the volume of the speaker above 50?", "No, Speaker is 40 %"),
        ("Is the speaker louder than thirty percent?", "Yes, Speaker is 40 %"),
        ("What is playing in the kitchen?", "Speaker: Yellow, Coldplay"),
        ("What song is that?", "Speaker: Yellow, Coldplay"),
        ("Who sings this song?", "Speaker: Yellow, Coldplay"),
        ("What is the thermostat set to?", "Thermostat: 21.5 °C"),
        ("What's the target temp of the thermostat?", "Thermostat: 21.5 °C"),
        (
            "Is the target temperature of the thermostat above 20 degrees?",
            "Yes, Thermostat is 21.5 °C",
        ),
        ("Is the heating on in the bedroom?", "Thermostat is heat"),
        ("Is the heating on in the kitchen?", None),
        ("Is the heating on?", "Thermostat is heat"),
        ("How far open is the blind?", "Blind: 30%"),
        ("How fast is the fan?", "Fan: 66%"),
        ("Which room is warmer, the kitchen or the bedroom?", "Kitchen: 23 °C; Bedroom: 19 °C"),
        ("Where is it colder, in the kitchen or in the bedroom?", "Bedroom: 19 °C; Kitchen: 23 °C"),
        ("Which is warmer, tea or coffee?", None),
        ("Do any devices have a low battery?", "Yes, Garage Door B"),
        ("Are there any batteries I should replace?", "Yes, Garage Door B"),
        ("Which sensor has the lowest battery?", "Garage Door B: 9%"),
        ("Is any music playing?", "Yes, Speaker"),
        ("How loud is the music in the bedroom?", None),
        ("To what temperature is the thermostat set?", "Thermostat: 21.5 °C"),
        ("Is the volume above 30 percent?", "Yes, Speaker is 40 %"),
        ("Is the thermostat warmer than 25?", "No, Thermostat is 19 °C"),
        ("Is the radio louder than the speaker?", None),
    ),
    "de": (
        ("Habe ich den Ventilator angelassen?", "Ja, Ventilator: Ein"),
        ("Hat jemand das Garagentor aufgelassen?", "Ja, Garagentor: Geöffnet"),
        ("Wie hell ist die Schlafzimmer Lampe?", "Schlafzimmer Lampe: 50 %"),
        ("Ist die Lampe im Schlafzimmer heller als 30 Prozent?", "Ja, Schlafzimmer Lampe: 50 %"),
        ("Wie laut ist der Lautsprecher?", "Lautsprecher: 40 %"),
        ("Ist der Lautsprecher lauter als 50 Prozent?", "Nein, Lautsprecher: 40 %"),
        ("Was läuft in der Küche?", "Lautsprecher: Yellow, Coldplay"),
        ("Auf wie viel Grad ist der Thermostat eingestellt?", "Thermostat: 21,5 °C"),
        ("Ist die Solltemperatur über 20 Grad?", None),
        ("Ist die Heizung im Schlafzimmer an?", "Thermostat: Heizbetrieb"),
        (
            "Welcher Raum ist wärmer, die Küche oder das Schlafzimmer?",
            "Küche: 23 °C; Schlafzimmer: 19 °C",
        ),
        (
            "Wo ist es kälter, in der Küche oder im Schlafzimmer?",
            "Schlafzimmer: 19 °C; Küche: 23 °C",
        ),
        ("Welche Batterien sind leer?", "Garagentor B"),
        ("Welches Gerät hat eine schwache Batterie?", "Garagentor B"),
        ("Wie weit ist das Rollo offen?", "Rollo: 30 %"),
        ("Wie schnell ist der Ventilator?", "Ventilator: 66 %"),
        ("Wie viele Lampen sind an?", "1: Schlafzimmer Lampe"),
    ),
    "es": (
        ("¿Qué temperatura hay puesta en el dormitorio?", "Dormitorio: 21,5 °C"),
        ("¿Alguien ha dejado encendido el ventilador?", "Sí, Ventilador: encendido"),
        ("¿Se ha quedado abierto el portón?", "Sí, Portón: abierto"),
        ("¿Qué brillo tiene la lámpara del dormitorio?", "Dormitorio Lámpara: 50 %"),
        ("¿Está el altavoz más alto que el 30 por ciento?", "Sí, Altavoz: 40 %"),
        ("¿Qué volumen tiene el altavoz?", "Altavoz: 40 %"),
        ("¿Qué suena en la cocina?", "Altavoz: Yellow, Coldplay"),
        ("¿A qué temperatura está puesto el termostato?", "Termostato: 21,5 °C"),
        ("¿Está la calefacción encendida en el dormitorio?", "Termostato: calor"),
        (
            "¿Dónde hace más calor, en la cocina o en el dormitorio?",
            "Cocina: 23 °C; Dormitorio: 19 °C",
        ),
        ("¿Qué pilas están bajas?", "Portón B"),
        ("¿Cuántas luces están encendidas?", "1: Dormitorio Lámpara"),
    ),
    "fr": (
        ("Quelle température est réglée dans la chambre ?", "Chambre : 21,5 °C"),
        ("Quelqu'un a laissé le portail ouvert ?", "Oui, Portail : ouvert"),
        ("Quelle est la luminosité de la lampe de la chambre ?", "Chambre Lampe : 50 %"),
        ("Le volume de l'enceinte est-il supérieur à 50 ?", "Non, Enceinte : 40 %"),
        ("Quel est le volume de l'enceinte ?", "Enceinte : 40 %"),
        ("Qu'est-ce qui joue dans la cuisine ?", "Enceinte : Yellow, Coldplay"),
        ("À quelle température est réglé le thermostat ?", "Thermostat : 21,5 °C"),
        ("Est-ce que le chauffage est allumé dans la chambre ?", "Thermostat : chauffage"),
        (
            "Où fait-il plus chaud, dans la cuisine ou dans la chambre ?",
            "Cuisine : 23 °C; Chambre : 19 °C",
        ),
        ("Quelles piles sont faibles ?", "Portail B"),
        ("Combien de lampes sont allumées ?", "1 : Chambre Lampe"),
    ),
    "it": (
        ("Che temperatura è impostata in camera?", "Camera: 21,5 °C"),
        ("Qualcuno ha lasciato il cancello aperto?", "Sì, Cancello: aperto"),
        ("Qual è la luminosità della lampada della camera?", "Camera Lampada: 50 %"),
        ("Che volume ha l'altoparlante?", "Altoparlante: 40 %"),
        ("Dove fa più caldo, in cucina o in camera?", "Cucina: 23 °C; Camera: 19 °C"),
        ("Cosa suona in cucina?", "Altoparlante: Yellow, Coldplay"),
        ("A che temperatura è impostato il termostato?", "Termostato: 21,5 °C"),
    ),
    "nl": (
        ("Heb ik de ventilator aangelaten?", "Ja, Ventilator: aan"),
        ("Heeft iemand de garagedeur opengelaten?", "Ja, Garagedeur: open"),
        ("Hoe fel is de slaapkamer lamp?", "Slaapkamer Lamp: 50 %"),
        ("Is de luidspreker luider dan 30 procent?", "Ja, Luidspreker: 40 %"),
        (
            "Waar is het warmer, in de keuken of in de slaapkamer?",
            "Keuken: 23 °C; Slaapkamer: 19 °C",
        ),
        ("Staat de verwarming aan in de slaapkamer?", "Thermostaat: verwarmen"),
        ("Op hoeveel graden staat de thermostaat?", "Thermostaat: 21,5 °C"),
    ),
    "pl": (
        ("Na ile stopni ustawiony jest termostat?", "Termostat: 21,5 °C"),
        ("Jaka temperatura jest ustawiona w sypialni?", "Sypialnia: 21,5 °C"),
        ("Czy zostawiliśmy zapaloną lampę w sypialni?", "Tak, Sypialnia Lampa: włączono"),
        ("Jaka jest głośność głośnika?", "Głośnik: 40 %"),
        ("Gdzie jest cieplej, w kuchni czy w sypialni?", None),
        ("Co gra w kuchni?", "Głośnik: Yellow, Coldplay"),
        ("Na ile stopni jest ustawiony termostat?", "Termostat: 21,5 °C"),
    ),
}
