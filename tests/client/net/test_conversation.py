"""The conversation: commands act once over any number of connections, gaps heal, and the
listeners hear what is so."""

from __future__ import annotations

import pytest

from client.net.conversation import Conversation
from client.net.endings import Dismissed, TryLater
from client.net.identity import Identity
from client.state.events import Attended, Greeted, Refusal, Stepped
from engine.deal import Chance
from engine.game import Setup
from engine.ra.words.commands import InvokeRa
from engine.stream import Request
from engine.table.words import Phase
from protocol.codec import ProtocolError
from protocol.messages import (
    VERSION,
    Accepted,
    Act,
    Beat,
    Closing,
    Create,
    Heartbeat,
    Hello,
    LeaveTable,
    Left,
    Refused,
    Say,
    Snapshot,
    StartMatch,
    TooOld,
    Update,
    Watch,
)
from tests.client.joined import RESUMED, STRANGER, WELCOME, Ids, Joined, answers
from tests.games import open_table, person, seed


def test_hello_says_who_we_are_and_the_token_is_kept() -> None:
    kept: list[tuple[bytes, str]] = []
    talk = Conversation(
        Identity("ra-client/1", "Anna", b"old"),
        random=Ids(),
        keep_token=lambda token, name: kept.append((token, name)),
    )
    joined = Joined(open_table("ra", Setup("standard", 2)), talk=talk)
    talk.opened()
    (hello,) = joined.up()
    assert hello == Hello(VERSION, "ra-client/1", (), "en", "Anna", b"old")
    joined.down(WELCOME)
    assert kept == [(b"token", "Anna")]
    talk.broken("cut", 1)
    talk.opened()
    (hello,) = joined.up()
    assert isinstance(hello, Hello) and hello.token == b"token"


def test_b05_an_unanswered_command_is_said_again_and_answered_once(joined: Joined) -> None:
    talk = joined.conversation
    talk.requests.act(InvokeRa())
    (act,) = joined.up()
    assert isinstance(act, Act)
    entry = joined.played.act(0, InvokeRa(), act.id)  # the server does it; the answer is lost
    talk.broken("cut", 1)
    assert list(talk.pending.commands) == [act.id]
    assert joined.connect(RESUMED) == [Watch("TEST-1", entry.number - 1)]
    joined.snapshot()
    assert joined.up() == [act], "the same id, token and command"
    joined.down(Accepted(act.id, entry.number))
    assert answers(joined) == [entry.number]
    assert not talk.pending.commands
    talk.broken("cut", 1)
    joined.connect(RESUMED)
    joined.snapshot()
    assert joined.up() == []


def test_b05_a_command_that_was_never_sent_is_sent_when_the_table_is_back(joined: Joined) -> None:
    joined.conversation.broken("cut", 1)
    joined.conversation.requests.act(InvokeRa())
    assert joined.up() == []
    joined.connect(RESUMED)
    joined.snapshot()
    (act,) = joined.up()
    joined.grant(act)
    assert not joined.conversation.pending.commands


def test_commands_said_again_keep_their_order_and_lobby_commands_do_not_wait(
    joined: Joined,
) -> None:
    talk = joined.conversation
    talk.broken("cut", 1)
    created = talk.requests.create("ra", "standard", 2)
    talk.requests.start()
    watch, create = joined.connect(RESUMED)
    assert watch == Watch("TEST-1", joined.played.stream.number)
    assert isinstance(create, Create) and create.id == created
    assert len(create.nonce) == 16
    joined.snapshot()
    (start,) = joined.up()
    assert isinstance(start, StartMatch)
    talk.broken("cut", 1)
    assert joined.connect(RESUMED)[1] == create, "the same nonce too"


def test_another_session_does_not_do_what_the_former_meant_to_do(joined: Joined) -> None:
    joined.conversation.requests.act(InvokeRa())
    joined.up()
    joined.conversation.broken("cut", 1)
    assert joined.connect(STRANGER) == [Watch("TEST-1", joined.played.stream.number)]
    joined.seat = None
    joined.snapshot()
    assert joined.up() == []
    assert not joined.conversation.pending.commands
    greeted = [change for change in joined.changes if isinstance(change, Greeted)]
    assert [g.resumed for g in greeted] == [False, False]


