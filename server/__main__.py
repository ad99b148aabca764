"""`ra-server`: arguments, signals, exit codes. `ra-server check` is a command of its own."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from server.config import EXIT_START, Settings, parse


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal; the exit code (0 drained, 1 cannot start, 2 usage)."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments[:1]) == ["check"]:
        from server.check import main as check

        return check(arguments[1:])
    settings = parse(arguments)
    from server.store.port import Damaged, StoreError

    try:
        return asyncio.run(_run(settings))
    except Damaged as error:
        return _fail(f"the database is damaged ({error}): ra-server check says where")
    except StoreError as error:
        return _fail(f"the database cannot be used: {error}")
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        return _fail(f"cannot listen on {where}: {error.strerror or error}")


def _fail(line: str) -> int:
    sys.stderr.write(f"ra-server: {line}\n")
    return EXIT_START


async def _run(settings: Settings) -> int:
    from server.app import serve

    _collect_less_often()
    _allow_files(settings.connections)
    stop = asyncio.Event()

    def ask_to_stop() -> None:
        if stop.is_set():
            os._exit(EXIT_START)  # asked twice: at once
        stop.set()

    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, ask_to_stop)
    async with serve(settings) as app:
        host = f"[{app.host}]" if ":" in app.host else app.host
        sys.stdout.write(f"listening on {host}:{app.port}\n")
        sys.stdout.flush()
        await stop.wait()
    if app.stuck:
        # a disk that does not answer holds a thread that nobody can end
        sys.stderr.write("ra-server: the database did not answer; left behind\n")
        sys.stderr.flush()
        os._exit(EXIT_START)
    return 0


def _allow_files(connections: int) -> None:
    """Ask the system for as many open files as there may be connections."""
    try:
        import resource
    except ImportError:
        return  # not a system with such limits
    wanted = connections + 256
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _collect_less_often() -> None:
    """Look for reference cycles less often, and never in what is there for good.

    Every action makes hundreds of tuples and no cycle; the defaults, meant for small
    programs, took 8 % of the server's time under load.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


if __name__ == "__main__":
    sys.exit(main())
