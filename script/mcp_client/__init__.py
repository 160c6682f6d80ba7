"""Runs the protocol's own conformance suite against our MCP client."""

# Before Home Assistant's test helpers, and before their own folder of custom components comes first.
import custom_components  # noqa: F401
import tests.home_assistant_first  # noqa: F401
