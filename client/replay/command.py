"""`ra-replay`: a stored match shown step by step, told, printed as JSON, or verified.

Reads record and transcript files, and tables in a server's database. A composition
module: it may reach everything, and only wires; what is shown of a match is in
`client.replay.film` and `client.replay.retell`. What costs time to import is imported when needed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import field, frozen

from client.__main__ import terminal_trouble

if TYPE_CHECKING:
    from client.replay.film import Film, Note, Viewpoint
    from engine.entry import Entry
    from engine.stream import Stream
    from engine.verify import Finding
    from protocol.record import Record

EXIT_UNSOUND = 1
EXIT_USAGE = 2
EXIT_UNREADABLE = 3
EXIT_INTERRUPT = 130

EPILOG = """\
examples:
  ra-replay game.ra                          step through it on the screen
  ra-replay game.ra --plain --seat 0         a line per step, as match seat 0 saw it
  ra-replay game.ra --verify                 chain, commitment, deal, entries, result
  ra-replay --db ra.db --table KIWI-42       a table of a server, running or ended
  ra-replay game.ra --plain --epoch 2        the table as the second epoch begins

A running table is shown as a spectator sees it; --reveal (for whoever runs the server)
opens all seats and what is undrawn. A transcript shows what its audience was sent.

exit codes: 0 all is well; 1 the file is not whole and sound, or verification failed;
2 the command line makes no sense for this match; 3 the file, database or table cannot be
read at all; 130 interrupted.
"""


class Trouble(Exception):
    """What ends the command: one line for stderr, and the exit code."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


@frozen
class Stored:
    """A stored match: its film, and what verification found out about it (on demand)."""

    film: Film
    verify: Callable[[], Sequence[Finding]] = field(repr=False)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message}\n")


