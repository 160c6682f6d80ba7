"""What is told of the demo's Home Assistant where it does not start."""

from pathlib import Path

from script.house.home_assistant import logged

WARNING = "2026-11-22 20:25:00.000 WARNING (MainThread) [homeassistant.loader] We found one\n"
FRAMES = "".join(f"  frame {number}\n" for number in range(100))
ERROR = (
    "2026-11-22 20:25:01.000 ERROR (MainThread) [homeassistant.setup] Setup of voice_gateway\n"
    f"Traceback (most recent call last):\n{FRAMES}ImportError: no module\n"
)


def test_first_error_of_ours_is_told_with_its_end(tmp_path: Path) -> None:
    log = tmp_path / "home-assistant.log"
    assert logged(tmp_path) == "(empty)"
    log.write_text(WARNING)
    assert logged(tmp_path) == WARNING.strip()
    log.write_text(WARNING + ERROR + WARNING)
    told = logged(tmp_path).splitlines()
    assert told[0].endswith("Setup of voice_gateway")
    assert told[-1] == "ImportError: no module"
    assert len(told) < 50
