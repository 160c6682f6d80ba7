"""The report on a trial for the user: the results, and advice."""

from collections.abc import Mapping

from homeassistant.core import HomeAssistant

from ..texts import async_text
from .sentences import Words
from .trial import Result, TrialVerdict


async def async_told(
    hass: HomeAssistant, language: str, words: Words, result: Result, names: Mapping[str, str]
) -> str:
    """Return the report in a language, as Markdown; `names` holds the agent's and its model's."""
    parts: list[str] = []
    if result.seconds_each is not None:
        figures = {
            "right": str(len(result.right)),
            "asked": str(len(result.seconds)),
            "seconds": f"{result.seconds_each:.1f}",
        }
        parts.append(await async_text(hass, language, "trial_figures", {**names, **figures}))
    if speed := result.tokens_per_second:
        parts.append(await async_text(hass, language, "trial_speed", {"speed": f"{speed:.1f}"}))
    verdict = await async_text(hass, language, f"trial_{result.verdict}", names)
    if result.verdict is TrialVerdict.FAILED and result.failure:
        failed = result.failure
        placeholders = failed.translation_placeholders
        verdict = f"{verdict} {await async_text(hass, language, failed.reason, placeholders)}"
    told = [" ".join(parts), f"**{verdict}**"]
    if result.wrong:
        wrong = await async_text(hass, language, "trial_wrong")
        told.append(f"{wrong}\n\n{words.told(result.wrong)}")
    return "\n\n".join(filter(None, told))
