"""The whole screen as lines, for a sitting and a size: header, page, the two lines below.

Pure: reads the sitting, changes nothing but a scroll position that lies beyond its page.
"""

from __future__ import annotations

from collections.abc import Sequence

from client import lobby
from client.bar import KeyHint, choices, hints, note_line, picking
from client.changes import Status
from client.gamescreen import Moment
from client.keys import HELP, LOG, QUIT
from client.lines import Line, cut, fit, page, spread, wrap
from client.scene import Scene
from client.sitting import Place, Sitting
from client.story import LogLine, Voice

LEAST = (30, 8)
"""Columns and rows of the smallest screen before a game."""

_KEYS: Sequence[tuple[str, str]] = (
    ("?", "this page"),
    ("l", "the log: all that happened and was said"),
    ("c", "chat: type, ENTER sends, ESC does not"),
    ("u", "take back your last move, where that is offered"),
    ("q", "leave; your seat is kept"),
    ("any key", "when moves are shown one after another: show the present"),
)


def draw(sitting: Sitting, columns: int, rows: int) -> list[Line]:
    """Exactly `rows` lines of exactly `columns`."""
    if columns <= 0 or rows <= 0:
        return []
    below = bar(sitting, columns)
    if sitting.field is not None:
        below = below[:1]
    face = sitting.face
    least = face.least if face is not None and sitting.place is Place.TABLE else LEAST
    full = rows + (1 if sitting.field is not None else 0)
    if columns < least[0] or full < least[1]:
        return too_small(least, columns, rows, full, below)
    body = max(0, rows - 1 - len(below))
    lines = [header(sitting, columns), *page(_body(sitting, columns, body), columns, body), *below]
    return page(lines, columns, rows)


def too_small(
    least: tuple[int, int], columns: int, rows: int, full: int, below: Sequence[Line]
) -> list[Line]:
    """A notice instead of the board; what is to be done stays as long as it fits."""
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


# the header


def header(sitting: Sitting, columns: int) -> Line:
    """What is played, how far it is, and how the connection stands."""
    scene, game, face = sitting.story.scene, sitting.game, sitting.face
    title = game.title if game is not None else "Ra Online"
    first: Line = [("class:header.title", f" {title} ")]
    if scene is not None:
        first += [("class:header.strong", f" {scene.table.code} ")]
        if columns >= 80:
            first += [("class:header", f"  {scene.table.ruleset} ")]
        if face is not None and scene.board is not None:
            first += [("class:header", "  " + face.headline(scene, columns))]
    else:
        first += [("class:header", f"  {sitting.where}")]
    return spread(first, _status(sitting, scene), columns, "class:header")


def _status(sitting: Sitting, scene: Scene | None) -> Line:
    link = sitting.talk.model.link
    if sitting.place is Place.NAMING:
        return []
    if link.status is Status.WAITING:
        return [("class:header.alarm", " connection lost, reconnecting … ")]
    if link.status is Status.CONNECTING:
        return [("class:header.alarm" if scene else "class:header", " connecting … ")]
    parts: Line = []
    presence = sitting.talk.model.presence
    if scene is not None and scene.table_seat is None:
        parts.append(("class:header", " watching "))
    elif presence is not None and presence.watchers and scene is not None:
        parts.append(("class:header", f" {presence.watchers} watching "))
    if scene is None and sitting.talk.model.name:
        parts.append(("class:header", f" {cut(sitting.talk.model.name, 20)} "))
    return parts


# the page


def _body(sitting: Sitting, columns: int, rows: int) -> list[Line]:
    place, scene, game = sitting.place, sitting.story.scene, sitting.game
    if sitting.page is not None and sitting.page != QUIT:
        return _page(sitting, sitting.page, columns, rows)
    if place is Place.NAMING:
        return lobby.welcome(columns, rows, sitting.where)
    if place is Place.CONNECTING:
        return lobby.connecting(columns, rows, sitting.where)
    if place is Place.OPENING and sitting.form is not None:
        return sitting.form.lines(columns)
    if scene is None or game is None:
        return lobby.tables(sitting.talk.model.tables, sitting.chosen, columns, rows)
    if place is Place.ROOM:
        return _room(sitting, scene, columns, rows)
    return _table(sitting, scene, columns, rows)


