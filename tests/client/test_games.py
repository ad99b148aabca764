"""The client offers what the installed games have."""

from __future__ import annotations

import pytest

from client.arguments import parse_arguments
from client.games import find_client, installed
from engine.ra.game import RA


def test_the_client_offers_the_levels_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    game = find_client("ra")
    assert game.bots == tuple(RA.bots)
    assert tuple(game.rulesets) == tuple(RA.rulesets)
    assert {*game.options} == {*RA.options}
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    shown = capsys.readouterr().out
    for word in (*game.bots, *game.rulesets, *game.options):
        assert word in shown
    assert "Raja: standard (the default), yogi" in " ".join(shown.split())


def test_the_games_that_are_installed_are_found_by_name() -> None:
    assert {"ra", "raja"} <= set(installed())
    assert [find_client(name).name for name in installed()] == list(installed())