def test_b10_a_lost_update_heals_by_itself(joined: Joined) -> None:
    moves = joined.played.moves(Chance(seed(1)))
    joined.step(next(moves))
    before = joined.played.stream.number
    joined.update(next(moves))  # lost on its way
    joined.step(next(moves))
    assert joined.up() == [Watch("TEST-1", before)]
    joined.step(next(moves))
    assert joined.up() == [], "asked once"
    joined.snapshot()
    scene, match = joined.conversation.model.scene, joined.played.stream.match
    assert scene is not None and match is not None
    assert scene.board == joined.played.game.public(match.state)
    joined.step(next(moves))
    assert isinstance(joined.conversation.model.scene, type(scene))


def test_b10_a_lost_last_update_is_noticed_by_the_heartbeat(joined: Joined) -> None:
    joined.update(next(joined.played.moves(Chance(seed(1)))))
    joined.down(Heartbeat(joined.played.stream.number))
    assert joined.up() == [Watch("TEST-1", joined.played.stream.number - 1)]
    joined.snapshot()
    joined.down(Heartbeat(joined.played.stream.number))
    assert joined.up() == []


def test_b10_a_server_from_a_backup_is_believed(joined: Joined) -> None:
    moves = joined.played.moves(Chance(seed(1)))
    old = joined.views()
    number = joined.played.stream.number
    for _ in range(5):
        joined.step(next(moves))
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    joined.down(Snapshot(number, 0, *old, ()))
    assert joined.conversation.model.scene is not None
    assert joined.conversation.model.scene.number == number
    assert joined.up() == []


def test_a_delta_that_does_not_fit_heals_but_not_for_ever(joined: Joined) -> None:
    number = joined.played.stream.number
    bad = Update(number + 1, ((), (999, 0)), None)
    for _ in range(3):
        joined.down(bad)
        assert joined.up() == [Watch("TEST-1", number + 1)]
        joined.snapshot()
    joined.step(next(joined.played.moves(Chance(seed(1)))))
    bad = Update(number + 2, ((), (999, 0)), None)
    for _ in range(3):
        joined.down(bad)
        joined.up()
        joined.snapshot()
    with pytest.raises(ProtocolError):
        joined.down(bad)


def test_a_table_that_is_gone_is_left() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.attend()
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    joined.down(Refused(None, "no_table", (), ""))
    assert joined.conversation.model.scene is None
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED) == []


def test_a_table_that_cannot_be_read_for_a_moment_is_not_left(joined: Joined) -> None:
    """The disk's fault as we come back: come again, and the seat is resumed."""
    number = joined.played.stream.number
    for _ in range(3):
        joined.conversation.broken("cut", 1)
        assert joined.connect(RESUMED) == [Watch("TEST-1", number)]
        with pytest.raises(TryLater):
            joined.down(Refused(None, "store_unavailable", (("reason", "io_error"),), ""))
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED) == [Watch("TEST-1", number)]
    joined.snapshot()
    assert joined.conversation.model.scene is not None


def test_a_line_of_chat_that_cannot_be_said_is_told_so(joined: Joined) -> None:
    assert joined.conversation.requests.say("hello")
    assert joined.up() == [Say("hello")]
    joined.conversation.broken("cut", 1)
    assert not joined.conversation.requests.say("hello")
    joined.connect(RESUMED)
    assert not joined.conversation.requests.say("hello"), "the table has not come back yet"
    assert not joined.conversation.requests.ask_hint()
    joined.snapshot()
    assert joined.up() == []


def test_leaving_ends_what_was_meant_for_the_table(joined: Joined) -> None:
    joined.conversation.requests.leave()
    (leave,) = joined.up()
    assert isinstance(leave, LeaveTable)
    joined.down(Accepted(leave.id, 9))
    joined.down(Left("TEST-1"))
    assert not joined.conversation.pending.commands
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED) == []


