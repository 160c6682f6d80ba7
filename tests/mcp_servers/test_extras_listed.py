"""Prompts and resources as a server lists them, and what is read of them."""

from types import SimpleNamespace
from typing import Any, cast

from mcp import MCPError
from mcp.client.session import ClientSession
from mcp.types import CallToolResult, Prompt, PromptArgument, Resource, ResourceTemplate
import pytest

from custom_components.voice_gateway.mcp_servers.prompts_and_resources import Extras
from custom_components.voice_gateway.mcp_servers.requests import RequestSpec

FAILS = MCPError(-32000, "Cannot tell just now")


class Server:
    """Lists things, on as many pages as there are; what it can't list it fails on."""

    def __init__(self, **listed: list[list[Any]] | MCPError) -> None:
        """Take the pages of each kind; without an end, the last one leads to the first."""
        self.listed: dict[str, Any] = {"prompts": [[]], "resources": [[]], **listed}
        self.circles = False
        self.pages = 0
        self.server_capabilities = SimpleNamespace(prompts=True, resources=True)

    def _page(self, kind: str, cursor: str | None) -> Any:
        self.pages += 1
        pages = self.listed.get(kind, [[]])
        if isinstance(pages, MCPError):
            raise pages
        number = int(cursor or 0)
        following = (number + 1) % len(pages) if self.circles else number + 1
        more = self.circles or following < len(pages)
        return SimpleNamespace(
            **{kind: pages[number]}, next_cursor=str(following) if more else None
        )

    async def list_prompts(self, params: Any) -> Any:
        """List the prompts of a page."""
        return self._page("prompts", params.cursor)

    async def list_resources(self, params: Any) -> Any:
        """List the resources of a page."""
        return self._page("resources", params.cursor)

    async def list_resource_templates(self, params: Any) -> Any:
        """List the templates of a page."""
        return self._page("resource_templates", params.cursor)


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


async def test_all_pages_are_read_and_none_twice() -> None:
    server = Server(
        prompts=[[prompt("a")], [prompt("b"), prompt("a", title="Other")]],
        resources=[[book("emma")], [book("ulysses")]],
    )
    extras = await read(server)
    assert names(extras) == ["prompt/a", "prompt/b", "resources/read"]
    # Of two that are called the same, it is the first.
    assert [tool.title for tool in extras.tools[:2]] == [None, None]
    server.circles = True
    assert names(await read(server)) == names(extras)


@pytest.mark.parametrize(("kind", "most"), [("prompts", 50), ("resources", 100)])
async def test_list_without_an_end_is_left_at_what_can_be_used(kind: str, most: int) -> None:
    make = prompt if kind == "prompts" else book
    extras = await read(Server(**{kind: [[make(f"n{number}")] for number in range(most + 5)]}))
    assert len(extras.tools) == (most if kind == "prompts" else 1)
    listed = extras.wanted("resources/read", {})
    if isinstance(listed, CallToolResult):
        assert getattr(listed.content[0], "text").count("\n") == most - 1  # noqa: B009 - of any part


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


async def test_templates_alone_can_be_read_too() -> None:
    template = ResourceTemplate(name="shelf", uri_template="shelf://{number}")
    extras = await read(Server(resource_templates=[[template]]))
    assert names(extras) == ["resources/read"]
    assert await wanted(extras, "shelf://4") == "shelf://4"


class Asked:
    """A session that answers with what it was asked."""

    async def read_resource(self, uri: str, **_: Any) -> str:
        """Return the address."""
        return uri

    async def get_prompt(self, *asked: Any, **rest: Any) -> Any:
        """Return all that it is given."""
        return *asked, rest


async def wanted(extras: Extras, which: str) -> str:
    """Return the address that is read for words."""
    found = extras.wanted("resources/read", {"resource": which})
    assert isinstance(found, RequestSpec)
    return str(await found.send(Asked(), None))


async def test_resource_is_read_by_its_address_its_name_or_its_title() -> None:
    extras = await read(
        Server(
            resources=[
                [book("book://two", "book://one"), book("two", "book://two", title="Second Part")]
            ]
        )
    )
    assert await wanted(extras, " TWO ") == "book://two"
    assert await wanted(extras, "second part") == "book://two"
    # What is an address is one, also where another is called so.
    assert await wanted(extras, "book://two") == "book://two"
    assert await wanted(extras, "book://three") == "book://three"
    assert isinstance(extras.wanted("resources/read", {"resource": " "}), CallToolResult)


async def test_prompt_is_asked_for_with_texts_and_answers_what_its_server_asks() -> None:
    arguments = [PromptArgument(name="n", required=True), PromptArgument(name="m")]
    extras = await read(Server(prompts=[[prompt("a", arguments=arguments)]]))
    found = extras.wanted("prompt/a", {"n": 7, "m": None})
    assert isinstance(found, RequestSpec)
    name, texts, rest = await found.send(Asked(), None, input_responses={}, request_state="open")
    assert (name, texts) == ("a", {"n": "7"})
    assert (rest["input_responses"], rest["request_state"]) == ({}, "open")
    # A tool of the server's own is none of these.
    assert extras.wanted("a", {}) is None
    assert extras.wanted("resources/read", {}) is None


async def test_nothing_is_stale_where_there_is_nothing() -> None:
    assert not (await read(Server())).is_stale(0)
    extras = await read(Server(prompts=[[prompt("a")]]))
    assert extras.is_stale(0)
    assert not extras.is_stale(60)
