"""The house rules that a machine can check, on every source file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.places import PACKAGES, ROOT, sources

CATCH_ALLS = {"base", "common", "helpers", "manager", "misc", "util", "utils"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_module_says_what_it_is() -> None:
    silent = [
        name(path)
        for path in sources(*PACKAGES, "tests")
        if path.stat().st_size and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert not silent


def test_the_four_packages_say_what_they_are() -> None:
    for package in PACKAGES:
        init = ROOT / package / "__init__.py"
        assert ast.get_docstring(ast.parse(init.read_text("utf-8"))), name(init)


def test_no_file_is_a_catch_all() -> None:
    assert not [name(path) for path in sources(*PACKAGES, "tests") if path.stem in CATCH_ALLS]


@pytest.mark.parametrize("package", ["engine", "protocol"])
def test_pure_packages_import_only_what_computes(package: str) -> None:
    """What the import contract forbids by name, turned round: only these are allowed."""
    allowed = {
        "__future__", "abc", "argparse", "ast", "attr", "attrs", "bisect", "collections",
        "copy", "engine", "enum", "functools", "hashlib", "hmac", "importlib", "inspect",
        "itertools", "json", "math", "msgpack", "operator", "protocol", "re", "struct",
        "textwrap", "types", "typing", "unicodedata", "zlib",
    }  # fmt: skip
    met: set[tuple[str, str]] = set()
    for path in sources(package):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                met |= {(name(path), alias.name.partition(".")[0]) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                met.add((name(path), (node.module or "").partition(".")[0]))
    assert not {(path, module) for path, module in met if module not in allowed}
