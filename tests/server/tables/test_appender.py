"""What cannot be stored did not happen, and what was stored is never reported as a failure."""

from __future__ import annotations

import pytest
from websockets.exceptions import ConnectionClosed

from protocol.messages import (
    Accepted,
    Closing,
    Refused,
)
from tests.server.moody import Mood, MoodyStore
from tests.server.peer import peer, server
from tests.server.tables.test_table import act, begun, catch_up


async def test_what_cannot_be_stored_did_not_happen() -> None:
    store = MoodyStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        made = act(actor)
        for mood in (Mood.UNAVAILABLE, Mood.UNKNOWN_NOT_WRITTEN):
            store.mood = mood
            refused = await actor.ask(made, Refused)
            assert (refused.code, refused.id) == ("store_unavailable", made.id)
            fresh = await actor.watch(code)
            assert fresh.public == ann.public == bob.public
        store.mood = Mood.WELL
        assert (await actor.ask(made, Accepted)).number == fresh.number + 1
        assert len((await store.read(code)).rows) == fresh.number + 1


async def test_what_was_stored_after_all_is_never_called_a_failure() -> None:
    store = MoodyStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        store.mood = Mood.UNKNOWN_WRITTEN
        accepted = await actor.ask(act(actor), Accepted)
        assert len((await store.read(code)).rows) == accepted.number
        store.mood = Mood.WELL
        await catch_up(ann, bob)
        actor = ann if ann.asked() else bob
        assert (await actor.ask(act(actor), Accepted)).number == accepted.number + 1


async def test_if_nobody_can_say_the_table_is_read_again_and_the_resend_gets_its_answer() -> None:
    store = MoodyStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        made = act(actor)
        store.mood, store.unreadable = Mood.UNKNOWN_WRITTEN, True
        await actor.send(made)
        closing = await actor.until(Closing)
        assert closing.retry > 0
        with pytest.raises(ConnectionClosed):
            await actor.receive()
        store.mood, store.unreadable = Mood.WELL, False
        async with peer(app, "", actor.token) as again:
            snapshot = await again.watch(code)
            assert await again.ask(made, Accepted) == Accepted(made.id, snapshot.number)
