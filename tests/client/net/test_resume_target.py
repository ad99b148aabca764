"""A table on the way to: it is come to over any number of connections, and what is asked
of it waits."""

from __future__ import annotations

from engine.game import Setup
from protocol.messages import (
    Accepted,
    GetTranscript,
    JoinTable,
    ListTables,
    Refused,
    Watch,
)
from tests.client.joined import RESUMED, Joined, answers
from tests.games import open_table


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
    assert not joined.conversation.pending.arriving
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
    assert not joined.conversation.pending.arriving
    joined.conversation.broken("cut", 1)
    assert create not in joined.connect(RESUMED)
    joined.snapshot()
    id = joined.conversation.requests.join("TEST-2")
    joined.down(Accepted(id, 1))
    joined.down(Refused(None, "full", (), "too many watch"))
    assert not joined.conversation.pending.arriving, "nothing is waited for that does not come"


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
