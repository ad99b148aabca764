"""One message of every kind, as the protocol page shows it: values whose bytes are
written there, and are read back from there.

They are of one game: the table that the example of `Create` opens, with a bot on its last
seat, so that the match starts at once.
"""

from __future__ import annotations

from attrs import evolve

from engine.clock import Absence, Clock, ClockKind
from engine.deal import Chance
from engine.draft import Draft, Request
from engine.entry import Cause, Entry
from engine.errors import IllegalAction
from engine.opening import open_stream
from engine.ra.bots.hard import HardBot
from engine.ra.game import RA
from engine.ra.words.commands import Draw
from engine.stream import Stream
from engine.table.words import Close, CloseReason, Open, Phase
from protocol.entries import entry_codec
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
    Peer,
    Presence,
    Record,
    Refused,
    Return,
    Said,
    Say,
    StartMatch,
    TableRow,
    Tables,
    TooOld,
    Transcript,
    Vote,
    Watch,
    Welcome,
)
from protocol.project import PRIVATE as PRIVATE_VIEW
from protocol.project import PUBLIC as PUBLIC_VIEW
from protocol.project import Projector
from protocol.record import write_record
from protocol.transcript import Follower, write_transcript
from server.accounts.move_codes import MoveCodes
from server.accounts.sessions import TOKEN_BYTES
from server.refusals import refused
from server.settings import Settings
from server.tables.invitations import Invitations
from server.tables.timers import Ticker
from server.usage import version
from tests.protocol.fixed import fixed_chance

ID = bytes.fromhex("0102030405060708")
SECOND_ID = bytes.fromhex("1112131415161718")
NONCE = bytes(range(16))
CODE = "KIWI-42"
CLOCK = Clock(ClockKind.BANK, 600_000, 5_000)
_PERSON = bytes.fromhex("a0a1a2a3a4a5a6a7a8a9aaab")
_SECRET = bytes([50]) * 32
"""With this one Ada has the first turn, and draws a Nile."""
_PROJECTOR = Projector(RA)
_SETTINGS = Settings()
_SOFTWARE = f"ra-online/{version()}"


def _opened() -> Entry:
    """The table that the example of `Create` opens: a bot takes its last seat, so that the
    match starts at once."""
    command = Open(
        "ra", "standard", (), 2, ("easy",), True, True, "Ada", NONCE, CLOCK, Absence.BOT
    )  # fmt: skip
    bot = bytes(range(16, 32))
    return open_stream(
        command, id=ID, person=_PERSON, code=CODE, secret=_SECRET, bot_nonces=(bot,), time=0
    )


def _granted(stream: Stream, request: Request, elapsed: int = 0) -> Entry:
    """The entry that a request became."""
    draft = stream.draft(request, 0, elapsed=elapsed)
    assert isinstance(draft, Draft)
    stream.accept(draft)
    return draft.entry


_OPENING = _opened()
_STREAM = Stream(_OPENING)
_FOLLOWER = Follower(_PROJECTOR, _STREAM, 0)
SNAPSHOT = evolve(_FOLLOWER.snapshot(_STREAM, _OPENING, 0), host=True)
PUBLIC, PRIVATE, BOARD = SNAPSHOT.public, SNAPSHOT.private, SNAPSHOT.public[1]
_ACT = Act(SECOND_ID, 1, (32,))
UPDATE = _FOLLOWER.update(
    _STREAM, _granted(_STREAM, Request(Draw(), SECOND_ID, _PERSON, 0, 1), elapsed=3500)
)
NEXT, DELTA, DRAWN = _FOLLOWER.public, UPDATE.public[1], _FOLLOWER.public[1]
"""After a Nile was drawn by seat 0: the delta of the example of `Update`."""


def _refused() -> Refused:
    """The answer to the same act under another id: it comes too late."""
    _granted(_STREAM, Request(Draw(), None, None, 1, 2, Cause.BOT))
    try:
        _STREAM.draft(Request(Draw(), ID, _PERSON, 0, 1), 0)
    except IllegalAction as why:
        return refused(ID, why)
    raise AssertionError("a late answer is refused")


