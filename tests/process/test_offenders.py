"""Offenders beside players: whoever breaks limits is dropped with its code, and those who
play notice little and lose nothing. (The strict figures: `tests.bench.offenders`.)"""

from __future__ import annotations

from collections import Counter

from tests.bench.offenders import KINDS, compare
from tests.bench.offending import SILENT, Ear


def test_offenders_all_at_once_are_dropped_and_twenty_tables_play_on() -> None:
    """B09, B37: a spectator that never reads, a seat that floods, 500 silent sockets and a
    slow handshake, beside 20 tables; quiet and loud rounds by turns."""
    found = compare(rounds=2, seconds=2.5)
    assert found["alive"] is True
    ends = found["ends"]
    assert isinstance(ends, dict)
    codes = {kind: Counter({int(code): n for code, n in ends[kind].items()}) for kind in KINDS}
    # no handshake in time: cut off; no hello in time: told so
    assert codes["silent"] == {0: SILENT} and codes["slow"] == {0: 2}
    assert codes["no_hello"] == {1008: SILENT}
    # whoever reads nothing: by its outbox or its pings, and perhaps too deaf to hear why
    assert sum(codes["deaf"].values()) == 2 and set(codes["deaf"]) <= {0, 1011, 1013}
    assert codes["flood"] and set(codes["flood"]) <= {1008, 1011}
    said = found["flood_said"]
    assert isinstance(said, int) and said > 1000
    quiet, loud, grown = found["quiet"], found["loud"], found["grown_bytes"]
    assert isinstance(quiet, dict) and isinstance(loud, dict) and isinstance(grown, int)
    assert grown < 64 << 20
    # wider than the promise, because the rounds are few and short
    assert loud["moves"] > quiet["moves"] / 2
    assert loud["p50_ms"] < 3 * quiet["p50_ms"] + 10
    assert loud["p99_ms"] < 6 * quiet["p99_ms"] + 50


def test_the_ear_hears_a_close_frame_in_pieces() -> None:
    frames = b"HTTP/1.1 101 x\r\n\r\n\x82\x7e\x01\x00" + b"x" * 256 + b"\x82\x01y"
    for step in (1, 3, 1000):
        ear = Ear()
        data = frames + b"\x88\x07\x03\xf0flood"
        for at in range(0, len(data), step):
            assert ear.code == 0
            ear.hear(data[at : at + step])
        assert ear.code == 1008
