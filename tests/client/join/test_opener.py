"""How a client gets to a table."""

from __future__ import annotations

import pytest
from attrs import evolve

from client.join.opener import Opener, Opening
from client.join.table_options import NewTable
from client.state.events import Attended
from engine.game import Setup
from engine.table.words import Phase
from protocol.messages import Accepted, Create, JoinTable, Refused, Snapshot, Watch
from protocol.project import PUBLIC
from tests.client.joined import Joined
from tests.games import open_table


def begun(opening: Opening) -> tuple[Joined, Opener]:
    joined = Joined(open_table("ra", Setup("standard", 2)), 0)
    opener = Opener(joined.conversation, opening)
    joined.conversation.listeners.append(opener)
    return joined, opener


def test_a_table_is_opened_once_however_often_the_link_breaks() -> None:
    joined, opener = begun(Opening(table=NewTable("ra", "standard", 2)))
    (create,) = joined.connect()
    assert isinstance(create, Create)
    joined.conversation.broken("cut", 1)
    assert joined.connect() == [create], "unanswered so far: the same command"
    joined.down(Accepted(create.id, 1))
    joined.snapshot()
    assert not opener.under_way
    joined.conversation.broken("cut", 1)
    (again,) = joined.connect()
    assert isinstance(again, Watch)


@pytest.mark.parametrize("how", ["join", "create"])
def test_nobody_sits_down_at_the_table_that_was_left_for_another(how: str) -> None:
    """Its snapshot comes after the request, on a new connection or to heal a gap."""
    joined, opener = begun(Opening())
    joined.connect()
    joined.seat = None
    joined.snapshot()
    opener.open(NewTable("ra", "standard", 2)) if how == "create" else opener.attend("OTHER-2")
    (request,) = joined.up()
    joined.down(_room(joined))
    assert joined.up() == [], "not where we are still"
    assert opener.under_way
    if isinstance(request, Create):
        joined.down(Accepted(request.id, 1))
    joined.down(_room(joined, "OTHER-2"))
    assert [m.code for m in joined.up() if isinstance(m, JoinTable)] == ["OTHER-2"]


def _room(joined: Joined, code: str = "TEST-1") -> Snapshot:
    """A table that waits, with free seats and us at none."""
    view = PUBLIC.unpack(joined.views()[0])
    table = evolve(view.table, code=code, phase=Phase.WAITING, seats=(None, None))
    public = PUBLIC.pack(evolve(view, table=table))
    return Snapshot(joined.played.stream.number, None, public, joined.views()[1], ())


def test_what_was_to_be_done_on_arrival_has_one_outcome() -> None:
    joined, opener = begun(Opening("TEST-9"))
    joined.connect()
    joined.down(Refused(None, "no_table", (), ""))
    opener.attend("TEST-1", join=False)
    joined.snapshot()
    assert opener.failed is None
    assert opener.unopened is not None, "going elsewhere later does not mend it"
    other, opener = begun(Opening("TEST-1"))
    other.connect()
    other.snapshot()
    opener.attend("TEST-9")
    other.down(Refused(None, "no_table", (), ""))
    assert opener.failed is not None
    assert opener.unopened is None, "nor does it spoil it"


def test_a_code_is_looked_at_first_and_joined_only_if_a_seat_is_free() -> None:
    joined, opener = begun(Opening("TEST-1"))
    assert joined.connect() == [Watch("TEST-1", 0)]
    joined.snapshot()
    assert joined.up() == [], "we sit there already"
    assert opener.failed is None


def test_a_table_that_cannot_be_had_is_a_failure() -> None:
    joined, opener = begun(Opening("TEST-9"))
    joined.connect()
    joined.down(Refused(None, "no_table", (), ""))
    assert opener.failed is not None
    assert not opener.under_way
    assert not any(isinstance(change, Attended) for change in joined.changes)
    assert joined.up() == []
