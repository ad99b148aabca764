"""Two sessions joined in memory: greeting, order, gaps and how they heal."""

from __future__ import annotations

import pytest

from protocol.codec import ProtocolError
from protocol.frames import pack_part, update_frames
from protocol.messages import (
    CLIENT_CODEC,
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
)
from protocol.session import OutOfPlace, State
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
    with pytest.raises(ProtocolError, match="speaks version 3"):
        joined.down(Welcome(3, "", b"p", b"t", "Ada", 1000))


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
