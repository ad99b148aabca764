"""`ra-replay`: a stored match, step by step.

`command` reads the command line; `stored` opens what is stored (`log` keeps a long log in little
memory) as a `recording`, whose `steps` are made for each viewpoint when they are looked at.
`retell` prints them as text and JSON, `analysis` thinks them over, and `screen` shows them
(`state` is where we are, `keymap` its keys).
"""

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
