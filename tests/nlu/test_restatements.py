"""A yes in other words than those of the question: what it may say again, and what is no yes."""

from custom_components.voice_gateway.nlu.replies import Reply, classify_reply, select_subset
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.nlu.saying import texts
from tests.rows import rows

# What was said, and what was asked then.
UNLOCK = {
    "en": ("Unlock the side entrance, Nora is outside", "Shall I unlock the Side Entrance?"),
    "de": ("Sperr die Kellertür auf, Nora steht draußen", "Soll ich Kellertür aufschließen?"),
    "es": ("Abre la puerta del patio, Nora espera", "¿Abro la cerradura de Puerta del patio?"),
    "fr": ("Déverrouille la porte du fond pour Nora", "Dois-je déverrouiller Porte du fond ?"),
    "it": ("Sblocca la porta del retro per Nora", "Devo sbloccare Porta del retro?"),
    "nl": ("Ontgrendel de schuurdeur, Nora is er", "Zal ik Schuurdeur ontgrendelen?"),
    "pl": ("Odblokuj drzwi tarasowe, Nora czeka", "Czy mam odblokować Drzwi tarasowe?"),
}
CLOSE = {
    "en": ("Close the shed window", "Shall I close the Shed Window?"),
    "de": ("Mach das Schuppenfenster zu", "Soll ich Schuppenfenster schließen?"),
}
WRITE = {
    "en": ("Answer Nora that I am late", "Shall I use reply_to_mail with this: to: Nora?"),
    "de": ("Antworte Nora, dass ich komme", "Soll ich reply_to_mail hiermit verwenden: an: Nora?"),
    "es": ("Contéstale a Nora que voy", "¿Uso reply_to_mail con esto: to: Nora?"),
    "fr": ("Réponds à Nora que j'arrive", "Dois-je utiliser reply_to_mail avec ceci : to: Nora ?"),
    "it": ("Rispondi a Nora che arrivo", "Devo usare reply_to_mail con questo: to: Nora?"),
    "nl": ("Antwoord Nora dat ik kom", "Zal ik reply_to_mail hiermee gebruiken: to: Nora?"),
    "pl": ("Odpisz Norze, że jadę", "Czy mam użyć reply_to_mail z tym: to: Nora?"),
}
BUY = {
    "en": ("Get me more hay", "Shall I use place_order with this: item: hay?"),
    "de": ("Kauf Heu nach", "Soll ich place_order hiermit verwenden: item: Heu?"),
    "es": ("Compra heno", "¿Uso place_order con esto: item: heno?"),
    "fr": ("Achète du foin", "Dois-je utiliser place_order avec ceci : item: foin ?"),
    "it": ("Compra del fieno", "Devo usare place_order con questo: item: fieno?"),
    "nl": ("Koop hooi", "Zal ik place_order hiermee gebruiken: item: hooi?"),
    "pl": ("Kup siano", "Czy mam użyć place_order z tym: item: siano?"),
}
ADD = {
    "en": ("We need hay", "Shall I add Hay to Stable?"),
    "de": ("Wir brauchen Heu", "Soll ich Heu auf Stall setzen?"),
    "es": ("Hace falta heno", "¿Añado Heno a Establo?"),
    "fr": ("Il faut du foin", "Dois-je ajouter Foin à Écurie ?"),
    "it": ("Serve il fieno", "Devo aggiungere Fieno a Stalla?"),
    "nl": ("We hebben hooi nodig", "Zal ik Hooi op Stal zetten?"),
    "pl": ("Potrzebne siano", "Czy mam dodać do Stajnia: Siano?"),
}
RUN = {
    "en": ("I am off", "Shall I run Leaving?"),
    "de": ("Ich gehe", "Soll ich Leaving ausführen?"),
    "es": ("Me voy", "¿Ejecuto Leaving?"),
    "fr": ("Je pars", "Dois-je exécuter Leaving ?"),
    "it": ("Io esco", "Devo eseguire Leaving?"),
    "nl": ("Ik ga", "Zal ik Leaving uitvoeren?"),
    "pl": ("Wychodzę", "Czy mam uruchomić Leaving?"),
}
ALARM = {
    "en": ("Switch the house alarm off", "Shall I run Quiet Now?"),
    "de": ("Schalt die Alarmanlage aus", "Soll ich Quiet Now ausführen?"),
    "es": ("Apaga la alarma", "¿Ejecuto Quiet Now?"),
    "fr": ("Éteins l'alarme", "Dois-je exécuter Quiet Now ?"),
    "it": ("Spegni l'allarme", "Devo eseguire Quiet Now?"),
    "nl": ("Schakel het alarm uit", "Zal ik Quiet Now uitvoeren?"),
    "pl": ("Wyłącz alarm", "Czy mam uruchomić Quiet Now?"),
}
GUESTS = {"en": ("Run Let Visitors In", "Shall I run Let Visitors In?")}

