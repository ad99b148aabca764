"""The exception that refuses a request, the kernel's codes for it, and the faults of a log.

Does not know games; a game adds codes of its own in its `words` folder.
"""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Why the kernel refuses a command; a game has codes of its own."""

    ID_REUSED = "id_reused"
    """The command id was used before with another payload."""
    STALE_PROMPT = "stale_prompt"
    """The token is not that of the seat's open prompt."""
    NO_PROMPT = "no_prompt"
    """The seat is asked nothing now."""
    WRONG_COMMAND = "wrong_command"
    """The open prompt is not answered by a command of this kind."""
    NOT_RUNNING = "not_running"
    """No match is being played at the table (not started yet, or over)."""
    CANNOT_TAKE_BACK = "cannot_take_back"
    """Somebody else acted since, the clock or a bot did, something hidden was revealed, or
    the seat took back as often as it may before the match goes on."""
    ALREADY_STARTED = "already_started"
    """The match has begun: nobody joins, leaves, starts or closes any more."""
    TABLE_FULL = "table_full"
    """Every seat is taken. Facts: seats."""
    TABLE_CLOSED = "table_closed"
    """The table has ended."""
    NOT_SEATED = "not_seated"
    """The sender has no seat there."""
    NOT_HOST = "not_host"
    """Only the host may do this."""
    TOO_FEW_PLAYERS = "too_few_players"
    """The ruleset wants more. Facts: seats, least."""
    BAD_OPTIONS = "bad_options"
    """Game, ruleset, option, number of seats, bot or clock that does not exist or fit."""
    NOT_ABSENT = "not_absent"
    """That seat is not one of a person who is asked something and does not answer. Facts: seat."""
    SAT_OUT = "sat_out"
    """Somebody plays for the sender's seat: return first. Facts: seat."""
    NOT_YET_BACK = "not_yet_back"
    """What was not answered in time is still to be answered for the seat: return in a
    moment. Facts: seat."""
    ALREADY_SEATED = "already_seated"
    """The sender has a seat there, and can have no other."""
    NO_SUBSTITUTES = "no_substitutes"
    """The table is not one whose seats others may take."""


class IllegalAction(Exception):
    """A request that cannot be granted. Only its sender is told, and nothing has changed.

    `code` is a stable word, `facts` the numbers and words that explain it.
    """

    def __init__(self, code: StrEnum, **facts: int | str) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: dict[str, int | str] = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value}" for name, value in self.facts.items())
        return f"{self.code}({facts})" if facts else str(self.code)


class BrokenLog(Exception):
    """Entries that do not fold: a gap, a repetition, an event that cannot follow."""


class FutureLog(BrokenLog):
    """Entries written under a later rules number than this program knows."""

    def __init__(self, game: str, rules: int, known: int) -> None:
        super().__init__(
            f"played under rules number {rules} of {game}; this program knows up to {known}"
        )
        self.rules = rules
        self.known = known
