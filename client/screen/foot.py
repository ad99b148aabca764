"""The two lines at the bottom, for a sitting: its choices, or whom the table waits for,
and the keys that work where it is. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.clocks import low, show_left
from client.scene import Scene
from client.screen.bar import choices, picking
from client.screen.desk import Place
from client.screen.header import LOST, lost
from client.screen.hints import KeyHint, Weight, hint_rows, hints, note_line
from client.screen.keys import (
    ANEW,
    BACK,
    CLOSE,
    HELP,
    HINT,
    INVITE,
    LOG,
    QUIT,
    RETURN,
    START,
    VOTE,
)
from client.screen.lines import Line, cut, first_fitting, fit, shorten, width
from client.screen.sitting import NO_WAY_BACK, Sitting

_BAR = "class:bar"
_HELP, _LEAVE, _QUIT = KeyHint(HELP, "help"), KeyHint(QUIT, "leave"), KeyHint(QUIT, "quit")
_CHAT = KeyHint("c", "chat", weight=Weight.TALK)


def bar(sitting: Sitting, columns: int) -> list[Line]:
    """What may be done here, each thing with its key."""
    note = sitting.notice
    if sitting.field is not None:
        return [_field_label(sitting, columns)]
    if sitting.page == QUIT:
        back = sitting.parting
        keys = hints([KeyHint("y", "leave"), KeyHint("n", "stay")], columns)
        what = "Your seat is kept." if sitting.kept else "This game then ends."
        what = back if back == NO_WAY_BACK else what
        question: Line = [("class:alarm", " Leave the table? "), (_BAR, f" {what}")]
        told: Line = [*keys, ("class:bar.dim", f"   {back}" if back != what else "")]
        # It is said again when the screen is gone.
        told = told if width(told) <= columns else keys
        return [fit(question, columns, _BAR), fit(told, columns, _BAR)]
    if sitting.page == START and sitting.story.scene is not None:
        seats = sitting.story.scene.table.seats
        taken = sum(seat is not None for seat in seats)
        asked: Line = [("class:alarm", f" Start with {taken} of {len(seats)} seats taken? ")]
        keys = hints([KeyHint("y", "start"), KeyHint("n", "wait for the others", "wait")], columns)
        return [fit(asked, columns, _BAR), fit(keys, columns, _BAR)]
    if sitting.page == CLOSE:
        asked = [("class:alarm", " Close the table? "), (_BAR, " Everybody leaves it.")]
        keys = hints([KeyHint("y", "close"), KeyHint("n", "keep it", "keep")], columns)
        return [fit(asked, columns, _BAR), fit(keys, columns, _BAR)]
    if sitting.page is not None:
        turn = [KeyHint("↑↓", "scroll", weight=Weight.PAGE), KeyHint("any key", "back")]
        turn += [_LEAVE] if sitting.page == HELP else [_HELP, _LEAVE]
        return [_asked(sitting, columns), _note_and_keys(sitting, note, turn, columns)]
    if sitting.place is Place.TABLE:
        return _at_table(sitting, columns)
    if lost(sitting):
        below = note_line(note, [_HELP, _QUIT], columns, "bar", alarm=bool(note))
        return [_lost(columns), below]
    offered = _hints_before(sitting)
    if note:
        alarm: Line = [("class:alarm", f" {note} ")]
        return [fit(hints(offered, columns), columns, _BAR), fit(alarm, columns, _BAR)]
    return [fit(line, columns, _BAR) for line in hint_rows(offered, columns)]


def _field_label(sitting: Sitting, columns: int) -> Line:
    assert sitting.field is not None
    line: Line = [("class:mine.title", f" {sitting.field.ask.value}: ")]
    note = sitting.notice or _time_left(sitting, always=False)
    if note:
        line.append(("class:alarm", f" {note} "))
    line = shorten(line, columns)
    keys = [KeyHint("ENTER", "send"), KeyHint("ESC", "cancel")]
    return fit([*line, *hints(keys, columns - width(line), "mine")], columns, "class:mine")


def _hints_before(sitting: Sitting) -> list[KeyHint]:
    """The keys that work before a match."""
    scene = sitting.story.scene
    match sitting.place:
        case Place.LOBBY:
            keys = []
            if sitting.talk.model.tables:
                keys = [KeyHint("↑↓", "choose", weight=Weight.PAGE), KeyHint("ENTER", "join")]
            keys.append(KeyHint("n", "new table", "new"))
            return [*keys, KeyHint("j", "join by code", "by code"), _HELP, _QUIT]
        case Place.OPENING:
            keys = [KeyHint("↑↓", "row"), KeyHint("←→", "change")]
            keys += [KeyHint("ENTER", "open the table", "open"), KeyHint("ESC", "back")]
            return [*keys, KeyHint(HELP, "help", weight=Weight.PAGE)]
        case Place.ROOM if scene is not None:
            taken = sum(seat is not None for seat in scene.table.seats)
            keys = [KeyHint("s", f"start with {taken}", "start")] if scene.may_start else []
            away = "leave the seat" if scene.table_seat is not None else "back"
            if scene.may_close:
                keys.append(KeyHint(CLOSE, "close the table", "close", Weight.PAGE))
            return [*keys, _CHAT, KeyHint("b", away, away.split(maxsplit=1)[0]), _HELP, _QUIT]
        case _:
            anew = [KeyHint(ANEW, "new game", "again")] if sitting.stranded else []
            return [*anew, _QUIT]


def _lost(columns: int) -> Line:
    """Without a connection: that nothing can be done, and what is."""
    texts = (
        "Connection lost. Reconnecting …",
        LOST,
    )
    variants: list[Line] = [[("class:alarm", f" {text} ")] for text in texts]
    return fit(first_fitting(variants, columns), columns, _BAR)


def _asked(sitting: Sitting, columns: int) -> Line:
    """The first line: the viewer's choices, or whom the table waits for."""
    menu, scene, face = sitting.menu, sitting.story.scene, sitting.face
    if lost(sitting):
        return _lost(columns)
    if sitting.behind or sitting.story.interlude is not None:
        urgent = sitting.waited_for
        if urgent:
            more = f"  {sitting.behind} more to show" if sitting.behind else ""
            line: Line = [("class:mine.title", f" You are waited for: {urgent} ")]
            return fit([*line, ("class:mine", more)], columns, "class:mine")
        menu = None
    if menu is not None and menu.choices:
        return choices(menu, columns)
    if menu is not None:
        return fit([("class:mine.title", f"► {menu.title}")], columns, "class:mine")
    if scene is None or face is None or scene.board is None:
        return fit([], columns, _BAR)
    if sitting.absent.played_for and scene.seat is not None:
        bot = scene.stand_in(scene.seat)
        who = f"A bot ({bot}) plays" if bot else "The default action is played"
        keys: Line = [("class:mine.key", f" {RETURN} "), ("class:mine", " play yourself ")]
        variants: list[Line] = [
            [("class:mine.title", f"► {text}  "), *keys]
            for text in (f"{who} for you", "Played for you")
        ]
        return fit(first_fitting(variants, columns), columns, "class:mine")
    if sitting.answer.on_its_way:
        text = "Your move is on its way …"
    elif sitting.behind:
        text = f"… {sitting.behind} more to show"
    elif scene.over:
        text = scene.end
    else:
        text = face.waiting(scene)
    return fit([("class:bar", f" {text}")], columns, _BAR)


