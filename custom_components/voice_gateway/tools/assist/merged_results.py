"""One result of a call that was made for each device by itself."""

from collections.abc import Sequence

from homeassistant.helpers import intent, llm

from ...home.exposed import Exposed


def together(
    targets: Sequence[Exposed], results: Sequence[llm.ToolResult | BaseException]
) -> llm.ToolResult:
    """Return the result of a call by those of its devices: what was done, and what failed.

    Raises what the first device's call raised, where none was done.
    """
    responses = [
        result.data.original
        for result in results
        if isinstance(result, llm.ToolResult) and isinstance(result.data, llm.IntentResponseDict)
    ]
    failed = [
        intent.IntentResponseTarget(
            name=entity.names[0], type=intent.IntentResponseTargetType.ENTITY, id=entity.entity_id
        )
        for entity, result in zip(targets, results, strict=True)
        if isinstance(result, BaseException)
    ]
    if not responses:
        raise next(result for result in results if isinstance(result, BaseException))
    whole, *others = responses
    whole.async_set_results(
        [*whole.success_results, *(done for each in others for done in each.success_results)],
        [*whole.failed_results, *(bad for each in others for bad in each.failed_results), *failed],
    )
    whole.async_set_states([*whole.matched_states, *(s for e in others for s in e.matched_states)])
    return llm.ToolResult(data=llm.IntentResponseDict(whole))
