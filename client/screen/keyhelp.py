"""The keys of the help page: those that mean something where the person is now, each with what
it does there. Pure: reads the sitting. The keys of a prompt stand in the bottom lines.
"""

from __future__ import annotations

from client.screen.interface import Place
from client.screen.keys import ANEW, BACK, CLOSE, HELP, HINT, INVITE, LOG, MOVE, QUIT, RETURN, VOTE
from client.screen.state import ScreenState
from client.state.scene import Scene
from protocol.table import Absence, ClockKind

Keys = list[tuple[str, str]]
"""Keys as they are called on the screen, each with its meaning."""


def keys_here(state: ScreenState) -> Keys:
    """What may be pressed here, now or in a while; help itself first, the way out last."""
    scene = state.timeline.scene
    keys: Keys = [(HELP, "this page")]
    match state.place:
        case Place.LOBBY:
            keys += _in_lobby(state)
        case Place.OPENING:
            keys += _IN_FORM
        case Place.ROOM if scene is not None:
            keys += _in_room(scene)
        case Place.TABLE if scene is not None:
            keys += _at_table(state, scene)
    if scene is not None:
        keys.append((LOG, "the log: all that happened and was said"))
        keys.append(("c", "chat: type, ENTER sends, ESC does not"))
    if state.kept:
        keys.append((MOVE, "a code that carries your seat to another device"))
    keys.append((QUIT, _way_out(state, scene)))
    return keys


_IN_FORM: Keys = [
    ("↑ ↓", "another row"),
    ("← →", "another value"),
    ("ENTER", "open the table"),
    ("ESC", "back to the tables"),
]


def _in_lobby(state: ScreenState) -> Keys:
    keys: Keys = []
    if state.conversation.model.tables:
        keys.append(("↑ ↓", "another table of the list"))
        keys.append(("ENTER", "sit down at it; where it is being played, watch"))
    keys.append(("n", "a new table"))
    keys.append(("j", "join a table by its code"))
    keys.append(("r", "look for tables at once"))
    return keys


def _in_room(scene: Scene) -> Keys:
    keys: Keys = []
    if scene.may_close:
        keys.append(("s", "start the game, with two players or more"))
        keys.append((CLOSE, "close the table, for everybody"))
    seated = scene.table_seat is not None
    keys.append(("b", "leave the seat, back to the tables" if seated else "back to the tables"))
    return keys


def _at_table(state: ScreenState, scene: Scene) -> Keys:
    keys: Keys = list(state.face.pages.items()) if state.face is not None else []
    if state.ended:
        keys.append(("v", "the board, or the result"))
        keys.append(("w", "save the record"))
    elif scene.seat is not None:
        keys += _of_players(state, scene, scene.seat)
    if not scene.over:
        keys.append(("any key", "when moves are shown one after another: show the present"))
    if scene.over and not state.kept:
        keys.append((ANEW, "another game like this one"))
    elif scene.over or scene.table_seat is None:
        keys.append((BACK, "back to the tables"))
    return keys


def _of_players(state: ScreenState, scene: Scene, mine: int) -> Keys:
    """What may be done beside moves while a game runs, by `mine` of its seats."""
    table, seats = scene.table, range(len(scene.table.places))
    others = state.kept and any(not scene.bot(seat) for seat in seats if seat != mine)
    keys: Keys = [("u", "take back your last move, where that is offered")]
    if not state.kept:
        # A server says whether it gives any only when it is asked: no promise is made for it.
        keys.append((HINT, "a hint: what the best bot would do"))
    if others:
        keys.append((VOTE, "call absent whom the table waits for too long"))
    if others or table.clock.kind is not ClockKind.NONE:
        keys.append((RETURN, "play yourself again, after others or a bot played for you"))
    if others and table.absence is Absence.SUBSTITUTE:
        keys.append((INVITE, "invite somebody to an absent seat, where that is offered"))
    return keys


def _way_out(state: ScreenState, scene: Scene | None) -> str:
    if state.place is Place.OPENING:
        return "back to the tables"
    if scene is None or scene.table_seat is None or scene.over:
        return "leave the program"
    return "leave; your seat is kept" if state.kept else "leave; this game then ends"
