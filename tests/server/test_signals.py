"""A signal drains the server; a second one ends it at once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server.test_app import mute, program, ready


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_drains_and_the_exit_code_is_0(name: str, tmp_path: Path) -> None:
    with program("--db", str(tmp_path / "t.db")) as child, ExitStack() as stack:
        port = ready(child)
        stack.enter_context(mute(port))
        begin = time.monotonic()
        child.send_signal(getattr(signal, name))
        out, err = child.communicate(timeout=10)
        assert child.returncode == 0 and out == ""
        assert time.monotonic() - begin < 5
        events = [json.loads(line)["event"] for line in err.splitlines()]
        assert events == ["listening", "stopping", "stopped"]


def test_a_second_signal_ends_it_at_once() -> None:
    flags = ("--memory", "--close-seconds", "30", "--drain-seconds", "60", "--hello-seconds", "60")
    with program(*flags) as child, ExitStack() as stack:
        silent = stack.enter_context(mute(ready(child)))
        assert b" 101 " in silent.recv(4096)
        assert child.stderr is not None
        child.stderr.readline()
        child.send_signal(signal.SIGTERM)
        assert "stopping" in child.stderr.readline()
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=20)
        assert child.returncode == 1


ELSEWHERE = """
import asyncio, os, signal, sys, threading
from server.signals import ask_to_end

def stop():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    waiting.wait()
    os.kill(os.getpid(), signal.SIGTERM)

async def main():
    stopping = asyncio.Event()
    ask_to_end(stopping.set, 1)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    threading.Thread(target=stop).start()
    asyncio.get_running_loop().call_soon(waiting.set)
    await stopping.wait()

sys.setswitchinterval(60)  # the thread goes on when the loop waits, and not before
waiting = threading.Event()
asyncio.run(main())
"""
"""A server whose main thread cannot be given the signal, as while it starts a bot's process."""


def test_a_signal_that_another_thread_is_given_stops_the_server() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
