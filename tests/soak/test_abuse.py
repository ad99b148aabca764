"""The short form of ten minutes in which one address does everything it may."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.soak.abuse import abused


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this machine has one address")
async def test_nobody_is_refused_for_what_another_address_does(tmp_path: Path) -> None:
    # so few that they are reached in this time on a busy machine too
    few = ("--tables-per-address", "10", "--wrong-codes", "10", "--chat-burst", "1")
    found = await abused(tmp_path, 5.0, "short", *few, part=0.2)
    assert found["refusals"] == [] and found["actions"] > 10, found
    abuser = found["abuser"]
    for word in ("guess too_many_codes", "too_many_tables", "too_fast"):
        assert abuser.get(word, 0) > 0, (word, abuser)
    assert abuser.get("guess no_table", 0) <= 11 and abuser["tables opened"] <= 10, abuser
    assert "fault" not in abuser and "closed 1011" not in abuser, abuser
