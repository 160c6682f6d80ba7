"""Builds what HACS downloads: the integration in a zip, with a release's version in its manifest.

    script/package [VERSION]

Writes dist/voice_gateway.zip and prints its path. The manifest in the checkout says which version
comes next; VERSION, a release's tag, takes its place in the zip. The same files always make the same
zip, byte by byte. Needs nothing but Python 3.11 or later.
"""

from collections.abc import Iterator
import json
from pathlib import Path
import re
import sys
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

CHECKOUT = Path(__file__).resolve().parents[1]
_FOLDER = Path("custom_components", "voice_gateway")
INTEGRATION = CHECKOUT / _FOLDER
ZIP = CHECKOUT / "dist" / "voice_gateway.zip"
"""As `hacs.json` calls it. HACS unpacks it into `custom_components/voice_gateway`."""

# What is no file of these is no part of the integration.
_KINDS = {".py", ".json", ".toml", ".yaml", ".png"}
_VERSION = re.compile(r"v?(\d+\.\d+\.\d+(?:(?:b|rc)\d+)?)")
# Zip knows no earlier time.
_TIME = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16


def main() -> None:
    """Build the zip for the version that was given, else for the manifest's."""
    print(build(ZIP, sys.argv[1] if len(sys.argv) > 1 else None))


def build(target: Path, tag: str | None = None, checkout: Path = CHECKOUT) -> Path:
    """Write the zip of a version, given as `1.2.3`, `1.2.3b1` or with a `v` before; return its path.

    Raises ValueError for what is no version.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        integration = checkout / _FOLDER
        for file in files(integration):
            content = file.read_bytes()
            if tag and file == integration / "manifest.json":
                content = stamped(content, tag)
            info = ZipInfo(file.relative_to(integration).as_posix(), _TIME)
            info.compress_type, info.external_attr = ZIP_DEFLATED, _MODE
            archive.writestr(info, content)
    return target


def files(integration: Path) -> Iterator[Path]:
    """Yield an integration's files, always in the same order."""
    for file in sorted(integration.rglob("*")):
        if file.suffix in _KINDS and file.is_file():
            yield file


def stamped(manifest: bytes, tag: str) -> bytes:
    """Return a manifest with a tag's version; raises ValueError where the tag is none."""
    if (found := _VERSION.fullmatch(tag)) is None:
        raise ValueError(f"{tag} is no version such as 1.2.3 or v1.2.3b0")
    content = json.loads(manifest) | {"version": found[1]}
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    main()
