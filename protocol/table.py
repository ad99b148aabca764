"""The words of a table that a client needs: its phase and clock, and what happens there.

They are the engine's words, for modules that may know the protocol and not the engine; nothing here
decides anything. Does not know games.
"""

from __future__ import annotations

from engine.clock import Absence, Clock, ClockKind
from engine.table.words import (
    HAPPENINGS,
    CloseReason,
    HostPassed,
    MatchStarted,
    Phase,
    Returned,
    Revealed,
    SatIn,
    SeatFreed,
    SeatTaken,
    Substituted,
    TableClosed,
    TableOpened,
    TakenBack,
    TimedOut,
    Voted,
)

__all__ = [
    "HAPPENINGS",
    "Absence",
    "Clock",
    "ClockKind",
    "CloseReason",
    "HostPassed",
    "MatchStarted",
    "Phase",
    "Returned",
    "Revealed",
    "SatIn",
    "SeatFreed",
    "SeatTaken",
    "Substituted",
    "TableClosed",
    "TableOpened",
    "TakenBack",
    "TimedOut",
    "Voted",
]
