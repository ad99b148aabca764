"""The words of a table that a client needs: its phase and clock, and what happens at it.

For those who may know the protocol and not the engine, whose words they are; nothing here
decides anything. Knows no game.
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
