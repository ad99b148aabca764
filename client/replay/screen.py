"""`ra-replay` on the full screen: the board of the game, step by step, forward and back.

The same board as in a game, through any pair of eyes that the film allows. What changed
in the step shown is marked. Steps far away are made in short slices, between which keys are
heard. Knows no file and no rule.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from client.narration import narrate
from client.replay.film import Film, Viewpoint
from client.replay.reel import Frame, Reel
from client.replay.stored import EXIT_UNSOUND, misfit
from client.screen.app import FullScreen
from client.screen.game_api import GameScreen, Moment
from client.screen.interface import Ask, Field, Leaving
from client.screen.key_hints import KeyHint, Weight, hints
from client.screen.lines import Line, cut, fit, page, shorten, spread
from client.screen.pages import key_lines, log_lines, too_small
from client.screen.run import farewell
from client.screen.text_screen import TextScreen
from client.screen.timeline import LogLine, Speaker
from client.state.scene import Scene
from client.text import clean
from protocol.codec import ProtocolError

SLICE_SECONDS = 0.05
"""How long steps are made before keys are looked at again."""
MOST_TOLD = 2_000
"""The most lines of what happened that are shown."""
PLAY_SECONDS = 1.0
"""How long each step is shown while the replay runs by itself."""

_KEYS: Sequence[tuple[str, str]] = (
    ("→ ←", "one step forward, back"),
    ("PgDn PgUp", "ten steps"),
    ("Home End", "the first, the last step"),
    ("e E", "the next epoch, the one before"),
    ("g", "go to a step by its number"),
    ("v", "through whose eyes: the next viewpoint"),
    ("p", "play by itself, or stop"),
    ("l", "all that happened up to here"),
    ("q", "leave"),
)

_BAR = "class:bar"
SINCE = "in the step shown"
"""When what is marked as new has changed."""


@frozen
class _Aim:
    """A step that is gone to, and is not made yet."""

    view: Viewpoint
    at: int | None
    """Its index; None: the next one in which an epoch begins."""


class ReplayScreen:
    """Where in the film we are, and what keys do."""

    def __init__(self, film: Film, view: Viewpoint, at: int, where: str = "") -> None:
        """`where`: what is shown, as it was named."""
        self._where = where
        self.film = film
        self.view = view
        self.at = 0
        self.field: Field | None = None
        self.left: Leaving | None = None
        self.page: str | None = None
        self.scroll = 0
        self.notice = ""
        self.playing = False
        self._due = 0.0
        self._aim: _Aim | None = None
        own: GameScreen | None = film.game.screen()
        self._face = own if own is not None else TextScreen(film.game)
        self._lines_told = lru_cache(maxsize=4)(self._tell)
        self.go(at)

    @property
    def frames(self) -> Reel:
        return self.film.frames(self.view)

    @property
    def frame(self) -> Frame:
        return self.frames[self.at]

    def scene(self, at: int) -> Scene:
        """A step's scene, with all hands where everybody's eyes are taken."""
        frame = self.frames[at]
        if frame.hands:
            return self._face.reveal(frame.scene, frame.hands)
        return frame.scene

    # keys

    def press(self, key: str) -> None:
        self.notice = ""
        self._aim = None
        if self.page is not None:
            steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
            if key in steps:
                self.scroll = max(0, self.scroll + steps[key])
            else:
                self.page = None
            return
        moves = {"right": 1, " ": 1, "enter": 1, "left": -1, "backspace": -1}
        moves |= {"pagedown": 10, "pageup": -10, "end": len(self.frames), "home": -self.at}
        if key in moves:
            self.playing = False
            self.go(self.at + moves[key])
        elif key in ("e", "E"):
            self._epoch(1 if key == "e" else -1)
        elif key == "g":
            self.field = Field(Ask.STEP)
        elif key == "v":
            self._next_view()
        elif key == "p":
            self.playing = not self.playing
        elif key in ("?", "l") or key in self._face.pages:
            self.page, self.scroll = key, 10**6 if key == "l" else 0
        elif key in ("q", "escape"):
            self.leave()
        else:
            self.notice = f"“{key}” does nothing here; ? shows the keys."

    def go(self, at: int) -> None:
        """To a step by its index, as far as there are steps."""
        self._take_aim(_Aim(self.view, min(max(at, 0), len(self.frames) - 1)))

    def _take_aim(self, aim: _Aim) -> None:
        self._aim = aim
        self._come_closer()

    def _come_closer(self) -> None:
        """Make steps for a short time on the way to the one that is gone to."""
        aim, until = self._aim, time.monotonic() + SLICE_SECONDS
        if aim is None:
            return
        try:
            reel = self.film.frames(aim.view)
            at = self._begin_after(reel, until) if aim.at is None else aim.at
            if at is None:
                if reel.made == len(reel):
                    self._aim, self.notice = None, "There is no epoch further on."
                return
            if reel.reach(at, until):
                reel[at]
                self.view, self.at, self._aim = aim.view, at, None
        except ProtocolError as error:
            self.leave(EXIT_UNSOUND, clean(str(misfit(self._where, error))), error=True)

    def _begin_after(self, reel: Reel, until: float) -> int | None:
        """The next step in which an epoch begins; None: none that is made in time."""
        while True:
            found = next((begin for begin in reel.begins if begin > self.at), None)
            if found is not None or reel.made == len(reel):
                return found
            if not reel.reach(len(reel) - 1, until):
                return next((begin for begin in reel.begins if begin > self.at), None)

    def _epoch(self, step: int) -> None:
        """To where an epoch begins."""
        if step > 0:
            self._take_aim(_Aim(self.view, None))
            return
        before = [begin for begin in self.frames.begins if begin < self.at]
        if before:
            self.go(before[-1])
        else:
            self.notice = "This is the first one."

    def _next_view(self) -> None:
        views = self.film.views
        if len(views) == 1:
            self.notice = "This can be seen through no other eyes."
            return
        view = views[(views.index(self.view) + 1) % len(views)]
        self._take_aim(_Aim(view, self.at))

    def enter(self, text: str) -> None:
        self.field = None
        text = text.strip()
        first, last = 1, len(self.frames)
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

    def leave(self, code: int = 0, text: str = "", *, error: bool = False) -> None:
        if self.left is None:
            self.left = Leaving(code, text, error)

    def tick(self, now: float) -> float | None:
        if self._aim is not None:
            self._come_closer()
            return 0.0 if self._aim is not None else self.tick(now)
        if not self.playing:
            self._due = 0.0
            return None
        if self._due == 0.0:
            self._due = now + PLAY_SECONDS
        elif now >= self._due:
            self._due = now + PLAY_SECONDS
            self.go(self.at + 1)
            self.playing = self.at < len(self.frames) - 1
        return max(0.0, self._due - now) if self.playing else None

    def styles(self) -> Mapping[str, str]:
        return self._face.styles

    # drawing

    def lines(self, columns: int, rows: int) -> list[Line]:
        if columns <= 0 or rows <= 0:
            return []
        below = self._bar(columns)
        full = rows + (1 if self.field is not None else 0)
        least = self._face.least
        if columns < least[0] or full < least[1]:
            return too_small(least, columns, rows, full, below)
        body = rows - 1 - len(below)
        drawn = page(self._body(columns, body), columns, body)
        return page([self._header(columns), *drawn, *below], columns, rows)

    def _header(self, columns: int) -> Line:
        scene = self.scene(self.at)
        first: Line = [
            ("class:header.title", f" {self.film.game.title} "),
            ("class:header.strong", f" {scene.table.code} "),
            ("class:header", "  replay "),
        ]
        if scene.board is not None:
            first.append(("class:header", "  " + self._face.headline(scene, columns)))
        last: Line = [("class:header.strong", f" {self._eyes()} ")]
        return spread(first, last, columns, "class:header")

    def _eyes(self) -> str:
        """Through whose eyes, in words."""
        if self.view.every:
            return "all is seen"
        if self.view.seat is None:
            return "a spectator's view"
        return f"as {cut(self.film.cast.name(self.view.seat), 20)} saw it"

    def _body(self, columns: int, rows: int) -> list[Line]:
        scene, face = self.scene(self.at), self._face
        if self.page is not None:
            return self._page(self.page, columns, rows)
        if scene.board is None:
            return [[], *self._log(columns, rows - 1)]
        base = self.scene(self.at - 1) if self.at else scene
        moment = Moment(
            scene=scene,
            base=base.board if base.board is not None else scene.board,
            base_own=base.own,
        )
        board = face.board(moment, columns, rows - (4 if rows >= 21 else 2))
        return [*board, *self._log(columns, rows - len(board))]

    def _log(self, columns: int, rows: int) -> list[Line]:
        """What happened up to here; the newest is marked."""
        return log_lines(self._told(rows), self.frame.number - 1, columns, rows)

    def _told(self, most: int) -> Sequence[LogLine]:
        """The last lines that tell of the steps up to here, at least `most` of them."""
        return self._lines_told(self.view, self.at, most)

    def _tell(self, view: Viewpoint, at: int, most: int) -> Sequence[LogLine]:
        told: list[LogLine] = []
        frames = self.film.frames(view)
        for index in range(at, -1, -1):
            if len(told) >= most:
                break
            frame = frames[index]
            for happening in reversed(frame.happenings):
                texts = narrate(happening, frame.scene, self.film.game)
                told += [LogLine(text, Speaker.TABLE, frame.number) for text in reversed(texts)]
        return told[::-1]

    def _page(self, key: str, columns: int, rows: int) -> list[Line]:
        face, scene = self._face, self.scene(self.at)
        lines: list[Line] = []
        if key == "l":
            lines = log_lines(self._told(MOST_TOLD), self.frame.number - 1, columns, 10**6)
        elif key == "?":
            lines = [[("class:title", " Keys")]]
            lines += key_lines((*_KEYS, *face.pages.items()), columns, 11)
            lines += [[], *face.help(columns, SINCE)]
        elif scene.board is not None:
            lines = [[], *face.page(key, scene, columns, rows - 1)]
        self.scroll = max(0, min(self.scroll, len(lines) - rows))
        return lines[self.scroll : self.scroll + rows]

    def _bar(self, columns: int) -> list[Line]:
        last = len(self.frames)
        if self.field is not None:
            label = f" {self.field.ask.value} (1-{last}): "
            return [fit([("class:mine.title", label)], columns, "class:mine")]
        where: Line = [("class:bar.key", f" step {self.frame.number} of {last} ")]
        if self._aim is not None:
            made = self.film.frames(self._aim.view).made
            where.append(("class:alarm", f" reading on: {made} of {last} "))
        elif self.playing:
            where.append((_BAR, " playing "))
        elif self.at == len(self.frames) - 1:
            end = self.film.game.result(self.frame.scene) or ""
            end = end or ("the match goes on from here" if self.film.running else "the end")
            where.append((_BAR, f" {end}"))
        if self.notice:
            where.append(("class:alarm", f" {self.notice} "))
        keys = [
            KeyHint("?", "help"),
            KeyHint("→←", "step"),
            KeyHint("e", "epoch", weight=Weight.PAGE),
            KeyHint("g", "go to", weight=Weight.PAGE),
            KeyHint("v", "eyes", weight=Weight.OFFER),
        ]
        pages = self._face.pages.items()
        keys += [KeyHint(key, title.split()[0], weight=Weight.TALK) for key, title in pages]
        keys += [KeyHint("p", "play", weight=Weight.OFFER), KeyHint("q", "leave")]
        return [
            fit(shorten(where, columns), columns, _BAR),
            fit(hints(keys, columns), columns, _BAR),
        ]


def run_replay(film: Film, view: Viewpoint, start: int, where: str) -> int:
    """Show a film of what is stored at `where` on the terminal, beginning with the frame of
    index `start`; the exit code (see `client.screen.run`). Raises ProtocolError if not even
    the first step can be shown."""
    _ = film.frames(view)[0]
    interface = ReplayScreen(film, view, start, where)
    left = asyncio.run(FullScreen(interface).run())
    return farewell(left, "ra-replay")
