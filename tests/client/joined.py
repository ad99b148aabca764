"""A client's conversation joined in memory to a table of the kernel: no socket, no loop."""

from __future__ import annotations

from collections.abc import Iterator

from client.net.conversation import Conversation
from client.net.identity import Identity
from client.state.events import Change, CommandAccepted
from engine.entry import Entry
from protocol import delta
from protocol.codec import Tree
from protocol.messages import (
    CLIENT_CODEC,
    SERVER_CODEC,
    VERSION,
    Accepted,
    Act,
    FromClient,
    FromServer,
    Happened,
    Snapshot,
    Update,
    Welcome,
)
from protocol.project import Projector
from tests.games import Played

WELCOME = Welcome(VERSION, "test", b"person", b"token", "Anna", 10_000)
RESUMED = Welcome(VERSION, "test", b"person", None, "Anna", 10_000)
STRANGER = Welcome(VERSION, "test", b"other", b"token2", "Anna", 10_000)


class Ids:
    """Ids and nonces that are all different, and the same in each run."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return self.count.to_bytes(size, "big")


class Joined:
    """One client at one table."""

    def __init__(
        self, played: Played, seat: int | None = 0, conversation: Conversation | None = None
    ) -> None:
        self.played = played
        self.seat = seat
        self.conversation = conversation or Conversation(Identity("test", "Anna"), random=Ids())
        self.changes: list[Change] = []
        self.said: list[bytes] = []
        """The frames for the open connection, or for the last one, that were not looked at."""
        self.conversation.listeners.append(self.changes.append)
        self.projector = Projector(played.game)
        self.public: Tree = None
        self.private: Tree = None

    # the wire

    def down(self, message: FromServer) -> None:
        self.hear(SERVER_CODEC.encode(message))

    def hear(self, frame: bytes) -> None:
        end = self.conversation.take(frame)
        if end is not None:
            raise end

    def up(self) -> list[FromClient]:
        said = [CLIENT_CODEC.decode(frame) for frame in self.said]
        self.said.clear()
        return said

    def open(self) -> None:
        """A new connection; the client says hello."""
        self.said.clear()
        self.conversation.opened(self.said.append)

    def connect(self, welcome: Welcome = WELCOME) -> list[FromClient]:
        """A new connection, up to the welcome; what the client says at once after it."""
        self.open()
        self.up()
        self.down(welcome)
        return self.up()

    # the table

    def views(self) -> tuple[Tree, Tree]:
        stream = self.played.stream
        return self.projector.public(stream), self.projector.private(stream, self.seat)

    def snapshot(self, since: tuple[Happened, ...] = ()) -> None:
        self.public, self.private = self.views()
        number = self.played.stream.number
        self.down(Snapshot(number, self.seat, self.public, self.private, since))

    def attend(self) -> None:
        self.connect()
        self.snapshot()

    def update(self, entry: Entry) -> Update:
        """The update of an entry that the stream has just accepted."""
        public, private = self.views()
        own = None
        if self.seat is not None:
            happened = self.projector.happened(entry, self.seat)
            change = delta.diff(self.private, private)
            if happened or change:
                own = (happened, change)
        update = Update(
            entry.number,
            (self.projector.happened(entry, None), delta.diff(self.public, public)),
            own,
        )
        self.public, self.private = public, private
        return update

    def step(self, entry: Entry) -> None:
        self.down(self.update(entry))

    def play_on(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Tell the client each entry as it comes."""
        for entry in entries:
            self.step(entry)
            yield entry

    def grant(self, message: FromClient) -> None:
        """Carry out what the client asks for, and answer."""
        assert isinstance(message, Act)
        assert self.seat is not None
        command = self.projector.wire.command.unpack(message.command)
        entry = self.played.act(self.seat, command, message.id)
        self.step(entry)
        self.down(Accepted(message.id, entry.number))


def answers(joined: Joined) -> list[int]:
    return [change.number for change in joined.changes if isinstance(change, CommandAccepted)]
