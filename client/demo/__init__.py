"""A demo game of bots, without a terminal: served, watched, told in plain lines, recorded,
replayed and verified. What `make play` shows where there is no terminal.

`command` reads the command line and puts the parts in a row, `spectator` watches the game
through a socket, as any spectator does. Leaves nothing behind but the record that it is told
to keep.
"""

from __future__ import annotations


def main(given: list[str] | tuple[str, ...] | None = None) -> int:
    """Play, replay and verify a game; the exit code (0: all of it came out right). Imports
    late, so that Ctrl-C is heard from the first moment on."""
    try:
        from client.cli.entry import Run, enter

        def load() -> Run:
            from client.demo.command import run

            return run

        return enter(load, given)
    except KeyboardInterrupt:
        return 130


__all__ = ["main"]
