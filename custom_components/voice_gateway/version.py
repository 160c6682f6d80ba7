"""The version of the integration, from the manifest; a release sets it there."""

import json
from pathlib import Path
from typing import Final

VERSION: Final[str] = json.loads(Path(__file__).with_name("manifest.json").read_text("utf-8"))[
    "version"
]
