"""Two sessions joined in memory: greeting, order, gaps and how they heal."""

from __future__ import annotations

import attrs
import pytest
from attrs import evolve

from protocol.codec import ProtocolError, dumps, loads
from protocol.frames import pack_part, update_frames
from protocol.messages import (
    CLIENT_CODEC,
    FROM_CLIENT,
    FROM_SERVER,
    OLDEST_VERSION,
    SERVER_CODEC,
    VERSION,
    Accepted,
    Act,
    Beat,
    Closing,
    Heartbeat,
    Hello,
    LeaveTable,
    Left,
    ListTables,
    Refused,
    Say,
    TooOld,
    Update,
    Watch,
    Welcome,
    server_codec,
)
from protocol.session import OutOfPlace, State
from protocol.shapes import wire_fields
from tests.protocol import examples
from tests.protocol.joined import HELLO, WELCOME, Joined, snapshot

EMPTY = ((), ())


@pytest.fixture
def joined() -> Joined:
    return Joined()


def test_hello_is_answered_by_welcome(joined: Joined) -> None:
    assert joined.up(HELLO) == HELLO
    assert joined.server.hello == HELLO
    assert joined.down(WELCOME) == WELCOME
    assert joined.client.state is joined.server.state is State.LOBBY


def test_nothing_goes_before_hello(joined: Joined) -> None:
    with pytest.raises(OutOfPlace, match="ListTables is out of place in state hello") as caught:
        joined.server.receive(CLIENT_CODEC.encode(ListTables()))
    assert caught.value.fatal
    with pytest.raises(OutOfPlace):
        joined.client.send(ListTables())
    with pytest.raises(OutOfPlace):
        joined.server.send(Heartbeat(0))


def test_a_refused_hello_may_be_said_again(joined: Joined) -> None:
    joined.up(HELLO)
    joined.down(Refused(None, "bad_name", (), ""))
    joined.greet()
    assert joined.client.state is State.LOBBY


def test_a_client_of_another_time_speaks_the_lower_version(joined: Joined) -> None:
    joined.server.receive(CLIENT_CODEC.encode(Hello(7, "new", (), "en", "Ada", None)))
    assert joined.server.version == VERSION


def test_a_peer_of_an_older_version_is_never_sent_what_came_later(joined: Joined) -> None:
    """And takes nothing of it: within a version the number of fields is exact."""
    whole = evolve(snapshot(1), host=True)
    fields = len(SERVER_CODEC.pack(whole))
    joined.up(evolve(HELLO, version=1))
    joined.down(evolve(WELCOME, version=1))
    sent = joined.server.send(whole)
    tree = loads(sent)
    assert len(tree) == fields - 1
    with pytest.raises(ProtocolError):
        joined.client.receive(dumps((*tree, True)))
    assert joined.client.receive(sent) == evolve(whole, host=False)


def test_peers_of_the_newest_version_are_told_all(joined: Joined) -> None:
    joined.greet()
    whole = evolve(snapshot(1), host=True)
    assert joined.down(whole) == whole


def test_every_version_that_is_served_can_be_spoken() -> None:
    """Fields of a later version stand at the end, and have a default for older ones."""
    kinds: list[type] = [*FROM_CLIENT.values(), *FROM_SERVER.values()]
    for kind in kinds:
        sinces = [field.since for field in wire_fields(kind)]
        assert sinces == sorted(sinces) and max(sinces, default=1) <= VERSION
        late = [field for field in attrs.fields(kind) if field.metadata.get("since", 1) > 1]
        assert all(field.default is not attrs.NOTHING for field in late)
    for version in range(OLDEST_VERSION, VERSION + 1):
        for value in examples.SERVER:
            codec = server_codec(version)
            assert type(codec.decode(codec.encode(value))) is type(value)


def test_a_client_too_old_is_told_so(joined: Joined) -> None:
    assert joined.up(Hello(0, "old", (), "en", "Ada", None)) is None
    (frame,) = joined.server.outgoing()
    assert joined.client.receive(frame) == TooOld(
        OLDEST_VERSION, VERSION, "version 0 is not served any more"
    )
    assert joined.client.state is joined.server.state is State.ENDED
    assert joined.server.outgoing() == []


def test_a_client_leaves_a_server_whose_version_it_does_not_know(joined: Joined) -> None:
    joined.up(HELLO)
    with pytest.raises(ProtocolError, match=f"speaks version {VERSION + 1}"):
        joined.down(Welcome(VERSION + 1, "", b"p", b"t", "Ada", 1000))


def test_a_welcome_of_an_older_server_lacks_what_was_added(joined: Joined) -> None:
    joined.up(HELLO)
    whole = SERVER_CODEC.pack(WELCOME)
    for fields in range(len(whole), len(whole) - 3, -1):
        assert SERVER_CODEC.unpack(whole[:fields]) == WELCOME
    with pytest.raises(ProtocolError):
        SERVER_CODEC.unpack(whole[: len(whole) - 3])


