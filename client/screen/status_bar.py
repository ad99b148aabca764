"""The two lines at the bottom, for a sitting: its choices, or whom the table waits for,
and the keys that work where it is. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.screen.choices_bar import choices, picking
from client.screen.header import LOST, lost
from client.screen.interface import Place
from client.screen.key_hints import KeyHint, Weight, hint_rows, hints, note_line
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
from client.screen.state import NO_WAY_BACK, ScreenState
from client.state.clocks import low, show_left
from client.state.scene import Scene

_BAR = "class:bar"
_HELP, _LEAVE, _QUIT = KeyHint(HELP, "help"), KeyHint(QUIT, "leave"), KeyHint(QUIT, "quit")
_CHAT = KeyHint("c", "chat", weight=Weight.TALK)


def bar(state: ScreenState, columns: int) -> list[Line]:
    """What may be done here, each thing with its key."""
    note = state.notice
    if state.field is not None:
        return [_field_label(state, columns)]
    if state.page == QUIT:
        back = state.parting
        keys = hints([KeyHint("y", "leave"), KeyHint("n", "stay")], columns)
        what = "Your seat is kept." if state.kept else "This game then ends."
        what = back if back == NO_WAY_BACK else what
        question: Line = [("class:alarm", " Leave the table? "), (_BAR, f" {what}")]
        told: Line = [*keys, ("class:bar.dim", f"   {back}" if back != what else "")]
        # It is said again when the screen is gone.
        told = told if width(told) <= columns else keys
        return [fit(question, columns, _BAR), fit(told, columns, _BAR)]
    if state.page == START and state.timeline.scene is not None:
        seats = state.timeline.scene.table.seats
        taken = sum(seat is not None for seat in seats)
        asked: Line = [("class:alarm", f" Start with {taken} of {len(seats)} seats taken? ")]
        keys = hints([KeyHint("y", "start"), KeyHint("n", "wait for the others", "wait")], columns)
        return [fit(asked, columns, _BAR), fit(keys, columns, _BAR)]
    if state.page == CLOSE:
        asked = [("class:alarm", " Close the table? "), (_BAR, " Everybody leaves it.")]
        keys = hints([KeyHint("y", "close"), KeyHint("n", "keep it", "keep")], columns)
        return [fit(asked, columns, _BAR), fit(keys, columns, _BAR)]
    if state.page is not None:
        turn = [KeyHint("↑↓", "scroll", weight=Weight.PAGE), KeyHint("any key", "back")]
        turn += [_LEAVE] if state.page == HELP else [_HELP, _LEAVE]
        return [_asked(state, columns), _note_and_keys(state, note, turn, columns)]
    if state.place is Place.TABLE:
        return _at_table(state, columns)
    if lost(state):
        below = note_line(note, [_HELP, _QUIT], columns, "bar", alarm=bool(note))
        return [_lost(columns), below]
    offered = _hints_before(state)
    if note:
        alarm: Line = [("class:alarm", f" {note} ")]
        return [fit(hints(offered, columns), columns, _BAR), fit(alarm, columns, _BAR)]
    return [fit(line, columns, _BAR) for line in hint_rows(offered, columns)]


def _field_label(state: ScreenState, columns: int) -> Line:
    assert state.field is not None
    line: Line = [("class:mine.title", f" {state.field.ask.value}: ")]
    note = state.notice or _time_left(state, always=False)
    if note:
        line.append(("class:alarm", f" {note} "))
    line = shorten(line, columns)
    keys = [KeyHint("ENTER", "send"), KeyHint("ESC", "cancel")]
    return fit([*line, *hints(keys, columns - width(line), "mine")], columns, "class:mine")


def _hints_before(state: ScreenState) -> list[KeyHint]:
    """The keys that work before a match."""
    scene = state.timeline.scene
    match state.place:
        case Place.LOBBY:
            keys = []
            if state.conversation.model.tables:
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
            anew = [KeyHint(ANEW, "new game", "again")] if state.stranded else []
            return [*anew, _QUIT]


def _lost(columns: int) -> Line:
    """Without a connection: that nothing can be done, and what is."""
    texts = (
        "Connection lost. Reconnecting …",
        LOST,
    )
    variants: list[Line] = [[("class:alarm", f" {text} ")] for text in texts]
    return fit(first_fitting(variants, columns), columns, _BAR)


def _asked(state: ScreenState, columns: int) -> Line:
    """The first line: the viewer's choices, or whom the table waits for."""
    menu, scene, face = state.menu, state.timeline.scene, state.face
    if lost(state):
        return _lost(columns)
    if state.behind or state.timeline.interlude is not None:
        urgent = state.waited_for
        if urgent:
            more = f"  {state.behind} more to show" if state.behind else ""
            line: Line = [("class:mine.title", f" You are waited for: {urgent} ")]
            return fit([*line, ("class:mine", more)], columns, "class:mine")
        menu = None
    if menu is not None and menu.choices:
        return choices(menu, columns)
    if menu is not None:
        return fit([("class:mine.title", f"► {menu.title}")], columns, "class:mine")
    if scene is None or face is None or scene.board is None:
        return fit([], columns, _BAR)
    if state.absent.played_for and scene.seat is not None:
        bot = scene.stand_in(scene.seat)
        who = f"A bot ({bot}) plays" if bot else "The default action is played"
        keys: Line = [("class:mine.key", f" {RETURN} "), ("class:mine", " play yourself ")]
        variants: list[Line] = [
            [("class:mine.title", f"► {text}  "), *keys]
            for text in (f"{who} for you", "Played for you")
        ]
        return fit(first_fitting(variants, columns), columns, "class:mine")
    if state.answer.on_its_way:
        text = "Your move is on its way …"
    elif state.behind:
        text = f"… {state.behind} more to show"
    elif scene.over:
        text = scene.end
    else:
        text = face.waiting(scene)
    return fit([("class:bar", f" {text}")], columns, _BAR)


