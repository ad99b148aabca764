"""Every key of the client's screen: one table for each place.

To add or change a key, edit its `Binding` here: what pressing it does (`client.screen.press`),
the help page and the bottom lines follow. The keys of a prompt's choices come from the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from attrs import evolve, frozen

from client.screen.bindings import ANY, Binding, Keymap, Offer
from client.screen.interface import Ask, Location, Page
from client.screen.key_hints import Weight
from client.screen.lines import cut
from client.screen.state import END, NO_WAY_BACK, ScreenState
from client.screen.table_form import TableForm
from protocol.table import Absence, ClockKind, Phase

Key = Binding[ScreenState]

_TO_TABLES = "back to the tables"


# when a key works


def _at_a_table(state: ScreenState) -> bool:
    return state.scene is not None


def _plays(state: ScreenState) -> bool:
    """Whether we play in a match whose end is not shown."""
    return not state.ended and state.scene is not None and state.scene.seat is not None


def _with_others(state: ScreenState) -> bool:
    """Whether we play with other people, at a server."""
    scene = state.scene
    if scene is None or state.solo or not _plays(state):
        return False
    seats = range(len(scene.table.places))
    return any(not scene.bot(seat) for seat in seats if seat != scene.seat)


def _has_tables(state: ScreenState) -> bool:
    return bool(state.conversation.model.tables)


def _seated(state: ScreenState) -> bool:
    return state.scene is not None and state.scene.table_seat is not None


def _over(state: ScreenState) -> bool:
    return state.scene is not None and state.scene.over


# keys of several places

HELP = Key(
    "?",
    "this page",
    partial(ScreenState.open_page, page=Page.HELP),
    offline=True,
    offer=lambda state: None if state.page is Page.HELP else Offer("help"),
)
LOG = Key(
    "l",
    "the log: all that happened and was said",
    partial(ScreenState.open_page, page=Page.LOG),
    when=_at_a_table,
    offline=True,
    offer=Offer("log", weight=Weight.LIGHT),
)
CHAT = Key(
    "c",
    "chat: type, ENTER sends, ESC does not",
    partial(ScreenState.ask_for, what=Ask.CHAT),
    when=_at_a_table,
    offer=Offer("chat", weight=Weight.TALK),
)
MOVE = Key(
    "m",
    "a code that carries your seat to another device",
    lambda state: state.conversation.requests.get_move_code(),
    when=lambda state: not state.solo,
    refusal="This game is on this device alone.",
)


def _quit(state: ScreenState) -> None:
    scene = state.scene
    if scene is not None and scene.table_seat is not None and not scene.over:
        state.parting = state.farewell()
        state.open_page(Page.LEAVE)
    else:
        state.leave()


def _quits(state: ScreenState) -> str:
    scene = state.scene
    if scene is None or scene.table_seat is None or scene.over:
        return "leave the program"
    return "leave; this game then ends" if state.solo else "leave; your seat is kept"


QUIT = Key(
    "q",
    _quits,
    _quit,
    offline=True,
    offer=lambda state: Offer(
        "leave" if state.page is not None or state.location is Location.TABLE else "quit"
    ),
)


# before there is a table

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
TO_LIST = Key(("escape", "b"), _TO_TABLES, _close_form, offline=True, offer=Offer("back"))
QUIT_FORM = Key("q", _TO_TABLES, _close_form, offline=True)

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


def _taken(state: ScreenState) -> int:
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
    partial(ScreenState.open_page, page=Page.START),
    when=lambda state: state.scene is not None and state.scene.may_start,
    refusal=_cannot_start,
    listed=_may_close,
    offer=lambda state: Offer(f"start with {_taken(state)}", "start"),
)
CLOSE = Key(
    "x",
    "close the table, for everybody",
    partial(ScreenState.open_page, page=Page.CLOSE),
    when=_may_close,
    offer=Offer("close the table", "close", Weight.PAGE),
)
LEAVE_ROOM = Key(
    "b",
    lambda state: f"leave the seat, {_TO_TABLES}" if _seated(state) else _TO_TABLES,
    lambda state: state.conversation.requests.leave(),
    offer=lambda state: Offer("leave the seat", "leave") if _seated(state) else Offer("back"),
)

ROOM = Keymap(
    (HELP, START, CLOSE, LEAVE_ROOM, LOG, CHAT, MOVE, QUIT),
    bar=(START, CLOSE, CHAT, LEAVE_ROOM, HELP, QUIT),
)


# a table where a match is played, or is over


def _game_page(key: str, title: str) -> Key:
    """A page of the game's own. The bottom lines do not offer it at the end."""
    offer = Offer(title.split(maxsplit=1)[0], weight=Weight.PAGE)
    return Key(
        key,
        title,
        partial(ScreenState.open_page, page=key),
        offline=True,
        offer=lambda state: None if state.ended else offer,
    )


