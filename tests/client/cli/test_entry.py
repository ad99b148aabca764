"""How a command is entered and left: what Ctrl-C does wherever it comes."""

from __future__ import annotations

import subprocess
import sys

import pytest

SWALLOWED = """
import signal, sys, time, weakref
from client.cli.entry import enter

class Gone:
    def __del__(self):
        if {finalizer}:
            signal.raise_signal(signal.SIGINT)

def run(given):
    one = Gone()
    watch = weakref.ref(one, lambda _: {finalizer} or signal.raise_signal(signal.SIGINT))
    del one
    time.sleep(60)
    return 0

sys.exit(enter(lambda: run, None))
"""
"""A command that is interrupted in code that the interpreter calls by itself."""


@pytest.mark.parametrize("finalizer", [True, False])
def test_an_interruption_in_a_callback_is_neither_printed_nor_lost(finalizer: bool) -> None:
    program = SWALLOWED.format(finalizer=finalizer)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"")
