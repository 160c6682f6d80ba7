"""Runs benches in forks of a process that has imported Home Assistant once: most of a short bench's time.

A line of stdin is a JSON object with the `module`, its `arguments`, the `environment` and the `output`
file; the answer is a line with the exit status.
"""

import json
import os
from runpy import run_module
import signal
import sys

import script.explanation.__main__  # noqa: F401

TIMEOUT = 120  # seconds


def main() -> None:
    """Run what each line of stdin asks for, until it ends."""
    for line in sys.stdin:
        order = json.loads(line)
        if not (process := os.fork()):
            sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
            with open(order["output"], "w") as output:  # noqa: PTH123
                os.dup2(output.fileno(), 1)
            signal.alarm(TIMEOUT)
            os.environ.update(order["environment"])
            sys.argv = [order["module"], *order["arguments"]]
            run_module(order["module"], run_name="__main__", alter_sys=True)
            sys.exit()
        _, status = os.waitpid(process, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
