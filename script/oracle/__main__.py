"""`python -m script.oracle`: see `command.py`."""

import os
import sys

_SEED = "PYTHONHASHSEED"

if os.environ.get(_SEED) != "0":
    # The order of sets depends on the seed, which is fixed before Python starts.
    command = [sys.executable, "-m", "script.oracle", *sys.argv[1:]]
    os.execve(sys.executable, command, {**os.environ, _SEED: "0"})

from .command import main  # noqa: E402 - it takes seconds

sys.exit(main())
