"""The whole screen as lines, for a state and a size: header, page, and the two lines below.

Reads the state, and changes nothing but a scroll position that lies beyond its page.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.dial.address import is_local
from client.join.invocation import command_line, names_a_table
from client.screen import lobby
from client.screen.game_api import Moment
from client.screen.header import LOST, header
from client.screen.interface import Location, Page
from client.screen.keymap import keymap_of
from client.screen.keys_on_pages import QUESTIONS
from client.screen.lines import Line, cells, cut, fit, pad, page, wrap
from client.screen.open_page import END
from client.screen.state import ScreenState
from client.screen.status_bar import bar
from client.screen.timeline import LogLine, Speaker
from client.state.clocks import Countdown, low, show_left
from client.state.scene import Scene
from client.text import cut_name

LEAST = (30, 8)
"""Columns and rows of the smallest screen before a game."""


def draw(state: ScreenState, columns: int, rows: int) -> list[Line]:
    """Exactly `rows` lines of exactly `columns`."""
    if columns <= 0 or rows <= 0:
        return []
    below = bar(state, columns)
    if state.field is not None:
        below = below[:1]
    game_screen = state.game_screen
    least = (
        game_screen.least if game_screen is not None and state.location is Location.TABLE else LEAST
    )
    full = rows + (1 if state.field is not None else 0)
    if columns < least[0] or full < least[1]:
        lines = too_small(least, columns, rows, full, below)
        alarm: Line = [("class:header.alarm", cut(LOST, columns))]
        return page([alarm, *lines[1:]], columns, rows) if state.lost and rows > 3 else lines
    body = max(0, rows - 1 - len(below))
    lines = [header(state, columns), *page(_body(state, columns, body), columns, body), *below]
    return page(lines, columns, rows)


def too_small(
    least: tuple[int, int], columns: int, rows: int, full: int, below: Sequence[Line]
) -> list[Line]:
    """A notice instead of the board, over as much of `below` as fits."""
    text = f"The window is too small: {least[0]}x{least[1]} are needed, this is {columns}x{full}."
    short = f"{least[0]}x{least[1]} needed"
    if columns < 14:
        short = "too small"
    notice = wrap(text, columns)
    room = max(1, rows - len(below)) if rows > len(below) else rows
    if len(notice) > room:
        notice = [cut(short, columns)]
    lines: list[Line] = [[("class:strong", line)] for line in notice]
    empty: list[Line] = [[] for _ in range(room - len(lines))]
    return page([*lines, *empty, *below], columns, rows)


def _body(state: ScreenState, columns: int, rows: int) -> list[Line]:
    place, scene, game = state.location, state.timeline.scene, state.game
    shown = state.page.shown
    if shown is not None and shown not in QUESTIONS:
        return _page(state, shown, columns, rows)
    if place is Location.NAMING:
        return lobby.welcome(columns, rows, state.where)
    if place is Location.CONNECTING:
        what = "a new game …" if state.solo else f"connecting to {state.where} …"
        what = "The game could not begin." if state.stranded else what
        return lobby.connecting(columns, rows, what)
    if place is Location.FORM and state.form is not None:
        return state.form.lines(columns, rows)
    if scene is None or game is None:
        return lobby.tables(state.conversation.model.tables, state.chosen, columns, rows)
    if place is Location.ROOM:
        return _room(state, scene, columns, rows)
    return _table(state, scene, columns, rows)


def _room(state: ScreenState, scene: Scene, columns: int, rows: int) -> list[Line]:
    assert state.game is not None
    code = (scene.table.code,) if names_a_table(scene.table.code) else ()
    invitation = command_line(state.where, *code)
    lines = lobby.waiting_room(
        scene,
        state.game,
        state.conversation.model.presence,
        invitation,
        is_local(state.where),
        columns,
        rows,
    )
    spoken = [line for line in state.timeline.log if line.speaker is not Speaker.TABLE]
    room = rows - len(lines) - 1
    return [*lines, [], *log_lines(spoken, 0, columns, room)] if room > 0 else lines


def _table(state: ScreenState, scene: Scene, columns: int, rows: int) -> list[Line]:
    game_screen, timeline = state.game_screen, state.timeline
    if game_screen is None:
        assert state.game is not None
        return [[("", cut(line, columns))] for line in state.game.table(scene)]
    if timeline.interlude is not None:
        lines = game_screen.interlude(timeline.interlude, scene, columns, rows)
        if lines is not None:
            return [[], *lines] if len(lines) < rows else lines
    above: list[Line] = [
        [("class:alarm", f" {part} ")]
        for part in wrap(state.announcements.unfair, columns - 2)
        if part
    ]
    if state.ended and state.showing_end and not state.behind:
        return [*above, *game_screen.ending(scene, columns, rows - len(above))]
    base = timeline.base
    moment = Moment(
        scene=scene,
        base=base.board if base is not None else None,
        base_own=base.own if base is not None else None,
        presence=state.conversation.model.presence,
        pick=state.pick,
        picked=state.answer.picked,
        pointing=state.pointing,
        pointed=state.answer.pointed,
    )
    if state.countdown.shown:
        above.append(clock_line(state.countdown, state.conversation.model.scene or scene, columns))
    rows -= len(above)
    board = game_screen.board(moment, columns, rows - (4 if rows >= 21 else 2 if rows >= 17 else 1))
    room = rows - len(board)
    return [*above, *board, *log_lines(list(timeline.log), timeline.since, columns, room)]


def clock_line(countdown: Countdown, scene: Scene, columns: int) -> Line:
    """How much time everybody has left, the viewer first. Time that runs is marked, and time
    that is short stands out."""
    people = [seat for seat in range(len(scene.table.places)) if not scene.bot(seat)]
    first = scene.seat or 0
    people.sort(key=lambda seat: (seat - first) % len(scene.table.places))
    times = {seat: show_left(countdown.left(seat) or 0) for seat in people}
    for seat in people:
        bot = scene.stand_in(seat)
        times[seat] = times[seat] if bot is None else "bot" if bot else "auto"
    taken = sum(cells(time) + 4 for time in times.values())
    names = _widths([cells(scene.name(seat)) for seat in people], columns - taken)
    line: Line = []
    for seat, name in zip(people, names, strict=True):
        runs, left = countdown.runs(seat), countdown.left(seat) or 0
        style = "class:strong" if runs else "class:dim"
        if low(left, scene.table.clock) and scene.stand_in(seat) is None:
            style = "class:alarm" if runs and seat == scene.seat else "class:bad"
        line += [
            ("class:player.asked", " ►" if runs else "  "),
            ("class:strong" if runs else "class:dim", cut_name(scene.name(seat), name) + " "),
            (style, times[seat]),
            ("", " "),
        ]
    return fit(line, columns)


def _widths(wanted: list[int], columns: int) -> list[int]:
    """Cells for each name: as many as wanted; the longest are cut until all fit."""
    widths = list(wanted)
    while widths and sum(widths) > columns and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths


def log_lines(log: Sequence[LogLine], since: int, columns: int, rows: int) -> list[Line]:
    """The end of the log in at most `rows` lines; entries after number `since` are marked."""
    lines: list[Line] = []
    for entry in reversed(log):
        if len(lines) >= rows:
            break
        new = entry.number > since
        mark = ("class:log.mark", "│ ") if new else ("", "  ")
        style = {
            Speaker.CHAT: "class:chat",
            Speaker.CLIENT: "class:dim",
            Speaker.TABLE: "class:log" if new else "class:log.old",
        }[entry.speaker]
        parts = wrap(entry.text, columns - 3)
        if not lines:
            # The newest entry keeps its beginning, older ones keep their end.
            parts = parts[:rows]
        lines += [[mark, (style, part)] for part in reversed(parts)]
    return list(reversed(lines[: max(0, rows)]))


def key_lines(keys: Sequence[tuple[str, str]], columns: int, room: int = 9) -> list[Line]:
    """Keys with what they do; a key takes `room` cells."""
    lines: list[Line] = []
    for name, meaning in keys:
        first, *rest = wrap(meaning, columns - room - 3)
        lines.append([("class:key", "  " + pad(name, room)), ("", first)])
        lines += [[("", " " * (room + 2) + part)] for part in rest]
    return lines


def _page(state: ScreenState, shown: Page | str, columns: int, rows: int) -> list[Line]:
    """A page that lies over the board, scrolled."""
    scene, game_screen = state.timeline.scene, state.game_screen
    lines: list[Line] = []
    if shown is Page.LOG:
        log = list(state.timeline.log)
        lines = log_lines(log, state.timeline.since, columns, END)
    elif shown is Page.HELP:
        lines = [[("class:title", " Keys")]]
        lines += key_lines(keymap_of(state).rows(state), columns)
        lines += [
            [],
            *(game_screen.help(columns) if game_screen is not None and scene is not None else []),
        ]
    elif (
        isinstance(shown, str)
        and game_screen is not None
        and scene is not None
        and scene.board is not None
    ):
        lines = [[], *game_screen.page(shown, scene, columns, rows - 1)]
    return state.page.window(lines, rows)