def _at_table(state: ScreenState, columns: int) -> list[Line]:
    menu, note, scene = state.menu, state.notice, state.timeline.scene
    if state.timeline.interlude is not None or state.behind:
        word = "go on" if state.timeline.interlude is not None else "show the present"
        on = [KeyHint("any key", word, "go on"), _HELP, _LEAVE]
        return [_asked(state, columns), _note_and_keys(state, note, on, columns)]
    pick = state.answer.pick or (menu.pick if menu is not None else None)
    if pick is not None:
        first, second = picking(
            pick, state.answer.picked, columns, back=state.answer.pick is not None
        )
        hurry = _time_left(state, always=False)
        if note:
            second = fit([("class:alarm", f" {note} ")], columns, "class:mine")
        elif hurry:
            second = fit([("class:alarm", f" {hurry} "), *second], columns, "class:mine")
        return [first, second]
    keys = _hints_at_table(state, scene)
    style = "mine" if menu is not None else "bar"
    said = note or (menu.note if menu is not None else "")
    hurry = _time_left(state, always=False)
    if hurry and not note:
        return [_asked(state, columns), note_line(hurry, keys, columns, style, alarm=True)]
    return [_asked(state, columns), note_line(said, keys, columns, style, alarm=bool(note))]


def _note_and_keys(state: ScreenState, note: str, keys: Sequence[KeyHint], columns: int) -> Line:
    """The second line while something lies over the board: our clock still shows."""
    note = note or _time_left(state, always=True)
    return note_line(note, keys, columns, "bar", alarm=bool(note))


def _time_left(state: ScreenState, *, always: bool) -> str:
    """How much time we have while it runs; not `always`: only when it is little."""
    scene = state.conversation.model.scene
    if scene is None or scene.seat is None or not state.countdown.runs(scene.seat):
        return ""
    left = state.countdown.left(scene.seat)
    if left is None or not (always or low(left, scene.table.clock)):
        return ""
    return f"{show_left(left)} left"


def _hints_at_table(state: ScreenState, scene: Scene | None) -> list[KeyHint]:
    keys: list[KeyHint] = [] if lost(state) else _hints_to_act(state, scene)
    if state.ended:
        other = "board" if state.showing_end else "result"
        keys.append(KeyHint("v", other, weight=Weight.PAGE))
        if not lost(state):
            keys.append(KeyHint("w", "save the record", "save", Weight.OFFER))
    elif state.face is not None:
        pages = state.face.pages.items()
        keys += [KeyHint(key, title.split()[0], weight=Weight.PAGE) for key, title in pages]
    log = KeyHint(LOG, "log", weight=Weight.LIGHT)
    if lost(state):
        return [_HELP, *keys, _LEAVE, log]
    if scene is not None and scene.over and not state.kept:
        keys.append(KeyHint(ANEW, "new game", "again", Weight.OFFER))
    elif scene is not None and (scene.over or scene.table_seat is None):
        keys.append(KeyHint(BACK, "tables", weight=Weight.PAGE))
    return [_HELP, *keys, _CHAT, _LEAVE, log]


def _hints_to_act(state: ScreenState, scene: Scene | None) -> list[KeyHint]:
    """The keys that ask something of the server, beside moves."""
    keys: list[KeyHint] = []
    absent = state.absent
    if absent.offered is not None and scene is not None:
        who = f"{cut(scene.name(absent.offered), 12)} is absent"
        keys.append(KeyHint(VOTE, who, "absent", Weight.OFFER))
    if absent.may_invite is not None:
        keys.append(KeyHint(INVITE, "invite to the free seat", "invite", Weight.OFFER))
    if not state.kept and state.menu is not None:
        keys.append(KeyHint(HINT, "hint", weight=Weight.OFFER))
    if scene is not None and scene.may_undo is not None:
        keys.append(KeyHint("u", "undo", weight=Weight.OFFER))
    return keys
