"""C27: a server that was put back to an earlier state is found out, and told once."""

from __future__ import annotations

import pytest

from client.state.events import Attended, Change, Rewound
from engine.deal import Chance
from engine.game import Setup
from protocol.messages import Snapshot
from tests.client.joined import RESUMED, Joined
from tests.games import open_table, seed


def of_kind(changes: list[Change], kind: type[Change]) -> list[Change]:
    return [change for change in changes if isinstance(change, kind)]


def put_back(joined: Joined, moves: int = 5) -> tuple[int, int]:
    """A table whose last moves are gone after a broken connection: what was seen, what is."""
    going = joined.played.moves(Chance(seed(1)))
    old, number = joined.views(), joined.played.stream.number
    for _ in range(moves):
        joined.step(next(going))
    seen = joined.played.stream.number
    joined.changes.clear()
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    joined.down(Snapshot(number, 0, *old, ()))
    return seen, number


def test_moves_that_are_gone_are_told_before_the_table_and_once(joined: Joined) -> None:
    seen, number = put_back(joined)
    changes = [c for c in joined.changes if isinstance(c, Rewound | Attended)]
    assert changes[0] == Rewound("TEST-1", seen, number)
    assert isinstance(changes[1], Attended) and len(changes) == 2
    assert not joined.conversation.model.log or joined.conversation.model.log[-1][0] <= number
    old = changes[1].scene
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    public, private = joined.conversation.model._public, joined.conversation.model._private
    joined.down(Snapshot(number, 0, public, private, ()))
    assert joined.conversation.model.scene == old
    assert len(of_kind(joined.changes, Rewound)) == 1


def test_another_entry_of_the_same_number_is_told(joined: Joined) -> None:
    """The server was put back, and others have played since: as far as we, another way."""
    going = joined.played.moves(Chance(seed(1)))
    for _ in range(8):
        joined.step(next(going))
    twin = Joined(open_table("ra", Setup("standard", 2), number=77), 0)
    moves = twin.played.moves(Chance(seed(2)))
    while twin.played.stream.number < joined.played.stream.number:
        next(moves)
    number = joined.played.stream.number
    joined.changes.clear()
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    joined.down(Snapshot(number, 0, *twin.views(), ()))
    assert of_kind(joined.changes, Rewound) == [Rewound("TEST-1", number, number)]


@pytest.mark.parametrize("moves", [0, 1, 7])
def test_time_that_only_went_forward_is_nothing_to_tell(joined: Joined, moves: int) -> None:
    joined.conversation.broken("cut", 1)
    going = joined.played.moves(Chance(seed(1)))
    for _ in range(moves):
        next(going)
    joined.connect(RESUMED)
    joined.snapshot()
    joined.snapshot()
    assert not of_kind(joined.changes, Rewound)
