"""A game played by rule alone."""

from __future__ import annotations

from pathlib import Path

from tests.client.typed_runs import files, run


async def test_a_solo_game_by_rule_reaches_its_end(tmp_path: Path) -> None:
    done = await run(tmp_path, "--solo", "2", "--plain", "--auto", "random")
    assert (done.code, done.err) == (0, "")
    assert sum(line.startswith("over: ") for line in done.out) == 1
    asked = [line for line in done.out if line.startswith("your ")]
    answered = [line for line in done.out if line.startswith("ok ")]
    assert len(answered) == len(asked) + 2, "each prompt, the table, and sitting down"
    fair = "fair: the secret is the one committed to, and your share is in it"
    assert done.out.count(fair) == 1
    assert not files(tmp_path), "a solo game keeps nothing"
