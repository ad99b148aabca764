"""`ra-server`: arguments, signals, exit codes. Each entry of `_COMMANDS` is a command of its own.

Whatever takes time to import is imported in `main`, when interruptions are handled.
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
"""Something that the settings name is not available."""
EXIT_COMMAND = 2
"""The output of a command of its own cannot be printed."""

_GIVE_WAY = 5
"""The niceness of the commands, so that a server beside them comes first."""

_COMMANDS = {
    "admin": ("server.admin.command", "main"),
    "check": ("server.check.command", "main"),
    "backup": ("server.backup.command", "backup"),
    "restore": ("server.backup.command", "restore"),
}
"""The module and function of each command, by its name. The function takes the arguments after the
name and returns an exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal; returns the exit code (0 drained, 1 cannot start, 2 usage). Without
    arguments this is the command itself, and it handles the signals of the process."""
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
    """The exit code of `run`, once its output is written; `failure` if that is impossible."""
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
    except OSError as error:  # not even one of our files can be opened, or no loop be made
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
        # a disk that does not answer blocks a thread, which nothing can end
        log.close()
        complain("ra-server: the database did not answer; left behind")
        os._exit(EXIT_START)
    return 0


def _collect_less_often() -> None:
    """Look for reference cycles less often, and never in objects that live as long as the process.

    Every action makes hundreds of tuples and no cycle; the defaults, which are meant for small
    programs, took 8 % of the server's time under load.
    """
    import gc

    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


if __name__ == "__main__":
    sys.exit(main())
