"""`ra-client`: enters `client.command`. Imports nothing before that, so that Ctrl-C ends the
program quietly from the first moment on."""

from __future__ import annotations

import sys


def main(given: list[str] | tuple[str, ...] | None = None) -> int:
    """Run the client; the exit code."""
    try:
        from client.cli.entry import Run, enter

        def load() -> Run:
            from client.command import run

            return run

        return enter(load, given)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
