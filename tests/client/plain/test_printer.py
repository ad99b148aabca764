"""Lines of what happens, whose forms do not change."""

from __future__ import annotations

import re
from pathlib import Path

from tests.client.typed_runs import run


async def test_what_happens_can_be_told_in_the_notation(tmp_path: Path) -> None:
    done = await run(tmp_path, "--solo", "1", "--plain", "--auto", "first", "--notation")
    assert done.code == 0
    assert any(re.fullmatch(r"#\d+ 0 draws [a-z-]+", line) for line in done.out)
    assert any(re.fullmatch(r"#\d+ game ends with .*", line) for line in done.out)
