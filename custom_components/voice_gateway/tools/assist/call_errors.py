"""Refusals of calls, with alternatives in words for the model."""

from collections.abc import Collection, Sequence

from homeassistant.exceptions import HomeAssistantError

from ...home.exposed import Exposed
from ..journal import DirectReply


class Refusal(HomeAssistantError):
    """The call is ambiguous or not allowed; the text gives the model the reason."""

    def __init__(
        self,
        text: str,
        which: Sequence[Exposed] = (),
        *,
        instead: DirectReply | None = None,
        about: Sequence[str] = (),
        is_any: bool = False,
    ) -> None:
        """Take the text for the model, and the candidate devices if the call is ambiguous.

        `is_any`: any of these is acceptable. `instead` is the reply to the user if nothing is
        left to do for the model, and `about` fills its placeholder.
        """
        super().__init__(text)
        self.which = which
        self.instead = instead
        self.about = about
        self.is_any = is_any


class WrongTool(Refusal):
    """The call certainly means a device of a domain that the tool does not support."""

    def __init__(self, text: str, domain: str) -> None:
        """Take the text for the model, and the device's domain."""
        super().__init__(text)
        self.domain = domain


class WrongDomain(WrongTool):
    """The call certainly means a device of another domain than the tool's."""

    def __init__(self, entity: Exposed, domains: Collection[str]) -> None:
        """Take the device and the tool's domains."""
        for_these = ", ".join(sorted(domains))
        super().__init__(
            f"{entity.names[0]} is a {entity.domain}; this tool is for: {for_these}.",
            entity.domain,
        )
        self.entity = entity
