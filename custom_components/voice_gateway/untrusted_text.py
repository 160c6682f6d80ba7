"""Sanitize third-party text for display; no other module does."""

import re
import unicodedata

# Maximum characters of a name, and of a sentence.
NAME = 60
SENTENCE = 400
# Markup characters of Markdown and HTML, and the parts of a URL that are turned into a link.
_MARKS = re.compile(r"[\[\]<>*~`|\\]")
_LINKS = re.compile(r"://|(?<!\w)www\.", re.IGNORECASE)


def sentence(text: str, length: int = SENTENCE) -> str:
    """Return a text as one line of at most `length` characters.

    Control characters and those that change the text direction are removed.
    """
    # The rest of a far longer text is not processed.
    text = text[: 4 * length]
    text = " ".join((text if text.isprintable() else "".join(map(_visible, text))).split())
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def name(text: str) -> str:
    """Return a text as a plain name without markup or links, also in Markdown."""
    return sentence(_LINKS.sub(" ", _MARKS.sub("", sentence(text))), NAME)


def quoted(text: str) -> str:
    """Return a text as Markdown code, which shows it verbatim."""
    return f"`{text.replace('`', chr(39))}`" if (text := sentence(text)) else ""


def _visible(character: str) -> str:
    """Return a character; a space for control characters, and nothing for invisible ones."""
    match unicodedata.category(character):
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cf" | "Co" | "Cs" | "Cn":
            return ""
        case _:
            return character
