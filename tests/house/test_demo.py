"""The demo game of `make play` without a terminal: played, told, recorded, replayed, verified."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.house.places import ROOT


def demo(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the demo with `folder` as home and place for temporary files."""
    return subprocess.run(
        [sys.executable, "-m", "client.demo", *arguments],
        cwd=ROOT,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder), "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_again_and_again_and_nothing_is_left_behind(tmp_path: Path) -> None:
    for _ in range(2):
        done = demo(tmp_path)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        assert done.stderr == ""
        assert "easy bot 1 draws" in done.stdout
        assert "The game is over." in done.stdout
        assert not list(tmp_path.iterdir())


def test_the_record_is_kept_where_it_is_wanted(tmp_path: Path) -> None:
    record = tmp_path / "kept.ra"
    assert demo(tmp_path, "--record", str(record)).returncode == 0
    assert record.read_bytes()[1:6] == b"RAREC"


def test_games_differ(tmp_path: Path) -> None:
    assert demo(tmp_path).stdout != demo(tmp_path).stdout
