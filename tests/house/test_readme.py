"""The README's commands: those that can be run here are run, of the others every flag is
one that the program knows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.places import ROOT

MODULES = {"ra-client": "client", "ra-replay": "client.replay", "ra-server": "server"}


def commands() -> list[list[str]]:
    """The lines of the README's code blocks, without their comments, as words."""
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    return [shlex.split(line, comments=True) for line in lines]


def run(module: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=cwd,
        env={**os.environ, "TERM": "dumb", "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def of(program: str) -> list[list[str]]:
    return [words[1:] for words in commands() if words[0] == program]


def test_every_command_is_one_of_ours() -> None:
    assert {words[0] for words in commands()} == {"make", *MODULES}


@pytest.mark.parametrize("program", MODULES)
def test_every_flag_is_known(program: str) -> None:
    known = re.findall(r"--[a-z][a-z-]*", run(MODULES[program], "--help").stdout)
    flags = {word for words in of(program) for word in words if word.startswith("--")}
    assert flags <= set(known)


def test_the_make_targets_are_there() -> None:
    make = shutil.which("make")
    assert make is not None
    for words in of("make"):
        subprocess.run([make, "--dry-run", *words], cwd=ROOT, check=True, capture_output=True)


def test_a_record_is_replayed_as_the_readme_says(tmp_path: Path) -> None:
    assert run("client.demo", "--record", "game.ra", cwd=tmp_path).returncode == 0
    ways = [words for words in of("ra-replay") if len(words) > 1]
    assert ways
    for words in ways:
        done = run("client.replay", *words, cwd=tmp_path)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        assert done.stdout
