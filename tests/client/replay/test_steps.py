"""Steps are made when they are looked at, and are the same however one comes to them."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.replay.keymap import press
from client.replay.recording import Recording
from client.replay.screen import draw
from client.replay.state import ReplayState
from client.replay.steps import AT_ONCE
from client.replay.stored import open_file
from client.screen.lines import text_of
from engine.game import Setup
from protocol.chain import write_parts
from protocol.messages import Update, server_codec
from protocol.project import Projector
from protocol.transcript import END_MARK, HEADING, TRANSCRIPT, EndMark, Heading, follow
from tests.games import open_table
from tests.patience import PATIENCE
from tests.process.serving import program
from tests.terminal.terminal import Terminal

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "everything-open.ra"
STEPS = 60_000


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transcript of a match in which hardly anything happens, over and over."""
    played = open_table("ra", Setup("standard", 2))
    entries = played.entries
    places = played.stream.seating.places
    told = list(follow(entries, Projector(played.game), None, places))

    encode = server_codec(1).encode

    def frames() -> Iterator[bytes]:
        yield from map(encode, told)
        for number in range(len(told) + 1, STEPS + 1):
            yield encode(Update(number, ((), ()), None))

    heading = Heading("TEST-1", "ra", 1, "standard", (), "tests", None)
    path = tmp_path_factory.mktemp("long") / "long.transcript"
    end = END_MARK.encode(EndMark(False))
    path.write_bytes(b"".join(write_parts(TRANSCRIPT, HEADING.encode(heading), frames(), end)))
    return path


@pytest.fixture(scope="module")
def recording() -> Recording:
    return open_file(GOLDEN).recording


def test_in_whatever_order_they_are_looked_at_steps_are_the_same(recording: Recording) -> None:
    chance = random.Random(3)
    for view in recording.views[:3]:
        streamed = list(recording.steps(view))
        other = open_file(GOLDEN).recording.steps(view)
        order = list(range(len(streamed)))
        chance.shuffle(order)
        assert len(other) == len(streamed) == streamed[-1].number
        for at in (*order[:20], -1, 0, *order[20:40]):
            assert other[at] == streamed[at]
        assert other[5:9] == tuple(streamed[5:9])
        begins = [
            at
            for at, frame in enumerate(streamed)
            if frame.epoch is not None and (at == 0 or streamed[at - 1].epoch != frame.epoch)
        ]
        assert other.begins == begins
        with pytest.raises(IndexError):
            other[len(streamed)]


def test_the_screen_hears_keys_while_it_reads_on(long: Path) -> None:
    recording = open_file(long).recording
    begun = time.monotonic()
    state = ReplayState(recording, recording.views[0], 0)
    press(state, "end")
    assert 0 < recording.steps(state.view).made < STEPS, "one slice"
    assert f"reading on: {recording.steps(state.view).made} of {STEPS}" in text_of(
        draw(state, 80, 24)
    )
    assert state.tick(0.0) == 0.0
    press(state, "home")
    assert state.at == 0 and state.tick(0.0) is None, "another key: it goes there no more"
    assert time.monotonic() - begun < PATIENCE
    press(state, "g")
    state.enter(str(AT_ONCE))
    assert state.step.number == AT_ONCE


def peak(*words: str) -> int:
    """The peak memory of a command, in KiB."""
    code = "import resource, sys; from client.replay import main; code = main(sys.argv[1:]);"
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr);"
    code += "sys.exit(code)"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stderr.split()[-1])


def test_a_long_match_takes_little_more_room_than_a_short_one(long: Path) -> None:
    size = long.stat().st_size // 1024
    assert peak(str(long), "--plain") - peak(str(GOLDEN), "--plain") < 4 * size


def test_progress_shows_and_ctrl_c_ends_at_once(long: Path) -> None:
    replay = ["bash", "-c", 'exec "$@" 2>&0', "-", program("ra-replay"), str(long)]
    with Terminal([*replay, "--plain", "--epoch", "9"]) as terminal:
        terminal.until("looking: ")
        terminal.press("ctrl-c")
        assert terminal.ended() == 130
        assert terminal.settings() == terminal.before
        assert "looking" not in terminal.text, "nothing of it is left"
    with Terminal(replay) as terminal:
        terminal.until("step 1 of 60000")
        terminal.press("end")
        terminal.until("reading on")
        terminal.press("ctrl-c")
        assert terminal.ended() == 130
        assert terminal.settings() == terminal.before
