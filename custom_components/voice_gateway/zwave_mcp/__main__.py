"""Runs the Z-Wave MCP server: `python …/zwave_mcp`, from anywhere, needs nothing on the path."""

from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
import sys


def package() -> str:
    """Return the name of the package that this file belongs to, made importable where it is not.

    Started by its folder's path, Python takes this file for a program without a package and puts
    its folder on the path, where a `names` or `server` would hide somebody else's.
    """
    if __package__:
        return __package__
    folder = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != folder]
    spec = spec_from_file_location(
        "zwave_mcp", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} cannot be imported")
    module = sys.modules["zwave_mcp"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return "zwave_mcp"


if __name__ == "__main__":
    import_module(".command_line", package()).main()
