"""Keys before a match: while connecting, in the list of tables, in the form for a new table, and
at a table that waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import evolve

from client.screen.bindings import Keymap, Offer
from client.screen.interface import Ask, Page
from client.screen.key_hints import Weight
from client.screen.keys_everywhere import CHAT, HELP, LOG, MOVE, QUIT, TO_TABLES, Key, seated
from client.screen.state import ScreenState
from client.screen.table_form import TableForm
from protocol.table import Phase

# while connecting

AGAIN = Key(
    "n",
    "a new game",
    ScreenState.start_again,
    when=lambda state: state.stranded,
    offline=True,
    offer=Offer("new game", "again"),
)
GIVE_UP = evolve(QUIT, keys=("q", "escape"))

CONNECTING = Keymap((AGAIN, GIVE_UP), bar=(AGAIN, GIVE_UP))


# the list of tables


def _has_tables(state: ScreenState) -> bool:
    return bool(state.conversation.model.tables)


def _step_in_list(state: ScreenState, step: int) -> None:
    state.chosen = (state.chosen + step) % len(state.conversation.model.tables)


def _go_to_chosen(state: ScreenState) -> None:
    tables = state.conversation.model.tables
    row = tables[min(state.chosen, len(tables) - 1)]
    if row.phase is Phase.WAITING:
        state.go_to(row.code)
    else:
        state.conversation.requests.watch(row.code)


def _fill_in_form(state: ScreenState) -> None:
    state.form = TableForm(state.games())


CHOOSE_UP = Key(
    "up",
    "another table of the list",
    partial(_step_in_list, step=-1),
    when=_has_tables,
    offline=True,
    called="↑ ↓",
    offer=Offer("choose", weight=Weight.PAGE, name="↑↓"),
)
CHOOSE_DOWN = Key("down", "", partial(_step_in_list, step=1), when=_has_tables, offline=True)
NEW_TABLE = Key("n", "a new table", _fill_in_form, offer=Offer("new table", "new"))
JOIN = Key(
    "enter",
    "sit down at it; where it is being played, watch",
    _go_to_chosen,
    when=_has_tables,
    refusal=f"There is no table to join: {NEW_TABLE.name} opens one.",
    offer=Offer("join"),
)
BY_CODE = Key(
    "j",
    "join a table by its code",
    partial(ScreenState.ask_for, what=Ask.CODE),
    offer=Offer("join by code", "by code"),
)
REFRESH = Key(
    "r", "look for tables at once", lambda state: state.conversation.requests.list_tables()
)

LOBBY = Keymap(
    (HELP, CHOOSE_UP, CHOOSE_DOWN, JOIN, NEW_TABLE, BY_CODE, REFRESH, MOVE, QUIT),
    bar=(CHOOSE_UP, JOIN, NEW_TABLE, BY_CODE, HELP, QUIT),
)


# the form for a new table


def _in_form(do: Callable[[TableForm], object]) -> Callable[[ScreenState], None]:
    def act(state: ScreenState) -> None:
        assert state.form is not None
        do(state.form)

    return act


def _open_table(state: ScreenState) -> None:
    form = state.form
    assert form is not None
    state.form = None
    state.open_table(form.table)


def _close_form(state: ScreenState) -> None:
    state.form = None


ROW_UP = Key(
    "up",
    "another row",
    _in_form(lambda form: form.step_row(-1)),
    offline=True,
    called="↑ ↓",
    offer=Offer("row", name="↑↓"),
)
ROW_DOWN = Key("down", "", _in_form(lambda form: form.step_row(1)), offline=True)
VALUE_DOWN = Key(
    ("left", "-"),
    "another value",
    _in_form(lambda form: form.step_value(-1)),
    offline=True,
    called="← →",
    offer=Offer("change", name="←→"),
)
VALUE_UP = Key(("right", " ", "+"), "", _in_form(lambda form: form.step_value(1)), offline=True)
OPEN = Key("enter", "open the table", _open_table, offer=Offer("open the table", "open"))
TO_LIST = Key(("escape", "b"), TO_TABLES, _close_form, offline=True, offer=Offer("back"))
QUIT_FORM = Key("q", TO_TABLES, _close_form, offline=True)

FORM = Keymap(
    (HELP, ROW_UP, ROW_DOWN, VALUE_DOWN, VALUE_UP, OPEN, TO_LIST, MOVE, QUIT_FORM),
    bar=(
        ROW_UP,
        VALUE_DOWN,
        OPEN,
        TO_LIST,
        evolve(HELP, offer=Offer("help", weight=Weight.PAGE)),
    ),
)


# a table that waits


def taken(state: ScreenState) -> int:
    assert state.scene is not None
    return sum(seat is not None for seat in state.scene.table.seats)


def _may_close(state: ScreenState) -> bool:
    return state.scene is not None and state.scene.may_close


def _cannot_start(state: ScreenState) -> str:
    if state.scene is not None and state.scene.host:
        return "A game needs at least two players."
    return "The host starts the game."


START = Key(
    "s",
    "start the game, with two players or more",
    # A question comes first: players who join later would find no seat.
    lambda state: state.page.open(Page.START),
    when=lambda state: state.scene is not None and state.scene.may_start,
    refusal=_cannot_start,
    listed=_may_close,
    offer=lambda state: Offer(f"start with {taken(state)}", "start"),
)
CLOSE = Key(
    "x",
    "close the table, for everybody",
    lambda state: state.page.open(Page.CLOSE),
    when=_may_close,
    offer=Offer("close the table", "close", Weight.PAGE),
)
LEAVE_ROOM = Key(
    "b",
    lambda state: f"leave the seat, {TO_TABLES}" if seated(state) else TO_TABLES,
    lambda state: state.conversation.requests.leave(),
    offer=lambda state: Offer("leave the seat", "leave") if seated(state) else Offer("back"),
)

ROOM = Keymap(
    (HELP, START, CLOSE, LEAVE_ROOM, LOG, CHAT, MOVE, QUIT),
    bar=(START, CLOSE, CHAT, LEAVE_ROOM, HELP, QUIT),
)
