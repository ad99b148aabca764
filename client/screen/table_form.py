"""The form for a new table: a few rows, each with a value to change. Does not know the toolkit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.games import GameClient
from client.join.table_options import NewTable
from client.screen.lines import Line, fit, pad, wrap
from client.state.clocks import ABSENCE_HINTS, ABSENCES, read_clock

CLOCKS = ("none", "3m+5s", "5m+10s", "10m+15s", "30m+30s", "1d", "3d", "7d")
"""The clocks that the form offers."""

Row = tuple[str, str, str, Callable[[int], None]]
"""Label, value, hint, and what a step to either side does."""


class TableForm:
    """What is filled in so far."""

    def __init__(self, games: Sequence[GameClient]) -> None:
        self._games = games
        self._game = 0
        self._ruleset = 0
        self._seats = 3
        self._bots = 0
        self._level = self._usual_level()
        self._options: set[str] = set()
        self._listed = True
        self._clock = 0
        self._absence = 0
        self.row = 0
        self._fit()

    @property
    def game(self) -> GameClient:
        return self._games[self._game]

    @property
    def table(self) -> NewTable:
        """The table as filled in."""
        return NewTable(
            game=self.game.name,
            ruleset=list(self.game.rulesets)[self._ruleset],
            seats=self._seats,
            bots=(self.game.bots[self._level],) * self._bots if self.game.bots else (),
            options=tuple(sorted(self._options)),
            listed=self._listed,
            clock=read_clock(CLOCKS[self._clock]),
            absence=ABSENCES[list(ABSENCES)[self._absence]],
        )

    def _usual_level(self) -> int:
        return self.game.bots.index(self.game.usual_bot) if self.game.bots else 0

    def _fit(self) -> None:
        """Bring every value within its bounds."""
        allowed = list(self.game.rulesets.values())[self._ruleset]
        self._seats = min(max(self._seats, allowed[0]), allowed[-1])
        self._bots = min(max(self._bots, 0), self._seats - 1) if self.game.bots else 0
        self._level = min(self._level, max(0, len(self.game.bots) - 1))
        self._options &= set(self.game.options)

    # the rows

    def _rows(self) -> list[Row]:
        game = self.game
        rows: list[Row] = []
        if len(self._games) > 1:
            rows.append(("game", game.title, "", self._step_game))
        rows.append(("ruleset", list(game.rulesets)[self._ruleset], "", self._step_ruleset))
        rows.append(("seats", str(self._seats), "for you and the others", self._step_seats))
        if game.bots:
            rows.append(("bots", str(self._bots), "on these seats", self._step_bots))
            if self._bots and len(game.bots) > 1:
                rows.append(("bots play", game.bots[self._level], "", self._step_level))
        for option, hint in game.options.items():
            value = "yes" if option in self._options else "no"
            rows.append((option.replace("-", " "), value, hint, self._toggle(option)))
        clock = CLOCKS[self._clock]
        meaning = "" if clock == "none" else "a bank, and more for each action"
        if clock.endswith("d"):
            meaning = "for each move"
        rows.append(("clock", clock, meaning, self._step_clock))
        absence = list(ABSENCES)[self._absence]
        rows.append(("absent", absence, ABSENCE_HINTS[ABSENCES[absence]], self._step_absence))
        shown = "yes" if self._listed else "no"
        rows.append(("listed", shown, "whether the list of tables shows it", self._toggle_listed))
        return rows

    def _step_game(self, step: int) -> None:
        self._game = (self._game + step) % len(self._games)
        self._ruleset = 0
        self._level = self._usual_level()

    def _step_ruleset(self, step: int) -> None:
        self._ruleset = (self._ruleset + step) % len(self.game.rulesets)

    def _step_seats(self, step: int) -> None:
        self._seats += step

    def _step_bots(self, step: int) -> None:
        self._bots += step

    def _step_level(self, step: int) -> None:
        self._level = (self._level + step) % len(self.game.bots)

    def _step_clock(self, step: int) -> None:
        self._clock = (self._clock + step) % len(CLOCKS)

    def _step_absence(self, step: int) -> None:
        self._absence = (self._absence + step) % len(ABSENCES)

    def _toggle(self, option: str) -> Callable[[int], None]:
        return lambda step: self._options.symmetric_difference_update({option})

    def _toggle_listed(self, step: int) -> None:
        self._listed = not self._listed

    # keys and lines

    def step_row(self, step: int) -> None:
        """Go to another row."""
        self.row = (self.row + step) % len(self._rows())

    def step_value(self, step: int) -> None:
        """Change the value of this row."""
        self._rows()[self.row][3](step)
        self._fit()
        self.row = min(self.row, len(self._rows()) - 1)

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The form; if it is longer than `rows`, the part around the current row."""
        lines: list[Line] = [[], [("class:title", " A new table")], []]
        seen = rows
        for number, (label, value, hint, _) in enumerate(self._rows()):
            here = number == self.row
            shown = f"◄ {value} ►" if here else f"  {value}"
            room = columns - 45
            beside = wrap(hint, room) if room >= 24 else [""]
            line: Line = [
                ("class:title", " ► " if here else "   "),
                ("class:strong" if here else "", pad(label, 20 if columns >= 45 else 18)),
                ("class:field" if here else "", pad(shown, 22) if room >= 24 else shown),
            ]
            lines.append(fit([*line, ("class:dim", beside[0])], columns))
            lines += [[("class:dim", " " * 45 + part)] for part in beside[1:]]
            if here and room < 24 and hint:
                below = wrap(hint, columns - 8)
                lines += [[("class:dim", " " * 7 + part)] for part in below]
            if here:
                seen = max(seen, len(lines))
        text = "Empty seats are for players who join by the code; you may start earlier."
        lines += [[], *([("class:dim", "   " + part)] for part in wrap(text, columns - 6))]
        return lines[seen - rows :]