def _turn_end_over(state: ScreenState) -> None:
    state.showing_end = not state.showing_end


BOARD = Key(
    "v",
    "the board, or the result",
    _turn_end_over,
    when=lambda state: state.ended,
    offline=True,
    offer=lambda state: Offer("board" if state.showing_end else "result", weight=Weight.PAGE),
)


def _save(state: ScreenState) -> None:
    assert state.scene is not None
    state.conversation.requests.get_record(state.scene.table.code)


SAVE = Key(
    "w",
    "save the record",
    _save,
    when=lambda state: state.ended,
    offer=Offer("save the record", "save", Weight.OFFER),
)
UNDO = Key(
    "u",
    "take back your last move, where that is offered",
    lambda state: state.answer.take_back(),
    when=lambda state: state.scene is not None and state.scene.may_undo is not None,
    refusal="There is nothing to take back.",
    listed=_plays,
    offer=Offer("undo", weight=Weight.OFFER),
)
HINT = Key(
    "h",
    "a hint: what the best bot would do",
    ScreenState.ask_hint,
    when=lambda state: (
        state.scene is not None and state.scene.running and state.scene.seat is not None
    ),
    # Only a request shows whether a server gives hints: the key works, but help and the bottom
    # lines promise nothing.
    listed=lambda state: _plays(state) and state.solo,
    offer=lambda state: (
        Offer("hint", weight=Weight.OFFER) if state.solo and state.menu is not None else None
    ),
)


def _vote(state: ScreenState) -> None:
    assert state.absent.may_vote is not None
    state.absent.vote(state.absent.may_vote)


def _offer_vote(state: ScreenState) -> Offer | None:
    """Offered once the server accepts it, as far as is known."""
    seat = state.absent.offered
    if seat is None or state.scene is None:
        return None
    return Offer(f"{cut(state.scene.name(seat), 12)} is absent", "absent", Weight.OFFER)


VOTE = Key(
    "x",
    "call a player absent who keeps the table waiting",
    _vote,
    when=lambda state: state.absent.may_vote is not None,
    refusal="There is nobody to call absent now.",
    listed=_with_others,
    offer=_offer_vote,
)
RETURN = Key(
    "y",
    "come back, when your seat is played for you",
    lambda state: state.conversation.requests.come_back(),
    when=lambda state: state.absent.played_for,
    refusal="Nobody plays for you.",
    listed=lambda state: (
        _with_others(state)
        or (
            _plays(state)
            and state.scene is not None
            and state.scene.table.clock.kind is not ClockKind.NONE
        )
    ),
    # The line above the keys offers it, and says who plays.
)


def _invite(state: ScreenState) -> None:
    assert state.absent.may_invite is not None
    state.conversation.requests.invite(state.absent.may_invite)


INVITE = Key(
    "i",
    "invite somebody to an absent seat, where that is offered",
    _invite,
    when=lambda state: state.absent.may_invite is not None,
    refusal="There is no seat that somebody else may take.",
    listed=lambda state: (
        _with_others(state)
        and state.scene is not None
        and state.scene.table.absence is Absence.SUBSTITUTE
    ),
    offer=Offer("invite to the free seat", "invite", Weight.OFFER),
)


