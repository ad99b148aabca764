"""The connection as a state machine without I/O: bytes in, messages out, and back.

`SAID_BY_CLIENT` and `SAID_BY_SERVER` are the whole grammar: (state, message) -> state. Anything
else is illegal. Each end has a session, and both follow the same two tables, whatever the version
spoken. The caller owns the socket, the clock and the answers.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TypeAlias

from protocol.codec import ProtocolError
from protocol.frames import accepted_frame
from protocol.messages import (
    OLDEST_VERSION,
    VERSION,
    Accepted,
    Act,
    AskHint,
    Beat,
    CloseTable,
    Closing,
    Create,
    FromClient,
    FromServer,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Heartbeat,
    Hello,
    Hint,
    Invitation,
    Invite,
    JoinTable,
    LeaveTable,
    Left,
    ListTables,
    MoveCode,
    Presence,
    Record,
    Refused,
    Return,
    Said,
    Say,
    Snapshot,
    StartMatch,
    Tables,
    TooOld,
    Transcript,
    Update,
    Vote,
    Watch,
    Welcome,
    client_codec,
    server_codec,
)
from protocol.project import PUBLIC


class State(StrEnum):
    """Where a connection stands."""

    HELLO = "hello"
    """The connection is open; the client has to send its Hello."""
    GREETING = "greeting"
    """The Hello was sent and has no answer yet."""
    LOBBY = "lobby"
    """Welcome; no table is attended."""
    TABLE = "table"
    """One table is attended."""
    ENDED = "ended"
    """Nothing more is sent; the socket closes."""


class CloseCode(IntEnum):
    """Why a WebSocket is closed."""

    DONE = 1000
    """The peer is done."""
    MALFORMED = 1002
    """A message that does not follow the protocol, or comes before hello."""
    TEXT = 1003
    """A text message: all messages are binary."""
    LIMIT = 1008
    """A limit was broken, such as too many messages, or no hello in time."""
    TOO_BIG = 1009
    """A message of too many bytes."""
    FAULT = 1011
    """A fault of the server's own."""
    RESTART = 1012
    """The server restarts; connect again later."""
    TOO_SLOW = 1013
    """The client does not read fast enough, or the server is full; come back later."""
    TOO_OLD = 4001
    """The client's version is not served; `TooOld` came before."""
    REPLACED = 4002
    """Another connection has the session now: it took over, or moved it to another device."""


Grammar: TypeAlias = dict[tuple[State, type], State]

_ANYWHERE = (Create, ListTables, JoinTable, Watch, Beat, GetRecord, GetMoveCode)
_AT_TABLE = (
    *(LeaveTable, StartMatch, CloseTable, Act, Say, GetTranscript, Vote, Return, Invite),
    AskHint,
)

SAID_BY_CLIENT: Grammar = {
    (State.HELLO, Hello): State.GREETING,
    **{(State.LOBBY, said): State.LOBBY for said in _ANYWHERE},
    **{(State.TABLE, said): State.TABLE for said in (*_ANYWHERE, *_AT_TABLE)},
}
"""What a client may send in each state, and the state it leads to."""

_ANSWERS = (Tables, Accepted, Refused, Heartbeat, Transcript, Record, Invitation, MoveCode, Hint)
_LIVE = (Snapshot, Update, Presence, Said)

SAID_BY_SERVER: Grammar = {
    (State.GREETING, Welcome): State.LOBBY,
    (State.GREETING, Refused): State.HELLO,
    (State.GREETING, TooOld): State.ENDED,
    **{(State.LOBBY, said): State.LOBBY for said in _ANSWERS},
    (State.LOBBY, Snapshot): State.TABLE,
    **{(State.TABLE, said): State.TABLE for said in (*_ANSWERS, *_LIVE)},
    (State.TABLE, Left): State.LOBBY,
    **{(state, Closing): State.ENDED for state in State if state is not State.ENDED},
}
"""What a server may send in each state, and the state it leads to."""


class OutOfPlace(ProtocolError):
    """A well-formed message that the grammar does not allow in this state.

    After Hello it is refused, and the connection stays open, because messages may have crossed on
    their way. Before Hello it is a fault of the peer like any other.
    """

    def __init__(self, message: FromClient | FromServer, state: State) -> None:
        super().__init__(f"{type(message).__name__} is out of place in state {state.value}")
        self.message = message
        self.state = state

    @property
    def fatal(self) -> bool:
        """Whether the connection has to close."""
        return self.state in (State.HELLO, State.GREETING)

    def refusal(self) -> Refused:
        """The answer that keeps the connection open."""
        facts = (("message", type(self.message).__name__), ("state", self.state.value))
        return Refused(getattr(self.message, "id", None), "out_of_place", facts, str(self))


