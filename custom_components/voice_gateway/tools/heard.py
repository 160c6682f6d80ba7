"""What the user said, on its way to the tools."""

from dataclasses import dataclass

from homeassistant.helpers import llm


@dataclass(slots=True)
class HeardContext(llm.LLMContext):
    """The context of a call, with the sentences that it answers: some, a line for each."""

    said: str = ""

    @classmethod
    def of(cls, context: llm.LLMContext, said: str) -> HeardContext:
        """Return a context with what was said."""
        return cls(
            platform=context.platform,
            context=context.context,
            language=context.language,
            assistant=context.assistant,
            device_id=context.device_id,
            agent_id=context.agent_id,
            said=said,
        )


def heard(context: llm.LLMContext) -> str:
    """Return what was said in a call's context, as far as it is known."""
    return context.said if isinstance(context, HeardContext) else ""