def _go_on(state: ScreenState) -> None:
    if state.timeline.interlude is not None:
        state.timeline.turn_page()
    elif state.game is not None:
        state.timeline.catch_up(state.game, state.game_screen)


GO_ON = Key(
    ANY,
    "when moves are shown one after another: show the present",
    _go_on,
    listed=lambda state: not _over(state),
    offline=True,
    offer=lambda state: (
        Offer("show the present", "go on")
        if state.timeline.interlude is None
        else Offer("go on", "go on")
    ),
)
NEW_GAME = Key(
    "n",
    "another game like this one",
    lambda state: state.conversation.requests.leave(),
    when=lambda state: _over(state) and state.solo,
    offer=Offer("new game", "again", Weight.OFFER),
)
TABLES = Key(
    "b",
    _TO_TABLES,
    lambda state: state.conversation.requests.leave(),
    when=lambda state: not state.solo and (_over(state) or not _seated(state)),
    offer=Offer("tables", weight=Weight.PAGE),
)


_GO_ON_LATER = evolve(GO_ON, keys=(), called=ANY)
"""`GO_ON` as help lists it. It takes no key while the present is shown."""


def _table_keymap(state: ScreenState) -> Keymap[ScreenState]:
    """The table's keys, among them those of the game's own pages."""
    own = state.game_screen.pages if state.game_screen is not None else {}
    pages = [_game_page(key, title) for key, title in own.items()]
    acts = (UNDO, HINT, VOTE, RETURN, INVITE)
    return Keymap(
        (HELP, *pages, BOARD, SAVE, *acts, _GO_ON_LATER, NEW_GAME, TABLES, LOG, CHAT, MOVE, QUIT),
        bar=(
            HELP,
            VOTE,
            INVITE,
            HINT,
            UNDO,
            BOARD,
            SAVE,
            *pages,
            NEW_GAME,
            TABLES,
            CHAT,
            QUIT,
            LOG,
        ),
    )


CATCHING_UP = Keymap((HELP, LOG, CHAT, QUIT, GO_ON), bar=(GO_ON, HELP, QUIT))
"""The keys while the screen is behind, or a page came up by itself."""


# choosing several things for one answer


def _pick_key(item: int) -> Key:
    def toggle(state: ScreenState) -> None:
        assert state.pick is not None
        state.answer.toggle(state.pick, item)

    return Key(
        str(item + 1),
        "",
        toggle,
        when=lambda state: state.pick is not None and item < len(state.pick.items),
        offline=True,
    )


def _picked_enough(state: ScreenState) -> bool:
    return (
        state.pick is not None and state.pick.least <= len(state.answer.picked) <= state.pick.most
    )


def _send_picked(state: ScreenState) -> None:
    assert state.pick is not None
    state.act(state.pick.make(state.answer.picked))


def _too_few(state: ScreenState) -> str:
    assert state.pick is not None
    return f"Choose {state.pick.least} first: {len(state.answer.picked)} so far."


SEND_PICKED = Key(
    "enter",
    "",
    _send_picked,
    when=_picked_enough,
    refusal=_too_few,
    offline=True,
    offer=Offer("do it"),
)
CLEAR = Key(
    "backspace",
    "",
    lambda state: state.answer.take(state.answer.picked[:-1]),
    offline=True,
    offer=lambda state: Offer("clear", weight=Weight.TALK) if state.answer.picked else None,
)
PICK_NOTHING = Key(
    "escape",
    "",
    lambda state: state.answer.choose(None),
    offline=True,
    # Where the prompt itself asks for a choice there is nothing to go back to.
    offer=lambda state: Offer("back") if state.answer.pick is not None else None,
)

PICKING = Keymap(
    (*map(_pick_key, range(9)), SEND_PICKED, CLEAR, PICK_NOTHING),
    bar=(
        SEND_PICKED,
        CLEAR,
        PICK_NOTHING,
        evolve(HELP, offer=Offer("help", weight=Weight.LIGHT)),
        evolve(QUIT, offer=Offer("leave", weight=Weight.LIGHT)),
    ),
)
"""Keys that come before those of the table."""


# pages over the screen