def _room(sitting: Sitting, scene: Scene, columns: int, rows: int) -> list[Line]:
    assert sitting.game is not None
    invitation = f"ra-client {sitting.where} {scene.table.code}"
    lines = lobby.waiting_room(
        scene, sitting.game, sitting.talk.model.presence, invitation, columns, rows
    )
    spoken = [line for line in sitting.story.log if line.voice is not Voice.TABLE]
    room = rows - len(lines) - 1
    return [*lines, [], *log_lines(spoken, 0, columns, room)] if room > 0 else lines


def _table(sitting: Sitting, scene: Scene, columns: int, rows: int) -> list[Line]:
    face, story = sitting.face, sitting.story
    if face is None:
        assert sitting.game is not None
        return [[("", cut(line, columns))] for line in sitting.game.table(scene)]
    if story.interlude is not None:
        lines = face.interlude(story.interlude, scene, columns, rows)
        if lines is not None:
            return [[], *lines] if len(lines) < rows else lines
    if sitting.ended and sitting.showing_end and not sitting.behind:
        return face.ending(scene, columns, rows)
    base = story.base
    menu = sitting.menu
    moment = Moment(
        scene=scene,
        base=base.board if base is not None else None,
        base_own=base.own if base is not None else None,
        presence=sitting.talk.model.presence,
        pick=sitting.pick or (menu.pick if menu is not None else None),
        picked=sitting.picked,
    )
    board = face.board(moment, columns, rows - (4 if rows >= 21 else 2))
    room = rows - len(board)
    return [*board, *log_lines(list(story.log), story.since, columns, room)]


def log_lines(log: Sequence[LogLine], since: int, columns: int, rows: int) -> list[Line]:
    """The end of the log in at most `rows` lines; what is new to the viewer is marked."""
    lines: list[Line] = []
    for entry in reversed(log):
        if len(lines) >= rows:
            break
        new = entry.number > since
        mark = ("class:log.mark", "│ ") if new else ("", "  ")
        style = {
            Voice.CHAT: "class:chat",
            Voice.HOUSE: "class:dim",
            Voice.TABLE: "class:log" if new else "class:log.old",
        }[entry.voice]
        parts = wrap(entry.text, columns - 3)
        lines += [[mark, (style, part)] for part in reversed(parts)]
    return list(reversed(lines[: max(0, rows)]))


def _page(sitting: Sitting, key: str, columns: int, rows: int) -> list[Line]:
    """A page that lies over the board, scrolled."""
    scene, face = sitting.story.scene, sitting.face
    lines: list[Line] = []
    if key == LOG:
        log = list(sitting.story.log)
        lines = log_lines(log, sitting.story.since, columns, 10**6)
    elif key == HELP:
        lines = [[("class:title", " Keys")]]
        own = [(k, title) for k, title in face.pages.items()] if face is not None else []
        for name, meaning in (*_KEYS, *own):
            lines.append([("class:key", "  " + name), ("", " " * (9 - len(name)) + meaning)])
        lines += [[], *(face.help(columns) if face is not None else [])]
    elif face is not None and scene is not None and scene.board is not None:
        lines = [[], *face.page(key, scene, columns, rows - 1)]
    sitting.scroll = max(0, min(sitting.scroll, len(lines) - rows))
    return lines[sitting.scroll : sitting.scroll + rows]


# the two lines at the bottom


def bar(sitting: Sitting, columns: int) -> list[Line]:
    """What may be done here, each thing with its key."""
    note = sitting.notice
    if sitting.field is not None:
        return [_field_label(sitting, columns)]
    if sitting.page == QUIT:
        back = sitting.farewell()
        keys = hints([("y", "leave"), ("n", "stay")], columns)
        question: Line = [("class:alarm", " Leave the table? "), (_BAR, " Your seat is kept.")]
        return [
            fit(question, columns, _BAR),
            fit([*keys, ("class:bar.dim", f"   {back}")], columns, _BAR),
        ]
    if sitting.page is not None:
        turn: list[KeyHint] = [("↑↓", "scroll"), ("any key", "back")]
        return [_asked(sitting, columns), note_line(note, turn, columns, "bar", alarm=bool(note))]
    if sitting.place is Place.TABLE:
        return _at_table(sitting, columns)
    first = hints(_hints_before(sitting), columns)
    second = fit([("class:alarm", f" {note} ")], columns, _BAR) if note else fit([], columns, _BAR)
    return [fit(first, columns, _BAR), second]


