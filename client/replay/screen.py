"""`ra-replay` on the full screen: the board of the game, step by step, forward and back.

The same board as in a game, through any pair of eyes that the recording allows. What changed
in the step shown is marked. Only draws: reads the state, and changes nothing but a scroll
position that lies beyond its page.
"""

from __future__ import annotations

from client.cli.loop import run_loop
from client.replay.keymap import keymap_of, press
from client.replay.recording import Recording, Viewpoint
from client.replay.state import ReplayState
from client.screen.app import FullScreen
from client.screen.game_api import Moment
from client.screen.interface import Page
from client.screen.key_hints import hints
from client.screen.lines import Line, cut, fit, page, shorten, spread
from client.screen.open_page import END
from client.screen.pages import key_lines, log_lines, too_small
from client.screen.run import farewell

MOST_LOGGED = 2_000
"""Lines of the log's page."""
SINCE = "in the step shown"
"""The moment that marked changes are counted from, in a replay."""

_BAR = "class:bar"


def run_replay(recording: Recording, view: Viewpoint, start: int, where: str) -> int:
    """Show a recording of what is stored at `where` on the terminal, beginning with the step of
    index `start`; the exit code (see `client.screen.run`). Raises ProtocolError if not even
    the first step can be shown."""
    _ = recording.steps(view)[0]
    state = ReplayState(recording, view, start, where)
    left = run_loop(FullScreen(state, draw, press).run())
    return farewell(left, "ra-replay")


def draw(state: ReplayState, columns: int, rows: int) -> list[Line]:
    """Exactly `rows` lines of exactly `columns`."""
    if columns <= 0 or rows <= 0:
        return []
    below = _bar(state, columns)
    full = rows + (1 if state.field is not None else 0)
    least = state.game_screen.least
    if columns < least[0] or full < least[1]:
        return too_small(least, columns, rows, full, below)
    body = rows - 1 - len(below)
    drawn = page(_body(state, columns, body), columns, body)
    return page([_header(state, columns), *drawn, *below], columns, rows)


def _header(state: ReplayState, columns: int) -> Line:
    scene = state.scene(state.at)
    first: Line = [
        ("class:header.title", f" {state.recording.game.title} "),
        ("class:header.strong", f" {scene.table.code} "),
        ("class:header", "  replay "),
    ]
    if scene.board is not None:
        first.append(("class:header", "  " + state.game_screen.headline(scene, columns)))
    last: Line = [("class:header.strong", f" {_eyes(state)} ")]
    return spread(first, last, columns, "class:header")


def _eyes(state: ReplayState) -> str:
    """Through whose eyes, in words."""
    if state.view.every:
        return "all is seen"
    if state.view.seat is None:
        return "a spectator's view"
    return f"as {cut(state.recording.lineup.name(state.view.seat), 20)} saw it"


def _body(state: ReplayState, columns: int, rows: int) -> list[Line]:
    scene, game_screen = state.scene(state.at), state.game_screen
    if state.page.shown is not None:
        return _page(state, state.page.shown, columns, rows)
    if scene.board is None:
        return [[], *_log(state, columns, rows - 1)]
    base = state.scene(state.at - 1) if state.at else scene
    moment = Moment(
        scene=scene,
        base=base.board if base.board is not None else scene.board,
        base_own=base.own,
    )
    board = game_screen.board(moment, columns, rows - (4 if rows >= 21 else 2))
    return [*board, *_log(state, columns, rows - len(board))]


def _log(state: ReplayState, columns: int, rows: int) -> list[Line]:
    """What happened up to here; the newest is marked."""
    return log_lines(state.log(rows), state.step.number - 1, columns, rows)


def _page(state: ReplayState, shown: Page | str, columns: int, rows: int) -> list[Line]:
    """A page that lies over the board, scrolled."""
    game_screen, scene = state.game_screen, state.scene(state.at)
    lines: list[Line] = []
    if shown is Page.LOG:
        lines = log_lines(state.log(MOST_LOGGED), state.step.number - 1, columns, END)
    elif shown is Page.HELP:
        lines = [[("class:title", " Keys")]]
        lines += key_lines(keymap_of(state).rows(state), columns, 11)
        lines += [[], *game_screen.help(columns, SINCE)]
    elif isinstance(shown, str) and scene.board is not None:
        lines = [[], *game_screen.page(shown, scene, columns, rows - 1)]
    return state.page.window(lines, rows)


def _bar(state: ReplayState, columns: int) -> list[Line]:
    """The lines at the bottom: where we are, and the keys; or the field's label alone."""
    last = len(state.steps)
    if state.field is not None:
        label = f" {state.field.ask.value} (1-{last}): "
        return [fit([("class:mine.title", label)], columns, "class:mine")]
    where: Line = [("class:bar.key", f" step {state.step.number} of {last} ")]
    if state.seeking is not None:
        where.append(("class:alarm", f" reading on: {state.seeking} of {last} "))
    elif state.playing:
        where.append((_BAR, " playing "))
    elif state.at == last - 1:
        end = state.recording.game.result(state.step.scene) or ""
        end = end or ("the match goes on from here" if state.recording.running else "the end")
        where.append((_BAR, f" {end}"))
    if state.notice:
        where.append(("class:alarm", f" {state.notice} "))
    return [
        fit(shorten(where, columns), columns, _BAR),
        fit(hints(keymap_of(state).hints(state), columns), columns, _BAR),
    ]
