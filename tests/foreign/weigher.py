# mypy: ignore-errors
"""A server made with FastMCP, whose tools want values under names of one's own choice."""

from fastmcp import FastMCP

server = FastMCP("weigher")


@server.tool
def total(weights: dict[str, float], unit: str = "kg") -> str:
    """Add weights up."""
    return f"{sum(weights.values())} {unit}"


@server.tool
def first(rows: list[dict[str, int | None]]) -> str:
    """Tell the first row."""
    return str(rows[0])


server.run(show_banner=False)
