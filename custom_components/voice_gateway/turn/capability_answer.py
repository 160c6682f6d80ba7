"""The answer to "what can you do?" without a model: from the exposed devices and the tools."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
import unicodedata

from homeassistant.components.script import DOMAIN as SCRIPT
from homeassistant.helpers import llm

from .. import untrusted_text
from ..home.exposed import Exposed
from ..languages import joined
from ..names.matching import words_apart
from ..nlu.follow_ups import CapabilityQuestion
from ..nlu.utterance import Utterance
from ..tools.assist.intents import IntentTool
from ..tools.builtin.web_search import WebSearchTool
from ..tools.executor import ToolExecutor
from .answer import PrepareAnswer
from .chat import Chat

_KINDS: Final = 6
"""The most device categories in an answer."""
_TOOLS: Final = 3
"""The most tools of a server in an answer."""
_ALIKE: Final = {"input_boolean": "switch", "input_button": "button"}
"""Domains with the name of another one."""


@dataclass(frozen=True, slots=True)
class CapabilityAnswer:
    """Describes the agent's capabilities in a few sentences.

    - It names categories of exposed devices that a tool controls, and no device.
    - Of servers and their tools it gives the names only, without punctuation that would make them
      sentences or questions.
    """

    chat: Chat
    heard: Utterance
    prepared: PrepareAnswer
    """Collects the agent's tools."""

    async def async_answer(self) -> bool:
        """Answer a question about the agent's capabilities; return whether it is one."""
        if self.heard.exact_command or not CapabilityQuestion(self.heard.text).asks:
            return False
        tools = (await self.prepared(self.heard)).tools
        servers = [*self._servers(tools)]
        sentences = [f"{each}." for each in self._sentences(tools, servers)]
        told = " ".join(sentences) or f"{self._text('none')}."
        if servers:
            # The names of server tools are third-party text.
            await self.chat.retell(told, is_description=True)
        else:
            await self.chat.say(told)
        self.chat.report.reflex = True
        return True

    def _sentences(self, tools: ToolExecutor, servers: Sequence[str]) -> Iterator[str]:
        kinds = self._kinds(tools)
        if kinds:
            yield self._text("control", kinds=joined(self.heard.language, kinds, _KINDS))
        if tools.tells_home:
            yield self._text("home" if kinds or self.heard.home.entities else "nothing")
        if any(isinstance(each, WebSearchTool) for each in tools.tools):
            yield self._text("search")
        if servers:
            yield self._text("tools", servers=joined(self.heard.language, servers))

    def _text(self, key: str, **slots: str) -> str:
        return self.heard.text.language.answers["abilities"][key].format(**slots)

    def _kinds(self, tools: ToolExecutor) -> Sequence[str]:
        """Return the category names of the exposed devices that can be controlled."""
        domains = {
            domain
            for each in tools.tools
            if isinstance(each, IntentTool) and not each.annotations.read_only
            for domain in each.domains(self.chat.hass, self.heard.home) or ()
        }
        names: Mapping[str, str] = self.heard.text.language.answers["kinds"]
        there = {_kind(each, names) for each in self.heard.home.entities if each.domain in domains}
        if any(each.integration == SCRIPT for each in tools.tools):
            there.add(SCRIPT)
        return [name for kind, name in names.items() if kind in there]

    def _servers(self, tools: ToolExecutor) -> Iterator[str]:
        for server, own in tools.manager.of_others:
            titles = [title for each in own if (title := _title(each))]
            name = _name(server)
            if name and titles:
                yield f"{name} ({joined(self.heard.language, titles, _TOOLS)})"


def _kind(entity: Exposed, names: Mapping[str, str]) -> str:
    domain = _ALIKE.get(entity.domain, entity.domain)
    of_class = f"{domain}_{entity.device_class}"
    return of_class if of_class in names else domain


def _title(tool: llm.Tool) -> str:
    """Return a tool's title; without one, its name as words."""
    if title := _name(tool.title or ""):
        return title
    own = getattr(tool, "original_name", None) or tool.name.rpartition("__")[2] or tool.name
    return _name(words_apart(own)).capitalize()


def _name(text: str) -> str:
    """Return a third-party name for speech: without punctuation around its words."""
    return " ".join(filter(None, map(_bare, untrusted_text.name(text).split())))


def _bare(word: str) -> str:
    letters = [at for at, each in enumerate(word) if unicodedata.category(each)[0] not in "PS"]
    return word[letters[0] : letters[-1] + 1] if letters else ""
