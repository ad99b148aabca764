"""Whether a stream is what it claims: fold, commitment, deal, every entry decided again, result.
Each finding is named and says whether it holds, fails, or could not be checked.

Does not know games by name, encodings or files; the chain of a file is checked where the file is
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from typing import Any

from attrs import frozen

from engine import timing
from engine.deal import Chance, commit, derive_seed
from engine.draft import Draft, Granted
from engine.entry import Cause, Entry
from engine.errors import BrokenLog, IllegalAction
from engine.game import FindGame, Game, Result, find_game
from engine.stream import Stream, open_stream
from engine.table.words import MatchStarted, Open, SeatTaken, SitOut, TableOpened


class Verdict(IntEnum):
    """What became of one check."""

    HOLDS = 1
    FAILS = 2
    NOT_DERIVED = 3
    """It could not be checked, for the reason given; it neither holds nor fails."""


class Subject(StrEnum):
    """What is checked."""

    CHAIN = "chain"
    """What is stored is what was written; checked where the file is read, not here."""
    FOLD = "fold"
    """The entries follow from each other."""
    COMMITMENT = "commitment"
    """The secret shown at the end is the one committed to at the beginning."""
    DEAL = "deal"
    """The deal follows from the secret and the nonces of all seats."""
    COMMANDS = "commands"
    """Every entry is what its command leads to."""
    RESULT = "result"
    """The match ended with the recorded result."""


@frozen
class Finding:
    """The verdict of one check, in words as well."""

    subject: Subject
    verdict: Verdict
    detail: str


def verify(
    entries: Sequence[Entry], recorded: Result | None = None, find: FindGame = find_game
) -> tuple[Finding, ...]:
    """Check a whole stream; `recorded` is the result that was written down beside it.

    Returns one finding for each Subject but CHAIN, in that order; if the entries do not even fold,
    that finding alone.
    """
    try:
        stream = Stream.replay(entries, find)
    except (BrokenLog, IllegalAction) as error:
        return (Finding(Subject.FOLD, Verdict.FAILS, str(error)),)
    folded = f"{stream.number} entries follow from each other"
    return (
        Finding(Subject.FOLD, Verdict.HOLDS, folded),
        _commitment(stream),
        _deal(entries, stream),
        _commands(entries, stream),
        _result(stream, recorded),
    )


def failed(findings: Sequence[Finding]) -> bool:
    """Whether anything failed (what was not derived has not)."""
    return any(finding.verdict is Verdict.FAILS for finding in findings)


def _commitment(stream: Stream) -> Finding:
    seating = stream.seating
    if not seating.commitment:
        if stream.sealed.secret and not seating.supplied:
            return _fails(Subject.COMMITMENT, "there is a secret, and it was not committed to")
        return _not(Subject.COMMITMENT, "this table's deals are supplied, not committed to")
    if seating.revealed is None:
        return _not(Subject.COMMITMENT, "the secret is not shown before the end")
    same = commit(seating.revealed.secret) == seating.commitment
    nonces = seating.nonces() if seating.places else ()
    if not same or seating.revealed.nonces != nonces:
        return _fails(Subject.COMMITMENT, "what was shown is not what was committed to")
    return _holds(Subject.COMMITMENT, "the secret shown is the one committed to")


def _deal(entries: Sequence[Entry], stream: Stream) -> Finding:
    seating, match = stream.seating, stream.match
    if match is None:
        return _not(Subject.DEAL, "no match was started")
    if seating.supplied:
        return _not(Subject.DEAL, "the deal was supplied, not dealt from a secret")
    if seating.revealed is None:
        return _not(Subject.DEAL, "the secret is not shown before the end")
    dealt = next(entry.sealed for entry in entries if _starts(entry))
    if dealt is None or dealt.secret != seating.revealed.secret:
        return _fails(Subject.DEAL, "it was not dealt from the secret that was shown")
    if seating.rules != stream.game.rules:
        return _not(Subject.DEAL, _other_rules(stream))
    secret, nonces = seating.revealed.secret, seating.revealed.nonces
    try:
        deal = stream.game.deal(match.setup, Chance(derive_seed(secret, nonces)))
    except ValueError as error:
        return _fails(Subject.DEAL, str(error))
    if dealt.deal != deal:
        return _fails(Subject.DEAL, "the deal does not follow from the secret and the nonces")
    return _holds(Subject.DEAL, "the deal follows from the secret and the nonces")


def _commands(entries: Sequence[Entry], stream: Stream) -> Finding:
    if stream.seating.rules != stream.game.rules:
        return _not(Subject.COMMANDS, _other_rules(stream))
    game, number = stream.game, 1
    try:
        if _open_again(entries[0], game) != entries[0]:
            return _fails(Subject.COMMANDS, "entry 1 is not what its command leads to")
        following = Stream(entries[0], lambda _: game)
        for entry in entries[1:]:
            number = entry.number
            if _decide_again(following, entry) != entry:
                return _fails(Subject.COMMANDS, f"entry {number} is not what its command leads to")
            following.fold(entry)
    except IllegalAction as error:
        return _fails(Subject.COMMANDS, f"entry {number} is refused: {error}")
    except ValueError as error:
        return _fails(Subject.COMMANDS, f"entry {number} cannot be decided: {error}")
    return _holds(Subject.COMMANDS, f"{number} entries are what their commands lead to")


def _result(stream: Stream, recorded: Result | None) -> Finding:
    result = None if stream.match is None else stream.match.result
    if result != recorded:
        return _fails(Subject.RESULT, f"recorded {recorded}, replayed {result}")
    if result is None:
        return _not(Subject.RESULT, "the match did not come to its end")
    return _holds(Subject.RESULT, f"points {result.points}, won by {result.winners}")


def _open_again(entry: Entry, game: Game[Any]) -> Entry | None:
    opened, sealed = entry.events[0], entry.sealed
    if not isinstance(entry.command, Open) or entry.person is None or sealed is None:
        return None
    assert isinstance(opened, TableOpened)
    bots = [e for e in entry.events if isinstance(e, SeatTaken) and e.bot is not None]
    return open_stream(
        entry.command,
        id=entry.id,
        person=entry.person,
        code=opened.code,
        secret=sealed.secret,
        bot_nonces=tuple(bot.nonce for bot in bots),
        time=entry.time,
        game=game,
        deal=_supplied(entry),
    )


def _decide_again(stream: Stream, entry: Entry) -> Entry | None:
    """The entry that the command of `entry` leads to in `stream`; None if it leads to none."""
    if entry.command is None:
        return None
    seat = entry.command.seat if isinstance(entry.command, SitOut) else entry.seat
    asked = None if stream.match is None or seat is None else stream.match.asked.get(seat)
    request = Granted(
        command=entry.command,
        id=entry.id,
        person=entry.person,
        seat=entry.seat,
        token=asked.token if asked is not None else 0,
        cause=entry.cause,
    )
    draft = stream.draft(request, entry.time, _supplied(entry), _elapsed(stream, entry))
    return draft.entry if isinstance(draft, Draft) else None


def _elapsed(stream: Stream, entry: Entry) -> int:
    """How long the clocks ran before `entry`, as far as it makes a difference."""
    match, seat = stream.match, entry.seat
    if match is None:
        return 0
    ran = timing.running(stream.seating, match.asked)
    gift = 0 if seat is None else timing.gift(stream.seating, match, seat, entry.command)
    command = entry.command
    silent = command.seat if isinstance(command, SitOut) else seat
    up = silent if entry.cause is Cause.TIMEOUT and silent in ran else None
    return timing.elapsed_between(stream.clocks, entry.clocks, ran, seat, gift, up)


def _starts(entry: Entry) -> bool:
    return any(isinstance(event, MatchStarted) for event in entry.events)


def _supplied(entry: Entry) -> Any:
    """The deal of an entry that starts a match with a supplied one."""
    supplied = any(isinstance(e, MatchStarted) and e.supplied for e in entry.events)
    return entry.sealed.deal if supplied and entry.sealed is not None else None


def _other_rules(stream: Stream) -> str:
    return (
        f"not re-derived: played under rules number {stream.seating.rules}, "
        f"this program plays by {stream.game.rules}"
    )


def _holds(subject: Subject, detail: str) -> Finding:
    return Finding(subject, Verdict.HOLDS, detail)


def _fails(subject: Subject, detail: str) -> Finding:
    return Finding(subject, Verdict.FAILS, detail)


def _not(subject: Subject, detail: str) -> Finding:
    return Finding(subject, Verdict.NOT_DERIVED, detail)
