"""What the suite starts for each scenario: it has the Home Assistant that runs already do it.

    python client.py SOCKET URL

Only of the standard library, as it is started some fifty times.
"""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as home:
    home.connect(sys.argv[1])
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    job = {"url": sys.argv[2], "scenario": scenario, "context": context}
    home.sendall(json.dumps(job).encode() + b"\n")
    said = home.makefile().readline()
sys.stderr.write(said)
sys.exit(said.strip() != "done")
