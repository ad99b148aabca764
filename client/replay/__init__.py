"""`ra-replay`. `command` reads the command line, `stored` opens what is stored (a long `log`
in little room); `film` holds a `reel` of steps for each viewpoint, which `retell` tells as
text and JSON, and `screen` shows on the full screen."""

from __future__ import annotations


def main(given: list[str] | tuple[str, ...] | None = None) -> int:
    """Run the command; the exit code. Imports late, so that Ctrl-C is heard from the first
    moment on."""
    try:
        from client.cli.entry import Run, enter

        def load() -> Run:
            from client.replay.command import run

            return run

        return enter(load, given)
    except KeyboardInterrupt:
        return 130


__all__ = ["main"]
