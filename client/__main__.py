"""`ra-client`: from the command line to a running client. Wires the parts and says how
it ended; what they do is theirs. What costs time to import is imported when needed."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from client.arguments import (
    EXIT_INTERRUPT,
    EXIT_TROUBLE,
    EXIT_USAGE,
    Arguments,
    parse_arguments,
)

if TYPE_CHECKING:
    from client.address import Address
    from client.opening import Opening
    from client.talk import Talk


def main(given: list[str] | None = None) -> int:
    """Run the client; the exit code."""
    args = parse_arguments(given)
    trouble = None if args.plain else terminal_trouble()
    if trouble is not None:
        return complain(f"{trouble}; try --plain", EXIT_TROUBLE)

    import asyncio

    from client.link import LinkLost
    from client.opening import BadTable

    try:
        return asyncio.run(_run(args))
    except LinkLost as error:
        return complain(str(error), EXIT_TROUBLE)
    except BadTable as error:
        return complain(str(error), EXIT_USAGE)
    except KeyboardInterrupt:
        return EXIT_INTERRUPT


def complain(text: str, code: int) -> int:
    """One line on stderr; gives `code` back."""
    with suppress(OSError):
        print(f"ra-client: {text}", file=sys.stderr)
    return code


def terminal_trouble() -> str | None:
    """Why a full screen cannot be shown here; None if it can."""
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None or not stream.isatty():
            return f"standard {name} is not a terminal"
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return f"a terminal of type {os.environ.get('TERM') or 'none'} cannot show the screen"
    return None


async def _run(args: Arguments) -> int:
    async with _place(args) as (address, opening):
        talk, stranger = _make_talk(args, address)
        from client.link import Link

        link = Link(address, talk)
        if args.plain:
            from client.by_rule import Auto
            from client.plain import Plain
            from client.stdin import Lines

            lines = Lines()
            lines.start()
            auto = None if args.auto is None else Auto(args.auto)
            plain = Plain(
                talk, link, Writer(sys.stdout), opening, auto=auto, notation=args.notation
            )
            return await plain.run(lines)
        from client.screen import run_screen

        solo = args.solo is not None
        return await run_screen(talk, link, opening, ask_name=stranger, solo=solo)


@asynccontextmanager
async def _place(args: Arguments) -> AsyncIterator[tuple[Address, Opening]]:
    """Where to connect, and how to begin there."""
    from client.opening import Opening, new_table

    if args.address is None:
        from client.solo import solo

        assert args.solo is not None
        async with solo(args.solo) as place:
            yield place
    else:
        table = None if args.create is None else new_table(args.create)
        yield args.address, Opening(args.code, args.watch, table)


def _make_talk(args: Arguments, address: Address) -> tuple[Talk, bool]:
    """The conversation, with the session kept for this server and name; and whether
    nobody has said yet what we are called."""
    from importlib.metadata import version

    from client.storage import Kept, Storage, default_folder
    from client.talk import Identity, Talk

    client = f"ra-client/{version('ra-online')}"
    if args.solo is not None:
        return Talk(Identity(client, args.name or _user())), False
    storage = Storage(args.data or default_folder(), address)
    kept = storage.load(args.name)
    name = args.name or (kept.name if kept is not None else _user())

    def keep(token: bytes, known_as: str) -> None:
        try:
            storage.save(args.name or known_as, Kept(known_as, token))
        except OSError as error:
            complain(f"the session cannot be kept: {error.strerror or error}", 0)

    identity = Identity(client, name, kept.token if kept is not None else None)
    return Talk(identity, keep_token=keep), kept is None and not args.name


def _user() -> str:
    """A name for somebody who gave none."""
    return os.environ.get("USER") or os.environ.get("LOGNAME") or "Player"


class Writer:
    """Writes lines at once; raises OSError when nobody reads them any more."""

    def __init__(self, stream: TextIO) -> None:
        with suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]
        self._stream = stream

    def __call__(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except BrokenPipeError:
            # So that the interpreter does not complain when it flushes at the end.
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, self._stream.fileno())
            raise


if __name__ == "__main__":
    sys.exit(main())
