"""Makes a release: version, notes, commit, tag and zip.

    script/release 1.2.3

Moves what CHANGELOG.md has under "Unreleased" to a heading of that version, writes the version into the
manifest, commits both, tags the commit with these notes, and builds dist/voice_gateway.zip. Nothing is
pushed: `git push --follow-tags` publishes, and `.github/workflows/release.yml` does the rest.
"""

from datetime import UTC, datetime
from pathlib import Path
import re
import subprocess
import sys

from .packaging import CHECKOUT, build, stamped

_MANIFEST = "custom_components/voice_gateway/manifest.json"
_CHANGELOG = "CHANGELOG.md"
_UNRELEASED = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def main() -> int:
    """Run the command line; return the exit status."""
    match sys.argv[1:]:
        case [version]:
            try:
                release(CHECKOUT, version)
            except ValueError as error:
                print(error, file=sys.stderr)
                return 1
            return 0
    print(__doc__, file=sys.stderr)
    return 2


def release(checkout: Path, version: str) -> None:
    """Release a version, given as `1.2.3`, from a clean checkout.

    Raises ValueError for what is no version, for uncommitted changes, without notes, and if the tag exists.
    """
    tag, changelog, manifest = f"v{version}", checkout / _CHANGELOG, checkout / _MANIFEST
    new_manifest = stamped(manifest.read_bytes(), version)
    if _git(checkout, "status", "--porcelain"):
        raise ValueError("Commit or stash your changes first")
    if _git(checkout, "tag", "--list", tag):
        raise ValueError(f"{tag} exists")
    new_changelog, notes = released(changelog.read_text("utf-8"), version)

    manifest.write_bytes(new_manifest)
    changelog.write_text(new_changelog, "utf-8")
    _git(checkout, "commit", "--quiet", "-m", f"Release {version}", _MANIFEST, _CHANGELOG)
    _git(checkout, "tag", "--annotate", tag, "--cleanup=verbatim", "-m", notes)
    print(build(checkout / "dist" / "voice_gateway.zip", tag, checkout))
    print(f"{tag} is made. To publish it: git push --follow-tags")


def released(changelog: str, version: str) -> tuple[str, str]:
    """Return the changelog with its unreleased part as a version's, and that part.

    Raises ValueError if nothing is unreleased.
    """
    found = _UNRELEASED.search(changelog)
    if found is None or not (notes := found[1].strip()):
        raise ValueError(f"{_CHANGELOG} has nothing under Unreleased")
    today = datetime.now(UTC).date().isoformat()
    section = f"## Unreleased\n\n## {version} ({today})\n\n{notes}\n\n"
    return (changelog[: found.start()] + section + changelog[found.end() :]).rstrip() + "\n", notes


def _git(checkout: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=checkout, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
