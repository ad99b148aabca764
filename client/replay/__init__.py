"""`ra-replay`. `command` reads the command line and what is stored; `film` makes steps of
it, which `retell` tells as text and JSON, and `screen` shows on the full screen."""

from client.replay.command import main

__all__ = ["main"]