def _scroll_key(keys: str | tuple[str, ...], step: int, offer: Offer | None = None) -> Key:
    return Key(keys, "", partial(ScreenState.scroll_by, step=step), offline=True, offer=offer)


SCROLL_UP = _scroll_key(("up", "k"), -1, Offer("scroll", weight=Weight.PAGE, name="↑↓"))
SCROLLING = Keymap(
    (
        SCROLL_UP,
        _scroll_key(("down", "j"), 1),
        _scroll_key("pageup", -10),
        _scroll_key(("pagedown", " "), 10),
        _scroll_key("home", -END),
        _scroll_key("end", END),
    )
)
TURN_BACK = Key(ANY, "", ScreenState.close_page, offline=True, offer=Offer("back"))

PAGE = Keymap((CHAT, QUIT, HELP, LOG, TURN_BACK), bar=(SCROLL_UP, TURN_BACK, HELP, QUIT))


# questions


@frozen
class Wording:
    """What a question says."""

    asked: str
    consequence: str = ""
    """What a yes brings with it, after the question."""
    aside: str = ""
    """More to know, behind the keys; dropped where there is no room."""


@frozen
class Question:
    """A page that asks whether to do what a key is for. The key opens it (`open_page`); only the
    keys of `yes` do it, and every other key closes the page."""

    wording: Callable[[ScreenState], Wording]
    yes: Key
    no: Offer
    """How the bottom lines offer the other keys."""

    @property
    def keymap(self) -> Keymap[ScreenState]:
        no = Key(ANY, "", ScreenState.close_page, offline=True, offer=self.no)
        return Keymap((self.yes, no), bar=(self.yes, no))


def _leave_wording(state: ScreenState) -> Wording:
    asked = "Leave the table?"
    if state.parting == NO_WAY_BACK:
        return Wording(asked, NO_WAY_BACK)
    # The way back is printed after the screen is gone, so it need not fit here.
    kept = "This game then ends." if state.solo else "Your seat is kept."
    return Wording(asked, kept, state.parting)


def _leave_table(state: ScreenState) -> None:
    state.leave(text=state.farewell())


def _start_wording(state: ScreenState) -> Wording:
    seats = state.scene.table.seats if state.scene is not None else ()
    taken = sum(seat is not None for seat in seats)
    return Wording(f"Start with {taken} of {len(seats)} seats taken?")


def _start(state: ScreenState) -> None:
    state.conversation.requests.start()


def _close(state: ScreenState) -> None:
    state.conversation.requests.close()


QUESTIONS: Mapping[Page | str, Question] = {
    Page.LEAVE: Question(
        _leave_wording,
        Key(("y", "enter", "q"), "", _leave_table, offline=True, offer=Offer("leave")),
        Offer("stay", name="n"),
    ),
    Page.START: Question(
        _start_wording,
        Key(("y", "enter", "s"), "", _start, offer=Offer("start")),
        Offer("wait for the others", "wait", name="n"),
    ),
    Page.CLOSE: Question(
        lambda state: Wording("Close the table?", "Everybody leaves it."),
        Key(("y", "enter"), "", _close, offer=Offer("close")),
        Offer("keep it", "keep", name="n"),
    ),
}
"""Each question: what it says, the keys that answer it, and what a yes does."""


# which keys there are


def keymap_of(state: ScreenState) -> Keymap[ScreenState]:
    """The keys of the place that is shown, under any page."""
    match state.location:
        case Location.LOBBY:
            return LOBBY
        case Location.FORM:
            return FORM
        case Location.ROOM:
            return ROOM
        case Location.TABLE:
            return _table_keymap(state)
        case _:
            return CONNECTING


def keymap_now(state: ScreenState) -> Keymap[ScreenState]:
    """The keys that the bottom lines offer now."""
    if state.page is not None:
        question = QUESTIONS.get(state.page)
        return question.keymap if question is not None else PAGE
    if state.location is Location.TABLE:
        if state.behind or state.timeline.interlude is not None:
            return CATCHING_UP
        if state.pick is not None:
            return PICKING
    return keymap_of(state)
