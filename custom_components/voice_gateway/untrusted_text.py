"""Texts of strangers, made fit to be shown to people: the one place that knows how."""

import re
import unicodedata

# Characters of a name, and of a sentence.
NAME = 60
SENTENCE = 400
# What Markdown and HTML are made of, and what makes a link of an address.
_MARKS = re.compile(r"[\[\]<>*~`|\\]")
_LINKS = re.compile(r"://|(?<!\w)www\.", re.IGNORECASE)


def sentence(text: str, length: int = SENTENCE) -> str:
    """Return a text as one line of so many characters at most.

    Control characters go, and those that turn the direction of what is read.
    """
    # What is far longer is not looked at to its end.
    text = " ".join("".join(map(_visible, text[: 4 * length])).split())
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def name(text: str) -> str:
    """Return a text as a name that is a name wherever it is shown, in Markdown too."""
    return sentence(_LINKS.sub(" ", _MARKS.sub("", sentence(text))), NAME)


def quoted(text: str) -> str:
    """Return a text as Markdown that shows it letter by letter."""
    return f"`{text.replace('`', chr(39))}`" if (text := sentence(text)) else ""


def _visible(character: str) -> str:
    """Return a character; a blank for what begins a line, and nothing for what nobody sees."""
    match unicodedata.category(character):
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cf" | "Co" | "Cs" | "Cn":
            return ""
        case _:
            return character
