"""Whether a command is done at once beside a clause that has a time of its own.

A reminder, a message, an appointment or a remark stands before or behind a plain command: "we leave in
ten minutes, turn off the light". All is as in `bench/moments.py`, for other sentences: `right/eager` are
the commands that were done, at once and for good.
"""

import sys

from bench.moments import main

if __name__ == "__main__":
    sys.exit(main("neighbours"))
