"""How a sentence is read, shown to people."""

# It sets up what has to come before Home Assistant's test helpers, which run the home.
import bench  # noqa: F401
