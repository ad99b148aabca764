"""`ra-server`: arguments, signals, exit codes. What stands in `_COMMANDS` is a command of its own.

What costs time to import is imported in `main`, when an interruption is taken care of.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.log import Log
    from server.settings import Settings

EXIT_START = 1
"""What the settings name cannot be had."""
EXIT_COMMAND = 2
"""What a command of its own says cannot be printed."""

_GIVE_WAY = 5
"""By how much the commands let a server that runs beside them come first."""

_COMMANDS = {
    "admin": ("server.admin.command", "main"),
    "check": ("server.check.command", "main"),
    "backup": ("server.backup.command", "backup"),
    "restore": ("server.backup.command", "restore"),
}
"""By its name: where it is. Each is given the arguments after its name, and ends with an
exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal; the exit code (0 drained, 1 cannot start, 2 usage). Without
    arguments it is the command itself, and the process's signals are its own."""
    own = arguments is None
    if arguments is None:
        from server.signals import let_interruptions_end

        let_interruptions_end()
        arguments = sys.argv[1:]
    from server.stdio import open_missing_streams

    open_missing_streams()
    if arguments and arguments[0] in _COMMANDS:
        name = arguments[0]
        if own and hasattr(os, "nice"):
            os.nice(_GIVE_WAY)
        module, function = _COMMANDS[name]
        command = getattr(import_module(module), function)
        return _printing(f"ra-server {name}", partial(command, arguments[1:]), EXIT_COMMAND)
    return _printing("ra-server", partial(_serve, arguments), EXIT_START)


def _printing(program: str, run: Callable[[], int], failure: int) -> int:
    """The exit code of `run`, when what it printed is out; `failure` if it cannot be."""
    from server.stdio import CannotPrint, check_heard, complain, flush

    try:
        try:
            code = run()
        except SystemExit as end:  # --help, --version, and wrong usage
            code = end.code if isinstance(end.code, int) else 0
            flush()
            if code == 0:
                check_heard()
            raise
        flush()
    except CannotPrint as error:
        complain(f"{program}: cannot print: {error}")
        return failure
    return code


def _serve(arguments: Sequence[str]) -> int:
    import asyncio

    from server.config import parse

    settings = parse(arguments)
    from server.folders import NoHome
    from server.log import open_log
    from server.log.libraries import capture_libraries
    from server.log.lines import where
    from server.signals import let_interruptions_end
    from server.startup_errors import NotStarted, explain, shown
    from server.stdio import CannotPrint, complain
    from server.store.port import StoreError

    log = open_log(settings.log)
    try:
        with closing(log), capture_libraries(log):
            return asyncio.run(_run(settings, log))
    except StoreError as error:
        name = shown(settings.database())
        complain(f"ra-server: cannot use the database {name}: {explain(error)}")
    except NotStarted as error:
        complain(f"ra-server: {error}")
    except NoHome as error:
        complain(f"ra-server: {error}: name a file for the database (--db), or --memory")
    except CannotPrint:
        raise
    except OSError as error:  # not even a file of ours can be opened, or a loop be had
        complain(f"ra-server: cannot start: {error.strerror or error}")
    except Exception as error:
        complain(f"ra-server: a fault of this program, sorry: {where(error)}")
    finally:
        let_interruptions_end()
    return EXIT_START


async def _run(settings: Settings, log: Log) -> int:
    import asyncio

    from server.app import serve
    from server.descriptors import make_room
    from server.signals import ask_to_end
    from server.stdio import announce, complain

    _collect_less_often()
    wanted = settings.connections
    settings = make_room(settings)
    stop = asyncio.Event()
    ask_to_end(stop.set, EXIT_START)
    async with serve(settings, log=log) as app:
        if settings.connections < wanted:
            app.log.warning("few_files", connections=settings.connections, wanted=wanted)
        announce(f"listening on {', '.join(map(str, app.addresses))}")
        await stop.wait()
    if app.stuck:
        # a disk that does not answer holds a thread that nobody can end
        log.close()
        complain("ra-server: the database did not answer; left behind")
        os._exit(EXIT_START)
    return 0


def _collect_less_often() -> None:
    """Look for reference cycles less often, and never in what is there for good.

    Every action makes hundreds of tuples and no cycle; the defaults, meant for small
    programs, took 8 % of the server's time under load.
    """
    import gc

    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


if __name__ == "__main__":
    sys.exit(main())
