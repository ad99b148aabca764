"""B05: what was asked and not answered is asked again over later connections, and is done once."""

from __future__ import annotations

from client.state.events import Greeted, RequestRefused
from engine.ra.words.commands import InvokeRa
from protocol.messages import (
    Accepted,
    Act,
    Create,
    LeaveTable,
    Left,
    Refused,
    StartMatch,
    Watch,
)
from tests.client.joined import RESUMED, STRANGER, Joined, answers


def test_b05_an_unanswered_command_is_said_again_and_answered_once(joined: Joined) -> None:
    conversation = joined.conversation
    conversation.requests.act(InvokeRa())
    (act,) = joined.up()
    assert isinstance(act, Act)
    entry = joined.played.act(0, InvokeRa(), act.id)  # the server does it; the answer is lost
    conversation.broken("cut", 1)
    assert list(conversation.pending.commands) == [act.id]
    assert joined.connect(RESUMED) == [Watch("TEST-1", entry.number - 1)]
    joined.snapshot()
    assert joined.up() == [act], "the same id, token and command"
    joined.down(Accepted(act.id, entry.number))
    assert answers(joined) == [entry.number]
    assert not conversation.pending.commands
    conversation.broken("cut", 1)
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
    conversation = joined.conversation
    conversation.broken("cut", 1)
    created = conversation.requests.create("ra", "standard", 2)
    conversation.requests.start()
    watch, create = joined.connect(RESUMED)
    assert watch == Watch("TEST-1", joined.played.stream.number)
    assert isinstance(create, Create) and create.id == created
    assert len(create.nonce) == 16
    joined.snapshot()
    (start,) = joined.up()
    assert isinstance(start, StartMatch)
    conversation.broken("cut", 1)
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
    (refusal,) = [change for change in joined.changes if isinstance(change, RequestRefused)]
    assert refusal.text == "you invoked Ra and nobody has bid: you must bid"