def _at_table(sitting: Sitting, columns: int) -> list[Line]:
    menu, note, scene = sitting.menu, sitting.notice, sitting.story.scene
    if sitting.story.interlude is not None or sitting.behind:
        word = "go on" if sitting.story.interlude is not None else "show the present"
        on = [KeyHint("any key", word, "go on"), _HELP, _LEAVE]
        return [_asked(sitting, columns), _note_and_keys(sitting, note, on, columns)]
    pick = sitting.answer.pick or (menu.pick if menu is not None else None)
    if pick is not None:
        first, second = picking(
            pick, sitting.answer.picked, columns, back=sitting.answer.pick is not None
        )
        hurry = _time_left(sitting, always=False)
        if note:
            second = fit([("class:alarm", f" {note} ")], columns, "class:mine")
        elif hurry:
            second = fit([("class:alarm", f" {hurry} "), *second], columns, "class:mine")
        return [first, second]
    keys = _hints_at_table(sitting, scene)
    style = "mine" if menu is not None else "bar"
    said = note or (menu.note if menu is not None else "")
    hurry = _time_left(sitting, always=False)
    if hurry and not note:
        return [_asked(sitting, columns), note_line(hurry, keys, columns, style, alarm=True)]
    return [_asked(sitting, columns), note_line(said, keys, columns, style, alarm=bool(note))]


def _note_and_keys(sitting: Sitting, note: str, keys: Sequence[KeyHint], columns: int) -> Line:
    """The second line while something lies over the board: our clock still shows."""
    note = note or _time_left(sitting, always=True)
    return note_line(note, keys, columns, "bar", alarm=bool(note))


def _time_left(sitting: Sitting, *, always: bool) -> str:
    """How much time we have while it runs; not `always`: only when it is little."""
    scene = sitting.talk.model.scene
    if scene is None or scene.seat is None or not sitting.countdown.runs(scene.seat):
        return ""
    left = sitting.countdown.left(scene.seat)
    if left is None or not (always or low(left, scene.table.clock)):
        return ""
    return f"{show_left(left)} left"


def _hints_at_table(sitting: Sitting, scene: Scene | None) -> list[KeyHint]:
    keys: list[KeyHint] = [] if lost(sitting) else _hints_to_act(sitting, scene)
    if sitting.ended:
        other = "board" if sitting.showing_end else "result"
        keys.append(KeyHint("v", other, weight=Weight.PAGE))
        if not lost(sitting):
            keys.append(KeyHint("w", "save the record", "save", Weight.OFFER))
    elif sitting.face is not None:
        pages = sitting.face.pages.items()
        keys += [KeyHint(key, title.split()[0], weight=Weight.PAGE) for key, title in pages]
    log = KeyHint(LOG, "log", weight=Weight.LIGHT)
    if lost(sitting):
        return [_HELP, *keys, _LEAVE, log]
    if scene is not None and scene.over and not sitting.kept:
        keys.append(KeyHint(ANEW, "new game", "again", Weight.OFFER))
    elif scene is not None and (scene.over or scene.table_seat is None):
        keys.append(KeyHint(BACK, "tables", weight=Weight.PAGE))
    return [_HELP, *keys, _CHAT, _LEAVE, log]


def _hints_to_act(sitting: Sitting, scene: Scene | None) -> list[KeyHint]:
    """The keys that ask something of the server, beside moves."""
    keys: list[KeyHint] = []
    absent = sitting.absent
    if absent.offered is not None and scene is not None:
        who = f"{cut(scene.name(absent.offered), 12)} is absent"
        keys.append(KeyHint(VOTE, who, "absent", Weight.OFFER))
    if absent.may_invite is not None:
        keys.append(KeyHint(INVITE, "invite to the free seat", "invite", Weight.OFFER))
    if not sitting.kept and sitting.menu is not None:
        keys.append(KeyHint(HINT, "hint", weight=Weight.OFFER))
    if scene is not None and scene.may_undo is not None:
        keys.append(KeyHint("u", "undo", weight=Weight.OFFER))
    return keys
