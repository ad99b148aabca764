"""When there is no time to look back: moves are shown one after another, but whoever is
waited for must see the present in time. Draws nothing; times are given, but for clocks."""

from __future__ import annotations

from collections.abc import Callable

from client.clocks import Countdown, low
from client.screen.story import Story
from client.talk import Talk

LAG = 4.0
"""Seconds that moves may still be shown one after another while we are waited for."""


class Hurry:
    """Watches a story that may lag behind what is asked of us."""

    def __init__(self, talk: Talk, story: Story, countdown: Countdown) -> None:
        self._talk = talk
        self._story = story
        self._countdown = countdown
        self._since: float | None = None
        """Since when we are waited for while the screen is behind."""

    @property
    def low(self) -> bool:
        """Whether our own time runs and is little."""
        scene = self._talk.model.scene
        if scene is None or scene.seat is None or not self._countdown.runs(scene.seat):
            return False
        left = self._countdown.left(scene.seat)
        return left is not None and low(left, scene.table.clock)

    def look(self, now: float, waited_for: bool, catch_up: Callable[[], None]) -> float | None:
        """Show the present if we are waited for and our clock is low, or showing takes long;
        seconds until that would be, None if it is not to come."""
        story = self._story
        if not waited_for or not (story.pace.behind or story.interlude is not None):
            self._since = None
        elif self.low:
            catch_up()
            story.turn_page()
        elif story.interlude is not None:
            # A page that is being read: it stays as long as there is time.
            self._since = None
        elif self._since is None:
            self._since = now
            return LAG
        elif now - self._since >= LAG:
            catch_up()
        else:
            return self._since + LAG - now
        return None
