"""A bucket fills up again at its rate, and never beyond its size."""

from __future__ import annotations

from server.rate_limit import TokenBucket


def test_a_bucket_fills_up_again_and_not_beyond() -> None:
    bucket = TokenBucket(1000.0, 2)
    assert [bucket.take() for _ in range(3)][:2] == [True, True]
    bucket._at -= 60
    bucket._left = 0.0
    assert [bucket.take() for _ in range(4)][:2] == [True, True]
