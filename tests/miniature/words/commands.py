"""The commands of the miniature."""

from __future__ import annotations

from attrs import frozen

from engine.entry import Command


@frozen
class Choose(Command):
    """Choose a card of one's hand, sealed."""

    card: int


@frozen
class Hold(Command):
    """Choose no card this round, sealed as well."""


COMMANDS: dict[int, type[Command]] = {32: Choose, 33: Hold}