YES = [
    (UNLOCK, "en", "Sure, open it up"), (UNLOCK, "en", "Go ahead and open it"),
    (UNLOCK, "en", "Yes, let him in"), (UNLOCK, "en", "Yes, let Nora in please"),
    (UNLOCK, "en", "Yep, buzz her in"), (GUESTS, "en", "Yes, let everybody in"),
    (UNLOCK, "de", "Ja, lass sie rein"), (UNLOCK, "de", "Klar, lass Nora herein"),
    (UNLOCK, "de", "Ja, reinlassen"), (UNLOCK, "de", "Ja, mach sie auf"),
    (UNLOCK, "es", "Sí, déjala pasar"), (UNLOCK, "es", "Claro, deja entrar a Nora"),
    (UNLOCK, "es", "Sí, que entre"), (UNLOCK, "fr", "Oui, laisse-la entrer"),
    (UNLOCK, "fr", "Oui, fais entrer Nora"), (UNLOCK, "it", "Sì, falla entrare"),
    (UNLOCK, "it", "Certo, fai entrare Nora"), (UNLOCK, "nl", "Ja, laat haar binnen"),
    (UNLOCK, "nl", "Ja hoor, laat Nora erin"), (UNLOCK, "nl", "Doe maar open"),
    (UNLOCK, "pl", "Tak, wpuść ją"), (UNLOCK, "pl", "Jasne, wpuść Nora"),
    (WRITE, "en", "Yes, send it"), (WRITE, "en", "Yes, send that please"),
    (WRITE, "de", "Ja, schick es ab"), (WRITE, "de", "Ja, schick das"),
    (WRITE, "es", "Sí, envíalo"), (WRITE, "fr", "Oui, envoie-le"), (WRITE, "it", "Sì, invialo"),
    (WRITE, "nl", "Ja, verstuur het"), (WRITE, "pl", "Tak, wyślij to"),
    (BUY, "en", "Yes, order it"), (BUY, "de", "Ja, bestell es"), (BUY, "es", "Sí, pídelo"),
    (BUY, "fr", "Oui, commande-le"), (BUY, "it", "Sì, ordinalo"), (BUY, "nl", "Ja, bestel het"),
    (BUY, "pl", "Tak, zamów to"),
    (ADD, "en", "Yes, put it on the list"), (ADD, "en", "Sure, add it"),
    (ADD, "de", "Ja, schreib es auf die Liste"), (ADD, "es", "Sí, apúntalo"),
    (ADD, "fr", "Oui, mets-le sur la liste"), (ADD, "it", "Sì, mettilo in lista"),
    (ADD, "nl", "Ja, zet het op de lijst"), (ADD, "pl", "Tak, dopisz to do listy"),
    (RUN, "en", "Yes, run it"), (RUN, "en", "Okay, start it"), (RUN, "de", "Ja, führ es aus"),
    (RUN, "es", "Sí, ejecútalo"), (RUN, "fr", "Oui, lance-le"), (RUN, "it", "Sì, avvialo"),
    (RUN, "nl", "Ja, voer het uit"), (RUN, "pl", "Tak, odpal to"),
    (ALARM, "en", "Yes, disarm it"), (ALARM, "en", "Yes, turn it off"),
    (ALARM, "de", "Ja, mach sie aus"), (ALARM, "de", "Ja, deaktiviere sie"),
    (ALARM, "es", "Sí, desactívala"), (ALARM, "fr", "Oui, désactive-la"),
    (ALARM, "it", "Sì, disattivalo"), (ALARM, "nl", "Ja, zet het uit"), (ALARM, "pl", "Tak, rozbrój"),
]  # fmt: skip
THERE = [
    (GUESTS, "en", "Yes, they're here"), (UNLOCK, "en", "Yes, it's me"),
    (UNLOCK, "en", "Yes, I'm at the door"), (UNLOCK, "en", "Yes, Nora is waiting outside"),
    (UNLOCK, "de", "Ja, sie sind da"), (UNLOCK, "de", "Ja, Nora steht schon vor der Tür"),
    (UNLOCK, "es", "Sí, ya están aquí"), (UNLOCK, "es", "Sí, soy yo"),
    (UNLOCK, "fr", "Oui, elle est là"), (UNLOCK, "fr", "Oui, c'est nous"),
    (UNLOCK, "it", "Sì, sono qui"), (UNLOCK, "it", "Sì, Nora è fuori"),
    (UNLOCK, "nl", "Ja, ze zijn er"), (UNLOCK, "nl", "Ja, hij staat voor de deur"),
    (UNLOCK, "pl", "Tak, już są"), (UNLOCK, "pl", "Tak, ona czeka pod drzwiami"),
]  # fmt: skip
NONE = [
    # Something else is said, asked, or wanted first.
    (UNLOCK, "en", "Yes, what time is it"), (UNLOCK, "en", "Yeah no"),
    (UNLOCK, "en", "Yes but wait"), (UNLOCK, "en", "Yes, he said"), (UNLOCK, "en", "Ok Google"),
    (UNLOCK, "en", "Yes, I heard you"), (UNLOCK, "en", "Yes, and turn on the light"),
    (UNLOCK, "en", "Go ahead and turn on the light"), (UNLOCK, "en", "Go ahead and wait"),
    (UNLOCK, "de", "Ja, aber warte"), (UNLOCK, "de", "Ja, hat er gesagt"),
    (UNLOCK, "es", "Sí, pero espera"), (UNLOCK, "fr", "Oui, mais attends"),
    (UNLOCK, "it", "Sì, aspetta un attimo"), (UNLOCK, "nl", "Ja, maar wacht"),
    (UNLOCK, "pl", "Tak, ale czekaj"), (UNLOCK, "it", "Sì, la porta, aspetta"),
    (UNLOCK, "de", "Ja, die Kellertür, warte"), (UNLOCK, "fr", "Oui, la porte, attends"),
    # Another thing.
    (UNLOCK, "en", "Yes, the garage"), (UNLOCK, "de", "Ja, die Garage"),
    (UNLOCK, "fr", "Oui, le portail"), (UNLOCK, "pl", "Tak, garaż"),
    # The opposite.
    (UNLOCK, "en", "Yes, close it"), (UNLOCK, "en", "Yes, don't let him in"),
    (UNLOCK, "en", "Yes, let him wait"), (UNLOCK, "en", "Yes, let her out"),
    (UNLOCK, "de", "Ja, lass ihn draußen"), (UNLOCK, "de", "Ja, lass sie nicht rein"),
    (UNLOCK, "nl", "Ja, laat hem buiten"), (UNLOCK, "fr", "Oui, ne la laisse pas entrer"),
    (UNLOCK, "pl", "Tak, nie wpuszczaj jej"), (UNLOCK, "it", "Sì, non farla entrare"),
    (ALARM, "en", "Yes, switch it on"), (ALARM, "de", "Ja, schalt sie ein"),
    (ALARM, "en", "Yes, arm it"), (ALARM, "es", "Sí, actívala"), (ALARM, "fr", "Oui, active-la"),
    (ALARM, "it", "Sì, attivalo"), (ALARM, "nl", "Ja, zet het aan"), (ALARM, "pl", "Tak, włącz go"),
    # Who is there may be said of a door alone, and says no more than that.
    (CLOSE, "en", "Yes, they're here"), (CLOSE, "en", "Yes, let him in"),
    (CLOSE, "de", "Ja, sie sind da"), (CLOSE, "de", "Ja, lass sie rein"),
    (RUN, "en", "Yes, it's me"), (WRITE, "en", "Yes, he is outside"),
    (ADD, "fr", "Oui, c'est moi"), (BUY, "es", "Sí, ya están aquí"),
    (UNLOCK, "en", "They're here"), (UNLOCK, "en", "It's me"), (UNLOCK, "en", "Let him in"),
    (UNLOCK, "en", "Yes, they're not here"), (UNLOCK, "en", "Yes, they're here tomorrow"),
    (UNLOCK, "en", "Yes, they're coming"), (UNLOCK, "en", "Yes, the police are here"),
    (UNLOCK, "en", "Yes, are they here?"), (UNLOCK, "en", "Yes, who is here"),
    (UNLOCK, "en", "Yes, they're here to see the lamp"), (UNLOCK, "en", "Yes, he is nice"),
    (UNLOCK, "de", "Ja, sie sind nicht da"), (UNLOCK, "de", "Ja, sie sind da gewesen"),
    (UNLOCK, "de", "Ja, wer ist da"), (UNLOCK, "es", "Sí, no están aquí"),
    (UNLOCK, "fr", "Oui, ils ne sont pas là"), (UNLOCK, "it", "Sì, non sono qui"),
    (UNLOCK, "nl", "Ja, ze zijn er niet"), (UNLOCK, "pl", "Tak, nie ma ich tutaj"),
    (UNLOCK, "en", "Sie sind da"),
    # Words of another question.
    (UNLOCK, "en", "Yes, send it"), (UNLOCK, "en", "Yes, order it"), (WRITE, "en", "Yes, order it"),
    (BUY, "en", "Yes, send it"), (ADD, "en", "Yes, take it off the list"),
    (RUN, "en", "Yes, open it up"), (CLOSE, "en", "Sure, open it up"), (RUN, "en", "Yes, delete it"),
    (ADD, "de", "Ja, streich es"), (WRITE, "fr", "Oui, commande-le"), (BUY, "pl", "Tak, wyślij to"),
    (WRITE, "en", "Yes, send it to Omar"), (WRITE, "en", "Yes, send it tomorrow"),
    (WRITE, "de", "Ja, schick es an Omar"), (ADD, "en", "Yes, put it on the lamp"),
    (ADD, "en", "Yes, put the light on"), (BUY, "en", "Yes, order straw"),
]  # fmt: skip