_BAR = "class:bar"


def _field_label(sitting: Sitting, columns: int) -> Line:
    assert sitting.field is not None
    line: Line = [("class:mine.title", f" {sitting.field.ask.value}: ")]
    if sitting.notice:
        line.append(("class:alarm", f" {sitting.notice} "))
    line += hints([("ENTER", "send"), ("ESC", "cancel")], columns, "mine")
    return fit(line, columns, "class:mine")


def _hints_before(sitting: Sitting) -> list[KeyHint]:
    scene = sitting.story.scene
    match sitting.place:
        case Place.LOBBY:
            tables = sitting.talk.model.tables
            keys = [("↑↓", "choose"), ("ENTER", "join")] if tables else []
            return [*keys, ("n", "new table"), ("j", "join by code"), ("?", "help"), ("q", "quit")]
        case Place.OPENING:
            return [("↑↓", "row"), ("←→", "change"), ("ENTER", "open the table"), ("ESC", "back")]
        case Place.ROOM if scene is not None:
            taken = sum(seat is not None for seat in scene.table.seats)
            keys = [("s", f"start with {taken}")] if sitting.may_start(scene) else []
            away = "leave the seat" if scene.table_seat is not None else "back"
            return [*keys, ("c", "chat"), ("b", away), ("?", "help"), ("q", "quit")]
        case _:
            return [("q", "quit")]


def _asked(sitting: Sitting, columns: int) -> Line:
    """The first line: the viewer's choices, or whom the table waits for."""
    menu, scene, face = sitting.menu, sitting.story.scene, sitting.face
    if menu is not None and menu.choices:
        return choices(menu, columns)
    if menu is not None:
        return fit([("class:mine.title", f"► {menu.title}")], columns, "class:mine")
    if scene is None or face is None or scene.board is None:
        return fit([], columns, _BAR)
    if sitting.waits_for_answer:
        text = "Your move is on its way …"
    elif sitting.behind:
        text = f"… {sitting.behind} more to show"
    elif scene.over:
        text = "The game is over."
    else:
        text = face.waiting(scene)
    return fit([("class:bar", f" {text}")], columns, _BAR)


def _at_table(sitting: Sitting, columns: int) -> list[Line]:
    menu, note, scene = sitting.menu, sitting.notice, sitting.story.scene
    if sitting.story.interlude is not None or sitting.behind:
        word = "go on" if sitting.story.interlude is not None else "show the present"
        return [_asked(sitting, columns), note_line(note, [("any key", word)], columns, "bar")]
    pick = sitting.pick or (menu.pick if menu is not None else None)
    if pick is not None:
        first, second = picking(pick, sitting.picked, columns, back=sitting.pick is not None)
        if note:
            second = fit([("class:alarm", f" {note} ")], columns, "class:mine")
        return [first, second]
    keys = _hints_at_table(sitting, scene)
    style = "mine" if menu is not None else "bar"
    said = note or (menu.note if menu is not None else "")
    return [_asked(sitting, columns), note_line(said, keys, columns, style, alarm=bool(note))]


def _hints_at_table(sitting: Sitting, scene: Scene | None) -> list[KeyHint]:
    keys: list[KeyHint] = []
    if scene is not None and scene.may_undo is not None:
        keys.append(("u", "undo"))
    if sitting.ended:
        keys += [("v", "board" if sitting.showing_end else "result"), ("w", "save the record")]
    elif sitting.face is not None:
        keys += [(key, title.split()[0]) for key, title in sitting.face.pages.items()]
    if scene is not None and (scene.over or scene.table_seat is None):
        keys.append(("b", "tables"))
    return [("?", "help"), *keys, ("c", "chat"), ("q", "leave"), ("l", "log")]
