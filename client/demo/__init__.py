"""A demo game between bots, without a terminal: served, watched, told in plain lines, recorded,
replayed and verified. `make play` shows it where there is no terminal.

`command` reads the command line and runs the parts one after another; `spectator` watches the game
through a connection, like any spectator. Leaves nothing behind but the record it is told to keep.
"""

from __future__ import annotations


def main(given: list[str] | tuple[str, ...] | None = None) -> int:
    """Play, replay and verify a game; the exit code (0 if everything was right). Imports late,
    so that Ctrl-C works from the first moment on."""
    try:
        from client.cli.entry import Run, enter

        def load() -> Run:
            from client.demo.command import run

            return run

        return enter(load, given)
    except KeyboardInterrupt:
        return 130


__all__ = ["main"]
