"""Whether a sentence asks what we can do, or speaks of our tools.

It is read from data, the table `abilities` of each language.
"""

from .full_match import FullSentenceMatcher


class CapabilityQuestion(FullSentenceMatcher):
    """A sentence of a language that has words for what we can do, else nothing is read in it."""

    @property
    def asks(self) -> bool:
        """Whether it asks what we can do, or which tools we have, and nothing else."""
        return self._is_read and self._whole(self._known.abilities.get("asked", ())) is not None

    @property
    def is_about_tools(self) -> bool:
        """Whether it has a word for tools: their names may be spoken in an answer to it."""
        return self._is_read and any(
            pattern.search(self._line.text) for pattern in self._known.tool_words
        )
