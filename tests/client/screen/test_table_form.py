"""The form for a new table is whole at every size."""

from __future__ import annotations

import pytest

from client.screen.lines import text_of
from client.screen.run import installed_games
from client.screen.table_form import TableForm


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_form_of_a_table_is_whole(columns: int) -> None:
    form = TableForm(installed_games())
    for _ in range(12):
        said = text_of(form.lines(columns, 24))
        assert "…" not in said
        form.step_value(1)
        form.step_row(1)


@pytest.mark.parametrize("rows", [6, 9, 24])
def test_the_row_one_is_at_is_in_sight_in_a_small_window(rows: int) -> None:
    form = TableForm(installed_games())
    for _ in range(12):
        lines = [line for line in text_of(form.lines(40, rows)[:rows]).splitlines() if line]
        assert any(line.startswith(" ► ") for line in lines)
        assert not any(line.endswith("…") for line in lines)
        form.step_row(-1)


def test_another_game_brings_its_own_rulesets_options_and_bots() -> None:
    games = installed_games()
    form = TableForm(games)
    for game in [*games[1:], games[0]]:
        assert form.table.game != game.name
        form.step_value(1)
        assert (form.table.game, form.table.ruleset) == (game.name, next(iter(game.rulesets)))
        form.step_row(3)
        form.step_value(1)
        assert form.table.bots == (game.usual_bot,), "as well as its bots usually play"
        form.step_value(-1)
        form.step_row(-3)
