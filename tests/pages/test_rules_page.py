"""docs/rules.md says what the engine plays: its tables hold the engine's numbers, and it has
every section that code, tests and pages cite."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from client.ra.game import RaClient
from engine.ra.game import RA
from engine.ra.rulesets import RULESETS, Ruleset
from engine.ra.scoring import civilization, monument_alike, monument_types
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import (
    CIVILIZATIONS,
    COPIES,
    DISASTERS,
    MONUMENTS,
    RA_SPACES,
    START_POINTS,
    SUN_SETS,
    TRACK_SPACES,
    Kind,
)
from tests.house.places import ROOT, sources

TEXT = (ROOT / "docs" / "rules.md").read_text("utf-8")
HEADINGS = re.findall(r"^#+ (.+)$", TEXT, flags=re.MULTILINE)
CITED = re.compile(
    r"\((?:rules[,:] )?((?:Components|A turn|An auction|Disasters|The end of an epoch|Scoring|"
    r"What a player may see|Rulesets)[^()]*)\)"
)


def section(name: str) -> str:
    """The text under a heading, up to the next one."""
    return re.split(r"\n#+ ", TEXT.split(f"# {name}\n")[1])[0]


def rows(name: str) -> dict[str, list[str]]:
    """The rows of a section's tables by their first cell."""
    lines = [line for line in section(name).splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in cells}


def test_the_pieces_are_those_of_the_bag() -> None:
    told = rows("Components")
    groups = {"civilization": CIVILIZATIONS, "monument": MONUMENTS, "disaster": DISASTERS}
    alone = [kind for kind in Kind if not any(kind in group for group in groups.values())]
    for kind in alone:
        name = {"RA": "Ra", "NILE": "Nile"}.get(kind.name, kind.name.lower())
        assert told[name][0] == str(COPIES[kind])
    for name, group in groups.items():
        how_many, _, types = told[name]
        assert how_many == str(sum(COPIES[kind] for kind in group))
        for kind in map(Kind, group):
            assert kind.name.lower().replace("_", " ") in types
    assert "funeral 2, drought 2, unrest 4, earthquake 2" in TEXT
    assert tuple(COPIES[kind] for kind in DISASTERS) == (2, 2, 4, 2)
    assert f"{sum(COPIES)} tiles" in TEXT
    assert f"has {TRACK_SPACES} spaces" in TEXT
    assert f"starts with {START_POINTS} points" in TEXT


@pytest.mark.parametrize("players", SUN_SETS)
def test_the_suns_are_those_dealt(players: int) -> None:
    sets = ", ".join("-".join(map(str, suns)) for suns in SUN_SETS[players])
    assert rows("Components")[str(players)] == [sets, str(RA_SPACES[players])]


def held(kinds: range, *counts: int) -> list[int]:
    """So many tiles of each of the first kinds."""
    tiles = [0] * len(Kind)
    for kind, count in zip(kinds, counts, strict=False):
        tiles[kind] = count
    return tiles


def test_the_points_are_those_scored() -> None:
    rules = RULESETS["standard"]
    (points,) = rows("Scoring, each epoch")["civilization"]
    assert points.startswith(
        f"by the number of different types: none {civilization(held(CIVILIZATIONS), rules)}; 1 or 2"
    )
    for types in (3, 4, 5):
        scored = civilization(held(CIVILIZATIONS, *(1,) * types), rules)
        assert f"{types}: {scored}" in points
    assert all(civilization(held(CIVILIZATIONS, *(1,) * n), rules) == 0 for n in (1, 2))
    told = rows("Scoring, third epoch only")
    (points,) = told["different types of monument"]
    assert all(monument_types(held(MONUMENTS, *(1,) * n)) == n for n in range(7))
    for types in (7, 8):
        assert f"{types}: {monument_types(held(MONUMENTS, *(1,) * types))}" in points
    (points,) = told["monuments of one type, each type by itself"]
    for alike in (3, 4, 5):
        assert f"{alike} alike: {monument_alike(held(MONUMENTS, alike))}" in points


def _row(rules: Ruleset) -> dict[str, str]:
    """The cells that a ruleset has in the table of rulesets, by the row's beginning."""
    starts = rules.full_track_starts_auction
    invoked = rules.reason_of_full_track is Reason.INVOKED
    discards = "discards the tiles" if rules.forced_discards else "leaves the tiles"
    return {
        "players": f"{rules.players[0]} to {rules.players[-1]}",
        "the eighth": "yes" if starts else "no",
        "Ra invoked": "*invoked*" if invoked else "cannot happen" if starts else "*forced*",
        "a *forced*": discards,
        "gods can": "any tile, gods as well" if rules.gods_take_gods else "any tile but a god",
        "no civ": str(rules.points_without_civilization),
        "the lowest": str(rules.points_of_lowest_suns),
        "a tie": "the highest sun" if rules.highest_sun_breaks_ties else "all who tie",
    }


def test_the_rulesets_are_those_of_the_engine() -> None:
    table = rows("Rulesets")
    assert table["what"] == [f"`{name}`" for name in RULESETS]
    for at, rules in enumerate(RULESETS.values()):
        for beginning, cell in _row(rules).items():
            (found,) = [cells for what, cells in table.items() if what.startswith(beginning)]
            assert found[at].startswith(cell), (rules.name, found)


def test_the_options_are_those_of_the_engine() -> None:
    named = [option.strip("`") for option in rows("Options") if option.startswith("`")]
    assert tuple(named) == RA.options
    assert tuple(RaClient.options) == RA.options


def test_every_section_that_is_cited_is_there() -> None:
    """What is of Raja cites the rules of Raja."""
    everything = sources("engine", "client", "tests")
    paths = [path for path in everything if "raja" not in str(path.relative_to(ROOT))]
    pages = [page for page in (ROOT / "docs").glob("*.md") if "raja" not in page.name]
    text = "\n".join(path.read_text("utf-8") for path in chain(paths, pages))
    text = re.sub(r"^## Raja\n.*?^(?=## )", "", text, flags=re.DOTALL | re.MULTILINE)
    cited = {place.strip() for found in CITED.findall(text) for place in found.split(";")}
    assert len(cited) > 8
    for place in cited:
        if place == "third epoch only":
            place = "Scoring, third epoch only"
        if place in HEADINGS:
            continue
        name, _, numbers = place.partition(", ")
        assert name in HEADINGS, place
        inside = section(name)
        for number in re.findall(r"\d+", numbers):
            assert f"\n{number}. " in inside, place
        assert re.fullmatch(r"|\d+( and \d+)?", numbers), place
