"""docs/architecture.md says what the code is: its folders, who imports whom, which modules put
everything together, and the functions that an action passes through."""

from __future__ import annotations

import re

from tests.house.places import ROOT, pyproject
from tests.pages.folders import folder_imports
from tests.pages.paths import has_function, missing

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
WAYS = "Four ways, hop by hop"
HOP = re.compile(r"^\d+\. `([\w/]+\.py): ([\w.]+(?:, [\w.]+)*)` — ", flags=re.MULTILINE)


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_every_path_exists() -> None:
    assert not missing(PAGE)


def test_every_folder_stands_there_with_what_it_imports() -> None:
    written = {
        cells[0].strip("`"): set(re.findall(r"`([\w/]+/)`", cells[3]))
        for row in re.findall(r"^\| (`.+) \|$", section("The tree"), flags=re.MULTILINE)
        if len(cells := row.split(" | ")) == 4
    }
    assert written == folder_imports()


def test_the_composition_modules_are_those_of_the_contracts() -> None:
    told = section("Import rules").partition("composition modules")[2].partition("no others")[0]
    named = {path[:-3].replace("/", ".") for path in re.findall(r"`(client/[\w/]+\.py)`", told)}
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    exempt = {
        line.removesuffix(" -> **")
        for contract in contracts
        for line in contract.get("ignore_imports", ())
        if line.endswith(" -> **")
    }
    allowed = {
        module
        for contract in contracts
        for module in contract.get("allowed_importers", ())
        if module not in ("client.ra", "client.raja")
    }
    assert named == exempt
    assert allowed <= named


def test_every_hop_is_a_function_that_exists() -> None:
    hops = HOP.findall(section(WAYS))
    assert len(hops) > 60
    lost = [
        f"{path}: {name}"
        for path, names in hops
        for name in names.split(", ")
        if not (ROOT / path).is_file() or not has_function(path, name)
    ]
    assert not lost


def test_every_way_says_how_many_hops_it_has() -> None:
    told = re.findall(r"^### .+\((\d+)\)$", section(WAYS), flags=re.MULTILINE)
    counted = [len(HOP.findall(way)) for way in section(WAYS).split("\n### ")[1:]]
    assert [int(number) for number in told] == counted and len(told) == 4
