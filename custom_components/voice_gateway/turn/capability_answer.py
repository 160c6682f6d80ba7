"""What an agent can do, told without a model: from the home that it sees and the tools that it has."""

from collections.abc import Iterator, Mapping, Sequence
import re
from typing import Final
import unicodedata

from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from .. import untrusted_text
from ..home.exposed import Exposed, Home
from ..languages import joined, language_of
from ..tools.assist.intents import IntentTool
from ..tools.builtin.web_search import WebSearchTool
from ..tools.executor import ToolExecutor

_KINDS: Final = 6
"""Kinds of devices that are told one by one."""
_TOOLS: Final = 3
"""Tools of a server that are told one by one."""
_ALIKE: Final = {"input_boolean": "switch", "input_button": "button"}
"""Domains that are called as others are."""
_BETWEEN_WORDS = re.compile(r"[\W_]+|(?<=[a-z0-9])(?=[A-Z])")


class CapabilityAnswer:
    """Tells what an agent can do, in a few sentences.

    - It names kinds of exposed devices for which there is a tool, and no device.
    - Of servers and their tools it has names only, without the marks that would make a sentence, or a
      question, of them.
    """

    def __init__(self, hass: HomeAssistant, tools: ToolExecutor, home: Home, language: str) -> None:
        """Take the agent's tools, the home that it sees, and the language that is spoken."""
        self._hass = hass
        self._tools = tools
        self._home = home
        self._language = language
        self._answers = language_of(language).answers
        self.names_others = any(self._servers())
        """Whether others have written some of what is told: what their tools are called."""

    @property
    def told(self) -> str:
        """What the agent can do."""
        return " ".join(f"{each}." for each in self._sentences()) or f"{self._answer('none')}."

    def _sentences(self) -> Iterator[str]:
        kinds = self._kinds()
        if kinds:
            yield self._answer("control", kinds=joined(self._language, kinds, _KINDS))
        if self._tools.tells_home:
            yield self._answer("home" if kinds or self._home.entities else "nothing")
        if any(isinstance(each, WebSearchTool) for each in self._tools.tools):
            yield self._answer("search")
        if servers := [*self._servers()]:
            yield self._answer("tools", servers=joined(self._language, servers))

    def _answer(self, key: str, **slots: str) -> str:
        return self._answers["abilities"][key].format(**slots)

    def _kinds(self) -> Sequence[str]:
        """Return what the devices are called that can be controlled, and are exposed."""
        domains = {
            domain
            for each in self._tools.tools
            if isinstance(each, IntentTool) and not each.annotations.read_only
            for domain in each.domains(self._hass, self._home) or ()
        }
        names: Mapping[str, str] = self._answers["kinds"]
        there = {_kind(each, names) for each in self._home.entities if each.domain in domains}
        if any(each.integration == SCRIPT for each in self._tools.tools):
            there.add(SCRIPT)
        return [name for kind, name in names.items() if kind in there]

    def _servers(self) -> Iterator[str]:
        for server, tools in self._tools.manager.of_others:
            titles = [title for each in tools if (title := _title(each))]
            name = _name(server)
            if name and titles:
                yield f"{name} ({joined(self._language, titles, _TOOLS)})"


def _kind(entity: Exposed, names: Mapping[str, str]) -> str:
    domain = _ALIKE.get(entity.domain, entity.domain)
    of_class = f"{domain}_{entity.device_class}"
    return of_class if of_class in names else domain


def _title(tool: llm.Tool) -> str:
    """Return what a tool is called; where it has no title, its name as words."""
    if title := _name(tool.title or ""):
        return title
    own = getattr(tool, "original_name", None) or tool.name.rpartition("__")[2] or tool.name
    return _name(_BETWEEN_WORDS.sub(" ", own)).capitalize()


def _name(text: str) -> str:
    """Return a name that somebody else gave, as it is spoken: without marks around its words."""
    return " ".join(filter(None, map(_bare, untrusted_text.name(text).split())))


def _bare(word: str) -> str:
    letters = [at for at, each in enumerate(word) if unicodedata.category(each)[0] not in "PS"]
    return word[letters[0] : letters[-1] + 1] if letters else ""