def test_a_message_out_of_place_after_hello_is_refused_without_closing(joined: Joined) -> None:
    joined.greet()
    with pytest.raises(OutOfPlace) as caught:
        joined.server.receive(CLIENT_CODEC.encode(Act(b"i", 1, (32,))))
    assert not caught.value.fatal
    refusal = joined.down(caught.value.refusal())
    assert (refusal.id, refusal.code) == (b"i", "out_of_place")
    assert joined.up(Beat()) == Beat()


def test_a_server_that_says_something_out_of_place_is_not_followed(joined: Joined) -> None:
    joined.greet()
    with pytest.raises(OutOfPlace, match="Update is out of place in state lobby"):
        joined.client.receive(SERVER_CODEC.encode(Update(1, EMPTY, None)))


def test_hello_is_said_once(joined: Joined) -> None:
    joined.attend()
    with pytest.raises(OutOfPlace):
        joined.client.send(HELLO)


def test_updates_follow_the_snapshot(joined: Joined) -> None:
    joined.attend(5)
    assert joined.down(Update(6, EMPTY, None)).number == 6
    frame = update_frames(7, pack_part((), ()), {})[0]
    sent = joined.server.send_update(7, frame)
    assert sent is not None
    assert joined.client.receive(sent) == Update(7, EMPTY, None)
    assert joined.client.number == joined.server.number == 7
    assert joined.client.outgoing() == []


def test_the_server_session_keeps_back_what_a_snapshot_holds_already(joined: Joined) -> None:
    frame = update_frames(5, pack_part((), ()), {})[0]
    joined.greet()
    assert joined.server.send_update(5, frame) is None
    joined.down(snapshot(5))
    assert joined.server.send_update(5, frame) is None


def test_the_server_session_accepts_by_a_ready_frame_where_it_may(joined: Joined) -> None:
    with pytest.raises(OutOfPlace):
        joined.server.send_accepted(b"i", 6)
    joined.attend(5)
    ready = joined.server.send_accepted(b"i", 6)
    assert joined.client.receive(ready) == Accepted(b"i", 6)


def test_the_server_session_never_sends_a_hole(joined: Joined) -> None:
    joined.attend(5)
    with pytest.raises(ValueError, match="update 7 cannot follow 5"):
        joined.server.send(Update(7, EMPTY, None))
    with pytest.raises(ValueError, match="update 7 cannot follow 5"):
        joined.server.send_update(7, b"")


@pytest.mark.parametrize("number", [5, 7, 3])
def test_an_update_that_is_not_the_next_is_healed_by_a_snapshot(
    joined: Joined, number: int
) -> None:
    joined.attend(5)
    lost = SERVER_CODEC.encode(Update(number, EMPTY, None))
    assert joined.client.receive(lost) is None
    assert joined.client.receive(lost) is None, "kept back until the snapshot has come"
    (frame,) = joined.client.outgoing()
    assert joined.server.receive(frame) == Watch("KIWI-42", 5)
    assert joined.down(snapshot(9)) == snapshot(9)
    assert joined.down(Update(10, EMPTY, None)).number == 10
    assert joined.client.outgoing() == []


@pytest.mark.parametrize("number", [4, 6])
def test_a_heartbeat_with_another_number_is_healed_too(joined: Joined, number: int) -> None:
    joined.attend(5)
    assert joined.down(Heartbeat(5)) == Heartbeat(5)
    assert joined.client.outgoing() == []
    joined.down(Heartbeat(number))
    joined.down(Heartbeat(number))
    asked = [CLIENT_CODEC.decode(frame) for frame in joined.client.outgoing()]
    assert asked == [Watch("KIWI-42", 5)] * 2, "each heartbeat asks again"


def test_a_snapshot_of_a_restored_backup_counts(joined: Joined) -> None:
    joined.attend(50)
    assert joined.down(snapshot(12)).number == 12
    assert joined.down(Update(13, EMPTY, None)).number == 13


def test_a_delta_that_does_not_fit_makes_the_caller_resync_once(joined: Joined) -> None:
    joined.attend(5)
    joined.client.resync()
    joined.client.resync()
    assert len(joined.client.outgoing()) == 1


def test_leaving_a_table(joined: Joined) -> None:
    joined.attend(5)
    joined.up(LeaveTable(b"i"))
    joined.down(Left("KIWI-42"))
    joined.down(Accepted(b"i", 6))
    joined.client.resync()
    assert joined.client.outgoing() == [], "nothing is attended"
    assert (joined.client.code, joined.client.number, joined.server.number) == (None, 0, 0)
    with pytest.raises(OutOfPlace):
        joined.client.send(Say("hi"))


def test_nothing_follows_closing(joined: Joined) -> None:
    joined.attend()
    joined.down(Closing("restart", "", 100))
    with pytest.raises(OutOfPlace):
        joined.down(Heartbeat(1))
    with pytest.raises(OutOfPlace):
        joined.client.send(Beat())


@pytest.mark.parametrize("data", [b"", b"\xc0", b"\x91\x05", b"hello", b"\x81\x01\x02"])
def test_what_cannot_be_read_is_one_protocol_error_at_either_end(
    joined: Joined, data: bytes
) -> None:
    joined.attend()
    for receive in (joined.server.receive, joined.client.receive):
        with pytest.raises(ProtocolError):
            receive(data)
    assert joined.up(Beat()) == Beat(), "and changes nothing"
