"""A newcomer's evening, by mouse and keyboard alone: from *Add integration* to the first answers.

Nothing is opened by its address, and no field is filled in that was not clicked or ready to type.
"""

from dataclasses import dataclass

from tests.ollama import call, calls, says

from .conftest import Walk


@dataclass(frozen=True, slots=True)
class Talk:
    """Two sentences and what is heard, and what the model says of the pantry."""

    command: str
    done: str
    question: str
    answer: str


async def begin(walk: Walk) -> None:
    """Log in and click *Add integration*; from there on clicks count."""
    await walk.frontend.log_in()
    await walk.integration.begin_to_add()
    walk.clicks.on.clear()


async def add_model_server(walk: Walk) -> None:
    """Add the Ollama server and its first agent, as the forms suggest it."""
    await walk.integration.find()
    await walk.flow.see("What do you want to add?")
    await walk.pictures.take("add", walk.flow.dialog)
    await walk.flow.choose("Ollama")
    await _type(walk, "Address", f"http://localhost:{walk.home.ollama.port}")
    await walk.pictures.take("config-flow", walk.flow.dialog)
    await walk.flow.submit()
    await walk.flow.see_editor()
    await walk.flow.see("Assistants that use it")
    await walk.pictures.take("new-agent", walk.flow.dialog, height=1600)
    await walk.flow.submit()
    await walk.flow.see_end()
    await walk.pictures.take("agent-ready", walk.flow.dialog)


async def add_tools(walk: Walk) -> None:
    """Follow the last page to where tools are added; add an MCP server for the agent."""
    await walk.flow.follow()
    await walk.frontend.button("Add service").click()
    await walk.flow.choose("MCP server (URL)")
    await _type(walk, "Address", walk.home.pantry.url)
    await walk.flow.submit()
    await walk.flow.see("Agents that may use them")
    await walk.pictures.take("mcp-tools", walk.flow.dialog)
    await walk.flow.submit()
    await walk.flow.see_end()
    await walk.flow.finish()


async def talk(walk: Walk, said: Talk) -> None:
    """Say a command that needs no model, and a question for which it calls the server's tool."""
    walk.home.ollama.answers(calls(call("show_stock")), says(said.answer))
    await walk.frontend.page.get_by_role(
        "link", name=walk.frontend.words.exactly("Overview")
    ).click()
    await walk.assist.call()
    await walk.assist.say(said.command, said.done)
    assert (await walk.home.api.states())["light.kitchen_lights"]["state"] == "on"
    await walk.assist.say(said.question, said.answer)
    assert walk.home.ollama.chats[-1]["messages"][-1]["role"] == "tool"
    await walk.pictures.take("conversation", walk.assist.dialog)


async def _type(walk: Walk, name: str, text: str) -> None:
    """Type into a field, clicking it first unless the form is ready to type in it."""
    field = walk.frontend.field(name)
    await walk.frontend.make_ready(field)
    await walk.frontend.page.keyboard.type(text)
