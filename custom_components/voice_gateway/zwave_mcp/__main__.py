"""Runs the Z-Wave MCP server: `python …/zwave_mcp`, from any directory and search path."""

from importlib import import_module
from pathlib import Path
import sys
from types import ModuleType


def package() -> str:
    """Return the name of this file's package, after it was made importable if necessary.

    Started by its folder's path, Python takes this file for a program without a package and puts
    its folder on the path, where a `server` or `tools` would shadow another module; started as a
    module from the integration's folder, that one, where a `calendar` would. The integration's own
    `__init__` would load Home Assistant: a stub package of its name replaces it.
    """
    if __package__ and "." in __package__:
        return __package__
    folder = Path(__file__).resolve().parent
    hiding = folder, folder.parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() not in hiding]
    integration = sys.modules["voice_gateway"] = ModuleType("voice_gateway")
    integration.__path__ = [str(folder.parent)]
    return f"voice_gateway.{folder.name}"


if __name__ == "__main__":
    import_module(".command_line", package()).main()
