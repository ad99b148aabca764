"""A server that does not keep its word about the deal is found out."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from client.join.opener import Opener, Opening
from client.join.table_options import NewTable
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.screen.keys_at_table import SAVE
from client.state.events import FairnessJudged
from engine.deal import commit
from engine.game import Setup
from engine.table.words import Phase
from protocol.messages import Accepted, Create, JoinTable, Snapshot
from protocol.project import PUBLIC
from protocol.views import PublicView
from tests.client.joined import Ids, Joined
from tests.client.seated import Seated
from tests.games import open_table, whole_game

SECRET = bytes(range(32))


def conversation(secret: bytes = SECRET) -> Conversation:
    return Conversation(Identity("test", "Anna"), random=Ids(), secret=secret)


def shown(joined: Joined, view: PublicView, seat: int | None = 0, number: int = 2) -> None:
    """A snapshot that says of the table what `view` says."""
    public: Any = PUBLIC.pack(view)
    joined.public = public
    joined.down(Snapshot(number, seat, public, joined.views()[1], ()))


def waiting(joined: Joined) -> PublicView:
    """The same table before anything has happened there."""
    view: PublicView = PUBLIC.unpack(joined.views()[0])
    table = evolve(
        view.table,
        phase=Phase.WAITING,
        seats=(None,) * len(view.table.seats),
        places=(),
        secret=None,
        nonces=(),
        host=None,
        sitting_in=(),
    )
    waits: PublicView = evolve(view, table=table, match=None, prompts=(), undo=None, clocks=None)
    return waits


def ended(seat: int | None = 0) -> tuple[Joined, PublicView, bytes]:
    """A client that has joined, has given its nonce, and the end of the match as an
    honest server would show it."""
    joined = Joined(whole_game("ra", Setup("standard", 2)), seat, conversation())
    joined.connect()
    view = waiting(joined)
    joined.down(Snapshot(1, None, PUBLIC.pack(view), None, ()))
    joined.conversation.requests.join("TEST-1")
    (join,) = joined.up()
    assert isinstance(join, JoinTable)
    end = PUBLIC.unpack(joined.views()[0])
    nonces = (join.nonce, *end.table.nonces[1:])
    return joined, evolve(end, table=evolve(end.table, nonces=nonces)), join.nonce


def judged(joined: Joined) -> list[FairnessJudged]:
    return [change for change in joined.changes if isinstance(change, FairnessJudged)]


def test_an_honest_server_is_said_to_be_one_once() -> None:
    joined, end, _ = ended()
    shown(joined, end)
    shown(joined, end)
    (verdict,) = judged(joined)
    assert verdict.fair and "your share" in verdict.text


def other_commitment(end: PublicView) -> PublicView:
    """Another secret, with a commitment that fits it."""
    secret = b"\x09" * 32
    return evolve(end, table=evolve(end.table, secret=secret, commitment=commit(secret)))


def other_secret(end: PublicView) -> PublicView:
    return evolve(end, table=evolve(end.table, secret=b"\x09" * 32))


def no_secret(end: PublicView) -> PublicView:
    return evolve(end, table=evolve(end.table, secret=None))


def other_share(end: PublicView) -> PublicView:
    return evolve(end, table=evolve(end.table, nonces=(bytes(16), *end.table.nonces[1:])))


def no_shares(end: PublicView) -> PublicView:
    return evolve(end, table=evolve(end.table, nonces=()))


@pytest.mark.parametrize("lie", [other_commitment, other_secret, no_secret, other_share, no_shares])
def test_every_lie_about_the_deal_is_found_out(lie: Any) -> None:
    joined, end, _ = ended()
    shown(joined, lie(end))
    (verdict,) = judged(joined)
    assert not verdict.fair
    assert verdict.text.isprintable()


def test_our_share_is_known_again_after_a_restart() -> None:
    _, end, _ = ended()
    again = Joined(whole_game("ra", Setup("standard", 2)), 0, conversation())
    again.connect()
    shown(again, end)
    (verdict,) = judged(again)
    assert verdict.fair and "your share" in verdict.text
    stranger = Joined(whole_game("ra", Setup("standard", 2)), 0, conversation(bytes(32)))
    stranger.connect()
    shown(stranger, end)
    assert judged(stranger) == [], "on another device nothing is claimed"


def test_who_watches_is_told_of_the_secret_alone() -> None:
    joined = Joined(whole_game("ra", Setup("standard", 2)), None, conversation())
    joined.connect()
    joined.down(Snapshot(1, None, PUBLIC.pack(waiting(joined)), None, ()))
    joined.snapshot()
    (verdict,) = judged(joined)
    assert verdict.fair and "your share" not in verdict.text


def test_a_deal_that_was_supplied_is_not_judged() -> None:
    joined, end, _ = ended()
    fresh = Joined(joined.played, 0, conversation())
    fresh.connect()
    shown(fresh, evolve(end, table=evolve(end.table, commitment=b"", secret=b"")))
    assert judged(fresh) == []


def test_who_opens_a_table_sits_down_after_its_commitment_is_seen() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)), 0, conversation())
    opener = Opener(joined.conversation, Opening(table=NewTable("ra", "standard", 2)))
    joined.conversation.listeners.append(opener)
    (create,) = joined.connect()
    assert isinstance(create, Create) and not create.sit
    view = waiting(joined)
    joined.down(Accepted(create.id, 1))
    joined.down(Snapshot(1, None, PUBLIC.pack(view), None, ()))
    (join,) = joined.up()
    assert isinstance(join, JoinTable)
    assert join.nonce != create.nonce
    other = Joined(open_table("ra", Setup("standard", 2)), 0, conversation())
    other.connect()
    promised = evolve(view, table=evolve(view.table, commitment=bytes(32)))
    other.down(Snapshot(1, None, PUBLIC.pack(promised), None, ()))
    other.conversation.requests.join("TEST-1")
    (differently,) = other.up()
    assert isinstance(differently, JoinTable)
    assert differently.nonce != join.nonce, "it follows from the commitment"


def test_a_nonce_is_not_said_by_who_only_watches() -> None:
    table = NewTable("ra", "standard", 2, ("easy", "easy"), sit=False)
    joined = Joined(open_table("ra", Setup("standard", 2)), None, conversation())
    opener = Opener(joined.conversation, Opening(table=table))
    joined.conversation.listeners.append(opener)
    (create,) = joined.connect()
    assert isinstance(create, Create)
    joined.down(Accepted(create.id, 1))
    joined.snapshot()
    assert joined.up() == []
    assert not opener.under_way


def test_on_the_screen_a_lie_stays_in_sight_and_the_truth_is_one_line_of_the_log() -> None:
    seated = Seated()
    seated.state.hear(FairnessJudged(True, "the secret is the one committed to"))
    assert "The deal was fair: the secret is the one committed to." in seated.screen()
    assert "fair" not in seated.bar()[1]
    seated.state.hear(FairnessJudged(False, "the secret shown is not the one committed to"))
    assert "THE DEAL WAS NOT FAIR" in seated.bar()[1]
    assert f"Save the record ({SAVE.name})" in seated.state.notice
    seated.press("l")
    seated.press("escape")
    for columns in (60, 80):
        second = seated.screen(columns, 24).splitlines()[1]
        assert second.startswith(" THE DEAL WAS NOT FAIR: the secret shown is not the one")
