"""The short form of the million hostile frames."""

from __future__ import annotations

from tests.soak.hostile import run


def test_hostile_frames_end_in_documented_words_at_a_real_server() -> None:
    """The run itself asserts: no fault, no frame that takes long, documented codes only,
    and others are served all the while."""
    told = run(frames=20_000, served=2_000, seed=20261129)
    print(told)
    assert "1002 malformed" in told and "understood" in told
