"""A release is a commit, a tag with notes, and a zip, in one step."""

import json
from pathlib import Path
import shutil
import subprocess
from zipfile import ZipFile

import pytest

from script.packaging import CHECKOUT
from script.release import released

MANIFEST = "custom_components/voice_gateway/manifest.json"


def git(folder: Path, *arguments: str) -> str:
    name = ["-c", "user.name=Anna", "-c", "user.email=anna@example.com"]
    done = subprocess.run(
        ["git", *name, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


def cut(folder: Path, version: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [folder / "script" / "release", version],
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a repository with what a release is made of."""
    folder = tmp_path / "clone"
    (folder / "script").mkdir(parents=True)
    (folder / MANIFEST).parent.mkdir(parents=True)
    for name in ("CHANGELOG.md", MANIFEST, "script/release", ".gitignore"):
        shutil.copy(CHECKOUT / name, folder / name)
    for name in ("__init__.py", "release.py", "packaging.py"):
        shutil.copy(CHECKOUT / "script" / name, folder / "script")
    git(folder, "init", "--quiet")
    git(folder, "config", "user.name", "Anna")
    git(folder, "config", "user.email", "anna@example.com")
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "All")
    return folder


def test_release_is_a_commit_a_tag_with_notes_and_a_zip(clone: Path) -> None:
    done = cut(clone, "9.8.7")
    assert done.returncode == 0, done.stderr
    assert git(clone, "status", "--porcelain", "--untracked-files=no") == ""
    assert json.loads((clone / MANIFEST).read_text())["version"] == "9.8.7"
    notes = git(clone, "tag", "--list", "--format=%(contents)", "v9.8.7")
    assert "The first release." in notes
    assert "## 9.8.7 (" in (clone / "CHANGELOG.md").read_text()
    with ZipFile(clone / "dist" / "voice_gateway.zip") as archive:
        assert json.loads(archive.read("manifest.json"))["version"] == "9.8.7"


@pytest.mark.parametrize(
    ("version", "change", "reason"),
    [
        ("1.2", "", "is no version"),
        ("9.8.7", "CHANGELOG.md", "Commit or stash"),
    ],
)
def test_release_is_refused(clone: Path, version: str, change: str, reason: str) -> None:
    if change:
        (clone / change).write_text("Changed")
    done = cut(clone, version)
    assert done.returncode == 1
    assert reason in done.stderr
    assert git(clone, "tag", "--list") == ""


def test_same_version_is_released_once(clone: Path) -> None:
    assert cut(clone, "9.8.7").returncode == 0
    assert "v9.8.7 exists" in cut(clone, "9.8.7").stderr


def test_version_gets_what_was_unreleased() -> None:
    before = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n"
    after, notes = released(before, "0.2.0")
    assert notes == "- New."
    assert [line for line in after.splitlines() if line.startswith("## ")] == [
        "## Unreleased",
        after.splitlines()[4],
        "## 0.1.0 (2026-01-01)",
    ]
    with pytest.raises(ValueError, match="nothing under Unreleased"):
        released(after, "0.3.0")
