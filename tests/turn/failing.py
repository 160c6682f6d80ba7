"""What holds of each turn that fails."""

from homeassistant.components.conversation import AssistantContent

from tests.agent import Agent, Answer, calls_without_their_result
from tests.model_servers import ModelServer


async def check_failed(
    agent: Agent, answer: Answer, model_server: ModelServer, speech: str
) -> None:
    """Check what was said, that calls and results are 1:1, and that the next turn works."""
    assert answer.speech == speech, answer.speech
    assert answer.is_error
    await check_next_turn(agent, answer, model_server)


async def check_next_turn(agent: Agent, answer: Answer, model_server: ModelServer) -> None:
    assert calls_without_their_result(answer.log) == []
    last = answer.log[-1]
    assert isinstance(last, AssistantContent)
    assert last.content
    assert last.content in answer.speech
    model_server.server.script.clear()
    model_server.answers(model_server.says("I am ", "back."))
    following = await agent.hears("are you there?", answer.conversation_id)
    assert following.speech == "I am back."
    assert not following.is_error
    assert model_server.unpaired(model_server.requests[-1]) == []
