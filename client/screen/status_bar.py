"""The two lines at the bottom: the choices of the prompt, or who the table waits for, and the keys
that work. Only reads the state.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.screen.bindings import key_name
from client.screen.choices_bar import choices, picking, pointing
from client.screen.header import LOST
from client.screen.interface import Location
from client.screen.key_hints import KeyHint, hint_rows, hints, note_line
from client.screen.keymap import keymap_now
from client.screen.keys_at_table import RETURN
from client.screen.keys_on_pages import QUESTIONS, Question
from client.screen.lines import Line, first_fitting, fit, shorten, width
from client.screen.state import ScreenState
from client.state.clocks import low, show_left

_BAR = "class:bar"


def bar(state: ScreenState, columns: int) -> list[Line]:
    """What may be done here, each thing with its key."""
    if state.field is not None:
        return [_field_label(state, columns)]
    keys = keymap_now(state).hints(state, online=not state.lost)
    page = state.page.shown
    question = QUESTIONS.get(page) if page is not None else None
    if question is not None:
        return _question_lines(question, state, keys, columns)
    note = state.notice
    if page is not None:
        return [_asked(state, columns), _note_and_keys(state, note, keys, columns)]
    if state.location is Location.TABLE:
        return _table_lines(state, keys, columns)
    if state.lost:
        return [_lost(columns), note_line(note, keys, columns, "bar", alarm=bool(note))]
    if note:
        alarm: Line = [("class:alarm", f" {note} ")]
        return [fit(hints(keys, columns), columns, _BAR), fit(alarm, columns, _BAR)]
    return [fit(line, columns, _BAR) for line in hint_rows(keys, columns)]


def _question_lines(
    question: Question, state: ScreenState, keys: Sequence[KeyHint], columns: int
) -> list[Line]:
    """What is asked, over the keys that answer it."""
    wording = question.wording(state)
    asked: Line = [("class:alarm", f" {wording.asked} ")]
    if wording.consequence:
        asked.append((_BAR, f" {wording.consequence}"))
    answers = hints(keys, columns)
    whole: Line = [*answers, ("class:bar.dim", f"   {wording.aside}")] if wording.aside else answers
    answers = whole if width(whole) <= columns else answers
    return [fit(asked, columns, _BAR), fit(answers, columns, _BAR)]


def _field_label(state: ScreenState, columns: int) -> Line:
    assert state.field is not None
    line: Line = [("class:mine.title", f" {state.field.ask.value}: ")]
    note = state.notice or _time_left(state, always=False)
    if note:
        line.append(("class:alarm", f" {note} "))
    line = shorten(line, columns)
    keys = [KeyHint(key_name("enter"), "send"), KeyHint(key_name("escape"), "cancel")]
    return fit([*line, *hints(keys, columns - width(line), "mine")], columns, "class:mine")


def _lost(columns: int) -> Line:
    """The first line without a connection."""
    texts = (
        "Connection lost. Reconnecting …",
        LOST,
    )
    variants: list[Line] = [[("class:alarm", f" {text} ")] for text in texts]
    return fit(first_fitting(variants, columns), columns, _BAR)


def _asked(state: ScreenState, columns: int) -> Line:
    """The first line: the viewer's choices, or who the table waits for."""
    menu, scene, game_screen = state.menu, state.timeline.scene, state.game_screen
    if state.lost:
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
    if scene is None or game_screen is None or scene.board is None:
        return fit([], columns, _BAR)
    if state.absent.played_for and scene.seat is not None:
        bot = scene.stand_in(scene.seat)
        who = f"A bot ({bot}) plays" if bot else "The default action is played"
        keys: Line = [("class:mine.key", f" {RETURN.name} "), ("class:mine", " come back ")]
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
        text = game_screen.waiting(scene)
    return fit([("class:bar", f" {text}")], columns, _BAR)


def _table_lines(state: ScreenState, keys: Sequence[KeyHint], columns: int) -> list[Line]:
    menu, note = state.menu, state.notice
    if state.timeline.interlude is not None or state.behind:
        return [_asked(state, columns), _note_and_keys(state, note, keys, columns)]
    time_left = _time_left(state, always=False)
    if state.pick is not None:
        first, second = picking(state.pick, state.answer.picked, columns, keys)
        if note:
            second = fit([("class:alarm", f" {note} ")], columns, "class:mine")
        elif time_left:
            second = fit([("class:alarm", f" {time_left} "), *second], columns, "class:mine")
        return [first, second]
    if state.pointing is not None:
        target = state.pointing.targets[state.answer.pointed]
        said = note or time_left
        return [
            pointing(state.pointing.title, target.label, columns),
            note_line(said, keys, columns, "mine", alarm=bool(said)),
        ]
    style = "mine" if menu is not None else "bar"
    if time_left and not note:
        return [_asked(state, columns), note_line(time_left, keys, columns, style, alarm=True)]
    said = note or (menu.note if menu is not None else "")
    return [_asked(state, columns), note_line(said, keys, columns, style, alarm=bool(note))]


def _note_and_keys(state: ScreenState, note: str, keys: Sequence[KeyHint], columns: int) -> Line:
    """The second line while something covers the board: our clock still shows."""
    note = note or _time_left(state, always=True)
    return note_line(note, keys, columns, "bar", alarm=bool(note))


def _time_left(state: ScreenState, *, always: bool) -> str:
    """How much time we have left while our clock runs; not `always`: only when it is low."""
    scene = state.conversation.model.scene
    if scene is None or scene.seat is None or not state.countdown.runs(scene.seat):
        return ""
    left = state.countdown.left(scene.seat)
    if left is None or not (always or low(left, scene.table.clock)):
        return ""
    return f"{show_left(left)} left"
