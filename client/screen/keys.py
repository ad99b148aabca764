"""What each key does at each place. A key that does nothing says why.

Keys come by name: a letter as itself, others as "enter", "escape", "up", ...
"""

from __future__ import annotations

from collections.abc import Sequence

from client.games import GameClient
from client.screen.answerkeys import in_pick, spelled
from client.screen.desk import Ask, Field, Place
from client.screen.form import Form
from client.screen.gamescreen import GameScreen
from client.screen.sitting import Sitting
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


def press(sitting: Sitting, key: str) -> None:
    """Do what `key` does now."""
    sitting.notice = ""
    if sitting.page is not None:
        _in_page(sitting, key)
        return
    match sitting.place:
        case Place.LOBBY:
            _in_lobby(sitting, key)
        case Place.OPENING:
            _in_form(sitting, key)
        case Place.ROOM:
            _in_room(sitting, key)
        case Place.TABLE:
            _at_table(sitting, key)
        case _:
            if key in (QUIT, "escape"):
                sitting.leave()
            elif key == ANEW and sitting.stranded:
                sitting.play_anew()


def _open(sitting: Sitting, page: str) -> None:
    # The log opens at its end.
    sitting.page, sitting.scroll = page, 10**6 if page == LOG else 0


def _in_page(sitting: Sitting, key: str) -> None:
    page = sitting.page
    if page == QUIT:
        sitting.page = None
        if key in ("y", "enter", QUIT):
            sitting.leave(text=sitting.farewell())
        return
    if page == START:
        sitting.page = None
        if key in ("y", "enter", "s") and sitting.connected():
            sitting.talk.start()
        return
    if page == CLOSE:
        sitting.page = None
        if key in ("y", "enter") and sitting.connected():
            sitting.talk.close()
        return
    if key in SCROLL:
        sitting.scroll = max(0, sitting.scroll + SCROLL[key])
    elif key in ("home", "end"):
        sitting.scroll = 0 if key == "home" else 10**6
    elif key in ("c", QUIT, HELP, LOG) and key != page:
        sitting.page = None
        _general(sitting, key)
    else:
        sitting.page = None


def _general(sitting: Sitting, key: str) -> bool:
    """Keys that work everywhere; whether this was one."""
    scene = sitting.story.scene
    if key == HELP:
        _open(sitting, HELP)
    elif key == LOG and scene is not None:
        _open(sitting, LOG)
    elif key == "c" and scene is not None:
        if sitting.connected():
            sitting.field = Field(Ask.CHAT)
    elif key == MOVE:
        sitting.move()
    elif key == QUIT:
        if scene is not None and scene.table_seat is not None and not scene.over:
            sitting.parting = sitting.farewell()
            _open(sitting, QUIT)
        else:
            sitting.leave()
    else:
        return False
    return True


def _needs_connection(sitting: Sitting, key: str, others: Sequence[str] = ()) -> bool:
    """Whether a key can do nothing because the connection is lost, which is then said. All
    can but those that only show something, `others` among them."""
    if sitting.online or key in (HELP, LOG, QUIT, *others):
        return False
    sitting.connected()
    return True


def _unknown(sitting: Sitting, key: str) -> None:
    if key in (" ", "enter", "escape"):
        # Pressed to go on, a moment after there was something to go on from.
        return
    name = key if len(key) > 1 else f"“{key}”"
    sitting.notice = f"{name} does nothing here; ? shows the keys."


def _in_lobby(sitting: Sitting, key: str) -> None:
    tables = sitting.talk.model.tables
    if _needs_connection(sitting, key, ("up", "down")):
        return
    if key in ("up", "down") and tables:
        step = 1 if key == "down" else -1
        sitting.chosen = (sitting.chosen + step) % len(tables)
    elif key == "enter":
        if not tables:
            sitting.notice = "There is no table to join: n opens one."
            return
        row = tables[min(sitting.chosen, len(tables) - 1)]
        if row.phase is Phase.WAITING:
            sitting.go_to(row.code)
        else:
            sitting.talk.watch(row.code)
    elif key == "n":
        sitting.form = Form(sitting.games())
    elif key == "j":
        sitting.field = Field(Ask.CODE)
    elif key == "r":
        sitting.talk.list_tables()
    elif not _general(sitting, key):
        _unknown(sitting, key)


