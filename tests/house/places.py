"""Where the project's own files lie, and which of them are its sources."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "protocol", "server", "client")


def sources(*tops: str) -> list[Path]:
    """Every Python file below the folders `tops` of the project."""
    return sorted(path for top in tops for path in (ROOT / top).rglob("*.py"))


def pyproject() -> dict[str, Any]:
    """pyproject.toml, read."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)
