"""The client's copy of what the server shows: the table, what happened, who is there.

Takes messages and returns changes; no I/O, no rule. `client.net.conversation` has cleaned the texts
already. Raises ProtocolError when the parts of a message do not fit together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from client.games import GameClient, NoSuchGame, find_client
from client.state.events import (
    Attended,
    Change,
    Chatted,
    ConnectionChanged,
    ConnectionStatus,
    Departed,
    FileCame,
    Hinted,
    InvitationCame,
    Listed,
    MoveCodeCame,
    PresenceChanged,
    Prompted,
    Stepped,
)
from client.state.restored import identity, rewound
from client.state.scene import Scene, SeatPrompt
from protocol import delta
from protocol.codec import Codec, ProtocolError, Tree
from protocol.messages import (
    FromServer,
    Hint,
    Invitation,
    Left,
    MoveCode,
    Peer,
    Presence,
    Record,
    Said,
    Snapshot,
    TableRow,
    Tables,
    Transcript,
    Update,
)
from protocol.views import PrivateView, PromptView, PublicView, TableView

_PUBLIC: Codec[PublicView] = Codec(PublicView)
_PRIVATE: Codec[PrivateView] = Codec(PrivateView)

LOG_LENGTH = 2_000
CHAT_LENGTH = 500
MOST_SEEN = 1_000
"""How many tables' last entries are remembered; a server can name as many as it likes."""


class Misfit(ProtocolError):
    """An update does not fit the views we have; a snapshot repairs that."""


