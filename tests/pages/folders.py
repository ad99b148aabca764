"""Which folders of the packages import which, as they are."""

from __future__ import annotations

from tests.house.places import ROOT
from tests.house.test_imports import import_graph


def folder(module: str) -> str:
    """The folder of a module, as the architecture page writes it."""
    parts = module.split(".")
    if not ROOT.joinpath(*parts).is_dir():
        parts.pop()
    return "/".join(parts) + "/"


def folder_imports() -> dict[str, set[str]]:
    """By folder: the other folders of ours that its modules import, in whatever way."""
    found: dict[str, set[str]] = {}
    for module, imported in import_graph().items():
        own = found.setdefault(folder(module), set())
        own |= {folder(other) for other in imported} - {folder(module)}
    return found
