"""What every test can count on: the miniature game is registered beside the real ones, and
no property fails because a machine was busy."""

from __future__ import annotations

import os

from hypothesis import settings

from tests.miniature import register

register()
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")
