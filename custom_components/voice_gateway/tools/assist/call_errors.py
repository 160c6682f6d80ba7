"""Why a call was not made: what it could mean instead, in words for the model."""

from collections.abc import Collection, Sequence

from homeassistant.exceptions import HomeAssistantError

from ...home.exposed import Exposed
from ..journal import DirectReply


class Refusal(HomeAssistantError):
    """The call means nothing certain, or may not be made; the text tells the model why."""

    def __init__(
        self,
        text: str,
        which: Sequence[Exposed] = (),
        *,
        instead: DirectReply | None = None,
        about: Sequence[str] = (),
        is_any: bool = False,
    ) -> None:
        """Take what the model is told, and the devices of which one may be meant, if that is why.

        `is_any`: any of these would do, whatever was said. `instead` is what the user is told where
        nothing is left to do for the model, and `about` what that names.
        """
        super().__init__(text)
        self.which = which
        self.instead = instead
        self.about = about
        self.is_any = is_any


class WrongTool(Refusal):
    """The call certainly means a device of a domain, which the tool can do nothing with."""

    def __init__(self, text: str, domain: str) -> None:
        """Take what the model is told, and the device's domain."""
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
