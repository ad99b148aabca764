"""What every test can count on: the miniature game is registered beside the real ones, no
property fails because a machine was busy, no proxy stands between the tests and this machine,
and programs that a test starts hear an interrupt, even where the tests themselves run in the
background of a shell that ignores it."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

from tests.miniature import register

register()
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
here = ("127.0.0.1", "localhost", "::1", os.environ.get("no_proxy") or os.environ.get("NO_PROXY"))
os.environ["no_proxy"] = ",".join(filter(None, here))
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")
