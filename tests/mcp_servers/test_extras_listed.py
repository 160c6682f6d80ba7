"""Prompts and resources as a server lists them, and what is read of them."""

from types import SimpleNamespace
from typing import Any, cast

from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.types import InputRequiredResult, Prompt, Resource, ResourceTemplate
import pytest

from custom_components.voice_gateway.mcp_servers.prompts_and_resources import Extras

FAILS = MCPError(-32000, "Cannot tell just now")


class Server:
    """Lists things, on as many pages as there are; what it can't list it fails on."""

    def __init__(self, **listed: list[list[Any]] | MCPError) -> None:
        """Take the pages of each kind; without an end, the last one leads to the first."""
        self.listed: dict[str, Any] = listed
        self.circles = False
        self.pages = 0
        self.asked: list[Any] = []
        self.server_capabilities = SimpleNamespace(prompts=True, resources=True)

    def __getattr__(self, name: str) -> Any:
        """Return what lists a kind."""
        kind = name.removeprefix("list_")

        async def page(params: Any) -> Any:
            self.pages += 1
            pages = self.listed.get(kind, [[]])
            if isinstance(pages, MCPError):
                raise pages
            number = int(params.cursor or 0)
            following = (number + 1) % len(pages) if self.circles else number + 1
            more = str(following) if self.circles or following < len(pages) else None
            return SimpleNamespace(**{kind: pages[number]}, next_cursor=more)

        return page

    async def read_resource(self, *asked: Any, **rest: Any) -> InputRequiredResult:
        """Note what it is asked, and ask back."""
        self.asked += (*asked, rest)
        return InputRequiredResult(request_state="open")

    get_prompt = read_resource


async def read(server: Server, extras: Extras | None = None) -> Extras:
    extras = extras or Extras()
    await extras.read(cast("ClientSession", server))
    return extras


def names(extras: Extras) -> list[str]:
    return [tool.name for tool in extras.tools]


def prompt(name: str, **rest: Any) -> Prompt:
    return Prompt(name=name, **rest)


def book(name: str, uri: str = "", **rest: Any) -> Resource:
    return Resource(name=name, uri=uri or f"book://{name}", **rest)


async def asked(extras: Extras, name: str, arguments: dict[str, Any], **rest: Any) -> list[Any]:
    """Return what a server is asked for a call."""
    send, server = extras.wanted(name, arguments), Server()
    assert send
    assert isinstance(await send(server, None, **rest), InputRequiredResult)
    return server.asked


async def test_all_pages_are_read_and_none_twice() -> None:
    server = Server(
        prompts=[[prompt("a")], [prompt("b")]], resources=[[book("emma")], [book("ulysses")]]
    )
    extras = await read(server)
    assert names(extras) == ["prompt/a", "prompt/b", "resources/read"]
    server.circles = True
    assert {*names(await read(server))} == {*names(extras)}


async def test_list_without_an_end_is_left_at_what_can_be_used() -> None:
    listed = [[prompt(f"n{number}")] for number in range(55)]
    books = [[book(f"n{number}")] for number in range(105)]
    extras = await read(Server(prompts=listed, resources=books))
    assert len(extras.tools) == 51
    send = extras.wanted("resources/read", {"resource": " "})
    assert send
    result: Any = await send()
    assert result.content[0].text.count("\n") == 99


async def test_what_can_not_be_listed_now_stays_as_it_was() -> None:
    extras = await read(Server(prompts=[[prompt("a")]], resources=[[book("emma")]]))
    for kind in ("prompts", "resources", "resource_templates"):
        server = Server(prompts=[[prompt("a")]], resources=[[book("emma")]])
        server.listed[kind] = FAILS
        await read(server, extras)
        assert names(extras) == ["prompt/a", "resources/read"], kind
    # What is not there any more is gone.
    await read(Server(), extras)
    assert extras.tools == []


async def test_only_what_a_server_offers_is_asked_for() -> None:
    server = Server(prompts=[[prompt("a")]], resources=[[book("emma")]])
    server.server_capabilities.resources = None
    assert names(await read(server)) == ["prompt/a"]
    server.server_capabilities.prompts = None
    server.pages = 0
    assert names(await read(server)) == []
    assert server.pages == 0


@pytest.mark.parametrize(
    ("words", "address"),
    [
        (" TWO ", "book://two"),
        ("second part", "book://two"),
        # What is an address is one, also where another is called so.
        ("book://two", "book://two"),
        ("book://three", "book://three"),
    ],
)
async def test_resource_is_read_by_its_address_its_name_or_its_title(
    words: str, address: str
) -> None:
    books = [book("book://two", "book://one"), book("two", "book://two", title="Second Part")]
    shelf = ResourceTemplate(name="shelf", uri_template="shelf://{number}")
    extras = await read(Server(resources=[books], resource_templates=[[shelf]]))
    assert (await asked(extras, "resources/read", {"resource": words}))[0] == address


async def test_prompt_is_asked_for_with_texts_and_answers_what_its_server_asks() -> None:
    extras = await read(Server(prompts=[[prompt("a")]]))
    more = {"input_responses": {}, "request_state": "open"}
    name, texts, rest = await asked(extras, "prompt/a", {"n": 7, "m": None}, **more)
    assert (name, texts) == ("a", {"n": "7"})
    assert more.items() <= rest.items()
    # A tool of the server's own is none of these.
    assert extras.wanted("a", {}) is None
    assert extras.wanted("resources/read", {}) is None
