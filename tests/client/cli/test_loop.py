"""The loop that commands run on: any signal wakes it."""

from __future__ import annotations

import subprocess
import sys

ELSEWHERE = """
import asyncio, os, signal, sys, threading
from client.cli.entry import enter
from client.cli.loop import run_loop

def interrupt():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    waiting.wait()
    os.kill(os.getpid(), signal.SIGINT)

async def main():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    threading.Thread(target=interrupt).start()
    asyncio.get_running_loop().call_soon(waiting.set)
    await asyncio.Event().wait()

sys.setswitchinterval(60)  # the thread goes on when the loop waits, and not before
waiting = threading.Event()
sys.exit(enter(lambda: lambda given: run_loop(main()), None))
"""
"""A command whose main thread cannot be given the signal, as while it starts a process."""


def test_an_interruption_that_another_thread_is_given_ends_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"")
