"""What answers about the past have at hand besides: what is recorded, and the words for it."""

from ...home.exposed import Exposed
from ..handler import HomeView, QuestionHandler
from ..intervals import Interval
from .phrasing import HistoryPhrasing
from .recorder_reader import RecorderReader


class HistoryHandler(QuestionHandler):
    """Answers one kind of question about the past, of exposed entities alone, which it names."""

    def __init__(self, view: HomeView) -> None:
        """Take the home and the words for an answer."""
        super().__init__(view)
        self._recorded = RecorderReader(view.hass)
        own = view.phrasing
        self._phrasing: HistoryPhrasing = HistoryPhrasing(
            own.hass, own.language, own.things, own.now
        )

    def _not_recorded(self, entity: Exposed, span: Interval | None) -> str:
        return self._phrasing.of(entity.names[0], span, self._phrasing.past("not_recorded"))