def _hint() -> Hint:
    """What the best bot would do in Ada's place, as of the snapshot."""
    wire = _PROJECTOR.wire
    public, private = PUBLIC_VIEW.unpack(PUBLIC), PRIVATE_VIEW.unpack(PRIVATE)
    (asked,) = public.prompts
    bot = HardBot(simulations=20)
    board, hidden = wire.public.unpack(public.match), wire.private.unpack(private.match)
    advice = bot.advise(board, hidden, wire.prompt.unpack(asked.prompt), Chance(_SECRET))
    command = wire.command.pack(advice.options[0].command)
    return Hint(ID, asked.token, command, advice.reason)


def _files() -> tuple[bytes, bytes]:
    """The transcript and the record of a table that was opened and closed, and no more."""
    command = Open("ra", "standard", (), 2, (), True, False, "Ada", NONCE)
    entry = open_stream(
        command, id=ID, person=_PERSON, code=CODE, secret=_SECRET, bot_nonces=(), time=0
    )
    stream = Stream(entry)
    close = _granted(stream, Request(Close(CloseReason.ABANDONED), SECOND_ID, _PERSON))
    entries = (entry, close)
    return (
        b"".join(write_transcript(entries, _PROJECTOR, None, _SOFTWARE)),
        b"".join(write_record(stream, map(entry_codec(RA.vocabulary).encode, entries), _SOFTWARE)),
    )


def _codes() -> tuple[str, str]:
    """The codes of an invitation to the second seat, and of a move."""
    with fixed_chance(_SECRET):
        invitation = Invitations(Ticker(), 60.0).make(CODE, 1, None)
        return invitation, MoveCodes[None](60.0).issue(_PERSON, None)


_TRANSCRIPT, _RECORD = _files()
_INVITATION, _MOVE = _codes()

CLIENT: tuple[FromClient, ...] = (
    Hello(VERSION, "my-client 1.0", (), "en", "Ada", None),
    Create(ID, "ra", "standard", (), 2, ("easy",), True, True, NONCE, CLOCK, Absence.BOT),
    ListTables(),
    JoinTable(ID, CODE, NONCE),
    Watch(CODE, 0),
    LeaveTable(ID),
    StartMatch(ID),
    CloseTable(ID),
    _ACT,
    Say("Well bid!"),
    Beat(),
    GetTranscript(),
    GetRecord(CODE),
    Vote(ID, 1),
    Return(ID),
    Invite(ID, 1),
    GetMoveCode(),
    AskHint(ID),
)
_TOO_OLD = f"version {OLDEST_VERSION - 1} is not served any more"
SERVER: tuple[FromServer, ...] = (
    Welcome(
        VERSION, _SOFTWARE, _PERSON, bytes(range(TOKEN_BYTES)), "Ada",
        int(_SETTINGS.heartbeat_seconds * 1000),
        int(_SETTINGS.vote_seconds * 1000), int(_SETTINGS.silent_seconds * 1000),
    ),
    TooOld(OLDEST_VERSION, VERSION, _TOO_OLD),
    Tables((TableRow(CODE, "ra", "standard", Phase.PLAYING, 2, 2, ("Ada", "easy bot 2")),)),
    SNAPSHOT,
    UPDATE,
    Accepted(SECOND_ID, 2),
    Presence((Peer.HERE, Peer.BOT), 1),
    Said(0, "Ada", "Well bid!"),
    _refused(),
    Heartbeat(2),
    Transcript(CODE, _TRANSCRIPT),
    Record(CODE, _RECORD),
    Left(CODE),
    Closing("restart", "the server restarts", 1000),
    Invitation(1, _INVITATION),
    MoveCode(_MOVE, int(_SETTINGS.move_seconds)),
    _hint(),
)  # fmt: skip
