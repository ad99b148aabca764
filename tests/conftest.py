"""What every test can count on: the miniature game is registered beside the real ones."""

from __future__ import annotations

from tests.miniature import register

register()