@rows(("asked", "language", "said"), YES + THERE)
def test_a_yes_may_say_what_was_asked_in_other_words(
    asked: dict[str, tuple[str, str]], language: str, said: str
) -> None:
    assert classify_reply(Text(said, language), texts(asked[language], language)) is Reply.YES


@rows(("asked", "language", "said"), NONE)
def test_a_yes_that_says_more_is_none(
    asked: dict[str, tuple[str, str]], language: str, said: str
) -> None:
    assert classify_reply(Text(said, language), texts(asked[language], language)) is not Reply.YES


@rows(("asked", "language", "said"), YES + THERE)
def test_a_name_of_somebody_else_makes_it_none(
    asked: dict[str, tuple[str, str]], language: str, said: str
) -> None:
    assert (
        classify_reply(Text(f"{said} Omar", language), texts(asked[language], language))
        is Reply.OTHER
    )
    assert (
        classify_reply(Text(f"Omar {said}", language), texts(asked[language], language))
        is Reply.OTHER
    )


def test_one_of_several_may_be_told_in_other_words() -> None:
    names, asked = ("Back Gate", "Cellar Door"), ("Unlock them", "Shall I unlock both?")
    assert select_subset(Text("Only let him in the cellar", "en"), names, texts(asked, "en")) == [
        False,
        True,
    ]
