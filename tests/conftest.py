"""What every test can count on: the miniature game is registered beside the real ones, no
property fails because a machine was busy, and programs that a test starts hear an interrupt,
even where the tests themselves run in the background of a shell that ignores it."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

from tests.miniature import register

register()
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")
