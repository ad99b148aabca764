"""Every Python that is served, where it is installed: on machines without one of them its
cell is left out, and says so."""

from __future__ import annotations

import asyncio
import sys
import sysconfig

import pytest

from tests.everywhere.cells import Cell
from tests.house.places import ROOT, pyproject
from tests.interpreters import MINORS, pythons

OTHERS = [minor for minor in MINORS if minor != sys.version_info.minor]
"""On this one all other tests run."""


@pytest.mark.parametrize("minor", OTHERS)
async def test_the_programs_run_on_every_python(cell: Cell, minor: int) -> None:
    """With the libraries of this one: what is compiled for it gives way to plain Python."""
    if minor not in pythons():
        pytest.skip(f"Python 3.{minor} is not installed here")
    path = f"{ROOT}:{sysconfig.get_path('purelib')}"
    variables = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    cell = Cell(cell.home, variables, python=pythons()[minor])
    helping = cell.run(*cell.program("client"), "--help")
    demo, helped = await asyncio.gather(cell.demo(), helping)
    demo.worked("The game is over.")
    helped.worked("the default")


def test_the_pythons_that_are_served_are_those_that_are_promised() -> None:
    promised = pyproject()["project"]
    named = {f"Programming Language :: Python :: 3.{minor}" for minor in MINORS}
    assert named <= set(promised["classifiers"])
    assert promised["requires-python"] == f">=3.{MINORS[0]}"
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"3.{minor}" in readme for minor in MINORS)
