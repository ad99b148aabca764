"""`ra-replay`: a stored match shown step by step, told, printed as JSON, or verified.

Only wires: the command line is in `client.replay.arguments`, what is opened in `stored`, what is
shown of a match in `recording` and `retell`. What takes time to import is imported when it is
needed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from client.cli.parser import EXIT_USAGE
from client.cli.terminal import (
    Writer,
    complain,
    output_trouble,
    silence,
    terminal_trouble,
    write_trouble,
)
from client.replay.arguments import MOST_PROCESSES, parse_arguments
from client.replay.progress import Progress, ProgressLine, nobody
from client.replay.stored import EXIT_UNSOUND, Stored, Trouble, misfit, open_db, open_file

if TYPE_CHECKING:
    from client.replay.recording import Recording, Viewpoint
    from engine.verify import Finding


def run(given: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    coded = False
    try:
        args = parse_arguments(given)
        coded = args.json
        return _run(args)
    except Trouble as trouble:
        return _complain(trouble.coded if coded else str(trouble), trouble.code)
    except OSError as error:
        # It is not an error if the reader has seen enough.
        told = write_trouble(error)
        silence(sys.stdout)
        return 0 if told is None else _complain(told, EXIT_UNSOUND)


def _complain(text: str, code: int) -> int:
    from client.text import clean

    complain("ra-replay", clean(text))
    return code


def _run(args: argparse.Namespace) -> int:
    from protocol.codec import ProtocolError

    screen = not (args.plain or args.json or args.verify or args.analyse)
    trouble = terminal_trouble() if screen else None
    if not screen and (closed := output_trouble()) is not None:
        raise Trouble(closed, EXIT_UNSOUND)
    progress = ProgressLine()
    try:
        stored = _open(args, progress)
        if args.verify:
            return _print_findings(stored, progress)
        if args.analyse:
            progress.clear()
            return _analyse(args, stored)
        recording, view = stored.recording, _viewpoint(args.seat, stored.recording)
        start = _start(args, recording, view, progress)
        progress.clear()
        if trouble is not None:
            raise Trouble(f"{trouble}; try --plain, --json or --verify", EXIT_USAGE)
        if recording.running:
            _complain(_running(recording, args.reveal), 0)
        if screen:
            from client.replay.screen import run_replay

            return run_replay(recording, view, start or 0, _where(args))
        put = Writer(sys.stdout, at_once=False)
        for line in _lines(args, recording, view, start, _unseen(progress)):
            put(line)
        sys.stdout.flush()
    except ProtocolError as error:
        raise misfit(_where(args), error) from None
    finally:
        progress.clear()
    return 0


def _where(args: argparse.Namespace) -> str:
    """What is shown, as the person named it."""
    return str(args.file) if args.file is not None else f"table {args.table} in {args.db}"


def _unseen(progress: Progress) -> Progress:
    """Progress of lines that do not go to a terminal, where they show it themselves."""
    return nobody if sys.stdout.isatty() else progress


def _analyse(args: argparse.Namespace, stored: Stored) -> int:
    from client.replay.analysis import AnalysisOptions, NotAnalysed, run

    options = AnalysisOptions(
        seat=args.seat if isinstance(args.seat, int) else None,
        simulations=args.budget or 0,
        seed=1 if args.seed is None else args.seed,
        processes=args.processes or min(os.cpu_count() or 1, MOST_PROCESSES),
    )
    try:
        run(stored.entries, options, as_json=args.json)
    except NotAnalysed as error:
        raise Trouble(f"{stored.recording.title}: {error}", EXIT_USAGE) from None
    return 0


def _running(recording: Recording, reveal: bool) -> str:
    if reveal:
        return f"{recording.title} is still running; all is revealed, as you asked"
    return f"{recording.title} is still running: what is hidden from spectators or undrawn stays so"


def _open(args: argparse.Namespace, progress: Progress) -> Stored:
    if args.file is not None:
        return open_file(args.file, progress)
    return open_db(args.db, args.table, reveal=args.reveal, progress=progress)


def _viewpoint(wanted: str | int | None, recording: Recording) -> Viewpoint:
    from client.replay.recording import EVERYBODY, SPECTATOR, Viewpoint
    from client.replay.retell import view_name

    if wanted is None:
        return recording.views[0]
    named = {"all": EVERYBODY, "spectator": SPECTATOR}
    view = Viewpoint(wanted) if isinstance(wanted, int) else named[wanted]
    if view in recording.views:
        return view
    if view.seat is not None and view.seat >= recording.seats > 0:
        raise Trouble(f"there is no seat {view.seat + 1}: {recording.seats} play", EXIT_USAGE)
    if recording.running and len(recording.views) == 1:
        raise Trouble(f"{recording.title} is still running: --seat needs --reveal", EXIT_USAGE)
    raise Trouble(f"{recording.title}: it cannot be seen as {view_name(view)}", EXIT_USAGE)


def _start(
    args: argparse.Namespace, recording: Recording, view: Viewpoint, progress: Progress
) -> int | None:
    """Index of the step asked for; None if none was."""
    steps = recording.steps(view)
    if args.at is not None:
        if args.at > len(steps):
            raise Trouble(f"there is no step {args.at}: the last is {len(steps)}", EXIT_USAGE)
        return int(args.at) - 1
    if args.epoch is not None:
        for index, step in enumerate(steps):
            progress("looking", index, len(steps))
            if step.epoch == args.epoch:
                return index
        raise Trouble(f"epoch {args.epoch} was not reached", EXIT_USAGE)
    return None


def _lines(
    args: argparse.Namespace,
    recording: Recording,
    view: Viewpoint,
    start: int | None,
    progress: Progress,
) -> Iterator[str]:
    from client.replay import retell

    steps, game = recording.steps(view), recording.game
    if args.json:
        for step in steps if start is None else steps[start : start + 1]:
            progress("telling", step.number, len(steps))
            yield json.dumps(retell.json_object(step, game))
        return
    yield from retell.head_lines(recording, view, notation=args.notation)
    if start is not None:
        yield from retell.table_lines(steps[start], game)
        return
    for step in steps:
        progress("telling", step.number, len(steps))
        if args.notation:
            yield retell.step_line(step, game)
        else:
            yield from retell.step_sentences(step, game)
    yield retell.ending(recording, step, game)


def _print_findings(stored: Stored, progress: ProgressLine) -> int:
    from engine.verify import failed

    whole = len(stored.entries)
    stored.watch(lambda number: progress("checking", number, whole))
    findings = stored.verify()
    progress.clear()
    put = Writer(sys.stdout)
    for finding in findings:
        verdict = finding.verdict.name.lower().replace("_", " ")
        put(f"{finding.subject:<10}  {verdict:<11}  {finding.detail}")
    put(_verdict(findings))
    if stored.proves:
        put(stored.proves)
    return EXIT_UNSOUND if failed(findings) else 0


def _verdict(findings: Sequence[Finding]) -> str:
    """What was verified and what was not, in one line."""
    from engine.verify import Subject, Verdict

    def named(verdict: Verdict) -> list[str]:
        return [found.subject.value for found in findings if found.verdict is verdict]

    holds, open_ = named(Verdict.HOLDS), named(Verdict.NOT_DERIVED)
    if fails := named(Verdict.FAILS):
        return f"NOT verified: what fails is {_listed(fails)}"
    if not open_:
        return f"verified: {_listed(holds)} hold"
    if holds == [Subject.CHAIN]:
        return "nothing of the game was verified: only that this is stored as it was written"
    return f"verified in part: {_listed(holds)} hold; {_listed(open_)} could not be checked"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
