"""Rulesets (rules, Rulesets): the table of parameters, written out once more."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine.ra
from engine.errors import IllegalAction
from engine.game import Setup
from engine.ra.game import RA
from engine.ra.rulesets import RULESETS
from engine.ra.words.happenings import Reason

ALL = list(RULESETS)


def test_standard_is_the_default() -> None:
    assert next(iter(RA.rulesets)) == "standard"
    assert ALL == ["standard", "alea-1999", "wikipedia-ja-2012"]


@pytest.mark.parametrize(
    ("parameter", "values"),
    [
        ("players", (range(2, 6), range(3, 6), range(2, 6))),
        ("full_track_starts_auction", (False, True, True)),
        ("reason_of_full_track", (Reason.FORCED, Reason.FORCED, Reason.INVOKED)),
        ("forced_discards", (True, True, False)),
        ("gods_take_gods", (False, False, True)),
        ("points_without_civilization", (-5, -5, -2)),
        ("points_of_lowest_suns", (-5, -5, -2)),
        ("highest_sun_breaks_ties", (True, True, False)),
    ],
)
def test_the_table(parameter: str, values: tuple[object, ...]) -> None:
    assert tuple(getattr(RULESETS[name], parameter) for name in ALL) == values


def test_every_parameter_is_in_the_table() -> None:
    assert len(type(RULESETS["standard"]).__attrs_attrs__) == 1 + 8


@pytest.mark.parametrize("ruleset", ALL)
def test_the_numbers_of_players(ruleset: str) -> None:
    least = 3 if ruleset == "alea-1999" else 2
    for seats in range(-1, 8):
        setup = Setup(ruleset, seats)
        if least <= seats <= 5:
            RA.check(setup)
        else:
            with pytest.raises(IllegalAction):
                RA.check(setup)


def test_no_rule_asks_a_ruleset_for_its_name() -> None:
    """Values of parameters, never a separate code path."""
    folder = Path(engine.ra.__file__).parent
    naming = {
        path.name
        for path in folder.glob("*.py")
        if any(f'"{name}"' in path.read_text(encoding="utf-8") for name in ALL)
    }
    assert naming == {"rulesets.py"}