def _in_form(sitting: Sitting, key: str) -> None:
    form = sitting.form
    assert form is not None
    if key == "enter":
        if sitting.connected():
            sitting.form = None
            sitting.open_table(form.table)
    elif key in ("escape", "b", QUIT):
        sitting.form = None
    elif not form.press(key) and not _general(sitting, key):
        _unknown(sitting, key)


def _in_room(sitting: Sitting, key: str) -> None:
    scene = sitting.story.scene
    assert scene is not None
    if _needs_connection(sitting, key):
        return
    if key == "s":
        if scene.may_start:
            # Whoever is still to come would find no seat any more.
            _open(sitting, START)
        elif scene.host:
            sitting.notice = "A game needs at least two players."
        else:
            sitting.notice = "The host starts the game."
    elif key == CLOSE and scene.may_close:
        _open(sitting, CLOSE)
    elif key == "b":
        sitting.talk.leave()
    elif not _general(sitting, key):
        _unknown(sitting, key)


def _at_table(sitting: Sitting, key: str) -> None:
    story, game, face = sitting.story, sitting.game, sitting.face
    scene = story.scene
    assert scene is not None and game is not None
    general = key in (HELP, LOG, "c", QUIT)
    if story.interlude is not None and not general:
        story.turn_page()
        return
    if sitting.behind and not general:
        story.catch_up(game, face)
        return
    if sitting.answer.pick is not None and in_pick(sitting, sitting.answer.pick, key):
        return
    if face is None:
        if not _general(sitting, key):
            _unknown(sitting, key)
        return
    menu = sitting.menu
    if menu is not None and menu.pick is not None and in_pick(sitting, menu.pick, key):
        return
    if menu is not None and spelled(sitting, menu, key):
        return
    _other(sitting, key, game, face)


def _other(sitting: Sitting, key: str, game: GameClient, face: GameScreen) -> None:
    """Keys that answer nothing: pages, taking back, and refusals."""
    scene = sitting.story.scene
    assert scene is not None
    if _needs_connection(sitting, key, (*face.pages, "v" if sitting.ended else HELP)):
        return
    if key in face.pages:
        _open(sitting, key)
    elif key == "u" and scene.may_undo is not None:
        sitting.take_back()
    elif key == "u":
        sitting.notice = "There is nothing that you could take back."
    elif key == HINT and scene.running and scene.seat is not None:
        sitting.ask_hint()
    elif key in (VOTE, RETURN, INVITE):
        _absence(sitting, key)
    elif sitting.ended and key == "v":
        sitting.showing_end = not sitting.showing_end
    elif sitting.ended and key == "w":
        sitting.talk.get_record(scene.table.code)
    elif key == (BACK if sitting.kept else ANEW) and (scene.over or scene.table_seat is None):
        sitting.talk.leave()
    elif _general(sitting, key):
        pass
    elif sitting.answer.on_its_way:
        sitting.notices.tell("Your move is on its way.", lambda: sitting.answer.on_its_way)
    elif sitting.absent.played_for:
        sitting.notice = f"Your seat is played for: {RETURN} plays it again."
    else:
        why = face.refuse(scene, key)
        if why is not None:
            sitting.notice = why
        else:
            _unknown(sitting, key)


def _absence(sitting: Sitting, key: str) -> None:
    """Keys about who is absent."""
    absent, talk = sitting.absent, sitting.talk
    away, free = absent.may_vote, absent.may_invite
    if not sitting.connected():
        return
    if key == RETURN and absent.played_for:
        talk.come_back()
    elif key == RETURN:
        sitting.notice = "Nobody plays for you."
    elif key == INVITE and free is not None:
        talk.invite(free)
    elif key == INVITE:
        sitting.notice = "There is no seat that somebody else may take."
    elif away is not None:
        absent.vote(away)
    else:
        sitting.notice = "The table waits for nobody who could be absent."
