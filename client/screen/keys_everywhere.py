"""Keys that work in several places of the client's screen, and when they do."""

from __future__ import annotations

from functools import partial

from client.screen.bindings import Binding, Offer
from client.screen.interface import Ask, Location, Page
from client.screen.key_hints import Weight
from client.screen.state import ScreenState

Key = Binding[ScreenState]

TO_TABLES = "back to the tables"


# when a key works


def at_a_table(state: ScreenState) -> bool:
    return state.scene is not None


def seated(state: ScreenState) -> bool:
    return state.scene is not None and state.scene.table_seat is not None


def over(state: ScreenState) -> bool:
    return state.scene is not None and state.scene.over


# the keys

HELP = Key(
    "?",
    "this page",
    lambda state: state.page.open(Page.HELP),
    offline=True,
    offer=lambda state: None if state.page.shown is Page.HELP else Offer("help"),
)
LOG = Key(
    "l",
    "the log: all that happened and was said",
    lambda state: state.page.open(Page.LOG),
    when=at_a_table,
    offline=True,
    offer=Offer("log", weight=Weight.LIGHT),
)
CHAT = Key(
    "c",
    "chat: type, ENTER sends, ESC does not",
    partial(ScreenState.ask_for, what=Ask.CHAT),
    when=at_a_table,
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
        state.page.open(Page.LEAVE)
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
        "leave" if state.page.shown is not None or state.location is Location.TABLE else "quit"
    ),
)