def test_a_refusal_ends_the_wish_but_not_while_the_server_stops(joined: Joined) -> None:
    first = joined.conversation.requests.act(InvokeRa())
    joined.up()
    joined.down(Refused(first, "stopping", (), ""))
    assert list(joined.conversation.pending.commands) == [first]
    joined.conversation.broken("stopped", 1)
    joined.connect(RESUMED)
    joined.snapshot()
    (act,) = joined.up()
    assert isinstance(act, Act) and act.id == first
    joined.down(Refused(first, "must_bid", (), ""))
    assert not joined.conversation.pending.commands
    (refusal,) = [change for change in joined.changes if isinstance(change, Refusal)]
    assert refusal.text == "you invoked Ra and nobody has bid: you must bid"


def test_nothing_is_wished_where_nothing_is_asked(joined: Joined) -> None:
    joined.conversation.requests.act(InvokeRa())
    joined.grant(*joined.up())
    scene = joined.conversation.model.scene
    assert scene is not None and scene.table.phase is Phase.PLAYING
    if scene.mine is None:
        assert joined.conversation.requests.act(InvokeRa()) is None
    joined.down(Left("TEST-1"))
    assert joined.conversation.requests.act(InvokeRa()) is None
    assert joined.conversation.requests.take_back() is None


def test_taking_back_names_the_entry_to_go_back_to(joined: Joined) -> None:
    before = joined.played.stream.number
    joined.conversation.requests.act(InvokeRa())
    joined.grant(*joined.up())
    id = joined.conversation.requests.take_back()
    (act,) = joined.up()
    assert isinstance(act, Act)
    assert act == Act(id or b"", 0, (6, before))
    command = joined.projector.wire.command.unpack(act.command)
    entry = joined.played.request(Request(command, act.id, person(0), 0, 0))
    joined.step(entry)
    stepped = [change for change in joined.changes if isinstance(change, Stepped)]
    assert stepped[-1].number == entry.number
    assert (
        joined.conversation.model.scene is not None
        and joined.conversation.model.scene.mine is not None
    )


def test_signs_of_life_can_be_asked_for(joined: Joined) -> None:
    joined.conversation.beat()
    assert joined.up() == [Beat()]
    joined.conversation.broken("cut", 1)
    joined.conversation.beat()
    assert joined.up() == []


def test_a_name_that_is_refused_can_be_changed_at_once() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.conversation.opened()
    joined.up()
    joined.down(Refused(None, "bad_name", (), ""))
    assert joined.conversation.greeting
    joined.conversation.rename("Anna B.")
    (hello,) = joined.up()
    assert isinstance(hello, Hello) and hello.name == "Anna B."
    joined.down(WELCOME)
    assert joined.conversation.online


def test_a_server_that_does_not_want_us_says_so() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.conversation.opened()
    with pytest.raises(TryLater, match="too fast"):
        joined.down(Refused(None, "too_fast", (), "too many\n new people"))
    joined.conversation.opened()
    with pytest.raises(TryLater, match="the house is full"):
        joined.down(Refused(None, "full", (), "the house\n is full"))
    joined.conversation.opened()
    with pytest.raises(Dismissed, match="too old"):
        joined.down(TooOld(3, 4, "update, please"))
    joined.connect()
    with pytest.raises(Dismissed, match="too much was sent"):
        joined.down(Closing("flood", "", 0))
    joined.connect()
    with pytest.raises(TryLater, match="the server restarts"):
        joined.down(Closing("restart", "", 1500))
    assert joined.conversation.retry == 1.5
    joined.conversation.opened()
    with pytest.raises(Dismissed, match="used up"):
        joined.down(Refused(None, "no_move_code", (), ""))


def test_joining_anew_shows_the_table_once() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.attend()
    assert len([change for change in joined.changes if isinstance(change, Attended)]) == 1