class Model:
    """What we know now. Everybody may read it; only `client.net.conversation` changes it."""

    def __init__(self, name: str = "", find: Callable[[str], GameClient] = find_client) -> None:
        self.connection = ConnectionChanged(ConnectionStatus.CONNECTING)
        self.name = name
        """The name we are known by."""
        self.session: bytes | None = None
        """The public id of our session."""
        self.server = ""
        self.vote_gone, self.vote_silent = 120.0, 600.0
        """Seconds that a seat has to answer before it may be called absent, without a connection
        and with one; the server says them."""
        self.tables: tuple[TableRow, ...] = ()
        self.scene: Scene | None = None
        """The table attended, as it is now; None in the lobby."""
        self.game: GameClient | None = None
        """The client side of that table's game; None in the lobby."""
        self.presence: Presence | None = None
        self.log: deque[tuple[int, tuple[Any, ...]]] = deque(maxlen=LOG_LENGTH)
        """(number, happenings) of the attended table, oldest first."""
        self.chat: deque[Chatted] = deque(maxlen=CHAT_LENGTH)
        self.seen: dict[str, int] = {}
        """The last entry seen of each table, by `client.state.restored.identity`; also from former
        runs, where that was kept."""
        self._find = find
        self._public: Tree = None
        self._private: Tree = None
        self._asked: tuple[str, int] | None = None
        """(table, token) of the prompt that the listeners were told last."""

    def apply(self, message: FromServer) -> Sequence[Change]:
        """Take in a message; returns what changed, in order. Raises ProtocolError, and Misfit
        for an update that a snapshot would repair (nothing has changed then)."""
        match message:
            case Snapshot():
                return self._snapshot(message)
            case Update():
                return self._update(message)
            case Presence():
                self.presence = message
                return (PresenceChanged(message),)
            case Said(seat, name, text):
                return (self._said(seat, name, text),)
            case Tables(tables):
                self.tables = tables
                return (Listed(tables),)
            case Left(code):
                return self.depart(code)
            case Invitation(seat, code):
                return (InvitationCame(seat, code),)
            case MoveCode(code, seconds):
                return (MoveCodeCame(code, seconds),)
            case Hint(_, token, tree, reason):
                if self.game is None:
                    return ()
                return (Hinted(token, self.game.wire.command.unpack(tree), reason),)
            case Record(code, data):
                return (FileCame("record", code, data),)
            case Transcript(code, data):
                return (FileCame("transcript", code, data),)
            case _:
                return ()

    def away(self, seat: int) -> bool:
        """Whether we know that the person of a match seat is not there."""
        scene, presence = self.scene, self.presence
        if scene is None or presence is None or not 0 <= seat < len(scene.table.places):
            return False
        place = scene.table.places[seat]
        return place < len(presence.seats) and presence.seats[place] is Peer.AWAY

    def vote_after(self, seat: int) -> float:
        """Seconds after which a match seat that is asked may be called absent."""
        return self.vote_gone if self.away(seat) else self.vote_silent

    def copy(self) -> Model:
        """A model that goes on from this moment at the table, and remembers nothing else."""
        other = Model(self.name, self._find)
        other.scene, other.game = self.scene, self.game
        other._public, other._private, other._asked = self._public, self._private, self._asked
        return other

    def depart(self, code: str) -> Sequence[Change]:
        """Forget the table attended."""
        self.scene = self.game = self.presence = None
        self._public = self._private = self._asked = None
        return (Departed(code),)

    def _said(self, seat: int | None, name: str, text: str) -> Chatted:
        scene = self.scene
        if seat is None or scene is None:
            who = f"{name or 'somebody'} (watching)"
        else:
            who = scene.table_name(seat)
        said = Chatted(who, text)
        self.chat.append(said)
        return said

    # the table

    def _snapshot(self, message: Snapshot) -> Sequence[Change]:
        public = _PUBLIC.unpack(message.public)
        game = self._learn(public.table.game)
        places = public.table.places
        seat = message.seat
        if seat is not None:
            if not 0 <= seat < len(places or public.table.seats):
                raise ProtocolError("a seat that the table does not have")
            seat = places[seat] if places else seat
        host = _hosts(public.table, seat, message.host)
        scene = self._scene(game, message.number, seat, public, message.private, host)
        before = self.scene
        another = before is None or before.table.code != scene.table.code
        back = rewound(before, scene, self.seen.get(identity(scene.table), 0))
        if back is not None and not another:
            self._forget_after(back.now)
        known = self.log[-1][0] if self.log else 0
        missed: list[tuple[int, tuple[Any, ...]]] = []
        for happened in message.since:
            if not 0 < happened.number <= message.number:
                raise ProtocolError("something happened after the snapshot")
            if another or happened.number > known:
                told = self._read(game, happened.public, happened.private)
                missed.append((happened.number, told))
        if another:
            self.log.clear()
            self.chat.clear()
            self.presence = None
            self._asked = None
        self.log.extend(missed)
        self.game, self.scene = game, scene
        self._public, self._private = message.public, message.private
        self.seen.pop(identity(scene.table), None)  # the table seen last stands last
        self.seen[identity(scene.table)] = scene.number
        while len(self.seen) > MOST_SEEN:
            del self.seen[next(iter(self.seen))]
        attended = Attended(scene, tuple(missed), message.elapsed)
        told = (attended,) if back is None else (attended, back) if another else (back, attended)
        return (*told, *self._ask(scene))

    def _forget_after(self, number: int) -> None:
        """Drop the log after entry `number`: it did not happen."""
        while self.log and self.log[-1][0] > number:
            self.log.pop()
        self._asked = None

    def _update(self, message: Update) -> Sequence[Change]:
        scene, game = self.scene, self.game
        if scene is None or game is None:
            raise Misfit("an update of a table that is not attended")
        happened, change = message.public
        own: tuple[Tree, ...] = ()
        try:
            public = delta.apply(self._public, change)
            private = self._private
            if message.private is not None:
                own, change = message.private
                private = delta.apply(private, change)
            view, seat = _PUBLIC.unpack(public), scene.table_seat
            host = _hosts(view.table, seat, scene.host)
            after = self._scene(game, message.number, seat, view, private, host)
        except ProtocolError as error:
            raise Misfit(f"entry {message.number}: {error}") from None
        happenings = self._read(game, happened, own)
        self._public, self._private, self.scene = public, private, after
        self.seen[identity(after.table)] = after.number
        self.log.append((message.number, happenings))
        return (Stepped(message.number, happenings, after), *self._ask(after))

    def _ask(self, scene: Scene) -> Sequence[Change]:
        asked = scene.mine
        if asked is None:
            return ()
        key = (scene.table.code, asked.token)
        if key == self._asked:
            return ()
        self._asked = key
        return (Prompted(asked, scene),)

    def _learn(self, name: str) -> GameClient:
        if self.game is not None and self.game.name == name:
            return self.game
        try:
            return self._find(name)
        except NoSuchGame:
            raise ProtocolError(f"this client does not know the game {name!r}") from None

    @staticmethod
    def _read(game: GameClient, *parts: tuple[Tree, ...]) -> tuple[Any, ...]:
        return tuple([game.wire.happening.unpack(tree) for part in parts for tree in part])

    @staticmethod
    def _scene(
        game: GameClient,
        number: int,
        seat: int | None,
        public: PublicView,
        private: Tree,
        host: bool,
    ) -> Scene:
        """The typed moment; raises ProtocolError if its parts do not fit together."""
        table = public.table
        seats = range(len(table.seats))
        if len(set(table.places)) != len(table.places) or not set(table.places) <= set(seats):
            raise ProtocolError("places that the table does not have")
        if table.host is not None and table.host not in seats:
            raise ProtocolError("a host without a seat")
        if len(table.sitting_in) not in (0, len(table.places)):
            raise ProtocolError("somebody sits in at no seat")
        if public.clocks is not None and len(public.clocks) != len(table.places):
            raise ProtocolError("clocks of no seat")
        if (public.match is None) != (not table.places):
            raise ProtocolError("a match without places, or places without a match")
        own, mine = hand(game, private, len(table.places))
        open = [_open(game, prompt, len(table.places)) for prompt in public.prompts]
        scene = Scene(
            number=number,
            table_seat=seat,
            table=table,
            board=None if public.match is None else game.wire.public.unpack(public.match),
            own=own,
            prompts=(*open, *mine),
            undo=public.undo,
            clocks=public.clocks if table.places else None,
            host=host,
        )
        if scene.board is None:
            return scene
        game.check(scene)
        return evolve(scene, waiting_for=game.asked(scene))


def hand(game: GameClient, private: Tree, seats: int) -> tuple[Any, tuple[SeatPrompt, ...]]:
    """The game's private view in the tree of a seat, and the prompts that only this seat sees;
    (None, ()) for somebody without a seat. Raises ProtocolError."""
    if private is None:
        return None, ()
    view = _PRIVATE.unpack(private)
    asked = tuple([_open(game, prompt, seats) for prompt in view.prompts])
    return game.wire.private.unpack(view.match), asked


def _hosts(table: TableView, seat: int | None, told: bool) -> bool:
    """Whether the viewer is the host: by the host's seat if there is one, otherwise as the
    server told us before (nobody becomes a host without a seat later on)."""
    return told if table.host is None else table.host == seat


def _open(game: GameClient, prompt: PromptView, seats: int) -> SeatPrompt:
    if not 0 <= prompt.seat < seats:
        raise ProtocolError("a prompt for nobody")
    return SeatPrompt(prompt.seat, prompt.token, game.wire.prompt.unpack(prompt.prompt))
