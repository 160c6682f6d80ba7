"""Names that users give to devices: aliases in Home Assistant's registry, visible and editable there."""

from collections.abc import Sequence
from typing import Final, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, llm
import probatio

from ..const import DOMAIN
from ..home.exposed import Exposed, Home
from ..home.lookup import find_entities
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from ..tools.policy.decisions import ALIAS, Ask

_MOST: Final = 5
"""The most words of an alias."""
_NOW: Final = "notebook.from_now_on"
_MARKS: Final = "\"'“”„«».,!? "


class AliasTool(llm.Tool):
    """Gives an entity one more name; never called by a model."""

    name = "add_alias"
    description = "Give a device another name"
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    integration = DOMAIN
    parameters = probatio.Schema({})

    def __init__(self, entity: Exposed, alias: Text) -> None:
        """Take the entity and its new name."""
        self._entity = entity
        self._alias = alias

    @property
    def question(self) -> Ask:
        """The question whether to add it."""
        return Ask(does=ALIAS, names=[self._entity.names[0]], more={"alias": self._alias})

    @property
    def told(self) -> dict[str, str | list[str]]:
        """The placeholders of the confirmation."""
        return {"names": self._entity.names[0], "alias": self._alias}

    @classmethod
    def of(cls, hass: HomeAssistant, entity: Exposed, alias: Text, home: Home) -> AliasTool | None:
        """Return the tool that adds an alias; None if it is no name, or something has it already."""
        entry = er.async_get(hass).async_get(entity.entity_id)
        own = without_articles(alias)
        # "Luce" is a noun as well as what is done.
        nouns = own.patterns.category_words
        rest = own.alike(" ".join(each for each in own.spoken if each.casefold() not in nouns))
        is_name = 0 < len(own.words) <= _MOST and not Predicate.of(rest).is_expressed
        names = {own.alike(name).words for name in home.names}
        if entry is None or not is_name or own.words in names:
            return None
        others = {*find_entities(own, home.entities, home, own.code)} - {entity}
        return None if others else cls(entity, own)

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Add the alias. Raises HomeAssistantError if the entity is not registered any more."""
        registry, entity_id = er.async_get(hass), self._entity.entity_id
        er.async_preserve_compat_name_as_alias(hass, entity_id)
        if (entry := registry.async_get(entity_id)) is None:
            raise HomeAssistantError(f"{entity_id} is not registered")
        aliases = [*(entry.aliases or [er.COMPUTED_NAME]), str(self._alias)]
        registry.async_update_entity(entity_id, aliases=aliases)
        return llm.ToolResult(data={"success": True})


def split_naming(text: Text, home: Home) -> tuple[Exposed, Text] | None:
    """Return the entity and the name in "the floor lamp Bob"; None if that is uncertain.

    A part of its name is too little: "the office tomorrow" names nothing.
    """
    # "L'Ikea" has an article.
    parts = text.replace("'", "' ").replace("’", "’ ").split()
    for cut in range(len(parts) - 1, 0, -1):
        named = without_articles(text.alike(" ".join(parts[:cut])))
        match find_entities(named, home.entities, home, text.code):
            case [entity]:
                if _content(named) in map(_content, map(text.alike, entity.names)):
                    return entity, text.alike(" ".join(parts[cut:]))
            case [_, *_]:
                return None
    return None


def _content(text: Text) -> frozenset[str]:
    """Return the words of a name, without an elided article."""
    return frozenset(each for each in text.words if len(each) > 1 or each.isdigit())


def without_articles(text: Text) -> Text:
    """Return a name without "the", "from now on", marks and quotes around it."""
    parts = text.strip(_MARKS).split()

    def own(some: Sequence[str]) -> set[str]:
        return {*text.alike(" ".join(some)).without(_NOW)}

    cuts = range(len(parts))
    first = max((cut for cut in cuts if own(parts[:cut]) <= text.function_words), default=0)
    last = max((cut for cut in cuts if not own(parts[len(parts) - cut :])), default=0)
    return text.alike(" ".join(parts[first : len(parts) - last]).strip(_MARKS))
