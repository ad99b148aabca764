"""Where in a stored match the replay is, and what it can be told to do.

Steps that are far away are made in short slices, and keys are handled in between. Does not open
files, does not draw, and does not know any rule.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from client.narration import narrate
from client.replay.recording import Recording, Viewpoint
from client.replay.steps import ReplayStep, ReplaySteps
from client.replay.stored import EXIT_UNSOUND, misfit
from client.screen.interface import Ask, Field, Leaving
from client.screen.lines import cut
from client.screen.open_page import OpenPage
from client.screen.text_screen import screen_of
from client.screen.timeline import LogLine, Speaker
from client.state.scene import Scene
from client.text import clean
from protocol.codec import ProtocolError

SLICE_SECONDS = 0.05
"""How long steps are made before keys are handled again."""
PLAY_SECONDS = 1.0
"""How long each step is shown while the replay plays by itself."""


@frozen
class _Seek:
    """A step to go to, which may have to be made first."""

    view: Viewpoint
    at: int | None
    """Its index; None: the next one in which an epoch begins."""


class ReplayState:
    """The state behind the screen: the step shown, the viewpoint, what is open."""

    def __init__(self, recording: Recording, view: Viewpoint, at: int, where: str = "") -> None:
        """Begins at the step of index `at`; `where`: what is shown, as it was named."""
        self._where = where
        self.recording = recording
        self.view = view
        self.at = 0
        """Index of the step shown."""
        self.field: Field | None = None
        self.left: Leaving | None = None
        self.page = OpenPage()
        self.notice = ""
        self.playing = False
        self._due = 0.0
        self._seek: _Seek | None = None
        self.game_screen = screen_of(recording.game)
        self._cached_log = lru_cache(maxsize=4)(self._make_log)
        self.go(at)

    @property
    def steps(self) -> ReplaySteps:
        """The steps from the current viewpoint."""
        return self.recording.steps(self.view)

    @property
    def step(self) -> ReplayStep:
        """The step shown."""
        return self.steps[self.at]

    def scene(self, at: int) -> Scene:
        """A step's scene, with all hands if the viewpoint is everybody's."""
        step = self.steps[at]
        if step.hands:
            return self.game_screen.reveal(step.scene, step.hands)
        return step.scene

    def log(self, least: int) -> Sequence[LogLine]:
        """The last lines up to the step shown: at least `least` of them, or all there are."""
        return self._cached_log(self.view, self.at, least)

    def _make_log(self, view: Viewpoint, at: int, least: int) -> Sequence[LogLine]:
        lines: list[LogLine] = []
        steps = self.recording.steps(view)
        for index in range(at, -1, -1):
            if len(lines) >= least:
                break
            step = steps[index]
            for happening in reversed(step.happenings):
                texts = narrate(happening, step.scene, self.recording.game)
                lines += [LogLine(text, Speaker.TABLE, step.number) for text in reversed(texts)]
        return lines[::-1]

    @property
    def styles(self) -> Mapping[str, str]:
        """The style classes of the game."""
        return self.game_screen.styles

    # moving

    def go(self, at: int) -> None:
        """Go to a step by its index, or to the nearest one that exists."""
        self._seek_to(_Seek(self.view, min(max(at, 0), len(self.steps) - 1)))

    def go_by(self, count: int) -> None:
        """Go `count` steps forward (negative: back) and stop playing."""
        self.playing = False
        self.go(self.at + count)

    def next_epoch(self) -> None:
        """Go to the next step in which an epoch begins."""
        self._seek_to(_Seek(self.view, None))

    def previous_epoch(self) -> None:
        """Go back to the nearest step in which an epoch begins."""
        before = [begin for begin in self.steps.begins if begin < self.at]
        if before:
            self.go(before[-1])
        else:
            self.notice = "This is the first one."

    def next_view(self) -> None:
        """Show the same step from the next viewpoint."""
        views = self.recording.views
        if len(views) == 1:
            self.notice = "This can be seen through no other eyes."
            return
        view = views[(views.index(self.view) + 1) % len(views)]
        self._seek_to(_Seek(view, self.at))

    def play_or_stop(self) -> None:
        """Start playing by itself, or stop."""
        self.playing = not self.playing

    @property
    def seeking(self) -> int | None:
        """How many steps have been made on the way to the target; None: it is reached."""
        return None if self._seek is None else self.recording.steps(self._seek.view).made

    def stop_seeking(self) -> None:
        """Stay at the step shown."""
        self._seek = None

    def _seek_to(self, seek: _Seek) -> None:
        self._seek = seek
        self._come_closer()

    def _come_closer(self) -> None:
        """Make steps towards the target for a short time."""
        seek, until = self._seek, time.monotonic() + SLICE_SECONDS
        if seek is None:
            return
        try:
            steps = self.recording.steps(seek.view)
            at = self._next_begin(steps, until) if seek.at is None else seek.at
            if at is None:
                if steps.made == len(steps):
                    self._seek, self.notice = None, "There is no epoch further on."
                return
            if steps.reach(at, until):
                steps[at]
                self.view, self.at, self._seek = seek.view, at, None
        except ProtocolError as error:
            self.leave(EXIT_UNSOUND, clean(str(misfit(self._where, error))), error=True)

    def _next_begin(self, steps: ReplaySteps, until: float) -> int | None:
        """The next step in which an epoch begins; None: none was made in time."""
        while True:
            found = next((begin for begin in steps.begins if begin > self.at), None)
            if found is not None or steps.made == len(steps):
                return found
            if not steps.reach(len(steps) - 1, until):
                return next((begin for begin in steps.begins if begin > self.at), None)

    # fields

    def ask_step(self) -> None:
        """Let the number of a step be typed."""
        self.field = Field(Ask.STEP)

    def enter(self, text: str) -> None:
        self.field = None
        text = text.strip()
        first, last = 1, len(self.steps)
        if text.isascii() and text.isdigit():
            if len(text) < 8 and first <= int(text) <= last:
                self.go(int(text) - first)
            else:
                self.notice = f"There is no step {cut(text, 9)}: they go from {first} to {last}."
        elif text:
            self.notice = "A step is a number."

    def cancel(self) -> None:
        self.field = None

    def paste(self, text: str) -> None:
        self.notice = "Pasted text does nothing here."

    # time, and the end

    def tick(self, now: float) -> float | None:
        if self._seek is not None:
            self._come_closer()
            return 0.0 if self._seek is not None else self.tick(now)
        if not self.playing:
            self._due = 0.0
            return None
        if self._due == 0.0:
            self._due = now + PLAY_SECONDS
        elif now >= self._due:
            self._due = now + PLAY_SECONDS
            self.go(self.at + 1)
            self.playing = self.at < len(self.steps) - 1
        return max(0.0, self._due - now) if self.playing else None

    def leave(self, code: int = 0, text: str = "", *, error: bool = False) -> None:
        if self.left is None:
            self.left = Leaving(code, text, error)
