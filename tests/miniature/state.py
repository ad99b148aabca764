"""The miniature's state and its deal."""

from __future__ import annotations

from typing import Self

from attrs import frozen

from engine.game import Result


@frozen
class Deal:
    """Everything chance decides."""

    lots: tuple[int, ...]
    """In the order in which they are turned over."""
    hands: tuple[tuple[int, ...], ...]
    """By seat, ascending."""


class State:
    """Advanced in place by `evolve`; one owner."""

    __slots__ = ("chosen", "hands", "lots", "points", "result", "round", "rounds", "ruleset")

    def __init__(self, ruleset: str, deal: Deal) -> None:
        self.ruleset = ruleset
        self.rounds = len(deal.lots)
        self.round = 1
        self.lots = deal.lots
        self.hands = list(deal.hands)
        self.points = [0] * len(deal.hands)
        self.chosen: list[tuple[int | None, ...]] = [()] * len(deal.hands)
        """By seat: empty, or the sealed choice."""
        self.result: Result | None = None

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.ruleset = self.ruleset
        other.rounds = self.rounds
        other.round = self.round
        other.lots = self.lots
        other.hands = self.hands[:]
        other.points = self.points[:]
        other.chosen = self.chosen[:]
        other.result = self.result
        return other