class ServerSession:
    """The server's end of one connection."""

    __slots__ = ("_outgoing", "_reads", "_says", "hello", "number", "state", "version")

    def __init__(self) -> None:
        self.state = State.HELLO
        self._speak(VERSION)
        self.hello: Hello | None = None
        """The hello last received."""
        self.number = 0
        """Number of the last entry of the attended table that was sent; 0 for none."""
        self._outgoing: list[bytes] = []

    def _speak(self, version: int) -> None:
        self.version = version
        """The version spoken: the lower of both sides' newest ones."""
        self._reads, self._says = client_codec(version), server_codec(version)

    def receive(self, data: bytes) -> FromClient | None:
        """The message in `data`; None if the session itself answers it (`outgoing`).

        Raises ProtocolError: close with MALFORMED. If it is an `OutOfPlace` that is not `fatal`,
        send its `refusal()` instead and go on.
        """
        message = self._reads.decode(data)
        after = SAID_BY_CLIENT.get((self.state, type(message)))
        if after is None:
            raise OutOfPlace(message, self.state)
        self.state = after
        if type(message) is Hello:
            self.hello = message
            if message.version < OLDEST_VERSION:
                detail = f"version {message.version} is not served any more"
                self._outgoing.append(self.send(TooOld(OLDEST_VERSION, VERSION, detail)))
                return None
            self._speak(min(message.version, VERSION))
        return message

    def send(self, message: FromServer) -> bytes:
        """The frame of `message`. Raises OutOfPlace if it may not be sent in this state."""
        after = SAID_BY_SERVER.get((self.state, type(message)))
        if after is None:
            raise OutOfPlace(message, self.state)
        if type(message) is Snapshot:
            self.number = message.number
        elif type(message) is Update:
            self._follow(message.number)
        elif type(message) is Left:
            self.number = 0
        self.state = after
        return self._says.encode(message)

    def send_accepted(self, id: bytes, number: int) -> bytes:
        """`send(Accepted(id, number))`, but faster: this answers every action."""
        if (self.state, Accepted) not in SAID_BY_SERVER:
            raise OutOfPlace(Accepted(id, number), self.state)
        return accepted_frame(id, number)

    def send_update(self, number: int, frame: bytes) -> bytes | None:
        """`frame`, the packed update `number`; None if it must not be sent, because the connection
        attends no table or its snapshot already holds that entry."""
        if self.state is not State.TABLE or number <= self.number:
            return None
        self._follow(number)
        return frame

    def _follow(self, number: int) -> None:
        if number != self.number + 1:
            raise ValueError(f"update {number} cannot follow {self.number}: send a snapshot")
        self.number = number

    def outgoing(self) -> list[bytes]:
        """Frames that the session itself has to send. Each is returned once."""
        frames, self._outgoing = self._outgoing, []
        return frames


class ClientSession:
    """The client's end of one connection. It notices every gap and heals it.

    A gap is an update that is not the next one, or a heartbeat with a number other than ours. The
    session then asks for a snapshot (`outgoing`) and drops updates until the snapshot comes; a
    heartbeat makes it ask again. A snapshot always counts, even with a lower number (the server may
    have been restored from a backup).
    """

    __slots__ = ("_outgoing", "_reads", "_says", "code", "number", "resyncing", "state", "version")

    def __init__(self) -> None:
        self.state = State.HELLO
        self._speak(VERSION)
        self.code: str | None = None
        """The table attended."""
        self.number = 0
        """Number of the last entry received of it; 0 for none."""
        self.resyncing = False
        """Whether a snapshot was asked for because of a gap."""
        self._outgoing: list[bytes] = []

    def _speak(self, version: int) -> None:
        self.version = version
        """The version spoken, once welcome."""
        self._reads, self._says = server_codec(version), client_codec(version)

    def send(self, message: FromClient) -> bytes:
        """The frame of `message`. Raises OutOfPlace if it may not be sent in this state."""
        after = SAID_BY_CLIENT.get((self.state, type(message)))
        if after is None:
            raise OutOfPlace(message, self.state)
        self.state = after
        return self._says.encode(message)

    def receive(self, data: bytes) -> FromServer | None:
        """The message in `data`; None for an update that comes after a gap.

        Raises ProtocolError: the server cannot be understood; close with MALFORMED.
        """
        message = self._reads.decode(data)
        after = SAID_BY_SERVER.get((self.state, type(message)))
        if after is None:
            raise OutOfPlace(message, self.state)
        kept = self._note(message)
        self.state = after
        return message if kept else None

    def _note(self, message: FromServer) -> bool:
        """Keep track of numbers. Returns False if the message is not for the caller."""
        match message:
            case Update(number):
                if self.resyncing or number != self.number + 1:
                    self.resync()
                    return False
                self.number = number
            case Snapshot(number):
                self.code = PUBLIC.unpack(message.public).table.code
                self.number = number
                self.resyncing = False
            case Heartbeat(number):
                if self.state is State.TABLE and number != self.number:
                    self.resyncing = False
                    self.resync()
            case Left():
                self.code, self.number, self.resyncing = None, 0, False
            case Welcome(version):
                if not OLDEST_VERSION <= version <= VERSION:
                    raise ProtocolError(f"the server speaks version {version}")
                self._speak(version)
        return True

    def resync(self) -> None:
        """Ask for a snapshot of the table attended, unless one is on its way. Callers use it when
        a delta does not fit their copy of the views."""
        if self.code is not None and not self.resyncing:
            self.resyncing = True
            self._outgoing.append(self.send(Watch(self.code, self.number)))

    def outgoing(self) -> list[bytes]:
        """Frames that the session itself has to send. Each is returned once."""
        frames, self._outgoing = self._outgoing, []
        return frames
