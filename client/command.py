"""What `ra-client` does: from the command line to a running client. Wires the parts and says how
the run ended. Imports what takes time only when it is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from client.arguments import (
    EXIT_TROUBLE,
    MOST_OF_A_NAME,
    Arguments,
    parse_arguments,
    seat_code_fits,
)
from client.cli import terminal
from client.cli.entry import at_once
from client.cli.parser import EXIT_USAGE
from client.cli.terminal import (
    Unwritten,
    Writer,
    output_trouble,
    silence,
    terminal_trouble,
    write_trouble,
)

if TYPE_CHECKING:
    from client.dial.address import Address
    from client.join.opener import Opening
    from client.join.session_keeper import SessionKeeper
    from client.net.conversation import Conversation
    from client.net.link import Link
    from client.state.events import Change
    from client.state.scene import Scene


def run(given: Sequence[str] | None = None) -> int:
    """Run the client; the exit code."""
    try:
        with at_once():
            args = parse_arguments(given)
    except Unwritten as error:
        return _unwritten(error)
    if args.seat_code == "":
        args = evolve(args, seat_code=ask_line("code of the seat: "))
        if not seat_code_fits(args.seat_code or ""):
            return complain("that is no code of a seat: it looks like ABCD-2345", EXIT_USAGE)
    try:
        with at_once():
            _check_table_options(args)
    except ValueError as error:
        return complain(str(error), EXIT_USAGE)
    lines = args.plain or args.move_seat
    trouble = output_trouble() if lines else terminal_trouble()
    if trouble is not None:
        return complain(trouble if lines else f"{trouble}; try --plain", EXIT_TROUBLE)

    with at_once():
        from client.cli.loop import run_loop
        from client.join.table_options import BadTable
        from client.net.link import LinkLost
    try:
        return run_loop(_run(args))
    except LinkLost as error:
        return complain(str(error), 0 if error.wanted else EXIT_TROUBLE)
    except BadTable as error:
        return complain(str(error), EXIT_USAGE)
    except Unwritten as error:
        return _unwritten(error)
    except OSError as error:
        return complain(error.strerror or str(error), EXIT_TROUBLE)


def _check_table_options(args: Arguments) -> None:
    """Raise BadTable if no table is possible as the arguments describe it."""
    if args.create is not None:
        from client.join.table_options import new_table

        new_table(args.create)
    if args.solo is not None:
        from client.solo import solo_table

        solo_table(args.solo, args.level, args.solo_game)


def _unwritten(error: Unwritten) -> int:
    """The exit code when output failed: a reader that stopped reading is no error."""
    trouble = write_trouble(error)
    silence(sys.stdout)
    return 0 if trouble is None else complain(trouble, EXIT_TROUBLE)


def complain(text: str, code: int) -> int:
    """Write one line to stderr; returns `code`."""
    terminal.complain("ra-client", text)
    return code


def ask_line(question: str) -> str:
    """One line typed in answer, read byte by byte, so that what follows it stays unread."""
    with suppress(OSError):
        print(question, end="", file=sys.stderr, flush=True)
    line = b""
    try:
        with suppress(OSError):
            while len(line) < 100 and (byte := os.read(0, 1)) not in (b"", b"\n"):
                line += byte
            if byte == b"":
                print(file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        # What comes next starts on a new line.
        with suppress(OSError):
            print(file=sys.stderr, flush=True)
        raise
    return line.decode("utf-8", "replace").strip()


async def _run(args: Arguments) -> int:
    async with _destination(args) as (address, opening):
        conversation, session_keeper = _make_conversation(args, address)
        if session_keeper is None:
            return await _show(args, address, opening, conversation, None)
        conversation.model.seen = session_keeper.seen()
        conversation.listeners.append(partial(_keep_seen, session_keeper, conversation))
        try:
            return await _show(args, address, opening, conversation, session_keeper)
        finally:
            session_keeper.keep_seen(conversation.model.seen)


def _keep_seen(session_keeper: SessionKeeper, conversation: Conversation, change: Change) -> None:
    """Keep what we have seen when a connection breaks: the server may have less after it."""
    from client.state.events import ConnectionChanged, ConnectionStatus

    if isinstance(change, ConnectionChanged) and change.status is ConnectionStatus.WAITING:
        session_keeper.keep_seen(conversation.model.seen)


async def _show(
    args: Arguments,
    address: Address,
    opening: Opening,
    conversation: Conversation,
    session_keeper: SessionKeeper | None,
) -> int:
    """Run the conversation and its display to the end; the exit code."""
    from client.net.link import Link, LinkLost

    link = Link(address, conversation)
    if args.move_seat:
        return await _move_seat(conversation, link)
    back = partial(_resume_command, args, address, session_keeper)
    ready = partial(_claim, session_keeper, conversation, args.name)
    if args.plain:
        from client.plain.autoplay import Auto
        from client.plain.input import Lines
        from client.plain.run import PlainClient

        lines = Lines()
        lines.start()
        auto = None if args.auto is None else Auto(args.auto)
        plain = PlainClient(
            conversation,
            link,
            Writer(sys.stdout),
            opening,
            auto=auto,
            notation=args.notation,
            solo=session_keeper is None,
            back=back,
            ready=ready,
        )
        try:
            code = await plain.run(lines)
        except LinkLost as error:
            raise error.with_way_back(back(conversation.model.scene)) from None
        if plain.unwritten is not None:
            raise plain.unwritten
        return code
    from client.screen.run import run_screen

    stranger = session_keeper is not None and not (args.name or conversation.known)
    told = "" if session_keeper is None else session_keeper.told
    return await run_screen(
        conversation,
        link,
        opening,
        ask_name=stranger,
        solo=session_keeper is None,
        back=back,
        ready=ready,
        notice=told,
    )


async def _claim(
    session_keeper: SessionKeeper | None, conversation: Conversation, name: str, typed: str = ""
) -> None:
    """Before the first hello of a new person (`typed`: the name given on the screen): take
    over the session of another client that was started at the same moment, if it got one."""
    from client.state.events import ConnectionChanged, ConnectionStatus

    if session_keeper is None:
        return

    def hear(change: Change) -> None:
        if isinstance(change, ConnectionChanged) and change.status in (
            ConnectionStatus.WAITING,
            ConnectionStatus.ENDED,
        ):
            session_keeper.release()

    conversation.listeners.append(hear)
    found = await session_keeper.claim(typed)
    if found is not None:
        conversation.resume(found.token, name or found.name)


async def _move_seat(conversation: Conversation, link: Link) -> int:
    """Print the code that carries our session to another device."""
    from client.join.invocation import command_line
    from client.state.events import Greeted, MoveCodeCame, RequestRefused

    if not conversation.known:
        return complain("no session is kept for this server and name", EXIT_TROUBLE)
    told: list[str] = []
    written: list[str] = []

    def hear(change: Change) -> None:
        match change:
            case Greeted(resumed=True):
                conversation.requests.get_move_code()
            case Greeted():
                told.append("the server does not know the session kept here any more")
            case RequestRefused(text=text):
                told.append(text)
            case MoveCodeCame(code) if not seat_code_fits(code):
                told.append("what the server gave is no code of a seat")
            case MoveCodeCame(code, seconds):
                time = f"{seconds // 60} minutes" if seconds >= 120 else f"{seconds} seconds"
                written.append(f"{code}   good once, for {time}")
                written.append(f"there: {command_line(str(link.address), '--seat-code', code)}")
                link.stop()
        if told:
            link.stop()

    conversation.listeners.append(hear)
    await link.run()
    for line in written:
        Writer(sys.stdout)(line)
    return complain(told[0], EXIT_TROUBLE) if told else 0


@asynccontextmanager
async def _destination(args: Arguments) -> AsyncIterator[tuple[Address, Opening]]:
    """Where to connect, and what to open there."""
    from client.join.opener import Opening
    from client.join.table_options import new_table

    if args.address is None:
        from client.solo import solo

        assert args.solo is not None
        async with solo(args.solo, args.level, args.solo_game) as place:
            yield place
    else:
        table = None if args.create is None else new_table(args.create)
        carried = args.seat_code is not None and not args.code and table is None
        yield args.address, Opening(args.code, args.watch, table, home=carried)


def _make_conversation(
    args: Arguments, address: Address
) -> tuple[Conversation, SessionKeeper | None]:
    """The conversation, and what keeps its session for this server and name; None for a solo
    game, which ends with us."""
    from importlib.metadata import version

    from client.cli.folders import NoHome, data_folder
    from client.join.session_keeper import SessionKeeper
    from client.join.session_store import SessionStore
    from client.net.conversation import Conversation
    from client.net.identity import Identity

    client = f"ra-client/{version('ra-online')}"
    if args.solo is not None:
        return Conversation(Identity(client, args.name or _user())), None
    session_store, nowhere = None, ""
    try:
        session_store = SessionStore(args.data or data_folder(), address)
    except NoHome as error:
        nowhere = f"{error} (--data names another folder)"
    carried = args.seat_code is not None
    session_keeper = SessionKeeper(
        session_store, args.name, _tell, carried=carried, nowhere=nowhere
    )
    kept = session_keeper.kept
    if args.seat_code is not None:
        # The person carried here keeps their name.
        identity = Identity(client, args.name, args.seat_code.strip().encode(), carried=True)
    elif kept is not None:
        identity = Identity(client, args.name or kept.name, kept.token)
    else:
        identity = Identity(client, args.name or _user())
    return Conversation(
        identity, keep_token=session_keeper.keep, secret=session_keeper.secret()
    ), session_keeper


def _resume_command(
    args: Arguments, address: Address, session_keeper: SessionKeeper | None, scene: Scene | None
) -> str:
    """The command line that leads back (`client.join.invocation.Back`)."""
    from client.join.invocation import command_line, option, way_to

    words = None if session_keeper is None else session_keeper.words()
    if words is None:
        return ""
    plain = ("--plain",) if args.plain else ()
    folder = () if args.data is None else option("--data", str(args.data.absolute()))
    return command_line(str(address), *way_to(scene), *plain, *words, *folder)


def _tell(text: str) -> None:
    complain(text, 0)


def _user() -> str:
    """A name for a person who gave none."""
    from client.text import clean

    user = os.environ.get("USER") or os.environ.get("LOGNAME") or ""
    return clean(user)[:MOST_OF_A_NAME] or "Player"
