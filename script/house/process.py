"""Home Assistant in a process that ends with the one that started it: `python process.py ARGUMENTS`.

Home Assistant knows signals only. Here the end of stdin is one, so that a parent that is killed
leaves nothing behind.
"""

import os
import signal
import sys
from threading import Thread

from homeassistant.__main__ import main


def _end_with_stdin() -> None:
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    Thread(target=_end_with_stdin, daemon=True).start()
    sys.exit(main())
