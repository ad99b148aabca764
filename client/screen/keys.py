"""What each key does at each place. A key that does nothing says why.

Keys come by name: a letter as itself, others as "enter", "escape", "up", ...
"""

from __future__ import annotations

from collections.abc import Sequence

from client.games import GameClient
from client.screen.answer_keys import in_pick, spelled
from client.screen.game_api import GameScreen
from client.screen.interface import Ask, Field, Place
from client.screen.state import ScreenState
from client.screen.table_form import Form
from protocol.table import Phase

SCROLL = {"up": -1, "down": 1, "k": -1, "j": 1, "pageup": -10, "pagedown": 10, " ": 10}
HELP, LOG, QUIT = "?", "l", "q"
START = "start"
"""The page that asks whether to start with seats free."""
CLOSE = "x"
"""Closing a table that waits, and the page that asks whether to."""
QUESTIONS = (QUIT, START, CLOSE)
HINT = "h"
BACK = "b"
ANEW = "n"
"""Another game like the one that is over, where nobody else is."""
VOTE, RETURN, INVITE, MOVE = "x", "y", "i", "m"


def press(state: ScreenState, key: str) -> None:
    """Do what `key` does now."""
    state.notice = ""
    if state.page is not None:
        _in_page(state, key)
        return
    match state.place:
        case Place.LOBBY:
            _in_lobby(state, key)
        case Place.OPENING:
            _in_form(state, key)
        case Place.ROOM:
            _in_room(state, key)
        case Place.TABLE:
            _at_table(state, key)
        case _:
            if key in (QUIT, "escape"):
                state.leave()
            elif key == ANEW and state.stranded:
                state.play_anew()


def _open(state: ScreenState, page: str) -> None:
    # The log opens at its end.
    state.page, state.scroll = page, 10**6 if page == LOG else 0


def _in_page(state: ScreenState, key: str) -> None:
    page = state.page
    if page == QUIT:
        state.page = None
        if key in ("y", "enter", QUIT):
            state.leave(text=state.farewell())
        return
    if page == START:
        state.page = None
        if key in ("y", "enter", "s") and state.connected():
            state.conversation.requests.start()
        return
    if page == CLOSE:
        state.page = None
        if key in ("y", "enter") and state.connected():
            state.conversation.requests.close()
        return
    if key in SCROLL:
        state.scroll = max(0, state.scroll + SCROLL[key])
    elif key in ("home", "end"):
        state.scroll = 0 if key == "home" else 10**6
    elif key in ("c", QUIT, HELP, LOG) and key != page:
        state.page = None
        _general(state, key)
    else:
        state.page = None


def _general(state: ScreenState, key: str) -> bool:
    """Keys that work everywhere; whether this was one."""
    scene = state.timeline.scene
    if key == HELP:
        _open(state, HELP)
    elif key == LOG and scene is not None:
        _open(state, LOG)
    elif key == "c" and scene is not None:
        if state.connected():
            state.field = Field(Ask.CHAT)
    elif key == MOVE:
        state.move()
    elif key == QUIT:
        if scene is not None and scene.table_seat is not None and not scene.over:
            state.parting = state.farewell()
            _open(state, QUIT)
        else:
            state.leave()
    else:
        return False
    return True


def _needs_connection(state: ScreenState, key: str, others: Sequence[str] = ()) -> bool:
    """Whether a key can do nothing because the connection is lost, which is then said. All
    can but those that only show something, `others` among them."""
    if state.online or key in (HELP, LOG, QUIT, *others):
        return False
    state.connected()
    return True


def _unknown(state: ScreenState, key: str) -> None:
    if key in (" ", "enter", "escape"):
        # Pressed to go on, a moment after there was something to go on from.
        return
    name = key if len(key) > 1 else f"“{key}”"
    state.notice = f"{name} does nothing here; ? shows the keys."


