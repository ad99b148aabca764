"""One person at the screen: where they are, what is open, what they wish.

Hears the model's changes. The answer in the making is `client.screen.answer`'s affair, what
the server brings to be read `client.screen.news`'s. Draws nothing (`client.screen.pages` does),
knows no toolkit and no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from client.games import GameClient
from client.join.invocation import Back
from client.join.opener import Opener, Opening
from client.join.table_options import NewTable
from client.net.conversation import Conversation
from client.screen.absence import Absent
from client.screen.answer import Answer
from client.screen.catch_up import CatchUp
from client.screen.game_api import GameScreen, Menu
from client.screen.interface import Ask, Field, Leaving, Place
from client.screen.news import News
from client.screen.notices import Notices, sentence
from client.screen.table_form import Form
from client.screen.text_screen import TextScreen
from client.screen.timeline import Timeline
from client.state.clocks import Countdown
from client.state.events import (
    Attended,
    Change,
    Chatted,
    ConnectionChanged,
    ConnectionStatus,
    Departed,
    FileCame,
    Greeted,
    Listed,
    RequestRefused,
    Stepped,
)

NO_WAY_BACK = "You cannot come back to your seat: the session is not kept."
REFRESH = 2.0
"""Seconds between two looks at the list of tables."""


class ScreenState:
    """The state behind the screen. One owner, one thread."""

    def __init__(
        self,
        conversation: Conversation,
        *,
        where: str,
        games: Callable[[], list[GameClient]],
        begin: Callable[[str], None],
        save: Callable[[FileCame], str],
        opening: Opening,
        name: str | None,
        kept: bool = True,
        back: Back = lambda scene: "",
    ) -> None:
        """`where` names the server as one would type it; `begin` connects under a name
        (called at once unless `name` is None; empty: under that of the session);
        `opening` is done on arrival; `kept`: whether there will be a table to come back
        to; `back`: the command line for that."""
        self.conversation = conversation
        self.where = where
        self.timeline = Timeline()
        self.games = games
        self.kept = kept
        self.back = back
        self._anew = None if kept else opening.table
        self.begin = begin
        self._opener = Opener(conversation, opening)
        self._face: tuple[GameClient, GameScreen] | None = None
        self._refresh = 0.0
        self.form: Form | None = None
        self.chosen = 0
        self.page: str | None = None
        """The page that is open over the board: a key of the shell or the game."""
        self.scroll = 0
        self.parting = ""
        """What would be said after leaving, as of when the question was opened: it is drawn
        often, and found out from files."""
        self.answer = Answer(conversation, self.timeline)
        self.notices = Notices(conversation)
        self.news = News(conversation, self.timeline, self.notices, where=where, save=save)
        self.showing_end = True
        self.left: Leaving | None = None
        self.naming = name is None
        self.field: Field | None = (
            Field(Ask.NAME, conversation.model.name, offered=True) if self.naming else None
        )
        self.countdown = Countdown()
        self.absent = Absent(conversation)
        self._catching_up = CatchUp(conversation, self.timeline, self.countdown)
        conversation.listeners += [self._opener, self.countdown, self.absent, self.hear]
        if name is not None:
            begin(name)

    # where we are

    @property
    def place(self) -> Place:
        if self.naming:
            return Place.NAMING
        if self.conversation.model.session is None:
            return Place.CONNECTING
        scene = self.timeline.scene
        if not self.kept and (scene is None or scene.board is None):
            # A table for us alone is on its way to us: there is no choice, and nobody to wait for.
            return Place.CONNECTING
        if scene is None:
            return Place.OPENING if self.form is not None else Place.LOBBY
        return Place.ROOM if scene.board is None else Place.TABLE

    @property
    def stranded(self) -> bool:
        """Whether the table for us alone could not be opened: nothing is on its way."""
        refused = self._opener.failed is not None and not self._opener.under_way
        return self._anew is not None and refused and self.place is Place.CONNECTING

    @property
    def game(self) -> GameClient | None:
        return self.conversation.model.game

    @property
    def face(self) -> GameScreen | None:
        """The game's screen side: its own, or what can be made of its texts."""
        game = self.game
        if game is None:
            return None
        if self._face is None or self._face[0] is not game:
            own: GameScreen | None = game.screen()
            self._face = (game, own if own is not None else TextScreen(game))
        return self._face[1]

    @property
    def online(self) -> bool:
        return self.conversation.model.connection.status is ConnectionStatus.ONLINE

    @property
    def behind(self) -> int:
        """How many entries are still to be shown."""
        return self.timeline.pace.behind

    @property
    def menu(self) -> Menu | None:
        """What may be done now: only in the present, with a connection, and once."""
        scene, face = self.timeline.scene, self.face
        if self.behind or self.answer.on_its_way or scene is None or face is None:
            return None
        if self.absent.played_for or not self.online:
            return None
        return face.menu(scene) if scene.board is not None else None

    @property
    def waited_for(self) -> str:
        """What we are asked, in the present; empty if nothing, if it is answered, or if no
        answer can be sent."""
        scene, face = self.conversation.model.scene, self.face
        if scene is None or face is None or scene.mine is None or self.answer.on_its_way:
            return ""
        if not self.online:
            return ""
        menu = None if scene.played_for else face.menu(scene)
        return "" if menu is None else menu.title[:1].lower() + menu.title[1:]

    # notices

    @property
    def notice(self) -> str:
        """Why the last key did nothing, or what else must be known; until the next key, or
        until it is no longer true."""
        return self.notices.text

    @notice.setter
    def notice(self, text: str) -> None:
        self.notices.tell(text)

    # hearing

    def hear(self, change: Change) -> None:
        """Take in what the model tells."""
        self.news.hear(change)
        match change:
            case Stepped():
                self.timeline.arrive(change, self.face)
            case Attended():
                self._attended(change)
            case Chatted():
                self.timeline.chat(change)
            case Greeted(name, _):
                self._greeted(name)
            case RequestRefused():
                self._refused(change)
            case Departed():
                self._departed()
            case Listed(tables):
                self.chosen = max(0, min(self.chosen, len(tables) - 1))
            case ConnectionChanged(status=ConnectionStatus.WAITING):
                self.answer.choose(None)
            case _:
                pass

    def ask_hint(self) -> None:
        """Ask what the best bot would do in our place."""
        if self.connected():
            asked = self.conversation.requests.ask_hint()
            self.notice = "Thinking …" if asked else "The table is not back yet: ask again."

    def _attended(self, change: Attended) -> None:
        assert self.game is not None
        self.form = None
        self.answer.choose(None)
        if self.field is not None and self.field.ask is Ask.CODE:
            self.field = None
        self.timeline.attend(change, self.game)

    def _greeted(self, name: str) -> None:
        self.naming = False
        if self.field is not None and self.field.ask is Ask.NAME:
            self.field = None
        if self.timeline.scene is None:
            self.conversation.requests.list_tables()

    def _refused(self, refusal: RequestRefused) -> None:
        # What it is about may have changed by now: it is to be read all the same.
        self.notices.stay(sentence(refusal.text))
        if self.conversation.greeting:
            self.naming = True
        if self.conversation.greeting and (self.field is None or self.field.ask is not Ask.NAME):
            self.field = Field(Ask.NAME, self.conversation.model.name)

    def _departed(self) -> None:
        self.timeline.leave()
        self.page = None
        self.answer.choose(None)
        self.showing_end = True
        if self._anew is not None:
            # Where nobody else is there is no table but the next.
            self.play_anew()
        else:
            self.conversation.requests.list_tables()

    # wishes

    def go_to(self, code: str) -> None:
        """Sit down at a table if there is room, else watch."""
        self._opener.attend(code)

    def open_table(self, table: NewTable) -> None:
        self._opener.open(table)

    def play_anew(self) -> None:
        """Open another table like the one for us alone."""
        if self._anew is not None and self.connected():
            self._opener.open(self._anew)

    def act(self, command: Any) -> None:
        """Send the answer to the prompt that is shown, if it is open still."""
        self.answer.choose(None)
        if self.connected() and not self.answer.act(command):
            self.notice = "That is not asked any more."

    def move(self) -> None:
        """Ask for the code that carries our seat to another device."""
        if not self.kept:
            self.notice = "This game is on this device alone."
        elif self.connected():
            self.conversation.requests.get_move_code()

    def connected(self) -> bool:
        """Whether there is a connection; if not, that is said."""
        if not self.online:
            text = "There is no connection: wait until it is back."
            self.notices.tell(text, lambda: not self.online)
        return self.online

    def take_back(self) -> None:
        if self.connected():
            self.answer.take_back()

    def leave(self, code: int = 0, text: str = "", *, error: bool = False) -> None:
        """End the program; the first word counts."""
        if self.left is None:
            self.left = Leaving(code, text or self.farewell(), error)

    def farewell(self) -> str:
        """What is said on the terminal after leaving: how to come back to our seat."""
        scene = self.conversation.model.scene
        if scene is None or scene.over or scene.table_seat is None or not self.kept:
            return ""
        command = self.back(scene)
        return f"Come back with: {command}" if command else NO_WAY_BACK

    # time

    def tick(self, now: float) -> float | None:
        """Show what is due; seconds until this is to be called again."""
        if self.place is Place.LOBBY and self.online and now >= self._refresh:
            self._refresh = now + REFRESH
            self.conversation.requests.list_tables()
        ends = self.notices.tick(now)
        hurry = self._catching_up.look(now, bool(self.waited_for), self._catch_up)
        due = self.timeline.advance(now, self.game, self.face) if self.game is not None else None
        if self.place is Place.LOBBY:
            return REFRESH if ends is None else min(REFRESH, ends)
        times = [due, hurry, ends, self.countdown.due(), self.absent.due()]
        return min((time for time in times if time is not None), default=None)

    def _catch_up(self) -> None:
        if self.game is not None:
            self.timeline.catch_up(self.game, self.face)

    # for drawing

    @property
    def ended(self) -> bool:
        """Whether the end of a match is shown."""
        scene = self.timeline.scene
        return scene is not None and scene.board is not None and scene.over
