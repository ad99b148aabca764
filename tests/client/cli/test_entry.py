"""How a command is entered and left: what Ctrl-C does wherever it comes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from client.cli.entry import RESEND_SECONDS

SWALLOWED = """
import signal, sys, weakref
from client.cli import entry

entry.RESEND_SECONDS = {seconds}

class Gone:
    def __del__(self):
        if {finalizer}:
            signal.raise_signal(signal.SIGINT)

def run(given):
    one = Gone()
    watch = weakref.ref(one, lambda _: {finalizer} or signal.raise_signal(signal.SIGINT))
    del one
    signal.pause()
    return 0

sys.exit(entry.enter(lambda: run, None))
"""
"""A command that is interrupted in code that the interpreter calls by itself."""


@pytest.mark.parametrize("finalizer", [True, False])
@pytest.mark.parametrize("seconds", [RESEND_SECONDS, 1e-6])
def test_an_interruption_in_a_callback_is_neither_printed_nor_lost(
    finalizer: bool, seconds: float
) -> None:
    """Also if the callback has not ended when the interruption is sent again."""
    program = SWALLOWED.format(finalizer=finalizer, seconds=seconds)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"")
