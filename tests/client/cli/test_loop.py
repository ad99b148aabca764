"""The loop that commands run on: any signal wakes it."""

from __future__ import annotations

import subprocess
import sys

ELSEWHERE = """
import asyncio, os, signal, sys, threading, time
from client.cli.entry import enter
from client.cli.loop import run_loop

def interrupt():
    time.sleep(0.2)  # the loop waits for nothing but signals by then
    os.kill(os.getpid(), signal.SIGINT)

async def main():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    threading.Thread(target=wait_unblocked).start()
    await asyncio.Event().wait()

def wait_unblocked():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    interrupt()

sys.exit(enter(lambda: lambda given: run_loop(main()), None))
"""
"""A command whose main thread cannot be given the signal, as while it starts a process."""


def test_an_interruption_that_another_thread_is_given_ends_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"")
