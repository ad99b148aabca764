"""When the screen must catch up: moves are shown one after another, but the viewer must see the
present in time when the table waits for them. Does not draw; the caller gives the time, except for
the players' clocks."""

from __future__ import annotations

from client.net.conversation import Conversation
from client.screen.timeline import Timeline
from client.state.clocks import Countdown, low

LAG = 4.0
"""How many seconds moves may still be shown one after another while we are waited for."""


class CatchUp:
    """Watches a timeline that may lag behind what is asked of us."""

    def __init__(
        self, conversation: Conversation, timeline: Timeline, countdown: Countdown
    ) -> None:
        self._conversation = conversation
        self._timeline = timeline
        self._countdown = countdown
        self._since: float | None = None
        """Since when we are waited for while the screen is behind."""

    @property
    def low(self) -> bool:
        """Whether our own clock runs and is low."""
        scene = self._conversation.model.scene
        if scene is None or scene.seat is None or not self._countdown.runs(scene.seat):
            return False
        left = self._countdown.left(scene.seat)
        return left is not None and low(left, scene.table.clock)

    def check(self, now: float, waited_for: bool) -> float | None:
        """Show the present if we are waited for and our clock is low, or if showing moves takes
        too long; seconds until that would be, None if it will not be."""
        timeline = self._timeline
        if not waited_for or not (timeline.pace.behind or timeline.interlude is not None):
            self._since = None
        elif self.low:
            timeline.catch_up()
            timeline.turn_page()
        elif timeline.interlude is not None:
            # A page is being read: it stays as long as there is time.
            self._since = None
        elif self._since is None:
            self._since = now
            return LAG
        elif now - self._since >= LAG:
            timeline.catch_up()
        else:
            return self._since + LAG - now
        return None