def _in_lobby(state: ScreenState, key: str) -> None:
    tables = state.conversation.model.tables
    if _needs_connection(state, key, ("up", "down")):
        return
    if key in ("up", "down") and tables:
        step = 1 if key == "down" else -1
        state.chosen = (state.chosen + step) % len(tables)
    elif key == "enter":
        if not tables:
            state.notice = "There is no table to join: n opens one."
            return
        row = tables[min(state.chosen, len(tables) - 1)]
        if row.phase is Phase.WAITING:
            state.go_to(row.code)
        else:
            state.conversation.requests.watch(row.code)
    elif key == "n":
        state.form = Form(state.games())
    elif key == "j":
        state.field = Field(Ask.CODE)
    elif key == "r":
        state.conversation.requests.list_tables()
    elif not _general(state, key):
        _unknown(state, key)


def _in_form(state: ScreenState, key: str) -> None:
    form = state.form
    assert form is not None
    if key == "enter":
        if state.connected():
            state.form = None
            state.open_table(form.table)
    elif key in ("escape", "b", QUIT):
        state.form = None
    elif not form.press(key) and not _general(state, key):
        _unknown(state, key)


def _in_room(state: ScreenState, key: str) -> None:
    scene = state.timeline.scene
    assert scene is not None
    if _needs_connection(state, key):
        return
    if key == "s":
        if scene.may_start:
            # Whoever is still to come would find no seat any more.
            _open(state, START)
        elif scene.host:
            state.notice = "A game needs at least two players."
        else:
            state.notice = "The host starts the game."
    elif key == CLOSE and scene.may_close:
        _open(state, CLOSE)
    elif key == "b":
        state.conversation.requests.leave()
    elif not _general(state, key):
        _unknown(state, key)


def _at_table(state: ScreenState, key: str) -> None:
    timeline, game, face = state.timeline, state.game, state.face
    scene = timeline.scene
    assert scene is not None and game is not None
    general = key in (HELP, LOG, "c", QUIT)
    if timeline.interlude is not None and not general:
        timeline.turn_page()
        return
    if state.behind and not general:
        timeline.catch_up(game, face)
        return
    if state.answer.pick is not None and in_pick(state, state.answer.pick, key):
        return
    if face is None:
        if not _general(state, key):
            _unknown(state, key)
        return
    menu = state.menu
    if menu is not None and menu.pick is not None and in_pick(state, menu.pick, key):
        return
    if menu is not None and spelled(state, menu, key):
        return
    _other(state, key, game, face)


def _other(state: ScreenState, key: str, game: GameClient, face: GameScreen) -> None:
    """Keys that answer nothing: pages, taking back, and refusals."""
    scene = state.timeline.scene
    assert scene is not None
    if _needs_connection(state, key, (*face.pages, "v" if state.ended else HELP)):
        return
    if key in face.pages:
        _open(state, key)
    elif key == "u" and scene.may_undo is not None:
        state.take_back()
    elif key == "u":
        state.notice = "There is nothing that you could take back."
    elif key == HINT and scene.running and scene.seat is not None:
        state.ask_hint()
    elif key in (VOTE, RETURN, INVITE):
        _absence(state, key)
    elif state.ended and key == "v":
        state.showing_end = not state.showing_end
    elif state.ended and key == "w":
        state.conversation.requests.get_record(scene.table.code)
    elif key == (BACK if state.kept else ANEW) and (scene.over or scene.table_seat is None):
        state.conversation.requests.leave()
    elif _general(state, key):
        pass
    elif state.answer.on_its_way:
        state.notices.tell("Your move is on its way.", lambda: state.answer.on_its_way)
    elif state.absent.played_for:
        state.notice = f"Your seat is played for: {RETURN} plays it again."
    else:
        why = face.refuse(scene, key)
        if why is not None:
            state.notice = why
        else:
            _unknown(state, key)


def _absence(state: ScreenState, key: str) -> None:
    """Keys about who is absent."""
    absent, conversation = state.absent, state.conversation
    away, free = absent.may_vote, absent.may_invite
    if not state.connected():
        return
    if key == RETURN and absent.played_for:
        conversation.requests.come_back()
    elif key == RETURN:
        state.notice = "Nobody plays for you."
    elif key == INVITE and free is not None:
        conversation.requests.invite(free)
    elif key == INVITE:
        state.notice = "There is no seat that somebody else may take."
    elif away is not None:
        absent.vote(away)
    else:
        state.notice = "The table waits for nobody who could be absent."
