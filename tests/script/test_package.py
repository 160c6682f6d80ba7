"""A release's zip holds the integration and nothing else, and works in an empty Home Assistant."""

import hashlib
import json
from pathlib import Path
import subprocess
from zipfile import ZipFile

import pytest

from script.house.assistant import add_assistant
from script.house.home_assistant import free_port, started, write_configuration
from script.house.model import Model
from script.packaging import INTEGRATION, build, stamped
from tests.ollama import MODEL, call, calls, played_ollama, says

VERSION = "9.8.7"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return the zip of a release."""
    return build(tmp_path / "voice_gateway.zip", f"v{VERSION}")


def test_package_holds_what_belongs_to_the_integration(package: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "."],
        cwd=INTEGRATION,
        capture_output=True,
        text=True,
        check=True,
    )
    with ZipFile(package) as archive:
        assert sorted(archive.namelist()) == sorted(listed.stdout.split())
        assert {
            "manifest.json",
            "translations/en.json",
            "languages/pl.toml",
            "zwave_mcp/__main__.py",
        } <= set(archive.namelist())


def test_package_has_the_version_of_the_release(package: Path) -> None:
    with ZipFile(package) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    source = json.loads((INTEGRATION / "manifest.json").read_text())
    assert manifest == source | {"version": VERSION}
    # Home Assistant wants these two first.
    assert list(manifest)[:2] == ["domain", "name"]


def test_same_files_make_the_same_package(package: Path, tmp_path: Path) -> None:
    again = build(tmp_path / "again.zip", VERSION)
    digests = {hashlib.sha256(file.read_bytes()).digest() for file in (package, again)}
    assert len(digests) == 1


@pytest.mark.parametrize("tag", ["", "main", "v1", "1.2", "1.2.3-beta", "1.2.3\n"])
def test_what_is_no_version_makes_no_package(tag: str) -> None:
    with pytest.raises(ValueError, match="is no version"):
        stamped(b"{}", tag)


async def test_package_works_in_an_empty_home_assistant(
    package: Path, tmp_path: Path, socket_enabled: None
) -> None:
    """As HACS installs it: unpacked into the folder of that name."""
    config, port = tmp_path / "config", free_port()
    config.mkdir()
    write_configuration(config, port, ui=False, package=package)
    async with played_ollama() as ollama, started(config, port) as api:
        manifest = await api.command("manifest/get", integration="voice_gateway")
        assert manifest["version"] == VERSION
        assistant = await add_assistant(api, Model(ollama.url, MODEL))
        turn_on = call("intent__HassTurnOn", name="Kitchen Lights")
        ollama.answers(calls(turn_on), says("It is on."))
        said = await api.command(
            "conversation/process", text="turn on the kitchen lights", agent_id=assistant.agent_id
        )
        assert said["response"]["response_type"] != "error"
        assert (await api.states())["light.kitchen_lights"]["state"] == "on"
        # Nothing went wrong that only the log tells of.
        log = await api.command("system_log/list")
        assert [each for each in log if "voice_gateway" in each["name"]] == []
