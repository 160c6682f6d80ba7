import sys; sys.path.insert(0,'/tmp/h')
import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from custom_components.voice_gateway.questions.answer import async_answer
from .past_home import *
from past_rows import ROWS
@pytest.fixture
def mock_recorder_before_hass(async_test_recorder): pass
@pytest.fixture
def recorder_config():
    return {"exclude":{"entities":list(EXCLUDED)}}
async def test_try(recorder_mock, hass, freezer):
    freezer.move_to(NOW)
    await furnish(hass, recorder_mock)
    out=open('/tmp/h/past_try.txt','w')
    for l,rows in ROWS.items():
        home=await rename(hass,l)
        for r in rows:
            told=await async_answer(hass,r,l,home,speaker_area=None,context=Context())
            out.write(f'{l}|{r}|{told.text if told else None}\n')
    out.close()
