"""docs/rules-raja.md says what the engine plays: its tables hold the engine's numbers."""

from __future__ import annotations

import re

from engine.raja.game import RAJA
from engine.raja.rulesets import RULESETS
from engine.raja.scoring import CENTRAL_POINTS, PAY
from engine.raja.words.pieces import ACTIONS, CHITS, Character
from tests.house.places import ROOT, sources

TEXT = (ROOT / "docs" / "rules-raja.md").read_text("utf-8")


def section(name: str) -> str:
    """The text under a heading, up to the next one."""
    return re.split(r"\n#+ ", TEXT.split(f"# {name}\n")[1])[0]


def rows(name: str) -> dict[str, list[str]]:
    """The rows of a section's tables by their first cell."""
    lines = [line for line in section(name).splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in cells}


CITED = re.compile(
    r"\((?:rules[,:] )?((?:Components|The map|Set-up|A round|A turn|Scoring a city|The end|"
    r"Prompts and commands|What a player may see|Rulesets)[^()]*)\)"
)
"""A citation in the docstrings of Raja: sections, each perhaps with a part or its number."""


def test_every_section_that_is_cited_is_there() -> None:
    headings = re.findall(r"^#+ (.*)$", TEXT, re.M)
    everything = sources("engine", "client", "tests")
    paths = [path for path in everything if "raja" in str(path.relative_to(ROOT))]
    text = "\n".join(path.read_text("utf-8") for path in paths)
    cited = {place.strip() for found in CITED.findall(text) for place in found.split(";")}
    assert len(cited) > 12
    for place in cited:
        name, _, part = place.partition(", ")
        assert name in headings, place
        for number in re.findall(r"\d+", part):
            assert f"\n{number}. " in section(name), place
        if part and not re.search(r"\d", part):
            assert part in headings, place


def test_the_characters_are_in_order() -> None:
    told = rows("Components")
    for character in Character:
        assert told[str(character.value)][0] == character.name.lower()


def test_the_actions_are_those_that_can_be_chosen() -> None:
    told = {name: rest for name, rest in rows("A turn").items() if name not in ("action", "---")}
    assert list(told) == [one.name.lower().replace("_", " and ") for one in ACTIONS]
    by_chit = [chit == "yes" for chit, _ in told.values()]
    assert by_chit == [action in CHITS for action in ACTIONS]


def test_the_bank_pays_what_the_engine_pays() -> None:
    told = rows("Scoring a city")
    assert told["the central palace"] == [str(CENTRAL_POINTS)]
    for players, pay in PAY.items():
        assert [int(cell) for cell in told[str(players)] if cell] == list(pay)


def test_the_rulesets_are_those_of_the_engine() -> None:
    told = rows("Rulesets")
    assert told["what"] == [f"`{name}`" for name in RULESETS]
    for at, rules in enumerate(RULESETS.values()):
        least, most = rules.players[0], rules.players[-1]
        players = str(least) if least == most else f"{least} to {most}"
        assert told["players"][at] == players
        assert told["characters in the game"][at] == f"1-{rules.characters}"
        assert told["palaces of each player"][at] == str(rules.palaces)
        assert told["last round"][at] == str(rules.last_round)


def test_the_options_are_those_of_the_engine() -> None:
    named = [option.strip("`") for option in rows("Options") if option.startswith("`")]
    assert tuple(named) == RAJA.options
