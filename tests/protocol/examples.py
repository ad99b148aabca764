"""One message of every kind, as the protocol page shows it: values whose bytes are
written there, and are read back from there."""

from __future__ import annotations

from engine.clock import Absence, Clock, ClockKind
from engine.table import Phase
from protocol.messages import (
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
    Happened,
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
    Snapshot,
    StartMatch,
    TableRow,
    Tables,
    TooOld,
    Transcript,
    Update,
    Vote,
    Watch,
    Welcome,
)

ID = bytes.fromhex("0102030405060708")
NONCE = bytes(range(16))
CODE = "KIWI-42"

TABLE = (
    CODE, "ra", 1, "standard", (), 2, (("Ada", None), ("easy bot 2", "easy")), 0, (0, 1),
    bytes(range(32)), None, (), (1, 600000, 5000), 2, (None, None),
)  # fmt: skip
PLAYER = ((0,) * 19, (2, 5, 6, 9), 0, None)
BOARD = ("standard", 1, 0, 6, (), 1, 180, 0, None, (PLAYER, PLAYER), (0,) * 23, ())
PUBLIC = (TABLE, BOARD, ((0, 1, (32, True, 0, ())),), None, (600000, 600000))
PRIVATE = ((10, (), ()), ())
DRAWN = ("standard", 1, 0, 6, (4,), 1, 179, 1, *BOARD[8:])
NEXT = (TABLE, DRAWN, ((1, 2, (32, True, 0, ())),), None, (601500, 600000))
"""`PUBLIC` after a Nile was drawn by seat 0: the delta of the example of `Update`."""
DELTA = (5, (16, (4,), 24, 179, 28, 1), 9, (1, (0, 1, 4, 2)), 16, (601500, 600000))

CLIENT: tuple[FromClient, ...] = (
    Hello(2, "my-client 1.0", (), "en", "Ada", None),
    Create(
        ID,
        "ra",
        "standard",
        (),
        2,
        ("easy",),
        True,
        True,
        NONCE,
        Clock(ClockKind.BANK, 600_000, 5_000),
        Absence.BOT,
    ),
    ListTables(),
    JoinTable(ID, CODE, NONCE),
    Watch(CODE, 0),
    LeaveTable(ID),
    StartMatch(ID),
    CloseTable(ID),
    Act(ID, 1, (32,)),
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
SERVER: tuple[FromServer, ...] = (
    Welcome(2, "ra-online/0.1.0", b"ada-public", bytes(range(16)), "Ada", 10000, 120_000, 600_000),
    TooOld(2, 2, "version 1 is not served any more"),
    Tables((TableRow(CODE, "ra", "standard", Phase.WAITING, 3, 1, ("Ada",)),)),
    Snapshot(1, 0, PUBLIC, PRIVATE, (Happened(1, ((2, 0, "Ada", b"a", None, NONCE),), ()),)),
    Update(2, (((33, 0, 4),), DELTA), None),
    Accepted(ID, 2),
    Presence((Peer.HERE, Peer.BOT, None), 1),
    Said(0, "Ada", "Well bid!"),
    Refused(ID, "stale_prompt", (("token", "1"), ("open", "2")), "stale_prompt(token=1, open=2)"),
    Heartbeat(2),
    Transcript(CODE, b"RAT\x01..."),
    Record(CODE, b"RAR\x01..."),
    Left(CODE),
    Closing("restart", "the server restarts", 1000),
    Invitation(1, f"{CODE}-9f3k-x2mq"),
    MoveCode("k7wq-3mzd-p5xa-r8te", 600),
    Hint(ID, 12, (34, 9), "The lot is worth about 8.0 points to you."),
)
