"""What can be asked of a server, and when. B05: what was asked and not answered is asked again over
later connections, and is done once; we get to the table on the way over any number of
connections."""

from __future__ import annotations

from client.state.events import Greeted, RequestRefused, Stepped
from engine.game import Setup
from engine.ra.words.commands import InvokeRa
from engine.stream import Request
from engine.table.words import Phase
from protocol.messages import (
    Accepted,
    Act,
    Beat,
    Create,
    GetTranscript,
    JoinTable,
    LeaveTable,
    Left,
    ListTables,
    Refused,
    StartMatch,
    Watch,
)
from tests.client.joined import RESUMED, STRANGER, Joined, answers
from tests.games import open_table, person


def test_no_action_is_sent_without_an_open_prompt(joined: Joined) -> None:
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


def test_b05_an_unanswered_command_is_said_again_and_answered_once(joined: Joined) -> None:
    conversation = joined.conversation
    conversation.requests.act(InvokeRa())
    (act,) = joined.up()
    assert isinstance(act, Act)
    entry = joined.played.act(0, InvokeRa(), act.id)  # the server does it; the answer is lost
    conversation.broken("cut", 1)
    assert list(conversation.requests.commands) == [act.id]
    assert joined.connect(RESUMED) == [Watch("TEST-1", entry.number - 1)]
    joined.snapshot()
    assert joined.up() == [act], "the same id, token and command"
    joined.down(Accepted(act.id, entry.number))
    assert answers(joined) == [entry.number]
    assert not conversation.requests.commands
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
    assert not joined.conversation.requests.commands


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
    assert not joined.conversation.requests.commands
    greeted = [change for change in joined.changes if isinstance(change, Greeted)]
    assert [g.resumed for g in greeted] == [False, False]


def test_leaving_ends_what_was_meant_for_the_table(joined: Joined) -> None:
    joined.conversation.requests.leave()
    (leave,) = joined.up()
    assert isinstance(leave, LeaveTable)
    joined.down(Accepted(leave.id, 9))
    joined.down(Left("TEST-1"))
    assert not joined.conversation.requests.commands
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED) == []


def test_a_refusal_ends_the_request_but_not_while_the_server_stops(joined: Joined) -> None:
    first = joined.conversation.requests.act(InvokeRa())
    joined.up()
    joined.down(Refused(first, "stopping", (), ""))
    assert list(joined.conversation.requests.commands) == [first]
    joined.conversation.broken("stopped", 1)
    joined.connect(RESUMED)
    joined.snapshot()
    (act,) = joined.up()
    assert isinstance(act, Act) and act.id == first
    joined.down(Refused(first, "must_bid", (), ""))
    assert not joined.conversation.requests.commands
    (refusal,) = [change for change in joined.changes if isinstance(change, RequestRefused)]
    assert refusal.text == "you invoked Ra and nobody has bid: you must bid"


def test_questions_wait_for_the_connection() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.conversation.requests.list_tables()
    joined.conversation.requests.watch("TEST-1")
    code = joined.conversation.requests.join("TEST-2")
    said = joined.connect()
    assert [type(message) for message in said] == [Watch, JoinTable, ListTables]
    assert isinstance(said[1], JoinTable) and said[1].id == code


def test_a_table_on_the_way_to_is_gone_to_on_the_next_connection_too(joined: Joined) -> None:
    """The connection is lost after Watch, before the snapshot."""
    number = joined.played.stream.number
    for _ in range(3):
        joined.conversation.broken("cut", 1)
        assert joined.connect(RESUMED) == [Watch("TEST-1", number)], "nothing since is missed"
    joined.snapshot()
    joined.conversation.requests.watch("TEST-2")
    joined.up()
    for _ in range(2):
        joined.conversation.broken("cut", 1)
        assert joined.connect(RESUMED) == [Watch("TEST-2", 0)], "not the one left for it"
    joined.down(Refused(None, "no_table", (), ""))
    assert not joined.conversation.requests.arriving
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED) == []


def test_a_table_that_was_granted_but_has_not_come_is_come_to_after_all(joined: Joined) -> None:
    """The connection is lost between Accepted and the snapshot."""
    id = joined.conversation.requests.create("ra", "standard", 2)
    (create,) = joined.up()
    joined.down(Accepted(id, 1))
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED)[1] == create
    joined.down(Accepted(id, 1))
    assert answers(joined) == [1], "told once"
    joined.snapshot()
    assert not joined.conversation.requests.arriving
    joined.conversation.broken("cut", 1)
    assert create not in joined.connect(RESUMED)
    joined.snapshot()
    id = joined.conversation.requests.join("TEST-2")
    joined.down(Accepted(id, 1))
    joined.down(Refused(None, "full", (), "too many watch"))
    assert not joined.conversation.requests.arriving, "nothing is waited for that does not come"


def test_what_is_asked_of_a_table_waits_for_it_and_is_not_asked_of_another(
    joined: Joined,
) -> None:
    conversation = joined.conversation
    conversation.broken("cut", 1)
    conversation.requests.get_transcript()
    assert GetTranscript() not in joined.connect(RESUMED)
    joined.snapshot()
    assert joined.up() == [GetTranscript()]
    conversation.broken("cut", 1)
    conversation.requests.get_transcript()
    joined.connect(RESUMED)
    joined.down(Refused(None, "no_table", (), ""))
    conversation.requests.get_transcript()
    conversation.requests.watch("TEST-1")
    joined.up()
    joined.snapshot()
    assert joined.up() == []
