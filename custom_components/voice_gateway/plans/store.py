"""Storage of plans across restarts."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from ..const import DOMAIN, LOGGER
from .plan import Plan
from .stored import as_json, of_json

ISSUE_FILE = "plans_file_unread"
ISSUE_SOME = "plans_unread"

_VERSION = 1
# Errors of a JSON file that no Store has written, or that has a newer version.
_UNREADABLE = (HomeAssistantError, NotImplementedError, LookupError, TypeError, ValueError)


class PlanStore:
    """A file of plans.

    - Unreadable data is never lost, and a repair issue reports it.
    - An unreadable plan stays in the file beside the others and is tried again at the next start.
    - An unreadable file is kept under another name.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Prepare the file's store."""
        self._hass = hass
        self._store: Store[dict[str, Any]] = Store(
            hass, _VERSION, f"{DOMAIN}.plans", private=True, atomic_writes=True
        )
        self._unread: list[Any] = []

    async def async_load(self) -> list[Plan]:
        """Return the stored plans."""
        try:
            stored = await self._store.async_load() or {}
            found, before = list(stored.get("plans", ())), list(stored.get("unread", ()))
        except (*_UNREADABLE, AttributeError) as err:
            await self._async_put_aside(err)
            return []
        plans = [plan for data in found if (plan := self._read(data))]
        is_new = bool(self._unread)
        plans += [plan for data in before if (plan := self._read(data))]
        if is_new:
            self._tell(ISSUE_SOME, number=str(len(self._unread)))
        return plans

    async def async_save(self, plans: Iterable[Plan]) -> None:
        """Store plans in place of the previous ones."""
        await self._store.async_save(
            {"plans": [as_json(each) for each in plans], "unread": self._unread}
        )

    async def async_remove(self) -> None:
        """Remove the file and its repair issues."""
        self._unread.clear()
        await self._store.async_remove()
        for issue in (ISSUE_FILE, ISSUE_SOME):
            ir.async_delete_issue(self._hass, DOMAIN, issue)

    def _read(self, data: Any) -> Plan | None:
        """Return a stored plan; keep data that is no plan."""
        with suppress(KeyError, TypeError, ValueError, AttributeError, OverflowError):
            plan: Plan = of_json(Plan, data)
            return plan
        LOGGER.warning("A plan in %s can't be read, and is kept there", self._store.path)
        self._unread.append(data)
        return None

    def set_aside(self, plan: Plan) -> None:
        """Treat an unusable plan as an unreadable one: keep it and create a repair issue."""
        self._unread.append(as_json(plan))
        self._tell(ISSUE_SOME, number=str(len(self._unread)))

    async def _async_put_aside(self, err: Exception) -> None:
        """Rename an unreadable file, so that a new one can be written."""
        path = Path(self._store.path)
        aside = path.with_name(f"{path.name}.unread.{dt_util.utcnow().isoformat()}")
        LOGGER.error("%s can't be read, and is kept as %s: %s", path, aside, err)
        try:
            await self._hass.async_add_executor_job(path.rename, aside)
        except OSError:
            # The existing file must not be overwritten.
            self._store.make_read_only()
            aside = path
        self._tell(ISSUE_FILE, path=str(aside), error=str(err) or type(err).__name__)

    def _tell(self, issue: str, **words: str) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            issue,
            is_fixable=True,
            is_persistent=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key=issue,
            translation_placeholders=words | {"file": self._store.path},
        )
