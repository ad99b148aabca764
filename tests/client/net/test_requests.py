"""What can be asked of a server, and when."""

from __future__ import annotations

from client.state.events import Stepped
from engine.ra.words.commands import InvokeRa
from engine.stream import Request
from engine.table.words import Phase
from protocol.messages import (
    Act,
    Beat,
    Left,
)
from tests.client.joined import Joined
from tests.games import person


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
