"""The short form of ten minutes in which one address does everything it may."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.soak.abuse import abused


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this machine has one address")
async def test_nobody_is_refused_for_what_another_address_does(tmp_path: Path) -> None:
    found = await abused(tmp_path, seconds=5.0, seed="short")
    assert found["refusals"] == [] and found["actions"] > 10, found
    abuser = found["abuser"]
    for word in ("too_many_codes", "too_fast"):
        assert abuser.get(word, 0) > 0, (word, abuser)
    assert abuser["no_table"] <= 31, abuser
    assert "fault" not in abuser and "closed 1011" not in abuser, abuser
