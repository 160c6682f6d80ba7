"""The same evening in German: every form is found by its German words."""

import pytest

from . import evening
from .conftest import Walk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

LANGUAGE = "de"


async def test_newcomer_s_evening_is_in_german(walk: Walk) -> None:
    await evening.begin(walk)
    await evening.add_model_server(walk)
    await evening.add_tools(walk)
    await evening.talk(
        walk,
        evening.Talk(
            "Schalte die Kitchen Lights ein",
            "Kitchen Lights",
            "Was haben wir im Vorrat?",
            "Zwölf Eier, zwei Flaschen Milch und eine Packung Mehl.",
        ),
    )