def parse_arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The command line; ends the process with one line on stderr if it makes no sense."""
    parser = _Parser(
        prog="ra-replay",
        description="Replay and verify a match of Ra from its record.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", type=Path, help="a record (.ra) or a transcript")
    parser.add_argument("--db", type=Path, metavar="PATH", help="a server's database instead")
    parser.add_argument("--table", metavar="CODE", help="the table in the database")
    parser.add_argument("--reveal", action="store_true", help="show all of a running table")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--plain", action="store_true", help="a line per step")
    how.add_argument("--json", action="store_true", help="an object per step, one a line")
    how.add_argument("--verify", action="store_true", help="check it and say what holds")
    parser.add_argument(
        "--seat", type=_seat, metavar="N|all|spectator", help="through whose eyes (seats from 0)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--at", type=_number, metavar="N", help="the table after step N")
    where.add_argument("--epoch", type=_number, metavar="N", help="... as epoch N begins")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('ra-online')}")
    args = parser.parse_args(given)
    if (args.file is None) == (args.db is None):
        parser.error("give a file, or --db PATH and --table CODE")
    if (args.db is None) != (args.table is None):
        parser.error("--db and --table go together")
    return args


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:18]) > 0 and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no step or epoch")
    return int(text)


def _seat(text: str) -> str:
    if text not in ("all", "spectator") and not (
        text.isascii() and text.isdigit() and len(text) < 4
    ):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no seat, 'all' or 'spectator'")
    return text


def main(given: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    args = parse_arguments(given)
    try:
        return _run(args)
    except Trouble as trouble:
        return _complain(str(trouble), trouble.code)
    except BrokenPipeError:
        # Whoever read the output has seen enough. So that the interpreter does not
        # complain when it flushes at the end:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPT


def _complain(text: str, code: int) -> int:
    from client.text import clean

    with suppress(OSError):
        print(f"ra-replay: {clean(text)}", file=sys.stderr)
    return code


def _run(args: argparse.Namespace) -> int:
    from protocol.codec import ProtocolError

    screen = not (args.plain or args.json or args.verify)
    trouble = terminal_trouble() if screen else None
    if trouble is not None:
        raise Trouble(f"{trouble}; try --plain, --json or --verify", EXIT_USAGE)
    with suppress(AttributeError):
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        stored = _open_db(args) if args.file is None else _open_file(args.file)
        if args.verify:
            return _print_findings(stored)
        film, view = stored.film, _viewpoint(args.seat, stored.film)
        start = _start(args, film, view)
        if film.running:
            _complain(_running(film, args.reveal), 0)
        if screen:
            from client.replay.screen import run_replay

            return run_replay(film, view, start or 0)
        for line in _lines(args.json, film, view, start):
            print(line)
        sys.stdout.flush()
    except ProtocolError as error:
        raise Trouble(f"what is stored does not fit together: {error}", EXIT_UNSOUND) from None
    return 0


def _running(film: Film, reveal: bool) -> str:
    if reveal:
        return f"{film.title} is still running; all is revealed, as you asked"
    return f"{film.title} is still running: what is hidden from spectators or undrawn stays so"


# what is opened


def _open_file(path: Path) -> Stored:
    from protocol.chain import FileError
    from protocol.record import read_record
    from protocol.transcript import TRANSCRIPT, read_transcript

    try:
        with path.open("rb") as file:
            magic = file.read(len(TRANSCRIPT.magic))
            file.seek(0)
            if magic == TRANSCRIPT.magic:
                return _transcript(read_transcript(file))
            return _record(read_record(file))
    except FileError as error:
        raise Trouble(f"{path}: {error}", EXIT_UNSOUND) from None
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror or error}", EXIT_UNREADABLE) from None


def _record(record: Record) -> Stored:
    from engine.verify import verify
    from protocol.record import fold

    film = film_of("record", record.entries, fold(record.entries), reveal=False)
    chained = _chained(f"header, {len(record.entries)} entries and end mark are in their places")
    return Stored(film, lambda: (chained, *verify(record.entries, record.ending.result)))


def _transcript(transcript: Any) -> Stored:
    from client.replay.film import SPECTATOR, Film, Viewpoint
    from engine.verify import Finding, Subject, Verdict

    heading = transcript.heading
    view = SPECTATOR if heading.seat is None else Viewpoint(heading.seat)
    messages = (transcript.snapshot, *transcript.updates)
    audience = "spectators" if heading.seat is None else f"seat {heading.seat}"
    title = f"transcript of table {heading.code} for {audience}"
    film = Film(title, 0, [view], lambda _: messages, running=not transcript.ended)
    chained = _chained(f"{len(messages)} messages are in their places")
    nothing = "a transcript holds what was sent, not what it was made from"
    return Stored(
        film,
        lambda: (chained, *(Finding(subject, Verdict.NOT_DERIVED, nothing) for subject in Subject)),
    )


def _open_db(args: argparse.Namespace) -> Stored:
    from engine.verify import verify
    from protocol.chain import FileError
    from protocol.record import decode_entries, fold
    from server.store.port import Damaged, StoreError
    from server.store.reader import Reader

    place = f"table {args.table} in {args.db}"
    try:
        with Reader(args.db) as reader:
            listed = reader.find(args.table) or reader.find(args.table.upper())
            rows = reader.read(listed.code).rows if listed is not None else ()
            bodies = [row.body for row in rows]
    except Damaged as error:
        raise Trouble(f"{place}: damaged: {error}", EXIT_UNSOUND) from None
    except (StoreError, OSError) as error:
        raise Trouble(f"{args.db}: {error}", EXIT_UNREADABLE) from None
    if listed is None or not bodies:
        raise Trouble(f"{args.db}: there is no table {args.table}", EXIT_UNREADABLE)
    try:
        entries = decode_entries(listed.game, bodies)
        stream = fold(entries)
    except FileError as error:
        raise Trouble(f"{place}: {error}", EXIT_UNSOUND) from None
    film = film_of("table", entries, stream, reveal=args.reveal)
    chained = _chained(f"{len(entries)} entries are those that the server wrote")
    result = None if stream.match is None else stream.match.result
    return Stored(film, lambda: (chained, *verify(entries, result)))


def _chained(detail: str) -> Finding:
    """Reading would have failed otherwise."""
    from engine.verify import Finding, Subject, Verdict

    return Finding(Subject.CHAIN, Verdict.HOLDS, detail)


# the film of a log


def film_of(kind: str, entries: Sequence[Entry], stream: Stream, *, reveal: bool) -> Film:
    """The film of a log whose fold is `stream`; `reveal` opens one that still runs."""
    from client.replay.film import EVERYBODY, SPECTATOR, Film, Viewpoint
    from protocol.project import Projector
    from protocol.transcript import follow

    seating, match = stream.seating, stream.match
    seats = match.setup.seats if match is not None else 0
    views = [SPECTATOR]
    if seating.ended or reveal:
        views = [EVERYBODY, SPECTATOR, *map(Viewpoint, range(seats))]
    projector = Projector(stream.game)
    return Film(
        f"{kind} of table {seating.code}" if kind == "record" else f"table {seating.code}",
        seats,
        views,
        lambda seat: follow(entries, projector, seat, seating.places),
        running=not seating.ended,
        annotate=lambda number, view: _note(entries[number - 1], view),
    )


def _note(entry: Entry, view: Viewpoint) -> Note:
    """All of an entry to who may see all; to others no command but their own."""
    from client.replay.film import EVERYBODY, Note
    from client.replay.retell import plain_value

    everything = view == EVERYBODY
    own = everything or (entry.seat is not None and entry.seat == view.seat)
    return Note(
        time=entry.time,
        cause=entry.cause.name.lower(),
        seat=entry.seat,
        command=entry.command if own else None,
        sealed=plain_value(entry.sealed) if everything else None,
    )


# what is shown


def _viewpoint(wanted: str | None, film: Film) -> Viewpoint:
    from client.replay.film import EVERYBODY, SPECTATOR, Viewpoint

    if wanted is None:
        return film.views[0]
    named = {"all": EVERYBODY, "spectator": SPECTATOR}
    view = named[wanted] if wanted in named else Viewpoint(int(wanted))
    if view in film.views:
        return view
    if view.seat is not None and view.seat >= film.seats > 0:
        raise Trouble(f"there is no seat {wanted}: {film.seats} play, from 0", EXIT_USAGE)
    if film.running and len(film.views) == 1:
        raise Trouble(f"{film.title} is still running: --seat needs --reveal", EXIT_USAGE)
    raise Trouble(f"{film.title}: it cannot be seen as {wanted!r}", EXIT_USAGE)


def _start(args: argparse.Namespace, film: Film, view: Viewpoint) -> int | None:
    """Index of the frame asked for; None if none is."""
    frames = film.frames(view)
    if args.at is not None:
        if args.at > len(frames):
            raise Trouble(f"there is no step {args.at}: the last is {len(frames)}", EXIT_USAGE)
        return int(args.at) - 1
    if args.epoch is not None:
        for index, frame in enumerate(frames):
            if frame.epoch == args.epoch:
                return index
        raise Trouble(f"epoch {args.epoch} was not reached", EXIT_USAGE)
    return None


def _lines(as_json: bool, film: Film, view: Viewpoint, start: int | None) -> Iterator[str]:
    from client.replay import retell

    frames, game = film.frames(view), film.game
    if as_json:
        for frame in frames if start is None else frames[start : start + 1]:
            yield json.dumps(retell.json_object(frame, game), ensure_ascii=False)
        return
    yield from retell.head_lines(film, view)
    if start is None:
        yield from (retell.frame_line(frame, game) for frame in frames)
        result = game.result(frames[-1].scene)
        yield result if result is not None else "(no result)"
    else:
        yield from retell.table_lines(frames[start], game)


def _print_findings(stored: Stored) -> int:
    from engine.verify import failed

    findings = stored.verify()
    for finding in findings:
        verdict = finding.verdict.name.lower().replace("_", " ")
        print(f"{finding.subject:<10}  {verdict:<11}  {finding.detail}")
    wrong = failed(findings)
    print("NOT verified" if wrong else "verified: nothing fails")
    sys.stdout.flush()
    return EXIT_UNSOUND if wrong else 0
