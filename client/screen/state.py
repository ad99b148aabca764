"""The state behind the screen: where the person is, what is open, what was asked of the server.

Follows the model's changes. Parts of it have classes of their own: the answer being made
(`client.screen.answer`), news from the server (`announcements`), what is shown of
the table (`timeline`). Does not draw (`client.screen.pages` does), and does not know about the
toolkit or any rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from client.games import GameClient
from client.join.invocation import Back
from client.join.opener import Opener, Opening
from client.join.table_options import NewTable
from client.net.conversation import Conversation
from client.screen.absence import AbsenceWatch
from client.screen.announcements import Announcements
from client.screen.answer import DraftAnswer
from client.screen.catch_up import CatchUp
from client.screen.game_api import GameScreen, Menu, Pick, Pointing
from client.screen.interface import Ask, Field, Leaving, Location
from client.screen.notices import Notices, sentence
from client.screen.open_page import OpenPage
from client.screen.table_form import TableForm
from client.screen.timeline import Timeline
from client.state.clocks import Countdown
from client.state.events import (
    Attended,
    Change,
    ConnectionChanged,
    ConnectionStatus,
    Departed,
    FileCame,
    Greeted,
    Listed,
    RequestRefused,
)
from client.state.scene import Scene
from client.text import clean

NO_WAY_BACK = "You cannot come back to your seat: the session is not kept."
_NO_STYLES: Mapping[str, str] = {}
REFRESH = 2.0
"""Seconds between two looks at the list of tables."""


class ScreenState:
    """One person at the screen. One owner, one thread."""

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
        solo: bool = False,
        back: Back = lambda scene: "",
    ) -> None:
        """`where` names the server as a person would type it; `begin` connects under a name
        (called at once unless `name` is None; empty: under the session's name);
        `opening` is carried out on arrival; `solo`: the game is on this device
        alone and ends with this program; `back`: the command line that leads back to a seat."""
        self.conversation = conversation
        self.where = where
        self.timeline = Timeline(conversation.model)
        self.games = games
        self.solo = solo
        self.back = back
        self._solo_table = opening.table if solo else None
        self.begin = begin
        self._opener = Opener(conversation, opening)
        self._refresh = 0.0
        self.form: TableForm | None = None
        self.chosen = 0
        self.page = OpenPage()
        self.parting = ""
        """What leaving would print, as of when the question was opened: it is drawn often, and
        making it reads files."""
        self.notices = Notices(conversation)
        self.answer = DraftAnswer(conversation, self.timeline, self.notices)
        self.announcements = Announcements(
            conversation, self.timeline, self.notices, where=where, save=save
        )
        self.showing_end = True
        self.left: Leaving | None = None
        self.naming = name is None
        self.field: Field | None = (
            Field(Ask.NAME, conversation.model.name, offered=True) if self.naming else None
        )
        self.countdown = Countdown()
        self.absent = AbsenceWatch(conversation)
        self._catching_up = CatchUp(conversation, self.timeline, self.countdown)
        conversation.listeners += [
            self._opener,
            self.countdown,
            self.absent,
            self.timeline.hear,
            self.hear,
        ]
        if name is not None:
            begin(name)

    # where we are

    @property
    def location(self) -> Location:
        if self.naming:
            return Location.NAMING
        if self.conversation.model.session is None:
            return Location.CONNECTING
        scene = self.timeline.scene
        if self.solo and (scene is None or scene.board is None):
            # The solo table is being opened: there is nothing to choose and nobody to wait for.
            return Location.CONNECTING
        if scene is None:
            return Location.FORM if self.form is not None else Location.LOBBY
        return Location.ROOM if scene.board is None else Location.TABLE

    @property
    def scene(self) -> Scene | None:
        """The scene that is shown."""
        return self.timeline.scene

    @property
    def stranded(self) -> bool:
        """Whether the solo table could not be opened, and nothing is under way."""
        refused = self._opener.failed is not None and not self._opener.under_way
        return self._solo_table is not None and refused and self.location is Location.CONNECTING

    @property
    def game(self) -> GameClient | None:
        return self.conversation.model.game

    @property
    def game_screen(self) -> GameScreen | None:
        """How the game is drawn; None in the lobby."""
        return self.timeline.game_screen

    @property
    def online(self) -> bool:
        return self.conversation.model.connection.status is ConnectionStatus.ONLINE

    @property
    def lost(self) -> bool:
        """Whether there was a connection, and is none."""
        model = self.conversation.model
        status = model.connection.status
        again = status is ConnectionStatus.CONNECTING and model.session is not None
        return self.location is not Location.NAMING and (
            status is ConnectionStatus.WAITING or again
        )

    @property
    def behind(self) -> int:
        """How many entries are still to be shown."""
        return self.timeline.pace.behind

    @property
    def menu(self) -> Menu | None:
        """What the prompt allows now: only in the present, with a connection, and once."""
        scene, game_screen = self.timeline.scene, self.game_screen
        if self.behind or self.answer.on_its_way or scene is None or game_screen is None:
            return None
        if self.absent.played_for or not self.online:
            return None
        return game_screen.menu(scene) if scene.board is not None else None

    @property
    def pick(self) -> Pick | None:
        """What several things are being chosen for: an answer that needs them, or the prompt
        itself."""
        among = self._choosing_from
        return among if isinstance(among, Pick) else None

    @property
    def pointing(self) -> Pointing | None:
        """What is being pointed at: for an answer that needs it, or for the prompt itself."""
        among = self._choosing_from
        return among if isinstance(among, Pointing) else None

    @property
    def _choosing_from(self) -> Pick | Pointing | None:
        menu = self.menu
        if self.answer.opened is not None or menu is None:
            return self.answer.opened
        return menu.pick or menu.pointing

    @property
    def waited_for(self) -> str:
        """What we are asked in the present; empty if we are asked nothing, have answered, or
        cannot send an answer."""
        scene, game_screen = self.conversation.model.scene, self.game_screen
        if scene is None or game_screen is None or scene.mine is None or self.answer.on_its_way:
            return ""
        if not self.online:
            return ""
        menu = None if scene.played_for else game_screen.menu(scene)
        return "" if menu is None else menu.title[:1].lower() + menu.title[1:]

    # notices

    @property
    def notice(self) -> str:
        """Why the last key did nothing, or something else to know. It goes with the next key, or
        when it is no longer true."""
        return self.notices.text

    @notice.setter
    def notice(self, text: str) -> None:
        self.notices.tell(text)

    # changes of the model

    def hear(self, change: Change) -> None:
        """Follow a change of the model."""
        self.announcements.hear(change)
        match change:
            case Attended():
                self._attended()
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

    def _attended(self) -> None:
        self.form = None
        self.answer.choose(None)
        if self.field is not None and self.field.ask is Ask.CODE:
            self.field = None

    def _greeted(self, name: str) -> None:
        self.naming = False
        if self.field is not None and self.field.ask is Ask.NAME:
            self.field = None
        if self.timeline.scene is None:
            self.conversation.requests.list_tables()

    def _refused(self, refusal: RequestRefused) -> None:
        # It stays to be read even if what it is about has changed by now.
        self.notices.stay(sentence(refusal.text))
        if self.conversation.greeting:
            self.naming = True
        if self.conversation.greeting and (self.field is None or self.field.ask is not Ask.NAME):
            self.field = Field(Ask.NAME, self.conversation.model.name)

    def _departed(self) -> None:
        self.page.close()
        self.answer.choose(None)
        self.showing_end = True
        if self._solo_table is not None:
            # A solo game has no list of tables to go back to.
            self.start_again()
        else:
            self.conversation.requests.list_tables()

    # fields

    def ask_for(self, what: Ask) -> None:
        """Let a line of text be typed."""
        self.field = Field(what)

    # typed text

    def enter(self, text: str) -> None:
        """The field was sent off."""
        field, self.field = self.field, None
        text = clean(text)
        self.notice = ""
        match field.ask if field is not None else None:
            case Ask.NAME if not text:
                self.notice = "A name needs at least one letter."
                self.field = field
            case Ask.NAME:
                self.naming = False
                if self.conversation.greeting:
                    self.conversation.rename(text)
                else:
                    self.begin(text)
            case Ask.CODE if text:
                self.go_to(text.upper())
            case Ask.CHAT if text:
                if not self.conversation.requests.say(text):
                    self.notice = "There is no connection: nothing was said."
            case _:
                pass

    def cancel(self) -> None:
        """The field was given up."""
        if self.field is not None and self.field.ask is Ask.NAME:
            self.leave()
        self.field = None

    def paste(self, text: str) -> None:
        """Text was pasted where there is no field: it must not act as keys."""
        self.notice = "Pasted text is taken in a field only: c opens the chat."

    # requests

    def go_to(self, code: str) -> None:
        """Sit down at a table if there is room, else watch."""
        self._opener.attend(code)

    def open_table(self, table: NewTable) -> None:
        self._opener.open(table)

    def start_again(self) -> None:
        """Open another solo table like the one before."""
        if self._solo_table is not None and self.connected():
            self._opener.open(self._solo_table)

    def connected(self) -> bool:
        """Whether there is a connection; says so if there is none."""
        if not self.online:
            text = "There is no connection: wait until it is back."
            self.notices.tell(text, lambda: not self.online)
        return self.online

    def leave(self, code: int = 0, text: str = "", *, error: bool = False) -> None:
        """End the program; the first call counts."""
        if self.left is None:
            self.left = Leaving(code, text or self.farewell(), error)

    def farewell(self) -> str:
        """What is printed on the terminal after leaving: how to come back to our seat."""
        scene = self.conversation.model.scene
        if scene is None or scene.over or scene.table_seat is None or self.solo:
            return ""
        command = self.back(scene)
        return f"Come back with: {command}" if command else NO_WAY_BACK

    # time

    def tick(self, now: float) -> float | None:
        """Show what is due; seconds until this must be called again, None: nothing is to come."""
        if self.location is Location.LOBBY and self.online and now >= self._refresh:
            self._refresh = now + REFRESH
            self.conversation.requests.list_tables()
        ends = self.notices.tick(now)
        catch_up = self._catching_up.check(now, bool(self.waited_for))
        due = self.timeline.advance(now)
        if self.location is Location.LOBBY:
            return REFRESH if ends is None else min(REFRESH, ends)
        times = [due, catch_up, ends, self.countdown.due(), self.absent.due()]
        return min((time for time in times if time is not None), default=None)

    # for drawing

    @property
    def styles(self) -> Mapping[str, str]:
        """The style classes of the game."""
        return self.game_screen.styles if self.game_screen is not None else _NO_STYLES

    @property
    def ended(self) -> bool:
        """Whether the end of a match is shown."""
        scene = self.timeline.scene
        return scene is not None and scene.board is not None and scene.over
