"""A newcomer with a browser, and all that is at home."""

from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
import pytest_socket

from .assist import Assist
from .chromium import NoBrowserError, browser_page
from .clicks import Clicks
from .flow import FlowDialog
from .frontend import Frontend
from .household import Household, household
from .integration import Integration
from .pictures import Pictures
from .plans import PlansPages
from .words import Words

_FAILED = pytest.StashKey[bool]()
_TOLD = pytest.StashKey[list[str]]()


@dataclass(frozen=True, slots=True)
class Walk:
    """What the newcomer has in hand."""

    home: Household
    frontend: Frontend
    integration: Integration
    flow: FlowDialog
    assist: Assist
    plans: PlansPages
    pictures: Pictures
    clicks: Clicks
    told: list[str]
    """What is told at the very end."""


@pytest.fixture(autouse=True)
def _custom_integrations(socket_enabled: None) -> None:
    """Leave Home Assistant to its own process, and let programs on this machine talk."""


@pytest.fixture(autouse=True)
def verify_cleanup() -> None:
    """Let browser and household outlive a step."""


@pytest.fixture(scope="session")
def folder(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where pictures go."""
    return _folder(pytestconfig.getoption("--pictures")) or tmp_path_factory.mktemp("pictures")


@pytest.fixture(scope="session")
def looks(pytestconfig: pytest.Config) -> Path | None:
    """Return where pictures go that are not the documentation's."""
    return _folder(pytestconfig.getoption("--looks"))


def _folder(given: str | None) -> Path | None:
    if not given:
        return None
    path = Path(given).resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def walk(
    request: pytest.FixtureRequest, folder: Path, looks: Path | None
) -> AsyncGenerator[Walk]:
    """Let the newcomer come home and open the browser, in the module's `LANGUAGE`."""
    pytest_socket.enable_socket()
    language = getattr(request.module, "LANGUAGE", "en")
    if language != "en":
        # The documentation's are in English.
        folder = (looks or folder) / language
        folder.mkdir(exist_ok=True)
    try:
        async with browser_page(language) as page, household(language) as home:
            frontend = Frontend(page, home.api.url, Words(language))
            yield Walk(
                home,
                frontend,
                Integration(frontend),
                FlowDialog(frontend),
                Assist(frontend),
                PlansPages(frontend),
                Pictures(page, folder, looks if language == "en" else None),
                await Clicks.counted(page),
                request.config.stash.setdefault(_TOLD, []),
            )
    except NoBrowserError as err:
        raise pytest.fail.Exception(str(err), pytrace=False) from None


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """End with what the walk has to tell."""
    for line in config.stash.get(_TOLD, []):
        terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember of a step that it failed."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def _picture_of_failure(
    request: pytest.FixtureRequest, walk: Walk, folder: Path
) -> AsyncGenerator[None]:
    """Show what the newcomer saw where a step failed."""
    yield
    if request.node.stash.get(_FAILED, False):
        page, file = walk.frontend.page, folder / f"failed-{request.node.name}.png"
        await page.screenshot(path=file)
        file.with_suffix(".yaml").write_text(await page.aria_snapshot())
        print(f"What was seen: {file}")  # noqa: T201
