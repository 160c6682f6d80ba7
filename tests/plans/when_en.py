"""When English commands begin: the sentence, the time of day on Wednesday, 10 June 2026, and when.

A time is local, with its day where that is not today; "each 7200" are seconds, "next: …" is an event.
"""

WHEN = [
    ("Turn off the light in ten minutes", "14:00", "14:10"),
    ("In an hour and a half switch on the dishwasher", "14:00", "15:30"),
    ("Turn on the porch light at 8", "14:00", "20:00"),
    ("Turn on the porch light at 8", "07:00", "08:00"),
    ("Turn on the porch light at 8", "22:00", "06-11 08:00"),
    ("Close the blinds at half past six", "14:00", "18:30"),
    ("Tomorrow at 7 am open the curtains", "14:00", "06-11 07:00"),
    ("Turn on the heating tomorrow morning", "14:00", "06-11 08:00"),
    ("Tonight at 8 dim the lamp", "14:00", "20:00"),
    ("Turn everything off at 2 tonight", "22:00", "06-11 02:00"),
    ("Lock the door at noon", "14:00", "06-11 12:00"),
    ("On Friday at 6:45 pm start the vacuum", "14:00", "06-12 18:45"),
    ("On December 24 at 6 pm turn on the tree", "14:00", "12-24 18:00"),
    ("Turn on the lamp the day after tomorrow at 9 am", "14:00", "06-12 09:00"),
    ("Ten minutes before sunset close the shutters", "14:00", "sunset-600"),
    ("Every day at 8 pm lock the front door", "14:00", "daily 20:00"),
    ("On weekdays at 6:30 turn on the coffee machine", "14:00", "01234 06:30"),
    ("Water the garden every other day at 7 am", "14:00", "2x daily 07:00"),
    ("Ventilate the bathroom every two hours", "14:00", "each 7200"),
    ("Turn on the fan twice a day", "14:00", None),
    ("Turn on the radio tomorrow", "14:00", None),
    ("When the washer is done, turn off the socket", "14:00", "next: the washer is done"),
    ("Whenever somebody rings, turn on the hall light", "14:00", "each: somebody rings"),
    ("Turn on the lamp next Monday at 9 am", "14:00", "06-15 09:00"),
]
