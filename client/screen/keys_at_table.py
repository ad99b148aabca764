"""Keys at a table where a match is played or is over: those of the table, those while the screen
catches up, and those that choose several things for one answer."""

from __future__ import annotations

from attrs import evolve

from client.screen.bindings import ANY, Keymap, Offer
from client.screen.game_api import Direction
from client.screen.key_hints import Weight
from client.screen.keys_everywhere import CHAT, HELP, LOG, MOVE, QUIT, TO_TABLES, Key, over, seated
from client.screen.lines import cut
from client.screen.state import ScreenState
from protocol.table import Absence, ClockKind

# when a key works


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


# keys of the table


def _game_page(key: str, title: str) -> Key:
    """A page of the game's own. The bottom lines do not offer it at the end."""
    offer = Offer(title.split(maxsplit=1)[0], weight=Weight.PAGE)
    return Key(
        key,
        title,
        lambda state: state.page.open(key),
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
    else:
        state.timeline.catch_up()


GO_ON = Key(
    ANY,
    "when moves are shown one after another: show the present",
    _go_on,
    listed=lambda state: not over(state),
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
    when=lambda state: over(state) and state.solo,
    offer=Offer("new game", "again", Weight.OFFER),
)
TABLES = Key(
    "b",
    TO_TABLES,
    lambda state: state.conversation.requests.leave(),
    when=lambda state: not state.solo and (over(state) or not seated(state)),
    offer=Offer("tables", weight=Weight.PAGE),
)


_GO_ON_LATER = evolve(GO_ON, keys=(), called=ANY)
"""`GO_ON` as help lists it. It takes no key while the present is shown."""


def table_keymap(state: ScreenState) -> Keymap[ScreenState]:
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
    state.answer.go_on(state.pick.make(state.answer.picked))


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
    offer=lambda state: Offer("back") if state.answer.opened is not None else None,
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


# choosing one thing by moving over the board


def _pointing_key(direction: Direction, offer: Offer | None = None) -> Key:
    def move(state: ScreenState) -> None:
        assert state.pointing is not None
        state.answer.point(state.pointing.move(state.answer.pointed, direction))

    return Key(direction.value, "", move, offline=True, offer=offer)


def _next_target(state: ScreenState) -> None:
    assert state.pointing is not None
    state.answer.point((state.answer.pointed + 1) % len(state.pointing.targets))


def _take_target(state: ScreenState) -> None:
    assert state.pointing is not None
    target = state.pointing.targets[state.answer.pointed]
    state.answer.go_on(target.pointing or target.command)


TAKE_TARGET = Key("enter", "", _take_target, offline=True, offer=Offer("do it"))
NEXT_TARGET = Key("tab", "", _next_target, offline=True, offer=Offer("next", weight=Weight.TALK))
POINTING = Keymap(
    (
        _pointing_key(Direction.UP, Offer("move", weight=Weight.OFFER, name="arrows")),
        *map(_pointing_key, (Direction.DOWN, Direction.LEFT, Direction.RIGHT)),
        NEXT_TARGET,
        TAKE_TARGET,
        PICK_NOTHING,
    ),
    bar=(
        TAKE_TARGET,
        _pointing_key(Direction.UP, Offer("move", weight=Weight.OFFER, name="arrows")),
        NEXT_TARGET,
        PICK_NOTHING,
        evolve(HELP, offer=Offer("help", weight=Weight.LIGHT)),
        evolve(QUIT, offer=Offer("leave", weight=Weight.LIGHT)),
    ),
)
"""Keys that come before those of the table."""
